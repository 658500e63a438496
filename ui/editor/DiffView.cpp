// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/DiffView.h"

#include "ui/editor/CodeStyle.h"
#include "ui/editor/CudaLexer.h"
#include "ui/editor/LatestJob.h"
#include "ui/theme/Theme.h"
#include "ui/widgets/ElidedLabel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace kernelarium::ui {

namespace {

using S = QsciScintilla;
constexpr int changedLineMarker = 1;
constexpr int signMarker = 2; ///< + or − in the margin, so that colour is not all
constexpr int blankMarker = 3;
constexpr int wordIndicator = 9;
constexpr int diffNumberMargin = 0;
constexpr int signMargin = 1;

} // namespace

DiffView::DiffView(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_job(new LatestJob(this)) {
    m_takingTip = tr("Revert the change at the cursor");
    makeSide(m_sides[0]);
    makeSide(m_sides[1]);
    nameSides(tr("Original"), tr("Edited"));
    m_sides[0].editor->markerDefine(S::Minus, signMarker);
    m_sides[1].editor->markerDefine(S::Plus, signMarker);
    tie(*m_sides[0].editor, *m_sides[1].editor);
    tie(*m_sides[1].editor, *m_sides[0].editor);
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    for (const Side& side : m_sides) {
        auto* named = new QWidget(splitter);
        auto* rows = new QVBoxLayout(named);
        rows->setContentsMargins(0, 0, 0, 0);
        rows->setSpacing(0);
        rows->addWidget(side.name);
        rows->addWidget(side.editor, 1);
        splitter->addWidget(named);
    }
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(1);
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    column->addWidget(splitter, 1);
    m_empty = new QLabel(tr("No differences.\nChange a line, and it appears here beside the original."), this);
    m_back = new QPushButton(tr("Back to the source"), this);
    m_back->setToolTip(tr("Close the comparison (Ctrl+D)"));
    connect(m_back, &QPushButton::clicked, this, &DiffView::backRequested);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setSizePolicy(QSizePolicy::Ignored,
                           QSizePolicy::Ignored); // no height for a width: layouts ask for it often
    m_empty->setProperty("role", QStringLiteral("muted"));
    m_pages = new QStackedLayout(this);
    auto* nothing = new QWidget(this);
    auto* nothingLayout = new QVBoxLayout(nothing);
    nothingLayout->setSpacing(12);
    nothingLayout->addStretch(1);
    nothingLayout->addWidget(m_empty);
    nothingLayout->addWidget(m_back, 0, Qt::AlignHCenter);
    nothingLayout->addStretch(1);
    m_pages->addWidget(nothing);
    m_pages->addWidget(page);
    setFocusProxy(m_sides[1].editor);
    connect(&theme, &Theme::changed, this, &DiffView::applyTheme);
    applyTheme();
    refreshButtons();
}

QWidget* DiffView::makeBar() {
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(8);
    const auto button = [&](const QString& text, const QString& tip, const QKeySequence& key, auto method) {
        auto* action = new QAction(text, this);
        action->setToolTip(tip + QStringLiteral(" (") + key.toString(QKeySequence::NativeText) + QLatin1Char(')'));
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, method);
        addAction(action);
        auto* made = new QToolButton(bar);
        made->setDefaultAction(action);
        made->setFocusPolicy(Qt::StrongFocus);
        made->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        row->addWidget(made);
        return made;
    };
    m_previous =
        button(tr("Previous"), tr("Go to the previous change"), Qt::SHIFT | Qt::Key_F7, &DiffView::previousChange);
    m_next = button(tr("Next"), tr("Go to the next change"), Qt::Key_F7, &DiffView::nextChange);
    m_revert = button(tr("Revert this change"), tr("Revert the change at the cursor"), Qt::CTRL | Qt::SHIFT | Qt::Key_Z,
                      &DiffView::revertChange);
    row->addStretch(1);
    m_summary = new QLabel(bar);
    m_summary->setAccessibleName(tr("Lines added and removed"));
    row->addWidget(m_summary);
    return bar;
}

void DiffView::makeSide(Side& side) {
    side.editor = new QsciScintilla(this);
    side.name = new ElidedLabel(Qt::ElideMiddle, this);
    side.name->setTextFormat(Qt::PlainText);
    side.name->setProperty("role", QStringLiteral("muted"));
    side.name->setContentsMargins(8, 2, 8, 2);
    side.lexer = new CudaLexer(m_theme, side.editor);
    side.editor->setLexer(side.lexer);
    CudaLexer::addTorchNames(*side.editor);
    applyHabits(*side.editor);
    side.editor->setReadOnly(true);
    side.editor->setMargins(2);
    side.numbers = std::make_unique<LineNumbers>(*side.editor, diffNumberMargin);
    side.editor->setMarginType(signMargin, S::SymbolMargin);
    side.editor->setMarginMarkerMask(signMargin, 1 << signMarker);
    side.editor->setMarginWidth(signMargin, 16);
    side.editor->markerDefine(S::Background, changedLineMarker);
    side.editor->markerDefine(S::Background, blankMarker);
    side.editor->indicatorDefine(S::StraightBoxIndicator, wordIndicator);
    side.editor->setIndicatorDrawUnder(true, wordIndicator);
    connect(side.editor, &QsciScintilla::cursorPositionChanged, this, &DiffView::refreshButtons);
}

void DiffView::nameSides(const QString& left, const QString& right) {
    for (int i = 0; i < 2; ++i) {
        const QString& name = i == 0 ? left : right;
        m_sides[i].name->setText(name);
        m_sides[i].name->setToolTip(name);
        m_sides[i].editor->setAccessibleName(name);
    }
}

QString DiffView::sideName(int side) const {
    return m_sides[side].name->text();
}

void DiffView::tie(QsciScintilla& from, QsciScintilla& to) {
    for (const auto direction : {Qt::Vertical, Qt::Horizontal}) {
        const auto bar = [direction](QsciScintilla& editor) {
            return direction == Qt::Vertical ? editor.verticalScrollBar() : editor.horizontalScrollBar();
        };
        connect(bar(from), &QScrollBar::valueChanged, this, [this, bar, &to](int value) {
            if (m_tying) return;
            const QScopedValueRollback tying(m_tying, true);
            bar(to)->setValue(value);
        });
    }
    connect(&from, &QsciScintilla::cursorPositionChanged, this, [this, &from, &to](int line, int) {
        if (m_tying || !from.hasFocus()) return;
        const QScopedValueRollback tying(m_tying, true);
        to.SendScintilla(S::SCI_SETEMPTYSELECTION, static_cast<unsigned long>(to.SendScintilla(
                                                       S::SCI_POSITIONFROMLINE, static_cast<unsigned long>(line))));
    });
}

void DiffView::applyTheme() {
    const Palette& p = m_theme.colours();
    for (int i = 0; i < 2; ++i) {
        const QColor paper = i == 0 ? p.removed : p.added;
        const QColor sign = i == 0 ? p.wrong : p.ok;
        QsciScintilla& editor = *m_sides[i].editor;
        m_sides[i].lexer->restyle();
        ui::applyTheme(editor, m_theme);
        editor.setMarkerBackgroundColor(paper, changedLineMarker);
        editor.setMarkerBackgroundColor(p.background, blankMarker);
        editor.setMarkerForegroundColor(sign, signMarker);
        editor.setMarkerBackgroundColor(sign, signMarker);
        editor.setIndicatorForegroundColor(sign, wordIndicator);
        editor.SendScintilla(S::SCI_INDICSETALPHA, static_cast<unsigned long>(wordIndicator), p.dark ? 70L : 45L);
        editor.SendScintilla(S::SCI_INDICSETOUTLINEALPHA, static_cast<unsigned long>(wordIndicator), 110L);
        editor.setCaretLineFrameWidth(1);
        editor.setCaretLineBackgroundColor(p.accent);
    }
    m_previous->defaultAction()->setIcon(m_theme.icon(QStringLiteral("previous-match")));
    m_next->defaultAction()->setIcon(m_theme.icon(QStringLiteral("next-match")));
    m_revert->defaultAction()->setIcon(m_theme.icon(QStringLiteral("restore")));
}

void DiffView::setTexts(const QString& original, const QString& edited) {
    m_original = original;
    m_edited = edited;
    m_fresh = false;
    refreshButtons();
    m_job->start([this, original, edited](const std::stop_token& stop) -> LatestJob::Deliver {
        auto rows = std::make_shared<DiffRows>(layOutDiff(original, edited, stop));
        return [this, rows] {
            m_rows = std::move(*rows);
            m_fresh = true;
            showRows();
            Q_EMIT compared();
        };
    });
}

void DiffView::showRows() {
    const QScopedValueRollback tying(m_tying, true);
    const int top = m_sides[1].editor->firstVisibleLine();
    int line = 0, index = 0;
    m_sides[1].editor->getCursorPosition(&line, &index);
    mark(m_sides[0], m_rows.original);
    mark(m_sides[1], m_rows.edited);
    for (Side& side : m_sides) {
        side.editor->setCursorPosition(std::min(line, side.editor->lines() - 1), 0);
        side.editor->setFirstVisibleLine(top);
    }
    m_summary->setText(summary());
    m_pages->setCurrentIndex(m_rows.changes.empty() ? 0 : 1);
    refreshButtons();
}

void DiffView::mark(Side& side, const DiffSide& rows) {
    QsciScintilla& editor = *side.editor;
    editor.setReadOnly(false);
    editor.setText(QString::fromUtf8(rows.text));
    editor.setReadOnly(true);
    editor.SendScintilla(S::SCI_SETSCROLLWIDTH, 1UL);
    side.numbers->set(rows.numbers);
    for (std::size_t row = 0; row < rows.numbers.size(); ++row) {
        if (rows.numbers[row] == 0) editor.markerAdd(int(row), blankMarker);
        if (rows.changed[row] == 0) continue;
        editor.markerAdd(int(row), changedLineMarker);
        editor.markerAdd(int(row), signMarker);
    }
    editor.SendScintilla(S::SCI_SETINDICATORCURRENT, wordIndicator);
    for (const ByteSpan& word : rows.words)
        editor.SendScintilla(S::SCI_INDICATORFILLRANGE, static_cast<unsigned long>(word.start), long(word.length));
}

QString DiffView::summary() const {
    return QStringLiteral("+%1 \u2212%2").arg(m_rows.added).arg(m_rows.removed);
}

int DiffView::currentChange() const {
    int line = 0, index = 0;
    m_sides[m_sides[0].editor->hasFocus() ? 0 : 1].editor->getCursorPosition(&line, &index);
    for (std::size_t i = 0; i < m_rows.changes.size(); ++i)
        if (line >= m_rows.firstRow[i] && line < m_rows.firstRow[i] + m_rows.rowCount[i]) return int(i);
    return -1;
}

void DiffView::goTo(int change) {
    const int row = m_rows.firstRow[std::size_t(change)];
    for (Side& side : m_sides) {
        const QScopedValueRollback tying(m_tying, true);
        side.editor->setCursorPosition(row, 0);
        const int third = int(side.editor->SendScintilla(S::SCI_LINESONSCREEN)) / 3;
        side.editor->setFirstVisibleLine(std::max(0, row - third));
    }
    refreshButtons();
}

void DiffView::nextChange() {
    if (m_rows.changes.empty()) return;
    int line = 0, index = 0;
    m_sides[m_sides[0].editor->hasFocus() ? 0 : 1].editor->getCursorPosition(&line, &index);
    const int here = currentChange();
    const int from = here >= 0 ? m_rows.firstRow[std::size_t(here)] : line;
    const auto next = std::upper_bound(m_rows.firstRow.begin(), m_rows.firstRow.end(), here >= 0 ? from : from - 1);
    goTo(next == m_rows.firstRow.end() ? 0 : int(next - m_rows.firstRow.begin()));
}

void DiffView::previousChange() {
    if (m_rows.changes.empty()) return;
    int line = 0, index = 0;
    m_sides[m_sides[0].editor->hasFocus() ? 0 : 1].editor->getCursorPosition(&line, &index);
    const int here = currentChange();
    const int from = here >= 0 ? m_rows.firstRow[std::size_t(here)] : line;
    const auto at = std::lower_bound(m_rows.firstRow.begin(), m_rows.firstRow.end(), from);
    goTo(at == m_rows.firstRow.begin() ? changes() - 1 : int(at - m_rows.firstRow.begin()) - 1);
}

void DiffView::revertChange() {
    const int change = currentChange();
    if (change < 0 || !m_fresh) return;
    Q_EMIT revertRequested(reverted(m_original, m_edited, m_rows.changes[std::size_t(change)]));
}

void DiffView::nameTaking(const QString& text, const QString& toolTip) {
    m_revert->defaultAction()->setText(text);
    m_takingTip = toolTip;
    refreshButtons();
}

void DiffView::refreshButtons() {
    if (m_revert == nullptr) return;
    const bool any = !m_rows.changes.empty();
    m_previous->defaultAction()->setEnabled(any);
    m_next->defaultAction()->setEnabled(any);
    const bool here = any && m_fresh && currentChange() >= 0;
    m_revert->defaultAction()->setEnabled(here);
    m_revert->defaultAction()->setToolTip(here ? tr("%1 (Ctrl+Shift+Z)").arg(m_takingTip)
                                               : tr("Not now: put the cursor on a change"));
}

} // namespace kernelarium::ui
