// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/CodeEditor.h"

#include "ui/editor/Bookmarks.h"
#include "ui/editor/CodeStyle.h"
#include "ui/editor/Completion.h"
#include "ui/editor/CudaLexer.h"
#include "ui/editor/DocumentEdit.h"
#include "ui/editor/FindBar.h"
#include "ui/editor/MarkTracker.h"
#include "ui/editor/Symbols.h"
#include "ui/editor/TypingGuard.h"
#include "ui/theme/Theme.h"

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QDropEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <QSet>
#include <QToolTip>
#include <QUrl>
#include <algorithm>

namespace kernelarium::ui {

namespace {

enum Margin { symbolMargin, numberMargin, heatMargin, foldMargin };
// Indicators and markers of the editor; FindBar takes indicator 16.
constexpr int markIndicators = 8;
constexpr int markMarkers = 0;
constexpr int heatMarkers = 8;
constexpr int stepMarker = 20;
constexpr int returnMarker = 21;
constexpr int flashMilliseconds = 700;

QStringList localFiles(const QMimeData* data) {
    QStringList paths;
    for (const QUrl& url : data->urls())
        if (url.isLocalFile()) paths.append(url.toLocalFile());
    return paths;
}

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

void CodeEditor::open(const QString& text) {
    m_opening = true;
    const bool readOnly = isReadOnly();
    if (readOnly) setReadOnly(false);
    m_marks->set({});
    m_heat->set({});
    m_symbols->forget();
    setText(text);
    setModified(false);
    setReadOnly(readOnly);
    SendScintilla(SCI_GOTOPOS, 0UL);
    SendScintilla(SCI_SETSCROLLWIDTH, 1UL);
    fitMargins();
    m_opening = false;
    noteCursor();
}

void CodeEditor::startPage() {
    m_opening = true;
    setDocument(QsciDocument());
    // These are a document's and not an editor's: encoding, widths, the lexer with its words.
    setLexer(m_lexer);
    CudaLexer::addTorchNames(*this);
    applyHabits(*this);
    applyTheme();
    m_opening = false;
}

EditorPage CodeEditor::takePage() {
    m_marks->set({});
    m_heat->set({});
    markerDeleteAll(stepMarker);
    markerDeleteAll(returnMarker);
    SendScintilla(SCI_SETINDICATORCURRENT, static_cast<unsigned long>(FindBar::indicator));
    SendScintilla(SCI_INDICATORCLEARRANGE, 0UL, long(length()));
    EditorPage page;
    page.document = document();
    page.top =
        SendScintilla(SCI_DOCLINEFROMVISIBLE, static_cast<unsigned long>(SendScintilla(SCI_GETFIRSTVISIBLELINE)));
    page.left = SendScintilla(SCI_GETXOFFSET);
    page.anchor = SendScintilla(SCI_GETANCHOR);
    page.caret = SendScintilla(SCI_GETCURRENTPOS);
    for (long line = SendScintilla(SCI_CONTRACTEDFOLDNEXT, 0UL); line >= 0;
         line = SendScintilla(SCI_CONTRACTEDFOLDNEXT, static_cast<unsigned long>(line + 1)))
        page.folded.push_back(int(line));
    page.archived = m_guard->isArchived();
    return page;
}

void CodeEditor::showPage(const EditorPage& page) {
    m_opening = true;
    m_symbols->forget();
    setDocument(page.document);
    SendScintilla(SCI_SETSCROLLWIDTH, 1UL);
    fitMargins();
    for (const int line : page.folded)
        SendScintilla(SCI_FOLDLINE, static_cast<unsigned long>(line), long(SC_FOLDACTION_CONTRACT));
    SendScintilla(SCI_SETSEL, static_cast<unsigned long>(page.anchor), page.caret);
    SendScintilla(SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(SendScintilla(
                                               SCI_VISIBLEFROMDOCLINE, static_cast<unsigned long>(page.top))));
    SendScintilla(SCI_SETXOFFSET, static_cast<unsigned long>(page.left));
    m_guard->setArchived(page.archived);
    Q_EMIT textChanged(); // to whom it is another text
    m_opening = false;
    noteCursor();
}

void CodeEditor::replaceText(const QString& text) {
    replaceDocument(*this, text);
    showLineStarts(*this);
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

bool CodeEditor::isInText(const QPoint& point) const {
    int left = 0;
    for (int margin = 0; margin < margins(); ++margin)
        left += marginWidth(margin);
    return point.x() >= left;
}

void CodeEditor::mousePressEvent(QMouseEvent* event) {
    m_press = {};
    const bool inText = event->button() == Qt::LeftButton && isInText(event->position().toPoint());
    if (inText && event->modifiers() == Qt::ControlModifier)
        m_press = {Press::Meaning::definition, event->position().toPoint(), {}};
    else if (inText && event->modifiers() == Qt::AltModifier)
        m_press = {Press::Meaning::cursor, event->position().toPoint(), cursorsOf(*this)};
    if (m_press.meaning == Press::Meaning::cursor) { // a drag selects a rectangle: QScintilla's keys are Ctrl and Alt
        QMouseEvent rectangle(event->type(), event->position(), event->globalPosition(), event->button(),
                              event->buttons(), event->modifiers() | Qt::ControlModifier);
        QsciScintilla::mousePressEvent(&rectangle);
    } else if (m_press.meaning != Press::Meaning::definition) { // where Scintilla would begin another selection
        QsciScintilla::mousePressEvent(event);
    }
    m_guard->placed();
}

void CodeEditor::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::MiddleButton && m_guard->isArchived()) {
        m_guard->explain(tr("This is the archived text. Ctrl+V pastes into it; so does the middle button once it was "
                            "edited."));
        return;
    }
    Press press = std::exchange(m_press, {});
    const QPoint at = event->position().toPoint();
    const bool clicked = (at - press.at).manhattanLength() < QApplication::startDragDistance();
    if (press.meaning != Press::Meaning::definition) QsciScintilla::mouseReleaseEvent(event);
    if (press.meaning == Press::Meaning::none || !clicked) return;
    const auto x = static_cast<unsigned long>(at.x());
    if (press.meaning == Press::Meaning::cursor) {
        toggleCursor(*this, std::move(press.before), SendScintilla(SCI_POSITIONFROMPOINT, x, long(at.y())));
    } else if (const long position = SendScintilla(SCI_POSITIONFROMPOINTCLOSE, x, long(at.y())); position >= 0) {
        SendScintilla(SCI_SETEMPTYSELECTION, static_cast<unsigned long>(position));
        m_symbols->goToDefinition(position);
    }
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

void CodeEditor::dragEnterEvent(QDragEnterEvent* event) {
    if (localFiles(event->mimeData()).isEmpty())
        QsciScintilla::dragEnterEvent(event);
    else
        event->acceptProposedAction();
}

void CodeEditor::dragMoveEvent(QDragMoveEvent* event) {
    if (localFiles(event->mimeData()).isEmpty())
        QsciScintilla::dragMoveEvent(event);
    else
        event->acceptProposedAction();
}

void CodeEditor::dropEvent(QDropEvent* event) {
    const QStringList paths = localFiles(event->mimeData());
    if (paths.isEmpty()) {
        if (m_guard->isArchived()) {
            event->setDropAction(Qt::IgnoreAction); // or whoever dragged it would remove it
            event->ignore();
            m_guard->explain(tr("This is the archived text. Text can be dropped into it once it was edited."));
        } else {
            QsciScintilla::dropEvent(event);
        }
        return;
    }
    event->acceptProposedAction();
    Q_EMIT filesDropped(paths);
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
