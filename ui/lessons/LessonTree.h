// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lesson/Progress.h"
#include "ui/theme/Theme.h"

#include <QTreeWidget>

namespace kernelarium::ui {

/// The lessons and their steps, with how far the reader has come.
class LessonTree : public QTreeWidget {
    Q_OBJECT
public:
    explicit LessonTree(const Theme& theme, QWidget* parent = nullptr);

    void setLessons(const std::vector<lesson::Lesson>& lessons);
    /// Marks and locks; `lessons` are those of setLessons().
    void showProgress(const std::vector<lesson::Lesson>& lessons, const lesson::Progress& progress);
    /// Step -1 is the lesson's introduction. Emits nothing.
    void select(int lesson, int step);

Q_SIGNALS:
    void chosen(int lesson, int step);

private:
    const Theme& m_theme;
    bool m_selecting = false;
};

} // namespace kernelarium::ui
