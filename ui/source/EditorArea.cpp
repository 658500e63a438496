// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/source/EditorArea.h"

#include "ui/desks/ArchiveDesk.h"
#include "ui/desks/CompileDesk.h"
#include "ui/desks/RunDesk.h"
#include "ui/desks/SessionDesk.h"
#include "ui/editor/CodeEditor.h"
#include "ui/editor/DiffView.h"
#include "ui/editor/FindBar.h"
#include "ui/editor/PromptBar.h"
#include "ui/editor/PtxView.h"
#include "ui/editor/Symbols.h"
#include "ui/editor/TypingGuard.h"
#include "ui/source/EmptyBench.h"
#include "ui/source/KernelTabs.h"
#include "ui/source/SassPanel.h"
#include "ui/source/SecondAssembly.h"
#include "ui/source/SourceMarks.h"
#include "ui/source/SourceQuestions.h"
#include "ui/widgets/ElidedLabel.h"
#include "ui/workspace/Assignment.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Heat.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/PastTrials.h"
#include "ui/workspace/Place.h"

#include <QAction>
#include <QDataStream>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {

enum Page { emptyPage, sourcePage, diffPage };

} // namespace

EditorArea::EditorArea(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_theme(theme)
    , m_tabs(new KernelTabs(around.bench, around.session))
    , m_title(new ElidedLabel(Qt::ElideMiddle))
    , m_subtitle(new ElidedLabel(Qt::ElideRight))
    , m_editor(new CodeEditor(theme))
    , m_ptx(new PtxView(theme))
    , m_native(new SassPanel({around.bench, around.place, around.compiler}, theme))
    , m_second(new SecondAssembly({around.bench, around.place, around.compiler, *m_ptx, m_native->listing()}, theme))
    , m_options(new QToolButton)
    , m_diff(new DiffView(theme))
    , m_find(new FindBar(theme, *m_editor))
    , m_prompt(new PromptBar)
    , m_split(new QSplitter)
    , m_pages(new QStackedWidget)
    , m_marks(
          new SourceMarks({around.bench, around.compiler, around.runner, around.profiles, around.tidy, around.settings},
                          *m_editor, this))
    , m_format(*m_editor, around.bench, around.formatter, around.notices) {
    m_title->setFont(theme.headingFont());
    m_title->setTextFormat(Qt::PlainText);
    m_subtitle->setProperty("role", "muted");
    m_subtitle->setTextFormat(Qt::PlainText);
    m_subtitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 8, 12, 8);
    head->setSpacing(12);
    head->addWidget(m_title);
    head->addWidget(m_subtitle, 1);
    m_options->setAutoRaise(true);
    m_options->setFocusPolicy(Qt::TabFocus);
    head->addWidget(m_options);
    connect(m_options, &QToolButton::clicked, this, &EditorArea::askForOptions);
    auto* rule = new QFrame;
    rule->setProperty("role", "hairline");

    auto* source = new QWidget;
    auto* sourceLayout = new QVBoxLayout(source);
    sourceLayout->setContentsMargins(0, 0, 0, 0);
    sourceLayout->setSpacing(0);
    m_split->addWidget(m_editor);
    m_split->addWidget(m_ptx);
    m_split->addWidget(m_native);
    m_split->addWidget(m_second);
    m_split->setHandleWidth(1);
    m_split->setStretchFactor(0, 3);
    for (const int view : {1, 2, 3})
        m_split->setStretchFactor(view, 2);
    m_split->setChildrenCollapsible(false);
    m_ptx->hide();
    m_native->hide();
    connect(m_editor, &CodeEditor::cursorLineChanged, m_ptx, &PtxView::showSourceLine);
    connect(m_editor, &CodeEditor::cursorLineChanged, m_native, &SassPanel::showSourceLine);
    const auto goToLine = [this](int line) { m_editor->goToLine(line); };
    connect(m_ptx, &PtxView::sourceLineActivated, this, goToLine);
    connect(m_native, &SassPanel::sourceLineActivated, this, goToLine);
    connect(m_native, &SassPanel::stateChanged, this, &EditorArea::stateChanged);
    for (PtxView* view : {m_ptx, &m_native->listing()})
        connect(view, &PtxView::shownChanged, this, &EditorArea::refreshBands);
    m_second->hide();
    connect(m_editor, &CodeEditor::cursorLineChanged, m_second, &SecondAssembly::showSourceLine);
    connect(m_second, &SecondAssembly::sourceLineActivated, this, goToLine);
    connect(m_second, &SecondAssembly::closeRequested, this, [this] {
        showSecond(false);
        focusEditor();
    });
    connect(m_second, &SecondAssembly::stateChanged, this, &EditorArea::stateChanged);
    connect(m_second, &SecondAssembly::assemblyChanged, this, [this] {
        if (!isShowingSecond()) return;
        const bool sass = m_second->assembly() == Assembly::sass;
        showPtx(!sass);
        if (sass) m_native->showListing();
        showSass(sass);
    });
    sourceLayout->addWidget(m_split, 1);
    sourceLayout->addWidget(m_find);
    sourceLayout->addWidget(m_prompt);
    m_prompt->setFocusAfter(m_editor);

    auto* empty = new EmptyBench(theme);
    connect(empty, &EmptyBench::openRequested, this, &EditorArea::openRequested);
    connect(empty, &EmptyBench::newRequested, this, &EditorArea::newRequested);
    connect(empty, &EmptyBench::lessonsRequested, this, &EditorArea::lessonsRequested);
    m_pages->addWidget(empty);
    m_pages->addWidget(source);
    m_pages->addWidget(m_diff);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_tabs);
    layout->addLayout(head);
    layout->addWidget(rule);
    layout->addWidget(m_pages, 1);

    connect(m_editor, &CodeEditor::edited, this,
            [this] { m_with.bench.setSource(m_editor->text(), m_editor->cursorLine() - 1); });
    connect(m_editor, &QsciScintilla::cursorPositionChanged, this,
            [this](int line, int column) { Q_EMIT cursorMoved(line + 1, column + 1); });
    // What was asked is of the text as it was.
    connect(m_editor, &QsciScintilla::textChanged, m_prompt, &PromptBar::giveUp);
    connect(&m_editor->guard(), &TypingGuard::changed, this, &EditorArea::tellTyping);
    connect(m_editor, &CodeEditor::filesDropped, this, &EditorArea::filesDropped);
    connect(m_diff, &DiffView::revertRequested, this, &EditorArea::takeChange);
    connect(m_diff, &DiffView::backRequested, this, [this] { showDiff(false); });
    connect(m_diff, &DiffView::compared, this, [this] {
        if (std::exchange(m_diffOpened, false) && m_diff->changes() > 0) m_diff->nextChange();
    });
    connect(m_split, &QSplitter::splitterMoved, this, &EditorArea::stateChanged);
    connect(&around.bench, &Bench::kernelChanged, this, &EditorArea::openKernel);
    connect(m_tabs, &KernelTabs::closed, this, [this](const QString& key) { m_kept.remove(key); });
    connect(m_tabs, &KernelTabs::changed, this, &EditorArea::stateChanged);
    connect(&around.bench, &Bench::sourceChanged, m_tabs, &KernelTabs::refresh);
    connect(&around.bench, &Bench::keyChanged, this, [this](const QString& from, const QString& to) {
        m_tabs->renameKey(from, to);
        if (m_shown == from) m_shown = to;
    });
    connect(&around.bench, &Bench::lineRemembered, this, [this](int line) {
        if (m_isAsLeft) return;
        m_editor->goToLine(line);
        m_editor->setFocus(Qt::OtherFocusReason);
    });
    connect(&around.bench, &Bench::sourceReplaced, m_editor, &CodeEditor::replaceText);
    connect(&around.bench, &Bench::sourceChanged, this, &EditorArea::refreshHeader);
    connect(&around.bench, &Bench::sourceChanged, this, &EditorArea::refreshDiff);
    connect(&around.assignment, &Assignment::changed, this, &EditorArea::refreshHeader);
    connect(&around.bench, &Bench::lineRequested, this, [this](int line, int column) {
        showDiff(false);
        m_editor->goToLine(line, column);
        m_editor->setFocus(Qt::OtherFocusReason);
    });
    connect(&around.assignment, &Assignment::changed, this, &EditorArea::refreshOptions);
    connect(&around.place, &Place::changed, this, &EditorArea::refreshOptions);
    connect(&around.heat, &Heat::changed, this, [this] { m_editor->setHeat(m_with.heat.lines()); });
    connect(&around.bench, &Bench::stepLineChanged, m_editor, &CodeEditor::setStepLine);
    connect(&around.compiler, &CompileDesk::changed, this, &EditorArea::refreshPtx);
    connect(&around.past, &PastTrials::attemptShown, this, &EditorArea::compareWith);
    leaveKeysToTheWindow();
    refreshHeader();
    refreshOptions();
}

void EditorArea::leaveKeysToTheWindow() {
    // The window has actions of its own for these, in menus and palette; twice the same key would be ambiguous.
    const QList<QKeySequence> keys{QKeySequence(QKeySequence::Find), QKeySequence(Qt::CTRL | Qt::Key_H),
                                   QKeySequence(Qt::Key_F8),         QKeySequence(Qt::SHIFT | Qt::Key_F8),
                                   QKeySequence(Qt::Key_F3),         QKeySequence(Qt::SHIFT | Qt::Key_F3)};
    for (QAction* action : m_editor->actions())
        if (keys.contains(action->shortcut())) action->setShortcut({});
}

void EditorArea::openKernel() {
    m_prompt->giveUp();
    m_compared.clear();
    m_comparedFrom = {};
    openText();
    m_tabs->follow();
    m_pages->setCurrentIndex(sourcePage);
    m_ptxUnit.reset();
    m_ptx->setPtx({});
    m_native->clear();
    m_second->clear();
    refreshHeader();
    refreshOptions();
    m_marks->refresh();
    Q_EMIT stateChanged();
}

/// Each tab keeps its own page: what can be undone, the cursor, the place.
void EditorArea::openText() {
    const Kernel& kernel = m_with.bench.kernel();
    if (!m_shown.isEmpty() && m_shown != kernel.key)
        m_kept[m_shown] = std::make_shared<EditorPage>(m_editor->takePage());
    const std::shared_ptr<const EditorPage> kept = m_kept.take(kernel.key);
    const bool another = m_shown != kernel.key;
    m_shown = kernel.key;
    m_isAsLeft = false;
    if (another && kept) {
        m_editor->showPage(*kept);
        m_isAsLeft = m_editor->text() == m_with.bench.source();
        if (m_isAsLeft) return;
    }
    // A text that was changed elsewhere is another one, with nothing to be undone.
    if (another) m_editor->startPage();
    m_editor->open(m_with.bench.source());
    m_editor->guard().setArchived(kernel.origin == Kernel::Origin::archived && !m_with.bench.isEdited());
}

void EditorArea::refreshHeader() {
    const Kernel& kernel = m_with.bench.kernel();
    m_title->setText(kernel.isEmpty() ? tr("Kernelarium")
                                      : (m_with.bench.isEdited() ? QStringLiteral("• ") : QString()) + kernel.title);
    QStringList parts;
    if (kernel.task && m_with.assignment.card())
        parts << tr("task %1/%2 %3")
                     .arg(kernel.task->level)
                     .arg(kernel.task->task)
                     .arg(QString::fromStdString(m_with.assignment.card()->summary));
    else if (kernel.task)
        parts << tr("task %1/%2 (no card)").arg(kernel.task->level).arg(kernel.task->task);
    else if (!kernel.arguments.isEmpty())
        parts << tr("called with %1").arg(kernel.arguments.join(QStringLiteral(", ")));
    else if (!kernel.isEmpty())
        parts << tr("no task yet: press Ctrl+T to choose one");
    if (!kernel.referenceName.isEmpty()) parts << tr("compared with %1").arg(kernel.referenceName);
    if (m_with.bench.isEdited())
        parts << tr("edited");
    else if (kernel.origin == Kernel::Origin::archived)
        parts << tr("archived text, unchanged");
    const QString text = parts.join(QStringLiteral(" · "));
    m_subtitle->setText(text);
    m_subtitle->setToolTip(text);
    m_title->setToolTip(kernel.isEmpty() ? QString() : kernel.title);
}

void EditorArea::refreshDiff() {
    if (!isShowingDiff()) return;
    if (m_comparedFrom.key.isEmpty())
        m_diff->nameTaking(tr("Revert this change"), tr("Revert the change at the cursor"));
    else
        m_diff->nameTaking(tr("Take this change"),
                           tr("Take the change at the cursor from %1 into the text").arg(m_comparedFrom.title));
    const QString mine = tr("%1, your text").arg(m_with.bench.kernel().title);
    if (m_comparedFrom.key.isEmpty())
        m_diff->nameSides(tr("%1, original").arg(m_with.bench.kernel().title), mine);
    else if (m_comparedFrom.attempt != 0)
        m_diff->nameSides(tr("#%1, %2").arg(m_comparedFrom.attempt).arg(m_comparedFrom.title), mine);
    else
        m_diff->nameSides(m_comparedFrom.title, mine);
    m_diff->setTexts(m_comparedFrom.key.isEmpty() ? m_with.bench.kernel().original : m_compared, m_with.bench.source());
}

void EditorArea::focusEditor() {
    if (m_pages->currentIndex() == sourcePage) m_editor->setFocus(Qt::ShortcutFocusReason);
}

void EditorArea::find() {
    showDiff(false);
    m_find->openFind();
}

void EditorArea::replace() {
    showDiff(false);
    m_find->openReplace();
}

void EditorArea::findNext() {
    showDiff(false);
    m_find->findNext();
}

void EditorArea::findPrevious() {
    showDiff(false);
    m_find->findPrevious();
}

void EditorArea::askForLine() {
    showDiff(false);
    ui::askForLine(*m_editor, *m_prompt);
}

void EditorArea::askForNewName() {
    showDiff(false);
    ui::askForNewName(*m_editor, *m_prompt);
}

void EditorArea::goToDefinition() {
    showDiff(false);
    m_editor->goToDefinition();
}

void EditorArea::goBackFromDefinition() {
    showDiff(false);
    m_editor->symbols().goBack();
}

void EditorArea::format() {
    showDiff(false);
    m_format.format();
}

void EditorArea::goToNextMark() {
    m_editor->goToNextMark();
}

void EditorArea::goToPreviousMark() {
    m_editor->goToPreviousMark();
}

bool EditorArea::isShowingDiff() const {
    return m_pages->currentIndex() == diffPage;
}

void EditorArea::showDiff(bool shown) {
    if (m_with.bench.kernel().isEmpty() || shown == isShowingDiff()) return;
    m_pages->setCurrentIndex(shown ? diffPage : sourcePage);
    if (!shown) {
        m_compared.clear();
        m_comparedFrom = {};
    }
    m_diffOpened = shown;
    refreshDiff();
    (shown ? static_cast<QWidget*>(&m_diff->editedSide()) : m_editor)->setFocus(Qt::ShortcutFocusReason);
    Q_EMIT stateChanged();
}

void EditorArea::compareWith(qint64 attempt) {
    m_with.session.fetch(attempt, [this, opening = m_with.bench.openings()](Result<session::Attempt> found) {
        if (m_with.bench.kernel().isEmpty() || opening != m_with.bench.openings()) return; // asked beside another text
        if (!found) {
            if (found.error().code != "cancelled") m_with.notices.postError(found.error());
            return;
        }
        const QString key = QString::fromStdString(found->kernelKey);
        compareWithText(QString::fromStdString(found->source),
                        {key.isEmpty() ? QStringLiteral("attempt:%1").arg(found->id) : key,
                         QString::fromStdString(found->kernelTitle), found->id});
    });
}

void EditorArea::compareWithArchived(qint64 kernel) {
    HunkSource source;
    if (const auto& table = m_with.archive.table()) {
        const auto row = std::lower_bound(table->id.begin(), table->id.end(), kernel);
        if (row == table->id.end() || *row != kernel) return;
        const auto place = std::size_t(row - table->id.begin());
        source.key = QStringLiteral("archive:") + QString::fromStdString(table->label(place));
        source.title = QString::fromStdString(table->name[place]);
    }
    m_with.archive.fetchCode(kernel, [this, source, opening = m_with.bench.openings()](Result<QString> code) {
        if (m_with.bench.kernel().isEmpty() || opening != m_with.bench.openings()) return;
        if (code)
            compareWithText(*code, source);
        else if (code.error().code != "cancelled")
            m_with.notices.post(QString::fromStdString(code.error().text()), true);
    });
}

/// Another kernel's change is that kernel's: the next attempt names both.
void EditorArea::takeChange(const QString& text) {
    if (m_comparedFrom.key.isEmpty())
        m_with.bench.replaceSource(text);
    else
        m_with.bench.takeHunk(m_comparedFrom, text);
}

void EditorArea::compareWithText(const QString& text, const HunkSource& source) {
    m_compared = text;
    m_comparedFrom = source;
    if (isShowingDiff())
        refreshDiff();
    else
        showDiff(true);
}

bool EditorArea::tabMoves() const {
    return m_editor->guard().tabMoves();
}

void EditorArea::setTabMoves(bool moves) {
    m_editor->guard().setTabMoves(moves);
    Q_EMIT stateChanged();
}

void EditorArea::tellTyping() {
    QString state;
    if (tabMoves())
        state = tr("Tab moves the focus");
    else if (m_editor->hasFocus() && m_editor->guard().lets())
        state = tr("Tab moves on");
    Q_EMIT typingChanged(state);
}

QByteArray EditorArea::saveState() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << m_split->saveState() << isShowingPtx() << isShowingSass() << tabMoves() << isShowingSecond()
        << m_second->saveState() << m_native->saveState();
    return state;
}

void EditorArea::restoreState(const QByteArray& state) {
    QByteArray split;
    bool ptx = false, sass = false, tabMoves = false, second = false;
    QByteArray secondState, native;
    QDataStream in(state);
    in >> split >> ptx;
    if (in.status() != QDataStream::Ok) return;
    if (!in.atEnd()) in >> sass; // older windows had not all of it
    if (!in.atEnd()) in >> tabMoves;
    if (!in.atEnd()) in >> second >> secondState;
    if (!in.atEnd()) in >> native;
    m_native->restoreState(native);
    m_split->restoreState(split);
    showPtx(ptx);
    showSass(sass);
    m_second->restoreState(secondState);
    if (second) showSecond(true);
    setTabMoves(tabMoves);
}

} // namespace kernelarium::ui
