// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_statistics/StatisticsRoom.h"

#include "core/audit/AuditPlan.h"
#include "core/audit/VerdictStore.h"
#include "tests/Pictures.h"
#include "tests/Waiting.h"
#include "ui/frame/Actions.h"

#include <QDir>
#include <QtTest>
#include <fmt/format.h>

namespace kernelarium::ui {

StatisticsRoom::StatisticsRoom(Theme::Choice choice_)
    : choice(choice_) {}

StatisticsRoom::StatisticsRoom(const std::vector<nlohmann::json>& rows, Theme::Choice choice_)
    : choice(choice_) {
    if (!importFiles(fixture.path("archive.sqlite"), {fixture.writeRows("rows.jsonl", rows)}).ok())
        qFatal("the rows were not imported");
}

bool StatisticsRoom::start() {
    window.reset();
    workspace.reset();
    WorkspacePaths paths;
    paths.program = QStringLiteral(KERNELARIUM_BIN_DIR "/kernelarium-cli");
    if (QFile::exists(database())) paths.starterArchive = database();
    paths.sessionFile = file("sessions.sqlite");
    paths.dataFolder = file("");
    workspace = std::make_unique<Workspace>(paths);
    window = std::make_unique<MainWindow>(*workspace, theme);
    workspace->session().wantValues(Settings::keys());
    workspace->session().open(paths.sessionFile);
    if (!QTest::qWaitFor([this] { return workspace->session().isReady(); }, longWait)) return false;
    window->restore();
    theme.setChoice(choice);
    window->show();
    window->activateWindow();
    if (!QTest::qWaitForWindowActive(window.get(), longWait)) return false;
    return paths.starterArchive.isEmpty() ||
           QTest::qWaitFor([this] { return workspace->archive().table() && workspace->archive().shown(); }, longWait);
}

bool StatisticsRoom::open() {
    window->actions().action(QStringLiteral("go.statistics"))->trigger();
    return waitUntilCounted();
}

bool StatisticsRoom::waitUntilCounted() {
    return QTest::qWaitFor(
        [this] {
            const StatisticsDesk& desk = page().desk();
            return !desk.isBusy() && desk.source().findings && desk.source().profiles;
        },
        longWait);
}

void StatisticsRoom::judge(qint64 id, verify::VerdictKind kind) const {
    auto archive = archive::Archive::open(database().toStdString());
    auto kernel = archive->find(std::to_string(id));
    auto store = audit::VerdictStore::open(database().toStdString() + ".verdicts");
    if (!kernel || !store) qFatal("the test's files cannot be opened");
    const audit::VerdictKey key = audit::candidateOf(*kernel).key;
    verify::Verdict verdict;
    verdict.kind = kind;
    verdict.size = "small";
    verdict.backend = "emulator";
    verdict.message = "what was found";
    audit::TodaysVersions today;
    audit::JudgedKernel judged = audit::judged(key, verdict, {}, today.of(key.level, key.task));
    judged.verdict.timeMs = 1000 + id;
    if (!store->put(judged)) qFatal("the test's verdict was not taken");
}

void StatisticsRoom::keepPicture(const QString& name) {
    test::keepPicture(*window, name);
}

std::vector<nlohmann::json> rowsOfManyKinds(int count) {
    auto rows = variedRows(count);
    const char* const ideas[] = {"tiled", "shared_memory", "warp_shuffle", "vectorized", "unrolled", "base"};
    const char* const ops[] = {"1_Square_matrix_multiplication_", "19_ReLU", "40_LayerNorm", "54_conv_standard_3D",
                               "47_Sum_reduction_over_a_dimension"};
    for (int i = 0; i < count; ++i) {
        auto& row = rows[std::size_t(i)];
        row["Kernel_Name"] = fmt::format("{}_{}_{}", ideas[i % 6], ideas[(i / 6) % 5], i);
        row["Op_Name"] = ops[row["Task_ID"].get<int>() % 5];
        if (row.contains("NCU_Profile")) row.erase("NCU_Profile"); // of a form that is not read
    }
    return rows;
}

FigureSource sourceOf(const std::shared_ptr<const archive::KernelTable>& table,
                      const std::vector<audit::StoredVerdict>& verdicts) {
    FigureSource source;
    source.table = table;
    source.findings = std::make_shared<const statistics::Findings>(
        statistics::findingsOf(*table, archive::everyRow(*table), verdicts).value());
    for (const auto& verdict : verdicts)
        source.verdicts.insert(QString::fromStdString(verdict.key.label()), QString::fromStdString(verdict.verdict));
    return source;
}

} // namespace kernelarium::ui
