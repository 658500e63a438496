// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class ShimTest : public QObject {
    Q_OBJECT
private slots:
    void fixturesCompile_data();
    void fixturesCompile();
    void snippetsCompile_data();
    void snippetsCompile();
    void absentNamesStayAbsent_data();
    void absentNamesStayAbsent();
    void tryIsCalledInTheFunctionItself();
    void namesBeforeTryLeaveNoTrace();
    void shimNeverWarns();
};
