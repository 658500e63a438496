// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// What the run child says of times where it has no GPU, which tasks are one product for a library, and what a
/// verification may hold in memory.
class TestTimes : public QObject {
    Q_OBJECT

private slots:
    void libraryWorkIsToldFromOtherTasks_data();
    void libraryWorkIsToldFromOtherTasks();
    void memoryOfAVerificationIsBounded();
    void emulatorHasNoTimes();
};
