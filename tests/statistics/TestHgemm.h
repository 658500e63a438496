// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// HGEMM result tables.
class TestHgemm : public QObject {
    Q_OBJECT
private slots:
    void readsATable();
    void refuses_data();
    void refuses();
    void storeKeepsOneOfEach();
    void storeRefusesOtherFiles();
    void publishedTablesAsComputedInPython();
};
