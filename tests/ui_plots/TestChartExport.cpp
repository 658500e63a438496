// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_plots/TestChartExport.h"

#include "tests/TestRegistry.h"
#include "tests/ui_plots/Samples.h"
#include "ui/plots/ChartExport.h"
#include "ui/plots/CustomPlot.h"

#include <QClipboard>
#include <QFileDialog>
#include <QMenu>
#include <QTemporaryDir>

using namespace kernelarium::ui;

namespace {

QByteArray fileText(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

struct Bars {
    QCustomPlot plot;
    Bars() {
        auto* bars = new QCPBars(plot.xAxis, plot.yAxis);
        bars->setBrush(QColor(QStringLiteral("#123456")));
        bars->setData({1, 2, 3}, {4, 5, 6});
        plot.rescaleAxes();
        plot.xAxis->setLabel(QStringLiteral("Thresholds"));
        present(plot, {400, 300});
    }
    static QString table() { return QStringLiteral("name\tvalue\nrow_major, \"fast\"\t4\nplain\t5\n"); }
    ChartContent content() { return contentOf(plot, table, QStringLiteral("bars")); }
};

} // namespace

void TestChartExport::cellsAreQuotedWhereTheyNeedIt() {
    QCOMPARE(csvOf(Bars::table()), QStringLiteral("name,value\n\"row_major, \"\"fast\"\"\",4\nplain,5\n"));
    QCOMPARE(csvOf(QString()), QString());
}

void TestChartExport::aPlotIsSavedInEveryForm() {
    Bars bars;
    QTemporaryDir folder;
    for (const char* name : {"a.svg", "a.png", "a.CSV"}) {
        const auto saved = saveChart(bars.content(), folder.filePath(QString::fromUtf8(name)));
        QVERIFY2(saved.ok(), name);
    }
    const QByteArray svg = fileText(folder.filePath(QStringLiteral("a.svg")));
    QVERIFY(svg.contains("<svg") && svg.contains("Thresholds") && svg.contains("#123456"));
    QCOMPARE(QImage(folder.filePath(QStringLiteral("a.png"))).size(), bars.plot.size() * 2);
    QCOMPARE(QString::fromUtf8(fileText(folder.filePath(QStringLiteral("a.CSV")))), csvOf(Bars::table()));
}

void TestChartExport::aPanelSavesItsNumbers() {
    RooflinePlot plot(theme());
    plot.setPoints(samplePoints());
    present(plot, {700, 400});
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("roofline.csv"));
    QVERIFY(plot.saveTo(path).ok());
    const QList<QByteArray> lines = fileText(path).trimmed().split('\n');
    QCOMPARE(lines.size(), qsizetype(samplePoints().size() + 1));
    QVERIFY(lines[0].startsWith("id,label,origin,flops,"));
}

void TestChartExport::whatCannotBeWrittenIsSaid() {
    Bars bars;
    QTemporaryDir folder;
    QCOMPARE(saveChart(bars.content(), folder.filePath(QStringLiteral("a.gif"))).error().code,
             std::string("bad_input"));
    QCOMPARE(saveChart(bars.content(), folder.filePath(QStringLiteral("no/a.csv"))).error().code,
             std::string("cannot_write"));
    QVERIFY(QDir(folder.path()).isEmpty());
}

void TestChartExport::theMenuCopies() {
    Bars bars;
    QMenu menu;
    addExportActions(menu, bars.plot, Bars::table, QStringLiteral("bars"), [](const QString&) {});
    QCOMPARE(menu.actions().size(), 3);
    for (const QAction* action : menu.actions())
        QVERIFY(!action->toolTip().isEmpty());
    menu.actions()[0]->trigger();
    QCOMPARE(QApplication::clipboard()->image().size(), bars.plot.size() * 2);
    menu.actions()[1]->trigger();
    QCOMPARE(QApplication::clipboard()->text(), Bars::table());
}

void TestChartExport::theDialogSavesAndReports() {
    Bars bars;
    QTemporaryDir folder;
    QStringList told;
    QMenu menu;
    addExportActions(menu, bars.plot, Bars::table, QStringLiteral("bars"), [&](const QString& why) { told << why; });
    menu.actions()[2]->trigger();
    auto* dialog = bars.plot.findChild<QFileDialog*>();
    QVERIFY(dialog);
    Q_EMIT dialog->fileSelected(folder.filePath(QStringLiteral("b.csv")));
    QVERIFY(told.isEmpty() && !fileText(folder.filePath(QStringLiteral("b.csv"))).isEmpty());
    Q_EMIT dialog->fileSelected(folder.filePath(QStringLiteral("no/b.csv")));
    QCOMPARE(told.size(), 1);
    dialog->reject();
}

KERNELARIUM_TEST(TestChartExport);
