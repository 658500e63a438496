// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// What is timed beside a kernel, as far as it needs no GPU: which tasks are one product, cards as PyTorch code,
/// answers of a Python; and what a verification may hold in memory.
class TestBaselines : public QObject {
    Q_OBJECT

private slots:
    void libraryWorkIsToldFromOtherTasks_data();
    void libraryWorkIsToldFromOtherTasks();
    void everyCardIsPython();
    void cardsAreQuoted();
    void answersAreRead();
    void aPythonThatIsNotThereIsARemark();
    void whatAPythonDoesWrongIsARemark_data();
    void whatAPythonDoesWrongIsARemark();
    void memoryOfAVerificationIsBounded();
};
