// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/LessonTree.h"

namespace kernelarium::ui {
namespace {

using StepState = lesson::StepProgress::State;

const lesson::LessonProgress& progressOf(const lesson::Progress& progress, const std::string& id) {
    static const lesson::LessonProgress none;
    const auto found = progress.lessons.find(id);
    return found == progress.lessons.end() ? none : found->second;
}

StepState stateOf(const lesson::LessonProgress& progress, const std::string& step) {
    const auto found = progress.steps.find(step);
    return found == progress.steps.end() ? StepState::open : found->second.state;
}

/// Done when the lesson was another one.
bool isOfOtherVersion(const lesson::LessonProgress& progress, const lesson::Lesson& lesson, int step) {
    const auto found = progress.steps.find(lesson.steps[std::size_t(step)].id);
    return found != progress.steps.end() && found->second.state == StepState::met &&
           !found->second.metVersion.empty() && found->second.metVersion != lesson.version;
}

/// What stands before the colon.
QString shortTitle(const lesson::Lesson& lesson) {
    const QString title = QString::fromStdString(lesson.title);
    const auto colon = title.indexOf(QLatin1Char(':'));
    return colon > 0 ? title.left(colon) : title;
}

} // namespace

LessonTree::LessonTree(const Theme& theme, QWidget* parent)
    : QTreeWidget(parent)
    , m_theme(theme) {
    setHeaderHidden(true);
    setColumnCount(1);
    setIndentation(3 * Theme::unit);
    setAccessibleName(tr("Lessons and their steps"));
    setWordWrap(true);
    setTextElideMode(Qt::ElideRight);
    connect(this, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (m_selecting || item == nullptr) return;
        auto* owner = item->parent();
        if (owner != nullptr)
            Q_EMIT chosen(indexOfTopLevelItem(owner), owner->indexOfChild(item));
        else
            Q_EMIT chosen(indexOfTopLevelItem(item), -1);
    });
}

void LessonTree::setLessons(const std::vector<lesson::Lesson>& lessons) {
    m_selecting = true;
    clear();
    for (const auto& lesson : lessons) {
        auto* item = new QTreeWidgetItem(this, {shortTitle(lesson)});
        for (const auto& step : lesson.steps)
            new QTreeWidgetItem(item, {QString::fromStdString(step.title)});
        item->setExpanded(true);
    }
    m_selecting = false;
}

void LessonTree::showProgress(const std::vector<lesson::Lesson>& lessons, const lesson::Progress& progress) {
    const Palette& colours = m_theme.colours();
    for (int l = 0; l < topLevelItemCount(); ++l) {
        const auto& lesson = lessons.at(std::size_t(l));
        const auto& reached = progressOf(progress, lesson.id);
        auto* item = topLevelItem(l);
        const auto met = lesson::stepsMet(lesson, reached);
        const bool done = met == lesson.steps.size();
        item->setFont(0, m_theme.headingFont());
        item->setText(0, tr("%1  %2/%3").arg(shortTitle(lesson)).arg(met).arg(lesson.steps.size()));
        item->setIcon(0, done ? m_theme.icon(QStringLiteral("verified"), colours.ok)
                              : m_theme.icon(QStringLiteral("lesson")));
        item->setToolTip(0, tr("%1\n%2 minutes, %3; %4 of %5 steps done")
                                .arg(QString::fromStdString(lesson.title))
                                .arg(lesson.minutes)
                                .arg(QString::fromStdString(lesson.difficulty))
                                .arg(met)
                                .arg(lesson.steps.size()));
        for (int s = 0; s < item->childCount(); ++s) {
            auto* child = item->child(s);
            const StepState state = stateOf(reached, lesson.steps[std::size_t(s)].id);
            const bool here = reached.currentStep == lesson.steps[std::size_t(s)].id;
            const bool open = here || lesson::isUnlocked(lesson, reached, std::size_t(s));
            child->setDisabled(!open);
            child->setIcon(0, state == StepState::met       ? m_theme.icon(QStringLiteral("verified"), colours.ok)
                              : state == StepState::skipped ? m_theme.icon(QStringLiteral("forward"), colours.muted)
                                                            : m_theme.icon(QStringLiteral("more"), colours.muted));
            const bool other = isOfOtherVersion(reached, lesson, s);
            child->setToolTip(0, other                         ? tr("Done, before this lesson was changed")
                                 : state == StepState::met     ? tr("Done")
                                 : state == StepState::skipped ? tr("Skipped: its conditions are not met")
                                 : open                        ? tr("Not done yet")
                                                               : tr("Meet or skip the steps before it first"));
        }
    }
}

void LessonTree::select(int lesson, int step) {
    auto* item = topLevelItem(lesson);
    if (item != nullptr && step >= 0) item = item->child(step);
    m_selecting = true;
    // Only the lesson that one is in shows its steps: the list is short beside the text.
    for (int l = 0; l < topLevelItemCount(); ++l)
        topLevelItem(l)->setExpanded(l == lesson);
    setCurrentItem(item);
    if (item != nullptr && itemBelow(item) != nullptr) scrollToItem(itemBelow(item));
    if (item != nullptr) scrollToItem(item);
    m_selecting = false;
}

} // namespace kernelarium::ui
