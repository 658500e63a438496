// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_workspace/TestCountersPanel.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_workspace/WorkspaceRoom.h"
#include "ui/verdict/RunPanels.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QSignalSpy>
#include <QTreeView>

namespace kernelarium::ui {

namespace {

/// A summation whose loads are 1,024 bytes apart, counted.
bool count(WorkspaceRoom& bench) {
    if (!bench.openStarter() || !bench.openKernel(1, 47, "block_tree") || !bench.compiled()) return false;
    bench.workspace->trials().time();
    return QTest::qWaitFor([&] { return bench.workspace->runner().profileState().stage == Stage::finished; }, longWait);
}

/// Bars longer than nothing, by line.
QList<int> hotLines(Workspace& workspace) {
    QList<int> lines;
    for (const LineHeat& heat : workspace.heat().lines())
        if (heat.value > 0) lines << heat.line;
    return lines;
}

constexpr int loadingLine = 22, barrierLine = 24; // of archive_data/kernels/level_1/047/block_tree.cu

} // namespace

void TestCountersPanel::whatCostsTimeComesFirst() {
    WorkspaceRoom bench;
    Theme theme;
    CountersPanel panel(
        {bench.workspace->bench(), bench.workspace->runner(), bench.workspace->trials(), bench.workspace->heat()},
        theme);
    panel.resize(900, 400);
    panel.setVisible(true);
    const QAbstractItemModelTester tester(panel.tree().model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(panel.isEmpty());
    if (!count(bench)) QSKIP("nothing could be counted: is the CUDA Toolkit there?");
    QVERIFY(!panel.isEmpty());
    QVERIFY2(
        panel.sentence().contains(QStringLiteral("line 22: each load request touches 32 sectors where 4 would do")),
        qPrintable(panel.sentence()));
    QAbstractItemModel& model = *panel.tree().model();
    const QModelIndex findings = model.index(0, 0);
    QCOMPARE(findings.data().toString(), QStringLiteral("What costs time"));
    const QModelIndex first = model.index(0, VerdictModel::item, findings);
    QCOMPARE(first.data().toString(), QStringLiteral("line %1: uncoalesced load").arg(loadingLine));
    const QString detail = first.siblingAtColumn(VerdictModel::detail).data().toString();
    QVERIFY2(detail.startsWith(QStringLiteral("each load request touches 32 sectors where 4 would do")),
             qPrintable(detail));
    QVERIFY(first.siblingAtColumn(VerdictModel::result).data().toString().contains(QLatin1Char('%')));
    // A click goes to the line.
    QSignalSpy asked(&bench.workspace->bench(), &Bench::lineRequested);
    QVERIFY(panel.tree().isExpanded(findings));
    panel.tree().scrollTo(first);
    QTest::mouseClick(panel.tree().viewport(), Qt::LeftButton, {}, panel.tree().visualRect(first).center());
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.takeFirst().at(0).toInt(), loadingLine);
    // Launches and the memory they take.
    QStringList groups;
    for (int i = 0; i < model.rowCount(); ++i)
        groups << model.index(i, 0).data().toString();
    const qsizetype launches = groups.indexOf(QStringLiteral("Launches"));
    QVERIFY2(launches > 0, qPrintable(groups.join(QStringLiteral(", "))));
    const QModelIndex list = model.index(int(launches), 0);
    QCOMPARE(model.rowCount(list), 1);
    QVERIFY(model.index(0, VerdictModel::detail, list)
                .data()
                .toString()
                .contains(QStringLiteral("grid (4096, 1, 1) block (128, 1, 1)")));
    QVERIFY(list.siblingAtColumn(VerdictModel::detail).data().toString().contains(QStringLiteral("memory")));
}

void TestCountersPanel::theChosenCounterIsBesideTheSource() {
    WorkspaceRoom bench;
    Theme theme;
    CountersPanel panel(
        {bench.workspace->bench(), bench.workspace->runner(), bench.workspace->trials(), bench.workspace->heat()},
        theme);
    panel.setVisible(true);
    if (!count(bench)) QSKIP("nothing could be counted: is the CUDA Toolkit there?");
    auto* chooser = panel.findChild<QComboBox*>(QStringLiteral("heatCounter"));
    QVERIFY(chooser && chooser->isVisible());
    QCOMPARE(chooser->count(), 6);
    QVERIFY(hotLines(*bench.workspace).size() > 5);
    QSignalSpy changed(&bench.workspace->heat(), &Heat::changed);
    chooser->setFocus();
    QTest::keyClick(chooser, Qt::Key_Down);
    QCOMPARE(chooser->currentText(), QStringLiteral("Sectors"));
    QCOMPARE(changed.size(), 1);
    const auto& heat = bench.workspace->heat().lines();
    const auto hottest =
        std::max_element(heat.begin(), heat.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
    QCOMPARE(hottest->line, loadingLine);
    QVERIFY(hottest->isFinding);
    QVERIFY2(hottest->text.contains(QStringLiteral("32 per request (4 needed)")), qPrintable(hottest->text));
    QVERIFY2(hottest->text.contains(QStringLiteral("addresses 1,024 bytes apart")), qPrintable(hottest->text));
    QTest::keyClick(chooser, Qt::Key_End);
    QCOMPARE(bench.workspace->heat().counter(), HeatCounter::stalls);
    QVERIFY(bench.workspace->heat().lines().empty()); // nothing was sampled
    QTest::keyClick(chooser, Qt::Key_Up);
    QCOMPARE(bench.workspace->heat().counter(), HeatCounter::barriers);
    QVERIFY(hotLines(*bench.workspace).contains(barrierLine));
    QVERIFY(!hotLines(*bench.workspace).contains(loadingLine));
    // An edit makes the figures those of another text.
    bench.workspace->bench().setSource(bench.workspace->bench().source() + QStringLiteral("\n// edited\n"), 0);
    QVERIFY(bench.workspace->heat().lines().empty());
}

void TestCountersPanel::heatByCounter() {
    protocol::ProfileSummary profile;
    perf::LaunchCounters launch;
    perf::LineCounters busy, conflicting;
    busy.line = 3;
    busy.warpInstructions = busy.issueSlots = 100;
    busy.threadInstructions = busy.threadInstructionsOn = 3200;
    conflicting.line = 5;
    conflicting.warpInstructions = conflicting.issueSlots = 50;
    conflicting.threadInstructions = conflicting.threadInstructionsOn = 400;
    conflicting.sharedLoadRequests = conflicting.sharedIdealWavefronts = 50;
    conflicting.sharedLoadWavefronts = 400;
    launch.lines = {busy, conflicting};
    profile.counters = {launch};
    const auto instructions = heatOf(profile, HeatCounter::instructions);
    QCOMPARE(instructions.size(), std::size_t(2));
    QCOMPARE(instructions[0].value, 1.0);
    QCOMPARE(instructions[1].value, 0.5);
    const auto conflicts = heatOf(profile, HeatCounter::conflicts);
    QCOMPARE(conflicts.size(), std::size_t(1));
    QCOMPARE(conflicts[0].line, 5);
    QVERIFY(conflicts[0].text.contains(QStringLiteral("8 times as long")));
    const auto divergence = heatOf(profile, HeatCounter::divergence);
    QCOMPARE(divergence.size(), std::size_t(1));
    QVERIFY(divergence[0].text.contains(QStringLiteral("8 of 32 lanes")));
    QVERIFY(heatOf(profile, HeatCounter::barriers).empty());
    // A line with a finding is there whatever the counter.
    perf::Finding finding;
    finding.line = 3;
    finding.what = "it is slow";
    profile.findings = {finding};
    const auto none = heatOf(profile, HeatCounter::barriers);
    QCOMPARE(none.size(), std::size_t(1));
    QVERIFY(none[0].isFinding && none[0].text.contains(QStringLiteral("it is slow")));
    QCOMPARE(none[0].value, 0.0);
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestCountersPanel);
