// SPDX-License-Identifier: GPL-3.0-or-later
// What the filter bar remembers: from start to start, and as saved searches.
#include "ui/archive/FilterBar.h"

#include "ui/archive/SearchField.h"

#include <QComboBox>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalBlocker>
#include <QToolButton>

namespace kernelarium::ui {

session::SavedSearch FilterBar::saved() const {
    session::SavedSearch search;
    const auto& filter = choices().kernels.filter;
    QStringList words;
    if (filter.task)
        words << QStringLiteral("task:%1/%2").arg(*filter.level).arg(*filter.task);
    else if (filter.level)
        words << QStringLiteral("level:%1").arg(*filter.level);
    if (m_claim->currentData().typeId() == QMetaType::QString) words << m_claim->currentData().toString();
    if (filter.correct) words << (*filter.correct ? QStringLiteral("correct:yes") : QStringLiteral("correct:no"));
    if (filter.minSpeedupNative) words << QStringLiteral("speedup>=%1").arg(*filter.minSpeedupNative);
    if (QString typed = m_text->text().trimmed(); !typed.isEmpty()) {
        // What is chosen has to hold for both sides of an OR.
        if (!words.isEmpty() && typed.contains(QLatin1String(" OR ")))
            typed = QLatin1Char('(') + typed + QLatin1Char(')');
        words << typed;
    }
    search.text = (m_literal ? m_text->text() : words.join(QLatin1Char(' '))).toStdString();
    search.literal = m_literal;
    search.regex = m_regex->isChecked();
    search.matchCase = m_case->isChecked();
    search.foldDuplicates = m_fold->isChecked();
    search.namesOnly = !m_code->isChecked();
    return search;
}

void FilterBar::apply(const session::SavedSearch& search) {
    {
        const QSignalBlocker blockers[] = {QSignalBlocker(m_text),  QSignalBlocker(m_level), QSignalBlocker(m_task),
                                           QSignalBlocker(m_claim), QSignalBlocker(m_speed), QSignalBlocker(m_code),
                                           QSignalBlocker(m_case),  QSignalBlocker(m_regex), QSignalBlocker(m_fold)};
        m_text->setText(QString::fromStdString(search.text));
        for (QComboBox* box : boxes())
            box->setCurrentIndex(0);
        fillTasks();
        m_regex->setChecked(search.regex);
        m_case->setChecked(search.matchCase);
        m_fold->setChecked(search.foldDuplicates);
        m_code->setChecked(!search.namesOnly);
    }
    m_literal = search.literal;
    Q_EMIT changed();
}

void FilterBar::setSearch(const QString& typed) {
    session::SavedSearch search;
    search.text = typed.toStdString();
    apply(search);
}

void FilterBar::reset() {
    {
        const QSignalBlocker blockers[] = {QSignalBlocker(m_text), QSignalBlocker(m_level), QSignalBlocker(m_task),
                                           QSignalBlocker(m_claim), QSignalBlocker(m_speed)};
        m_text->clear();
        for (QComboBox* box : boxes())
            box->setCurrentIndex(0);
        fillTasks();
    }
    m_literal = false;
    Q_EMIT changed();
}

QByteArray FilterBar::saveState() const {
    QJsonObject state;
    state[QStringLiteral("text")] = m_text->text();
    state[QStringLiteral("literal")] = m_literal;
    state[QStringLiteral("code")] = m_code->isChecked();
    state[QStringLiteral("case")] = m_case->isChecked();
    state[QStringLiteral("regex")] = m_regex->isChecked();
    state[QStringLiteral("fold")] = m_fold->isChecked();
    state[QStringLiteral("level")] = m_level->currentData().toInt();
    const QPoint task = m_task->currentData().toPoint();
    state[QStringLiteral("task_level")] = task.x();
    state[QStringLiteral("task")] = task.y();
    state[QStringLiteral("claim")] = m_claim->currentIndex();
    state[QStringLiteral("speed")] = m_speed->currentIndex();
    return QJsonDocument(state).toJson(QJsonDocument::Compact);
}

void FilterBar::restoreState(const QByteArray& saved) {
    const QJsonObject state = QJsonDocument::fromJson(saved).object();
    {
        const QSignalBlocker blockers[] = {QSignalBlocker(m_text),  QSignalBlocker(m_level), QSignalBlocker(m_task),
                                           QSignalBlocker(m_claim), QSignalBlocker(m_speed), QSignalBlocker(m_code),
                                           QSignalBlocker(m_case),  QSignalBlocker(m_regex), QSignalBlocker(m_fold)};
        m_text->setText(state[QStringLiteral("text")].toString());
        m_literal = state[QStringLiteral("literal")].toBool();
        m_code->setChecked(state[QStringLiteral("code")].toBool(true));
        m_case->setChecked(state[QStringLiteral("case")].toBool());
        m_regex->setChecked(state[QStringLiteral("regex")].toBool());
        m_fold->setChecked(state[QStringLiteral("fold")].toBool());
        m_level->setCurrentIndex(std::max(0, m_level->findData(state[QStringLiteral("level")].toInt())));
        fillTasks();
        const QPoint task(state[QStringLiteral("task_level")].toInt(), state[QStringLiteral("task")].toInt());
        m_task->setCurrentIndex(std::max(0, m_task->findData(task)));
        m_claim->setCurrentIndex(std::clamp(state[QStringLiteral("claim")].toInt(), 0, m_claim->count() - 1));
        m_speed->setCurrentIndex(std::clamp(state[QStringLiteral("speed")].toInt(), 0, m_speed->count() - 1));
    }
    Q_EMIT changed();
}

} // namespace kernelarium::ui
