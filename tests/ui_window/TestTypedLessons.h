// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// The first three lessons as a student goes through them, from the first key to the last.
class TestTypedLessons : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void threeLessonsArePassedByKeys();
};

} // namespace kernelarium::ui
