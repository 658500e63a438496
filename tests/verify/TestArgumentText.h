// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestArgumentText : public QObject {
    Q_OBJECT
private slots:
    void outputsAreToldFromInputs();
    void everyKindIsRead();
    void distributionsAreRead();
    void nonsenseIsRefused_data();
    void nonsenseIsRefused();
    void guessedFromAText_data();
    void guessedFromAText();
};
