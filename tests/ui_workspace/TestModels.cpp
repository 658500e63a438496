// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_workspace/TestModels.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_workspace/WorkspaceRoom.h"
#include "ui/archive/KernelTableModel.h"
#include "ui/diagnostics/DiagnosticsModel.h"
#include "ui/diagnostics/ResourcesModel.h"
#include "ui/verdict/VerdictModel.h"

#include <QAbstractItemModelTester>
#include <limits>

namespace kernelarium::ui {

namespace {

using Found = ArchiveDesk::Answer;

Found find(Workspace& workspace, archive::SearchQuery query) {
    Found found;
    workspace.archive().find(std::move(query), {}, [&found](Result<Found> result) {
        if (result) found = *result;
    });
    return QTest::qWaitFor([&found] { return found != nullptr; }, longWait) ? found : nullptr;
}

} // namespace

void TestModels::kernelTableIsAModel() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    Theme theme;
    KernelTableModel model(theme);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const Found all = find(*bench.workspace, {});
    QVERIFY(all);
    model.show(all);
    QVERIFY(model.rowCount() >= 60);
    const archive::KernelTable& table = *all->table;
    auto verdicts = std::make_shared<archive::OwnVerdicts>();
    const auto row = model.rowOfTable(0);
    verdicts->put(table.level[row], table.task[row], table.name[row], table.codeHash[row],
                  {"verified", {}, {"reduced_precision"}, 7, 1'700'000'000'000, false, false});
    model.setVerdicts(verdicts);
    QCOMPARE(model.index(0, KernelTableModel::verdictRemarks).data().toString(), QStringLiteral("reduced precision"));
    QCOMPARE(model.index(0, KernelTableModel::verdictChecks).data().toString(), QStringLiteral("7"));
    QVERIFY(model.index(0, KernelTableModel::verdictTime).data().toString().startsWith(QStringLiteral("2023-11-1")));
    QCOMPARE(model.index(0, KernelTableModel::verdict).data().toString(), QStringLiteral("✓ verified"));
    QCOMPARE(model.rowOfLabel(model.label(3)), 3);
    model.show(nullptr);
    QCOMPARE(model.rowCount(), 0);
}

void TestModels::kernelTableSortsAndFilters() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    const auto& table = *bench.workspace->archive().table();
    archive::SearchQuery query;
    query.kernels.sort = archive::SortColumn::runtime;
    query.kernels.descending = true;
    query.kernels.filter.level = 1;
    query.kernels.filter.task = 23;
    const Found found = find(*bench.workspace, query);
    QVERIFY(found);
    QVERIFY(found->rows.size() >= 3);
    double last = std::numeric_limits<double>::infinity();
    bool missing = false;
    for (const auto row : found->rows) {
        QCOMPARE(table.task[row], 23);
        const double runtime = table.runtime[row];
        if (std::isnan(runtime)) {
            missing = true;
            continue;
        }
        QVERIFY2(!missing, "missing values come last");
        QVERIFY(runtime <= last);
        last = runtime;
    }
}

void TestModels::codeSearchFindsLines() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    archive::SearchQuery query;
    query.text = "__shfl_xor_sync";
    query.inCode = false;
    const Found inNames = find(*bench.workspace, query);
    QVERIFY(inNames);
    QCOMPARE(inNames->rows.size(), std::size_t(0));
    query.inCode = true;
    const Found inCode = find(*bench.workspace, query);
    QVERIFY(inCode);
    QVERIFY(!inCode->rows.empty());
    QCOMPARE(inCode->rows.size(), inCode->places.size());
    for (const auto& [row, hit] : inCode->places) {
        QVERIFY(hit.line > 0);
        QVERIFY(hit.lineText.find("__shfl_xor_sync") != std::string::npos);
    }
}

void TestModels::verdictTreeIsAModel() {
    Theme theme;
    VerdictModel model(theme);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    auto verdict = std::make_shared<verify::Verdict>();
    verdict->kind = verify::VerdictKind::fault;
    verdict->checks = {{"values", verify::CheckState::passed, "fine", 0.01},
                       {"guard_bands", verify::CheckState::failed, "hit", 0}};
    verify::Fault fault;
    fault.kind = "out_of_bounds";
    fault.message = "read beyond the end";
    fault.line = 12;
    fault.count = 3;
    verdict->faults = {fault};
    verdict->backend = "emulator";
    model.show(verdict);
    QVERIFY(model.rowCount() >= 3);
    const QModelIndex faults = model.index(0, 0);
    QCOMPARE(faults.data().toString(), QStringLiteral("Faults"));
    QCOMPARE(model.index(0, 0, faults).data(VerdictModel::lineRole).toInt(), 12);
    QCOMPARE(model.index(0, 0, faults).data().toString(), QStringLiteral("out of bounds"));
    model.show(nullptr);
    QCOMPARE(model.rowCount(), 0);
}

void TestModels::diagnosticsAreAModel() {
    Theme theme;
    DiagnosticsModel model(theme);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.show({{"vector", 3, 1, compile::Severity::note, "included"},
                {"kernel.cu", 7, 2, compile::Severity::error, "identifier \"x\" is\nundefined"},
                {"kernel.cu", 9, 1, compile::Severity::warning, "unused"}});
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.errors(), 1);
    QCOMPARE(model.warnings(), 1);
    QCOMPARE(model.index(0, DiagnosticsModel::line).data().toString(), QStringLiteral("7"));
    QCOMPARE(model.index(0, DiagnosticsModel::text).data().toString(), QStringLiteral("identifier \"x\" is undefined"));
    QCOMPARE(model.index(0, 0).data(DiagnosticsModel::lineRole).toInt(), 7);
    QCOMPARE(model.index(2, 0).data(DiagnosticsModel::lineRole).toInt(), 0);
}

void TestModels::resourcesAreAModel() {
    ResourcesModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    auto unit = std::make_shared<compile::CompiledUnit>();
    compile::KernelResources kernel;
    kernel.name = "softmax<float>";
    kernel.registers = 26;
    kernel.spillStoreBytes = 8;
    kernel.spillLoadBytes = 12;
    unit->kernels = {kernel};
    model.show(unit);
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.index(0, ResourcesModel::registers).data().toInt(), 26);
    QCOMPARE(model.index(0, ResourcesModel::spills).data().toInt(), 20);
    model.show(nullptr);
    QCOMPARE(model.rowCount(), 0);
}

void TestModels::colourContrast_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TestModels::colourContrast() {
    QFETCH(bool, dark);
    const Palette& p = dark ? darkPalette() : lightPalette();
    for (const auto& [name, colour] : textColours(p))
        for (const QColor& ground : {p.background, p.raised, p.field})
            QVERIFY2(contrast(colour, ground) >= 4.5,
                     qPrintable(QStringLiteral("%1 on %2: %3")
                                    .arg(QString::fromUtf8(name.data(), qsizetype(name.size())), ground.name())
                                    .arg(contrast(colour, ground))));
    for (const QColor& ground : {p.currentLine, p.added, p.removed, p.hover})
        QVERIFY2(contrast(p.text, ground) >= 4.5, qPrintable(ground.name()));
    QVERIFY(contrast(p.selectionText, p.selection) >= 4.5);
    QVERIFY(contrast(p.accentText, p.accent) >= 4.5);
    for (const QColor& series : p.series)
        QVERIFY2(contrast(series, p.field) >= 3, qPrintable(series.name()));
    for (const char* code : {"keyword", "type", "builtin", "string", "number", "comment", "preprocessor"})
        for (const auto& [name, colour] : textColours(p))
            if (name == code) QVERIFY2(contrast(colour, p.currentLine) >= 4.5, code);
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestModels);
