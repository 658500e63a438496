// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/CodeEditor.h"

#include "ui/editor/Bookmarks.h"
#include "ui/editor/CodeStyle.h"
#include "ui/editor/Completion.h"
#include "ui/editor/CudaLexer.h"
#include "ui/editor/DocumentEdit.h"
#include "ui/editor/MarkTracker.h"
#include "ui/editor/Symbols.h"
#include "ui/editor/TypingGuard.h"
#include "ui/theme/Theme.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QSet>
#include <QToolTip>
#include <algorithm>

namespace kernelarium::ui {

namespace {

enum Margin { symbolMargin, numberMargin, heatMargin, foldMargin };
// Indicators and markers of the editor; FindBar takes indicator 16.
constexpr int markIndicators = 8;
constexpr int markMarkers = 0;
constexpr int heatMarkers = 8;
constexpr int bandIndicators = 20; ///< bandCount of them
constexpr int flashMilliseconds = 700;

} // namespace

CodeEditor::CodeEditor(Theme& theme, QWidget* parent)
    : QsciScintilla(parent)
    , m_theme(theme)
    , m_lexer(new CudaLexer(theme, this))
    , m_marks(nullptr)
    , m_completion(nullptr)
    , m_guard(new TypingGuard(*this))
    , m_symbols(new Symbols(*this, returnMarker)) {
    setAccessibleName(tr("Source editor"));
    setAccessibleDescription(tr("The kernel's source. F8 goes to the next mark, Control+Space completes."));
    setLexer(m_lexer);
    CudaLexer::addTorchNames(*this);
    applyHabits(*this);
    setAutoIndent(true);
    setTabIndents(true);
    setBackspaceUnindents(true);
    setBraceMatching(SloppyBraceMatch);
    setIndentationGuides(false);
    SendScintilla(SCI_SETMULTIPLESELECTION, 1UL);
    SendScintilla(SCI_SETADDITIONALSELECTIONTYPING, 1UL);
    SendScintilla(SCI_AUTOCSETMULTI, static_cast<unsigned long>(SC_MULTIAUTOC_EACH));
    SendScintilla(SCI_SETMULTIPASTE, static_cast<unsigned long>(SC_MULTIPASTE_EACH));
    m_marks = new MarkTracker(*this, markIndicators, markMarkers);
    makeMargins();
    m_completion = new Completion(*this);
    makeActions();
    m_flash.setSingleShot(true);
    connect(&m_flash, &QTimer::timeout, this, [this] { setCaretLineBackgroundColor(m_theme.colours().currentLine); });
    connect(this, &QsciScintilla::textChanged, this, [this] {
        // The width to scroll over only grows by itself.
        if (length() == 0) SendScintilla(SCI_SETSCROLLWIDTH, 1UL);
        if (m_opening) return;
        m_guard->edited();
        Q_EMIT edited();
    });
    connect(this, &QsciScintilla::linesChanged, this, &CodeEditor::fitMargins);
    connect(this, &QsciScintilla::cursorPositionChanged, this, &CodeEditor::noteCursor);
    connect(this, &QsciScintillaBase::SCN_ZOOM, this, [this] {
        m_marks->applyTheme(m_theme);
        m_heat->applyTheme(m_theme);
        fitMargins();
    });
    connect(this, &QsciScintillaBase::SCN_MODIFIED, this, [this](int, int what) {
        if ((what & (SC_PERFORMED_UNDO | SC_PERFORMED_REDO)) != 0) m_tookBack = true;
    });
    connect(this, &QsciScintillaBase::SCN_UPDATEUI, this, [this] { // the cursor has gone where the text changed
        if (std::exchange(m_tookBack, false)) showLineStarts(*this);
    });
    connect(m_symbols, &Symbols::jumped, this, [this](int line, int column) {
        goToLine(line, column);
        setFocus(Qt::OtherFocusReason);
    });
    connect(m_symbols, &Symbols::said, m_guard, &TypingGuard::explain);
    connect(&m_theme, &Theme::changed, this, &CodeEditor::applyTheme);
    applyTheme();
}

void CodeEditor::makeMargins() {
    setMargins(4);
    setMarginType(symbolMargin, SymbolMargin);
    setMarginMarkerMask(symbolMargin, m_marks->markerMask() | 1 << bookmarkMarker);
    setMarginType(numberMargin, NumberMargin);
    setMarginMarkerMask(numberMargin, 0);
    m_heat = std::make_unique<HeatMargin>(*this, heatMargin, heatMarkers);
    setFolding(BoxedTreeFoldStyle, foldMargin);
    SendScintilla(SCI_SETMARGINLEFT, 0UL, 4L);
}

void CodeEditor::makeActions() {
    const auto add = [this](const QString& text, const QString& tip, const QList<QKeySequence>& keys, auto method) {
        auto* action = new QAction(text, this);
        action->setToolTip(tip);
        action->setStatusTip(tip);
        action->setShortcuts(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, method);
        addAction(action);
    };
    add(tr("Next problem"), tr("Go to the next error, warning, note or fault"), {Qt::Key_F8},
        &CodeEditor::goToNextMark);
    add(tr("Previous problem"), tr("Go to the previous error, warning, note or fault"), {Qt::SHIFT | Qt::Key_F8},
        &CodeEditor::goToPreviousMark);
    add(tr("Complete word"), tr("Suggest words that begin with the text before the cursor"), {Qt::CTRL | Qt::Key_Space},
        &CodeEditor::completeWord);
    add(tr("Parameters of the call"), tr("Show the parameters and the meaning of the intrinsic at the cursor"),
        {Qt::CTRL | Qt::SHIFT | Qt::Key_Space}, [this] { m_completion->showCallTip(); });
    add(tr("Larger text"), tr("Enlarge the source"), {Qt::CTRL | Qt::Key_Plus, Qt::CTRL | Qt::Key_Equal},
        [this] { zoomIn(1); });
    add(tr("Smaller text"), tr("Shrink the source"), {Qt::CTRL | Qt::Key_Minus}, [this] { zoomOut(1); });
    add(tr("Normal text size"), tr("Show the source at its normal size"), {Qt::CTRL | Qt::Key_0},
        &CodeEditor::resetZoom);
    for (const LineCommand& command : lineCommands())
        add(command.text, command.tip, {command.key}, [this, run = command.run] { run(*this); });
    add(tr("Go to the def&inition"), tr("Go to where the name at the cursor is defined in this file"), {Qt::Key_F12},
        &CodeEditor::goToDefinition);
    add(tr("Bac&k from the definition"), tr("Go back to where the definition was asked for"), {Qt::SHIFT | Qt::Key_F12},
        [this] { m_symbols->goBack(); });
}

void CodeEditor::applyTheme() {
    m_lexer->restyle();
    ui::applyTheme(*this, m_theme);
    m_flash.stop();
    m_marks->applyTheme(m_theme);
    m_heat->applyTheme(m_theme);
    for (int band = 0; band < bandCount; ++band) {
        indicatorDefine(FullBoxIndicator, bandIndicators + band);
        setIndicatorDrawUnder(true, bandIndicators + band);
        setIndicatorForegroundColor(bandColour(m_theme.colours(), band), bandIndicators + band);
        SendScintilla(SCI_INDICSETALPHA, static_cast<unsigned long>(bandIndicators + band), 255L);
        SendScintilla(SCI_INDICSETOUTLINEALPHA, static_cast<unsigned long>(bandIndicators + band), 255L);
    }
    defineBookmarks(*this, m_theme.colours().accent);
    // A background of the line: the marker is in no margin's mask.
    markerDefine(Background, stepMarker);
    setMarkerBackgroundColor(mixed(m_theme.colours().field, m_theme.colours().warning, 0.25), stepMarker);
    fitMargins();
}

void CodeEditor::fitMargins() {
    setMarginWidth(symbolMargin, textHeight(0) + 2);
    setMarginWidth(numberMargin,
                   QStringLiteral(" ") + QString(std::max(3, int(QString::number(lines()).size())), QLatin1Char('9')));
    setMarginWidth(foldMargin, std::max(12, textHeight(0) - 4));
}

void CodeEditor::setDiagnostics(const std::vector<EditorMark>& marks) {
    m_marks->set(marks);
}

std::vector<EditorMark> CodeEditor::diagnostics() const {
    return m_marks->marks();
}

void CodeEditor::setHeat(const std::vector<LineHeat>& heat) {
    m_heat->set(heat);
}

void CodeEditor::setBands(const std::vector<int>& bands) {
    for (int band = 0; band < bandCount; ++band) {
        SendScintilla(SCI_SETINDICATORCURRENT, static_cast<unsigned long>(bandIndicators + band));
        SendScintilla(SCI_INDICATORCLEARRANGE, 0UL, long(length()));
        for (const int line : bands) {
            if (line % bandCount != band || line < 1 || line > lines()) continue;
            const auto index = static_cast<unsigned long>(line - 1);
            const long begin = SendScintilla(SCI_GETLINEINDENTPOSITION, index);
            const long end = SendScintilla(SCI_GETLINEENDPOSITION, index);
            if (end > begin) SendScintilla(SCI_INDICATORFILLRANGE, static_cast<unsigned long>(begin), end - begin);
        }
    }
}

void CodeEditor::goToDefinition() {
    m_symbols->goToDefinition(SendScintilla(SCI_GETCURRENTPOS));
}

int CodeEditor::cursorLine() const {
    const long position = SendScintilla(SCI_GETCURRENTPOS);
    return int(SendScintilla(SCI_LINEFROMPOSITION, position)) + 1;
}

void CodeEditor::noteCursor() {
    const int line = cursorLine();
    if (line == m_line) return;
    m_line = line;
    Q_EMIT cursorLineChanged(line);
}

void CodeEditor::goToLine(int line, int column) {
    const int index = std::clamp(line - 1, 0, lines() - 1);
    const long position = column > 0 ? positionAt(*this, line, column)
                                     : SendScintilla(SCI_GETLINEINDENTPOSITION, static_cast<unsigned long>(index));
    ensureLineVisible(index);
    SendScintilla(SCI_GOTOPOS, static_cast<unsigned long>(position));
    const long shown = SendScintilla(SCI_VISIBLEFROMDOCLINE, static_cast<unsigned long>(index));
    const long half = SendScintilla(SCI_LINESONSCREEN) / 2;
    SendScintilla(SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(std::max(0L, shown - half)));
    showLineStarts(*this);
    setCaretLineBackgroundColor(mixed(m_theme.colours().currentLine, m_theme.colours().accent, 0.35));
    m_flash.start(flashMilliseconds);
}

void CodeEditor::setStepLine(int line) {
    markerDeleteAll(stepMarker);
    if (line < 1 || line > lines()) return;
    markerAdd(line - 1, stepMarker);
    ensureLineVisible(line - 1);
    const long shown = SendScintilla(SCI_VISIBLEFROMDOCLINE, static_cast<unsigned long>(line - 1));
    const long first = SendScintilla(SCI_GETFIRSTVISIBLELINE), height = SendScintilla(SCI_LINESONSCREEN);
    if (shown < first || shown >= first + height)
        SendScintilla(SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(std::max(0L, shown - height / 2)));
}

void CodeEditor::goToNextMark() {
    const long position = m_marks->next(SendScintilla(SCI_GETCURRENTPOS));
    if (position < 0) return;
    const long line = SendScintilla(SCI_LINEFROMPOSITION, position);
    goToLine(int(line) + 1, int(position - SendScintilla(SCI_POSITIONFROMLINE, line)) + 1);
}

void CodeEditor::goToPreviousMark() {
    const long position = m_marks->previous(SendScintilla(SCI_GETCURRENTPOS));
    if (position < 0) return;
    const long line = SendScintilla(SCI_LINEFROMPOSITION, position);
    goToLine(int(line) + 1, int(position - SendScintilla(SCI_POSITIONFROMLINE, line)) + 1);
}

void CodeEditor::completeWord() {
    m_completion->complete();
}

void CodeEditor::resetZoom() {
    zoomTo(0);
}

QString CodeEditor::tipAt(const QPoint& point) const {
    const long near =
        SendScintilla(SCI_POSITIONFROMPOINT, static_cast<unsigned long>(std::max(0, point.x())), long(point.y()));
    const int line = int(SendScintilla(SCI_LINEFROMPOSITION, near));
    const int top = int(SendScintilla(SCI_POINTYFROMPOSITION, 0UL, near));
    if (point.y() < top || point.y() >= top + textHeight(line)) return {};
    int left = 0;
    for (int margin = 0; margin < margins(); ++margin) {
        const int right = left + marginWidth(margin);
        if (point.x() >= left && point.x() < right) {
            if (margin == heatMargin) return m_heat->textOfLine(line);
            return margin == foldMargin ? QString() : m_marks->textOfLine(line);
        }
        left = right;
    }
    const long exact =
        SendScintilla(SCI_POSITIONFROMPOINTCLOSE, static_cast<unsigned long>(point.x()), long(point.y()));
    return exact < 0 ? QString() : m_marks->textAt(exact);
}

bool CodeEditor::event(QEvent* event) {
    // Escape closes a list or a tip of the editor's own, and leaves one of several cursors; without any of these it is
    // the window's, which cancels with it.
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape &&
        SendScintilla(SCI_GETSELECTIONS) < 2 && !isListActive() && !SendScintilla(SCI_CALLTIPACTIVE)) {
        event->ignore();
        return false;
    }
    return QsciScintilla::event(event);
}

bool CodeEditor::viewportEvent(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QsciScintilla::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = tipAt(help->pos());
    if (text.isEmpty()) {
        QToolTip::hideText();
        event->ignore();
    } else {
        // Plain text would be taken for rich text where a message holds a template's angle brackets.
        QToolTip::showText(help->globalPos(),
                           QStringLiteral("<p style='white-space:pre-wrap'>") + text.toHtmlEscaped() +
                               QStringLiteral("</p>"),
                           viewport());
    }
    return true;
}

bool CodeEditor::focusNextPrevChild(bool next) {
    if (isListActive()) return false; // Tab takes the word
    // QScintilla's own lets Tab go on from a text that cannot be changed only.
    return m_guard->lets() ? QAbstractScrollArea::focusNextPrevChild(next) : QsciScintilla::focusNextPrevChild(next);
}

void CodeEditor::focusInEvent(QFocusEvent* event) {
    QsciScintilla::focusInEvent(event);
    m_guard->focusCame(event->reason());
}

void CodeEditor::focusOutEvent(QFocusEvent* event) {
    QsciScintilla::focusOutEvent(event);
    m_guard->focusWent();
}

void CodeEditor::keyPressEvent(QKeyEvent* event) {
    if (!isListActive()) {
        if (!m_guard->takes(*event)) return;
        const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
        // QScintilla indents for one cursor, and drops the others.
        if (isReturn && SendScintilla(SCI_GETSELECTIONS) > 1) return breakLines(*this);
        if (event->key() == Qt::Key_Escape && dropOtherCursors(*this)) return;
    }
    // Indenting asks the styles of the line before.
    ensureStyled(*this, SendScintilla(SCI_GETCURRENTPOS));
    QsciScintilla::keyPressEvent(event);
}

void CodeEditor::contextMenuEvent(QContextMenuEvent* event) {
    QMenu* menu = m_menuActions.isEmpty() ? createStandardContextMenu() : new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QSet<QString> texts;
    const auto plain = [](const QAction& action) { return action.text().remove(QLatin1Char('&')); };
    for (QAction* action : m_menuActions) {
        if (action)
            menu->addAction(action);
        else
            menu->addSeparator();
        if (!action) continue;
        texts << plain(*action);
        if (action->menu())
            for (const QAction* inner : action->menu()->actions())
                texts << plain(*inner);
    }
    menu->addSeparator();
    for (QAction* action : actions())
        if (!texts.contains(plain(*action))) menu->addAction(action);
    menu->setToolTipsVisible(true);
    menu->popup(event->globalPos());
}

void CodeEditor::changeEvent(QEvent* event) {
    QsciScintilla::changeEvent(event);
    if (event->type() == QEvent::ScreenChangeInternal && m_marks != nullptr && m_heat) {
        m_marks->applyTheme(m_theme);
        m_heat->applyTheme(m_theme);
    }
}

} // namespace kernelarium::ui
