// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// A teacher's lessons and a student's file in the window, and the window before a room full of people.
class TestCourse : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aTeachersFolderIsShownAndFollowed();
    void aStudentWritesAFile();
    void lessonsAreForTheirOwnDevice();
    void theProjectorShowsLargeText();
};

} // namespace kernelarium::ui
