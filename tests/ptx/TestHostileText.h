// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Text that no compiler writes: the parser answers with a module or an Error, never a crash or endless memory.
class TestHostileText : public QObject {
    Q_OBJECT
private slots:
    void everyPrefixIsAnswered();
    void mutationsAreAnswered();
    void deepBracesAreRefused();
    void deepOperandsAreRefused();
    void hugeRegisterCountsAreRefused_data();
    void hugeRegisterCountsAreRefused();
    void hugeVariablesAreRefused_data();
    void hugeVariablesAreRefused();
    void oddAlignmentsAreRefused();
};
