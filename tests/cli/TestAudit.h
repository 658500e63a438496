// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// `audit` and `archive merge-verdicts` as a user runs them, with real children.
class TestAudit : public QObject {
    Q_OBJECT

private slots:
    void aSelectionIsAuditedOnce();
    void verdictsAreFilteredSortedAndExported();
    void aKilledAuditDoesTheRestOnly();
    void twoShardsMergedEqualTheWhole();
    void badKernelsCostThemselves();
    void aKilledChildCostsNothing();
    void anInterruptEndsInOrder();
    void hostileInputsAreRefused_data();
    void hostileInputsAreRefused();
    void aDamagedMergeChangesNothing();
};
