// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class RowsTest : public QObject {
    Q_OBJECT
private slots:
    void fullRows_data();
    void fullRows();
    void oneKernelPerTask();
};
