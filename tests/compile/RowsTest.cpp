// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/compile/RowsTest.h"

#include "tests/TestRegistry.h"
#include "tests/compile/CompilerFixture.h"

#include <QFile>

#include <nlohmann/json.hpp>

#include <fstream>
#include <vector>

using namespace kernelarium::compile;
using nlohmann::json;

static std::vector<json> rows(const char* name) {
    const QString shared = qEnvironmentVariable("KERNELARIUM_SHARED", KERNELARIUM_SHARED_DIR);
    std::ifstream in(shared.toStdString() + "/archive_sample/" + name);
    std::vector<json> found;
    for (std::string line; std::getline(in, line);)
        found.push_back(json::parse(line));
    return found;
}

void RowsTest::fullRows_data() {
    QTest::addColumn<int>("row");
    QTest::addColumn<QString>("stage");
    const std::vector<json> all = rows("full_rows.jsonl");
    if (all.empty()) QTest::newRow("absent") << -1 << "";
    for (int i = 0; i < int(all.size()); ++i) {
        // What the archive's Error column says of the rows that did not build; all others built.
        QString stage;
        const std::string error =
            all[std::size_t(i)]["Error"].is_string() ? all[std::size_t(i)]["Error"].get<std::string>() : "";
        if (error.find("ptxas error") != std::string::npos)
            stage = "ptxas";
        else if (error.find(": error: ") != std::string::npos)
            stage = "nvrtc";
        QTest::newRow(qPrintable(QString::number(i))) << i << stage;
    }
}

void RowsTest::fullRows() {
    QFETCH(int, row);
    QFETCH(QString, stage);
    if (row < 0) QSKIP("archive_sample/full_rows.jsonl is absent from the shared folder");
    COMPILER_OR_SKIP(compiler);
    static const std::vector<json> all = rows("full_rows.jsonl");
    const json& r = all[std::size_t(row)];
    const auto unit = compiler->compile(r["CUDA_Code"].get<std::string>(), {});
    QVERIFY(unit.ok());
    QVERIFY2(unit->failedStage == stage.toStdString(), describe(*unit).c_str());
    if (!stage.isEmpty()) return;
    QVERIFY(!unit->cubin.empty() || unit->kernels.empty());
    const std::string error = r["Error"].is_string() ? r["Error"].get<std::string>() : "";
    QCOMPARE(unit->usesTensorExtension, error.find("does not define module export function") == std::string::npos);
}

void RowsTest::oneKernelPerTask() {
    const std::vector<json> all = rows("one_kernel_per_task.jsonl");
    if (all.empty()) QSKIP("archive_sample/one_kernel_per_task.jsonl is absent from the shared folder");
    COMPILER_OR_SKIP(compiler);
    int compiled = 0, unnamed = 0;
    for (const json& r : all) {
        const std::string source = r["CUDA_Code"].get<std::string>();
        // One kernel's own unrolling takes ptxas most of a minute; the benchmark has it.
        if (r["Level_ID"] == 2 && r["Task_ID"] == 46) continue;
        const auto unit = compiler->compile(source, {});
        QVERIFY(unit.ok());
        compiled += unit->ok;
        if (unit->ok) continue;
        const Diagnostic* error = firstError(*unit);
        QVERIFY(error && error->file == "kernel.cu" && error->line > 0);
        unnamed += error->text.empty();
        qInfo("level %d task %d is refused: line %d: %s", r["Level_ID"].get<int>(), r["Task_ID"].get<int>(),
              error->line, error->text.c_str());
    }
    qInfo("%d of %d compile", compiled, int(all.size()));
    QCOMPARE(unnamed, 0);
    QVERIFY(compiled >= 95);
}

KERNELARIUM_TEST(RowsTest);
