// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_plots/TestChartExport.h"
#include "tests/ui_plots/TestGraphViews.h"
#include "tests/ui_plots/TestHistoryPlot.h"
#include "tests/ui_plots/TestRooflinePlot.h"
#include "tests/ui_plots/TestSamplesPlot.h"

#include <QApplication>
#include <QTest>

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    int failures = 0;
    TestRooflinePlot roofline;
    TestHistoryPlot history;
    TestGraphViews graphs;
    TestSamplesPlot samples;
    TestChartExport charts;
    for (QObject* test :
         {static_cast<QObject*>(&roofline), static_cast<QObject*>(&history), static_cast<QObject*>(&graphs),
          static_cast<QObject*>(&samples), static_cast<QObject*>(&charts)})
        failures += QTest::qExec(test, argc, argv);
    return failures;
}
