// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestVerdictJson : public QObject {
    Q_OBJECT
private slots:
    void everyPromisedFieldIsThere();
    void itReadsBackAsItWas();
    void numbersThatJsonLacksSurvive();
    void brokenJsonIsAnError();
};
