// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestPrintfSpec : public QObject {
    Q_OBJECT
private slots:
    void specsAreBounded_data();
    void specsAreBounded();
    void textsAreShortened();
};
