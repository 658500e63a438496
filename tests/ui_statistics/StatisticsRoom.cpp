// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_statistics/StatisticsRoom.h"

#include "core/audit/AuditPlan.h"
#include "core/audit/VerdictStore.h"
#include "tests/Waiting.h"
#include "ui/frame/Actions.h"
#include "ui/statistics/FigureView.h"

#include <QFile>
#include <QtTest>
#include <fmt/format.h>

namespace kernelarium::ui {

StatisticsRoom::StatisticsRoom(Theme::Choice theme_)
    : Room(theme_) {
    paths.sessionFile = file("sessions.sqlite");
    paths.dataFolder = file("");
}

StatisticsRoom::StatisticsRoom(const std::vector<nlohmann::json>& rows, Theme::Choice theme_)
    : StatisticsRoom(theme_) {
    if (!importFiles(fixture.path("archive.sqlite"), {fixture.writeRows("rows.jsonl", rows)}).ok())
        qFatal("the rows were not imported");
}

bool StatisticsRoom::start() {
    paths.starterArchive = QFile::exists(database()) ? database() : QString();
    return Room::start();
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

void clickCell(FigureView& view, int row, int column) {
    const QModelIndex index = view.model()->index(row, column);
    view.scrollTo(index);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(index).center());
}

} // namespace kernelarium::ui
