// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestStep : public QObject {
    Q_OBJECT
private slots:
    void showsTheStepsOfAWarp();
    void beginsAtALine();
    void saysWhatThereIsNot_data();
    void saysWhatThereIsNot();
};
