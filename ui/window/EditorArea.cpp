// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/EditorArea.h"

#include "ui/desks/ArchiveDesk.h"
#include "ui/desks/CompileDesk.h"
#include "ui/desks/FormatDesk.h"
#include "ui/desks/ProfileDesk.h"
#include "ui/desks/RunDesk.h"
#include "ui/desks/SessionDesk.h"
#include "ui/desks/TidyDesk.h"
#include "ui/diagnostics/DiagnosticsModel.h"
#include "ui/editor/CodeEditor.h"
#include "ui/editor/DiffView.h"
#include "ui/editor/DocumentEdit.h"
#include "ui/editor/FindBar.h"
#include "ui/editor/PromptBar.h"
#include "ui/editor/PtxView.h"
#include "ui/editor/Symbols.h"
#include "ui/editor/TypingGuard.h"
#include "ui/window/ElidedLabel.h"
#include "ui/window/KernelTabs.h"
#include "ui/workspace/Assignment.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Heat.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/PastTrials.h"
#include "ui/workspace/Place.h"
#include "ui/workspace/Settings.h"

#include <QAction>
#include <QDataStream>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {

enum Page { emptyPageIndex, sourcePage, diffPage };

EditorMark::Severity severityOf(compile::Severity severity) {
    switch (severity) {
    case compile::Severity::error: return EditorMark::Severity::error;
    case compile::Severity::warning: return EditorMark::Severity::warning;
    case compile::Severity::note: break;
    }
    return EditorMark::Severity::note;
}

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
    , m_sass(new PtxView(theme, Assembly::sass))
    , m_diff(new DiffView(theme))
    , m_find(new FindBar(theme, *m_editor))
    , m_prompt(new PromptBar)
    , m_split(new QSplitter)
    , m_pages(new QStackedWidget) {
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
    auto* rule = new QFrame;
    rule->setProperty("role", "hairline");

    auto* source = new QWidget;
    auto* sourceLayout = new QVBoxLayout(source);
    sourceLayout->setContentsMargins(0, 0, 0, 0);
    sourceLayout->setSpacing(0);
    m_split->addWidget(m_editor);
    m_split->addWidget(m_ptx);
    m_split->addWidget(m_sass);
    m_split->setHandleWidth(1);
    m_split->setStretchFactor(0, 3);
    for (const int view : {1, 2})
        m_split->setStretchFactor(view, 2);
    m_split->setChildrenCollapsible(false);
    for (PtxView* view : {m_ptx, m_sass}) {
        view->hide();
        connect(m_editor, &CodeEditor::cursorLineChanged, view, &PtxView::showSourceLine);
        connect(view, &PtxView::sourceLineActivated, this, [this](int line) { m_editor->goToLine(line); });
    }
    sourceLayout->addWidget(m_split, 1);
    sourceLayout->addWidget(m_find);
    sourceLayout->addWidget(m_prompt);
    m_prompt->setFocusAfter(m_editor);

    m_pages->addWidget(emptyPage());
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
    connect(m_diff, &DiffView::revertRequested, &around.bench, &Bench::replaceSource);
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
    connect(&around.heat, &Heat::changed, this, [this] { m_editor->setHeat(m_with.heat.lines()); });
    connect(&around.bench, &Bench::stepLineChanged, m_editor, &CodeEditor::setStepLine);
    connect(&around.compiler, &CompileDesk::changed, this, &EditorArea::refreshMarks);
    connect(&around.compiler, &CompileDesk::changed, this, &EditorArea::refreshPtx);
    connect(&around.compiler, &CompileDesk::changed, this, &EditorArea::refreshSass);
    connect(&around.runner, &RunDesk::verifyChanged, this, &EditorArea::refreshMarks);
    connect(&around.profiles, &ProfileDesk::changed, this, &EditorArea::refreshMarks);
    connect(&around.tidy, &TidyDesk::changed, this, &EditorArea::refreshMarks);
    connect(&around.settings, &Settings::changed, this, [this](const QString& key) {
        if (Settings::isOf(key, setting::archivedTidy)) refreshMarks();
    });
    connect(&around.past, &PastTrials::attemptShown, this, &EditorArea::compareWith);
    leaveKeysToTheWindow();
    refreshHeader();
}

void EditorArea::leaveKeysToTheWindow() {
    // The window has actions of its own for these, in menus and palette; twice the same key would be ambiguous.
    const QList<QKeySequence> keys{QKeySequence(QKeySequence::Find), QKeySequence(Qt::CTRL | Qt::Key_H),
                                   QKeySequence(Qt::Key_F8),         QKeySequence(Qt::SHIFT | Qt::Key_F8),
                                   QKeySequence(Qt::Key_F3),         QKeySequence(Qt::SHIFT | Qt::Key_F3)};
    for (QAction* action : m_editor->actions())
        if (keys.contains(action->shortcut())) action->setShortcut({});
}

QWidget* EditorArea::emptyPage() {
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setSpacing(12);
    layout->addStretch(2);
    auto* title = new QLabel(tr("Nothing on the bench yet"));
    QFont font = m_theme.headingFont();
    font.setPointSizeF(font.pointSizeF() * 1.4);
    title->setFont(font);
    title->setAlignment(Qt::AlignCenter);
    auto* text = new QLabel(
        tr("Choose a kernel in the archive on the left: its source opens here for reading, editing and verifying.\n"
           "Or open a .cu file of your own, or start with a lesson."));
    text->setProperty("role", "muted");
    text->setAlignment(Qt::AlignCenter);
    text->setWordWrap(true);
    auto* open = new QPushButton(tr("Open a .cu file…"));
    open->setToolTip(tr("Open any CUDA source (Ctrl+O)"));
    connect(open, &QPushButton::clicked, this, &EditorArea::openRequested);
    auto* lessons = new QPushButton(tr("Start a lesson"));
    lessons->setToolTip(tr("Learn to make kernels fast, step by step (Alt+2)"));
    connect(lessons, &QPushButton::clicked, this, &EditorArea::lessonsRequested);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(open);
    buttons->addWidget(lessons);
    buttons->addStretch(1);
    layout->addWidget(title);
    layout->addWidget(text);
    layout->addLayout(buttons);
    layout->addStretch(3);
    return page;
}

void EditorArea::openKernel() {
    m_prompt->giveUp();
    m_compared.clear();
    m_comparedName.clear();
    openText();
    m_tabs->follow();
    m_pages->setCurrentIndex(sourcePage);
    m_ptxUnit = nullptr;
    m_ptx->setPtx({});
    m_sassUnit = nullptr;
    m_sass->setPtx({});
    refreshHeader();
    refreshMarks();
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

void EditorArea::refreshMarks() {
    const CompileState& state = m_with.compiler.state();
    if (m_with.bench.kernel().isEmpty() || state.stage == Stage::waiting ||
        (state.stage == Stage::running && !state.diagnosed))
        return; // marks follow the edits until the compiler has spoken again
    std::vector<EditorMark> marks;
    if (state.diagnosed)
        for (const auto& d : state.diagnostics)
            if (d.file == ownFile && d.line > 0)
                marks.push_back({d.line, d.column, severityOf(d.severity), QString::fromStdString(d.text)});
    const VerifyState& verify = m_with.runner.verifyState();
    if (verify.answer && verify.generation == m_with.bench.generation())
        for (const auto& fault : verify.answer->faults)
            if (fault.line > 0)
                marks.push_back({fault.line, 0, EditorMark::Severity::fault, QString::fromStdString(fault.message)});
    addAdvice(marks);
    m_editor->setDiagnostics(marks);
}

void EditorArea::addAdvice(std::vector<EditorMark>& marks) const {
    const TidyState& tidy = m_with.tidy.state();
    if (tidy.answer && tidy.answered == m_with.bench.generation())
        for (const auto& finding : tidy.answer->findings)
            marks.push_back({finding.line, finding.column, EditorMark::Severity::advice,
                             tr("%1 [%2; clang-tidy]")
                                 .arg(QString::fromStdString(finding.message), QString::fromStdString(finding.check))});
    // The archive's findings are about the archived text: where that was edited they are not known to hold.
    const auto& profiles = m_with.profiles.profiles();
    if (!m_with.settings.get(setting::archivedTidy) || m_with.bench.isEdited() || !profiles || !profiles->tidy ||
        !*profiles->tidy)
        return;
    for (const auto& finding : (*profiles->tidy)->findings)
        marks.push_back({finding.line, finding.column, EditorMark::Severity::advice,
                         tr("%1 [%2; clang-tidy, archived]")
                             .arg(QString::fromStdString(finding.message),
                                  QString::fromStdString(finding.check.empty() ? finding.severity : finding.check))});
}

void EditorArea::refreshPtx() {
    const CompileState& state = m_with.compiler.state();
    if (!isShowingPtx() || state.stage != Stage::finished || !state.answer || state.answer.get() == m_ptxUnit) return;
    if (state.answer->ptx.empty()) return; // the last listing is better than none while an error stands
    m_ptxUnit = state.answer.get();
    m_ptx->setPtx(QString::fromStdString(state.answer->ptx));
    m_ptx->showSourceLine(m_editor->cursorLine());
}

void EditorArea::refreshSass() {
    const CompileState& state = m_with.compiler.state();
    if (!isShowingSass() || state.stage != Stage::finished || !state.answer || state.answer.get() == m_sassUnit) return;
    if (!state.answer->ok) return; // the last listing is better than none while an error stands
    const void* unit = m_sassUnit = state.answer.get();
    if (m_sass->isEmpty()) m_sass->refuse(tr("Disassembling… (Escape cancels)"));
    m_with.compiler.disassemble(
        m_with.bench.source(), m_with.place.targetFor(m_with.bench.kernel()), [this, unit](Result<QString> sass) {
            if (unit != m_sassUnit) return; // of an older text
            if (!sass) {
                const bool cancelled = sass.error().code == "cancelled";
                m_sass->refuse(cancelled ? tr("The disassembly was cancelled. Any edit starts it again.")
                                         : QString::fromStdString(sass.error().text()));
                return;
            }
            m_sass->setPtx(*sass);
            m_sass->showSourceLine(m_editor->cursorLine());
        });
}

void EditorArea::refreshDiff() {
    if (isShowingDiff())
        m_diff->setTexts(m_comparedName.isEmpty() ? m_with.bench.kernel().original : m_compared, m_with.bench.source());
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
    const auto place = [](const QString& answer) { // "12", "12:5", "12,5"
        static const QRegularExpression form(QStringLiteral(R"(^\s*(\d{1,9})\s*(?:[:,]\s*(\d{1,9}))?\s*$)"));
        const QRegularExpressionMatch match = form.match(answer);
        return match.hasMatch() ? std::pair(match.captured(1).toInt(), match.captured(2).toInt()) : std::pair(0, 0);
    };
    PromptBar::Question question;
    question.label = tr("Go to line");
    question.button = tr("Go");
    question.answer = QString::number(m_editor->cursorLine());
    question.remark = [this, place](const QString& answer) -> PromptBar::Remark {
        const int last = m_editor->lines(), line = place(answer).first;
        if (line >= 1 && line <= last) return {tr("of %1; line:column goes to a column").arg(last), false};
        return {tr("A line from 1 to %1, or line:column").arg(last), true};
    };
    question.answered = [this, place](const QString& answer) {
        const auto [line, column] = place(answer);
        m_editor->goToLine(line, column);
    };
    m_prompt->ask(std::move(question));
}

void EditorArea::askForNewName() {
    showDiff(false);
    m_editor->symbols().findPlaces([this](Symbols::Places places) {
        PromptBar::Question question;
        question.label = tr("Rename %1 to").arg(places.name);
        question.button = tr("Rename");
        question.answer = places.name;
        question.remark = [places](const QString& answer) -> PromptBar::Remark {
            if (const QString problem = Symbols::problemWith(answer); !problem.isEmpty()) return {problem, true};
            const auto count = places.places.size();
            QString text = places.wholeFile ? tr("%n place(s) in this file", nullptr, int(count))
                                            : tr("%n place(s) where it is known", nullptr, int(count));
            if (answer == places.name) return {text + tr("; comments and texts stay"), true};
            if (const auto taken = places.index->count(answer.toStdString()); taken > 0)
                text += tr("; %1 stands in %n place(s) already", nullptr, int(taken)).arg(answer);
            else
                text += tr("; comments and texts stay");
            return {text, false};
        };
        question.answered = [this, places](const QString& answer) { m_editor->symbols().rename(places, answer); };
        m_prompt->ask(std::move(question));
    });
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
    const auto lineOf = [this](long position) {
        return int(m_editor->SendScintilla(QsciScintilla::SCI_LINEFROMPOSITION, static_cast<unsigned long>(position))) +
               1;
    };
    const QByteArray text = documentBytes(*m_editor);
    const long begin = m_editor->SendScintilla(QsciScintilla::SCI_GETSELECTIONSTART),
               end = m_editor->SendScintilla(QsciScintilla::SCI_GETSELECTIONEND);
    protocol::FormatRequest request;
    request.source = text.toStdString();
    request.cursor = std::size_t(m_editor->SendScintilla(QsciScintilla::SCI_GETCURRENTPOS));
    if (begin != end) {
        request.firstLine = lineOf(begin);
        request.lastLine = lineOf(text[end - 1] == '\n' ? end - 1 : end);
    }
    const quint64 generation = m_with.bench.generation();
    m_with.formatter.format(
        std::move(request), m_with.bench.kernel().path, [this, generation](Result<protocol::FormatAnswer> answer) {
            if (!answer) {
                if (answer.error().code != "cancelled") m_with.notices.postFailure(answer.error());
            } else if (generation != m_with.bench.generation()) {
                m_with.notices.post(tr("The text was changed meanwhile, and was not formatted."), true);
            } else {
                if (!answer->isComplete)
                    m_with.notices.post(tr("clang-format could not read all of the text, and left that as it is."));
                takeFormatted(QString::fromStdString(answer->source), long(answer->cursor));
            }
        });
}

void EditorArea::takeFormatted(const QString& text, long cursor) {
    if (text == m_editor->text()) {
        m_editor->guard().explain(tr("The text is formatted already."));
        return;
    }
    // The cursor's line stays at its height.
    const auto height = [this] {
        const long line = m_editor->SendScintilla(QsciScintilla::SCI_VISIBLEFROMDOCLINE,
                                                  static_cast<unsigned long>(m_editor->cursorLine() - 1));
        return line - m_editor->SendScintilla(QsciScintilla::SCI_GETFIRSTVISIBLELINE);
    };
    const long before = height();
    m_editor->replaceText(text);
    m_editor->SendScintilla(QsciScintilla::SCI_SETEMPTYSELECTION, static_cast<unsigned long>(cursor));
    m_editor->SendScintilla(QsciScintilla::SCI_LINESCROLL, 0UL, height() - before);
    showLineStarts(*m_editor);
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
        m_comparedName.clear();
    }
    m_diffOpened = shown;
    refreshDiff();
    (shown ? static_cast<QWidget*>(&m_diff->editedSide()) : m_editor)->setFocus(Qt::ShortcutFocusReason);
    Q_EMIT stateChanged();
}

void EditorArea::compareWith(qint64 attempt) {
    m_with.session.fetch(attempt, [this](Result<session::Attempt> found) {
        if (!found || m_with.bench.kernel().isEmpty()) return;
        compareWithText(QString::fromStdString(found->source), tr("attempt %1").arg(found->id));
    });
}

void EditorArea::compareWithArchived(qint64 kernel) {
    m_with.archive.fetchCode(kernel, [this](Result<QString> code) {
        if (m_with.bench.kernel().isEmpty()) return;
        if (code)
            compareWithText(*code, tr("an archived kernel"));
        else if (code.error().code != "cancelled")
            m_with.notices.post(QString::fromStdString(code.error().text()), true);
    });
}

void EditorArea::compareWithText(const QString& text, const QString& name) {
    m_compared = text;
    m_comparedName = name;
    if (isShowingDiff())
        refreshDiff();
    else
        showDiff(true);
}

bool EditorArea::isShowingPtx() const {
    return !m_ptx->isHidden();
}

void EditorArea::showPtx(bool shown) {
    m_ptx->setVisible(shown);
    refreshPtx();
    Q_EMIT stateChanged();
}

bool EditorArea::isShowingSass() const {
    return !m_sass->isHidden();
}

void EditorArea::showSass(bool shown) {
    m_sass->setVisible(shown);
    refreshSass();
    Q_EMIT stateChanged();
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
    out << m_split->saveState() << isShowingPtx() << isShowingSass() << tabMoves();
    return state;
}

void EditorArea::restoreState(const QByteArray& state) {
    QByteArray split;
    bool ptx = false, sass = false, tabMoves = false;
    QDataStream in(state);
    in >> split >> ptx;
    if (in.status() != QDataStream::Ok) return;
    if (!in.atEnd()) in >> sass; // older windows had not all of it
    if (!in.atEnd()) in >> tabMoves;
    m_split->restoreState(split);
    showPtx(ptx);
    showSass(sass);
    setTabMoves(tabMoves);
}

} // namespace kernelarium::ui
