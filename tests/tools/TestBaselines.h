// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// What PyTorch is timed with, as far as it needs no GPU: cards as PyTorch code, answers of a Python.
class TestBaselines : public QObject {
    Q_OBJECT

private slots:
    void everyCardIsPython();
    void cardsAreQuoted();
    void answersAreRead();
    void aPythonThatIsNotThereIsARemark();
    void whatAPythonDoesWrongIsARemark_data();
    void whatAPythonDoesWrongIsARemark();
};
