// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/ConditionPanel.h"

#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <cmath>

namespace kernelarium::ui {
namespace {

using lesson::ConditionState;

QString sentenceCase(const std::string& text) {
    QString words = QString::fromStdString(text);
    if (!words.isEmpty()) words[0] = words[0].toUpper();
    return words;
}

/// "17.18", "17,18", "1.718e1" and "12.5 %", which is 12.5 where a percentage is asked for and else 0.125.
double numberIn(QString text, bool asksForPercent) {
    text = text.simplified().replace(QLatin1Char(','), QLatin1Char('.'));
    bool isPercent = false;
    for (const QLatin1String sign : {QLatin1String("%"), QLatin1String("percent"), QLatin1String("per cent")}) {
        if (isPercent || !text.endsWith(sign, Qt::CaseInsensitive)) continue;
        isPercent = true;
        text.chop(sign.size());
    }
    bool ok = false;
    const double value = text.trimmed().toDouble(&ok) / (isPercent && !asksForPercent ? 100 : 1);
    return ok && std::isfinite(value) ? value : std::nan("");
}

bool isAboutPercent(const std::string& question) {
    const QString words = QString::fromStdString(question).toLower();
    return words.contains(QLatin1Char('%')) || words.contains(QLatin1String("percent")) ||
           words.contains(QLatin1String("per cent"));
}

struct Look {
    const char* icon;
    QColor colour;
    QString word;
};

Look lookOf(ConditionState state, const Palette& colours) {
    switch (state) {
    case ConditionState::met: return {"verified", colours.ok, ConditionPanel::tr("met")};
    case ConditionState::unmet: return {"wrong", colours.wrong, ConditionPanel::tr("not met")};
    case ConditionState::unknown: break;
    }
    return {"more", colours.muted, ConditionPanel::tr("not known yet")};
}

} // namespace

ConditionPanel::ConditionPanel(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_grid(new QGridLayout(this)) {
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(2 * Theme::unit);
    m_grid->setVerticalSpacing(2 * Theme::unit);
    m_grid->setColumnStretch(1, 1);
    connect(&m_theme, &Theme::changed, this, &ConditionPanel::refresh);
}

void ConditionPanel::setStep(const lesson::Step& step, const std::map<std::string, double>& answers) {
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    m_rows.clear();
    m_results.clear();
    for (const auto& condition : step.conditions)
        addRow(condition, answers);
}

void ConditionPanel::addRow(const lesson::Condition& condition, const std::map<std::string, double>& answers) {
    const int at = 2 * int(m_rows.size()); // a line for what is asked, one for what came out: the panel is narrow
    Row row{new QLabel(this), new QLabel(this), new QLabel(this),
            nullptr,          condition.key,    isAboutPercent(condition.label)};
    for (QLabel* label : {row.text, row.sentence}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    row.text->setText(sentenceCase(lesson::describe(condition)));
    row.sentence->setProperty("role", "muted");
    m_grid->addWidget(row.icon, at, 0, Qt::AlignTop);
    if (condition.kind == lesson::Condition::Kind::answer) {
        row.field = new QLineEdit(this);
        row.field->setFixedWidth(28 * Theme::unit);
        row.field->setPlaceholderText(tr("a number"));
        row.field->setAccessibleName(row.text->text());
        row.field->setToolTip(tr("Your answer; Return checks it"));
        row.text->setBuddy(row.field);
        if (const auto known = answers.find(condition.key); known != answers.end())
            row.field->setText(QString::number(known->second, 'g', 8));
        connect(row.field, &QLineEdit::editingFinished, this, [this, row] { takeAnswer(row); });
        m_grid->addWidget(row.field, at, 2, Qt::AlignTop);
    }
    m_grid->addWidget(row.text, at, 1);
    m_grid->addWidget(row.sentence, at + 1, 1, 1, 2, Qt::AlignTop);
    m_rows.push_back(row);
}

void ConditionPanel::takeAnswer(const Row& row) {
    const QString text = row.field->text();
    const QString key = QString::fromStdString(row.key);
    if (text.trimmed().isEmpty()) {
        Q_EMIT answerCleared(key);
        return;
    }
    const double value = numberIn(text, row.asksForPercent);
    if (std::isnan(value)) {
        Q_EMIT answerCleared(key);
        refresh();
    } else {
        Q_EMIT answered(key, value);
    }
}

void ConditionPanel::takeAnswers() {
    for (const Row& row : m_rows)
        if (row.field != nullptr) takeAnswer(row);
}

QString ConditionPanel::unreadable(const Row& row) {
    const QString text = row.field != nullptr ? row.field->text() : QString();
    if (text.trimmed().isEmpty() || !std::isnan(numberIn(text, row.asksForPercent))) return {};
    return tr("\"%1\" is not a number: write it like 12.5, 1.25e1 or 12.5 %.").arg(text);
}

void ConditionPanel::showResults(const std::vector<lesson::ConditionResult>& results) {
    m_results = results;
    refresh();
}

void ConditionPanel::refresh() {
    for (std::size_t i = 0; i < m_results.size() && i < m_rows.size(); ++i) {
        const auto& result = m_results[i];
        const Look look = lookOf(result.state, m_theme.colours());
        m_rows[i].icon->setPixmap(m_theme.icon(QString::fromLatin1(look.icon), look.colour)
                                      .pixmap(QSize(4 * Theme::unit, 4 * Theme::unit), devicePixelRatioF()));
        m_rows[i].icon->setAccessibleName(look.word);
        m_rows[i].icon->setToolTip(look.word);
        const QString refusal = unreadable(m_rows[i]);
        m_rows[i].sentence->setText(refusal.isEmpty() ? QString::fromStdString(result.sentence) : refusal);
        m_rows[i].text->setAccessibleDescription(look.word + QStringLiteral(". ") + m_rows[i].sentence->text());
    }
}

QLineEdit* ConditionPanel::answerField(const std::string& key) const {
    for (const auto& row : m_rows)
        if (row.field != nullptr && row.key == key) return row.field;
    return nullptr;
}

} // namespace kernelarium::ui
