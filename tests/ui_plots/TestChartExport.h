// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestChartExport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cellsAreQuotedWhereTheyNeedIt();
    void aPlotIsSavedInEveryForm();
    void aPanelSavesItsNumbers();
    void whatCannotBeWrittenIsSaid();
    void theMenuCopies();
    void theDialogSavesAndReports();
};
