// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestCardSubject : public QObject {
    Q_OBJECT
private slots:
    void thePlanFollowsTheCall();
    void everyBuiltInCardCanBePlannedAndEvaluated_data();
    void everyBuiltInCardCanBePlannedAndEvaluated();
    void anUnknownSizeIsRefused();
};
