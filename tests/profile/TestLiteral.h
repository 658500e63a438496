// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Python literals, beside what Python itself reads.
class TestLiteral : public QObject {
    Q_OBJECT
private slots:
    void reads_data();
    void reads();
    void refuses_data();
    void refuses();
    void agreesWithPython();
    void limitsHold();
    void deepNestingIsCheap();
};
