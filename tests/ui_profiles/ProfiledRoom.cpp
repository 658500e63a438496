// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_profiles/ProfiledRoom.h"

#include "tests/Waiting.h"

#include <QApplication>
#include <QTest>
#include <fstream>
#include <nlohmann/json.hpp>

namespace kernelarium::ui {

namespace {

const char* const ncuCell =
    "{'metrics': {'Executed Ipc Active': {'unit': 'inst/cycle', 'avg_value': 1.71, 'variance': 0.0, 'n': 5}, 'Memory "
    "Throughput': {'unit': 'byte/second', 'avg_value': 20638322909.85, 'variance': 1.0, 'n': 5}, 'L2 Hit Rate': "
    "{'unit': '%', 'avg_value': 96.972, 'variance': 0.19, 'n': 5}, 'Achieved Occupancy': {'unit': '%', 'avg_value': "
    "98.368, 'variance': 0.0, 'n': 5}, 'Theoretical Occupancy': {'unit': '%', 'avg_value': 100.0, 'variance': 0.0, "
    "'n': 5}}, 'rules': {'Occupancy': {'type': 'INF', 'description': \"This kernel's theoretical occupancy is not "
    "impacted.\"}, 'HighPipeUtilization': {'type': 'WRN', 'description': 'All compute pipelines are under-utilized.'}}}";
const char* const torchCell =
    "{'aten::matmul': {'cpu_time_total': 900.0, 'self_cpu_time_total': 30.0, 'device_time_total': 1500.0, "
    "'self_device_time_total': 0}, 'tiled(float const*)': {'cpu_time_total': 0, 'self_cpu_time_total': 0, "
    "'device_time_total': 1500.0, 'self_device_time_total': 1500.0, 'count': 10}, 'cudaLaunchKernel': "
    "{'cpu_time_total': 60.0, 'self_cpu_time_total': 60.0, 'device_time_total': 0, 'self_device_time_total': 0}}";
const char* const tidyCell = "{'stdout': \"/home/a/base.cu:3:35: warning: parameter 'x' is unused "
                             "[misc-unused-parameters]\\n/home/a/base.cu:4:11: warning: narrowing conversion from "
                             "'unsigned int' to signed type 'int' [bugprone-narrowing-conversions]\\n\", 'stderr': ''}";

nlohmann::json row(int index, const std::string& name, double milliseconds, bool correct) {
    nlohmann::json row = {{"Op_Name", "1_Add"},
                          {"Level_ID", 9},
                          {"Task_ID", 1},
                          {"Kernel_Name", name},
                          {"__index_level_0__", index},
                          {"PyTorch_Native_Runtime", 4.0},
                          {"PyTorch_Compile_Runtime", 3.5},
                          {"Correct", correct}};
    row["CUDA_Code"] = "#include <cuda_runtime.h>\n// " + name +
                       "\n__global__ void k(float* x, int unused) {\n    int i = threadIdx.x;\n    x[i] += 1;\n}\n";
    if (milliseconds > 0) {
        row["CUDA_Runtime"] = milliseconds;
        row["CUDA_Speedup_Native"] = correct ? 4.0 / milliseconds : 0;
        row["CUDA_Speedup_Compile"] = correct ? 3.5 / milliseconds : 0;
    }
    return row;
}

QStringList seenWarnings;
QtMessageHandler handlerBefore = nullptr;

void collectWarning(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    if (text.startsWith(QLatin1String("This plugin does not support"))) return;
    if (type == QtWarningMsg || type == QtCriticalMsg) seenWarnings.append(text);
    if (handlerBefore) handlerBefore(type, context, text);
}

} // namespace

ProfiledRoom::ProfiledRoom() {
    auto profiled = row(1, "tiled_base", 2, true);
    profiled["NCU_Profile"] = ncuCell;
    profiled["Torch_Profile"] = torchCell;
    profiled["Clang_Tidy"] = tidyCell;
    auto odd = row(4, "odd", 2.5, true);
    odd["NCU_Profile"] = "{'metrics': 5}";
    odd["Torch_Profile"] = "Name  Self CPU %  Self CPU";
    odd["Clang_Tidy"] = "None";
    auto broken = row(2, "broken", 0, false);
    broken["Error"] = "base.cu(1): error: x is undefined\nninja: build stopped\n";
    auto other = row(7, "elsewhere", 1, true);
    other["Task_ID"] = 2;
    // The order in the file is not the order in which they were made.
    std::ofstream out(folder.filePath(QStringLiteral("rows.jsonl")).toStdString());
    for (const auto& line : {row(5, "fast_edit_1", 1, true), row(0, "first", 3, true), profiled, broken, other,
                             row(3, "wrong_edit_1", 0.5, false), odd, row(6, "refuted", 0.25, true)})
        out << line.dump() << '\n';
    out.close();
    WorkspacePaths paths;
    paths.program = QStringLiteral(KERNELARIUM_BIN_DIR "/kernelarium-cli");
    paths.sessionFile = folder.filePath(QStringLiteral("sessions.sqlite"));
    paths.dataFolder = folder.path();
    workspace = std::make_unique<Workspace>(paths);
    workspace->session().wantValues(Settings::keys());
    workspace->session().open(paths.sessionFile);
}

bool ProfiledRoom::open() {
    if (!QTest::qWaitFor([this] { return workspace->session().isReady(); }, longWait)) return false;
    workspace->archive().import({folder.filePath(QStringLiteral("rows.jsonl"))},
                                folder.filePath(QStringLiteral("a.sqlite")));
    return QTest::qWaitFor([this] { return workspace->archive().table() != nullptr; }, longWait);
}

qint64 ProfiledRoom::idOf(const std::string& name) const {
    const auto& table = *workspace->archive().table();
    for (std::size_t i = 0; i < table.size(); ++i)
        if (table.name[i] == name) return table.id[i];
    return -1;
}

QString ProfiledRoom::labelOf(const std::string& name) const {
    const auto& table = *workspace->archive().table();
    for (std::size_t i = 0; i < table.size(); ++i)
        if (table.name[i] == name) return QString::fromStdString(table.label(i));
    return {};
}

bool ProfiledRoom::openKernel(const std::string& name) {
    workspace->bench().openArchived(idOf(name));
    return QTest::qWaitFor(
        [&] {
            return workspace->bench().kernel().row && workspace->bench().kernel().row->name == name &&
                   workspace->profiles().stage() == Stage::finished;
        },
        longWait);
}

EditorArea::Around editorAround(Workspace& w) {
    return {w.bench(),  w.assignment(), w.place(),    w.heat(), w.past(),      w.archive(), w.compiler(),
            w.runner(), w.session(),    w.profiles(), w.tidy(), w.formatter(), w.notices(), w.settings()};
}

Theme& roomTheme() {
    static auto* theme = new Theme(qApp);
    return *theme;
}

void listenToWarnings() {
    const QtMessageHandler replaced = qInstallMessageHandler(collectWarning);
    if (replaced != collectWarning) handlerBefore = replaced;
}

QStringList warningsTaken() {
    return std::exchange(seenWarnings, {});
}

} // namespace kernelarium::ui
