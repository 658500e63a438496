// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Module variables, their initial values, and the forms of numbers.
class TestVariables : public QObject {
    Q_OBJECT
private slots:
    void bytesAndWordsAreLittleEndian();
    void floatsKeepTheirBits();
    void negativeValues();
    void addressesBecomeRelocations();
    void nestedArraysFillInOrder();
    void externSharedIsUnsized();
    void declarationsMayNameSeveral();
    void tooManyValuesAreRefused();
    void numbers_data();
    void numbers();
    void notNumbers_data();
    void notNumbers();
};
