// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestPassedOn : public QObject {
    Q_OBJECT
private slots:
    void fewArePassedOnAsTheyAre();
    void errorsComeBeforeOthers();
    void longTextsAreCut();
};
