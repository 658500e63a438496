// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Searches, orders and exports by our own verdicts, and expressions with NOT, OR and parentheses.
class TestVerdictSearch : public QObject {
    Q_OBJECT
private slots:
    void findsWhatANaiveScanFinds_data();
    void findsWhatANaiveScanFinds();
    void saysWhereAnExpressionsTextStands();
    void codeStaysText_data();
    void codeStaysText();
    void badExpressionsAreRefused_data();
    void badExpressionsAreRefused();
    void unknownFieldsAreNamed_data();
    void unknownFieldsAreNamed();
    void deepExpressionsEnd();
    void sortsByVerdict();
    void theFileIsNotSortedByVerdicts();
    void exportsHaveThem();
};
