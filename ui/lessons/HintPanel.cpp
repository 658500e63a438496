// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/HintPanel.h"

#include "ui/lessons/MarkdownView.h"
#include "ui/words/Quantities.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace kernelarium::ui {

HintPanel::HintPanel(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_hints(new QVBoxLayout)
    , m_hint(new QPushButton(this))
    , m_solution(new QPushButton(tr("Solution…"), this))
    , m_compare(new QPushButton(tr("Compare with our solution"), this))
    , m_question(new QWidget(this))
    , m_questionText(new QLabel(m_question))
    , m_confirm(new QPushButton(m_question))
    , m_decline(new QPushButton(tr("Keep trying"), m_question))
    , m_answers(new QLabel(this)) {
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(2 * Theme::unit);
    buttons->addWidget(m_hint);
    buttons->addWidget(m_solution);
    buttons->addStretch();
    m_questionText->setWordWrap(true);
    m_answers->setWordWrap(true);
    m_answers->setTextFormat(Qt::PlainText);
    m_confirm->setToolTip(tr("Shows how the step can be solved"));
    m_decline->setToolTip(tr("Closes this question"));
    m_hint->setToolTip(tr("Shows the next hint"));
    m_compare->setToolTip(tr("Shows our solution and your text side by side; yours stays as it is"));
    m_compare->hide();
    m_solution->setToolTip(tr("Asks whether to show the solution"));
    auto* question = new QHBoxLayout(m_question);
    question->setContentsMargins(0, 0, 0, 0);
    question->setSpacing(2 * Theme::unit);
    question->addWidget(m_questionText, 1);
    question->addWidget(m_confirm);
    question->addWidget(m_decline);
    m_hints->setSpacing(2 * Theme::unit);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2 * Theme::unit);
    column->addLayout(m_hints);
    column->addLayout(buttons);
    column->addWidget(m_compare, 0, Qt::AlignLeft); // three have no room side by side
    column->addWidget(m_question);
    column->addWidget(m_answers);
    connect(m_hint, &QPushButton::clicked, this, [this] {
        addHint(m_step->hints.at(std::size_t(m_shown)), m_shown + 1);
        ++m_shown;
        refresh();
        Q_EMIT hintsShownChanged(m_shown);
    });
    connect(m_solution, &QPushButton::clicked, this, [this] { ask(true); });
    connect(m_compare, &QPushButton::clicked, this, &HintPanel::comparisonRequested);
    connect(m_decline, &QPushButton::clicked, this, [this] {
        ask(false);
        m_solution->setFocus();
    });
    connect(m_confirm, &QPushButton::clicked, this, [this] {
        ask(false);
        showSolution();
        Q_EMIT solutionConfirmed();
    });
    connect(&m_theme, &Theme::changed, this, &HintPanel::refresh);
}

void HintPanel::setStep(const lesson::Step& step, int hintsShown, bool solutionShown) {
    while (QLayoutItem* item = m_hints->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    m_step = &step;
    m_shown = std::clamp(hintsShown, 0, int(step.hints.size()));
    for (int i = 0; i < m_shown; ++i)
        addHint(step.hints[std::size_t(i)], i + 1);
    m_questionText->setText(step.hasKernel ? tr("The solution replaces your text in the editor. Your text is kept in "
                                                "the session: you can go back to it.")
                                           : tr("This shows the answers."));
    m_confirm->setText(step.hasKernel ? tr("Open the solution") : tr("Show the answers"));
    ask(false);
    m_answers->hide();
    if (solutionShown) showSolution();
    refresh();
}

void HintPanel::clear() {
    m_step = nullptr;
    setDone(false);
}

void HintPanel::setDone(bool done) {
    m_compare->setVisible(done && m_step != nullptr && m_step->hasKernel);
}

void HintPanel::addHint(const std::string& markdown, int number) {
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2 * Theme::unit);
    auto* label = new QLabel(tr("Hint %1").arg(number), row);
    label->setProperty("role", "muted");
    auto* text = new MarkdownView(m_theme, row);
    text->setText(QString::fromStdString(markdown));
    text->setAccessibleName(label->text());
    layout->addWidget(label, 0, Qt::AlignTop);
    layout->addWidget(text, 1);
    m_hints->addWidget(row);
}

void HintPanel::showSolution() {
    if (m_step->hasKernel) return; // it is in the editor
    QStringList lines;
    for (const auto& condition : m_step->conditions)
        lines << tr("%1  %2").arg(QString::fromStdString(condition.label), numberText(condition.bound, 5));
    m_answers->setText(lines.join(QLatin1Char('\n')));
    m_answers->show();
}

void HintPanel::ask(bool asking) {
    m_question->setVisible(asking);
    m_solution->setVisible(!asking);
    if (asking) m_decline->setFocus();
}

void HintPanel::refresh() {
    if (m_step == nullptr) return;
    const int all = int(m_step->hints.size());
    m_hint->setVisible(all > 0);
    m_hint->setEnabled(m_shown < all);
    m_hint->setText(m_shown < all ? tr("Show hint %1 of %2").arg(m_shown + 1).arg(all) : tr("No more hints"));
    m_hint->setIcon(m_theme.icon(QStringLiteral("hint")));
}

} // namespace kernelarium::ui
