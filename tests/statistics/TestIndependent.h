// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// `archive stats --json` beside the same computed in Python from the same rows.
class TestIndependent : public QObject {
    Q_OBJECT
private slots:
    void statsOfTheSample();
    void statsOfVariedRows();
};
