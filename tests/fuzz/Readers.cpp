// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/Readers.h"

#include "core/archive/import/JsonLines.h"
#include "core/archive/search/Pattern.h"
#include "core/archive/search/SearchSyntax.h"
#include "core/archive/store/CodeShape.h"
#include "core/audit/VerdictLine.h"
#include "core/lesson/LessonParser.h"
#include "core/perf/DeviceSpec.h"
#include "core/profile/ClangTidy.h"
#include "core/profile/NcuProfile.h"
#include "core/profile/PythonLiteral.h"
#include "core/profile/TorchProfile.h"
#include "core/task/Cost.h"
#include "core/verify/CardSubject.h"
#include "core/verify/VerdictJson.h"
#include "core/verify/Verifier.h"
#include "core/verify/inputs/ArgumentText.h"
#include "gpu/compile/Diagnostics.h"
#include "gpu/compile/ExceptionRewrite.h"
#include "gpu/compile/KernelExtract.h"
#include "gpu/emulator/decode/Program.h"
#include "gpu/protocol/CompileMessages.h"
#include "gpu/protocol/Messages.h"
#include "gpu/protocol/ProfileMessages.h"
#include "gpu/protocol/RunMessages.h"
#include "gpu/ptx/Parser.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

namespace kernelarium::fuzz {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string textOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Every file below a folder with this ending, cut to a size that mutations reach the end of.
std::vector<std::string> filesOf(const char* folder, const std::string& ending) {
    std::vector<std::string> texts;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(KERNELARIUM_SOURCE_DIR) / folder))
        if (entry.is_regular_file() && entry.path().extension() == ending)
            texts.push_back(textOf(entry.path()).substr(0, 20000));
    return texts;
}

/// The probes' instructions in their frame: most of what a PTX reader has to know.
std::vector<std::string> ptxTexts() {
    const fs::path folder = fs::path(KERNELARIUM_SOURCE_DIR) / "tests/probes";
    const std::string frame = textOf(folder / "frame.ptx");
    std::vector<std::string> texts;
    for (const json& probe : json::parse(textOf(folder / "probes.json"))) {
        std::string text = frame;
        text.replace(text.find("@CODE@"), 6, probe.at("code").get<std::string>());
        texts.push_back(std::move(text));
    }
    return texts;
}

std::vector<std::string> cardTexts() {
    std::vector<std::string> texts;
    for (const task::TaskKey& key : task::builtInCards())
        if (const auto card = task::loadCard(key.level, key.task); card && card->graph.size() < 12)
            texts.push_back(task::writeCard(*card));
    return texts;
}

verify::Verdict sampleVerdict() {
    verify::Verdict v = verify::compileErrorVerdict("nvrtc", "kernel.cu:1:1: error");
    v.firstMismatch = verify::Mismatch{0, {1, 2}, 3.5, 1.0 / 0.0};
    v.faults.push_back({"race", "message", "kernel", {1, 2, 3}, {4, 5, 6}, 7, 8});
    v.checks.push_back({"values", verify::CheckState::failed, "detail", 0.5, 1});
    v.launches.push_back({"kernel", {1, 2, 3}, {32, 1, 1}, 64, 0, 1, 32, 0.1});
    return v;
}

/// Reads JSON first, as whoever holds such a message does.
template <class Read> std::function<void(const std::string&)> jsonReader(Read read) {
    return [read](const std::string& text) {
        const json j = json::parse(text, nullptr, false);
        if (!j.is_discarded()) read(j);
    };
}

void readPtx(const std::string& text) {
    if (!ptx::parse(text)) return;
    emulator::DeviceMemory memory(1 << 20);
    (void)emulator::Program::load(text, memory);
    (void)compile::extractKernels(text);
}

void readCard(const std::string& text) {
    const auto card = task::parseCard(text);
    if (!card) return;
    for (const auto& [name, symbols] : card->sizes) {
        (void)task::costOf(*card, symbols);
        (void)verify::planOf(*card, name);
    }
    (void)task::parseCard(task::writeCard(*card));
}

} // namespace

std::vector<Reader> readers() {
    const auto noFiles = [](const std::string&) { return std::optional<std::string>(); };
    audit::JudgedKernel judged;
    protocol::RunParameters run;
    run.unit = std::make_shared<const compile::CompiledUnit>();
    run.claim = protocol::TimeClaim{1.5, "h200", "test"};
    return {
        {"ptx", ptxTexts(), readPtx},
        {"card", cardTexts(), readCard},
        {"archive row",
         {textOf(KERNELARIUM_STARTER_ROWS).substr(0, 6000), R"({"Level_ID": 1, "Task_ID": 2, "CUDA_Code": "x"})"},
         [](const std::string& text) {
             archive::SourceRow row;
             (void)archive::parseJsonRow(text, row);
         }},
        {"python literal",
         {"{'metrics': {'Executed Ipc Active': {'unit': 'inst/cycle', 'avg_value': 1.5e-3, 'variance': nan, 'n': 5}}, "
          "'rules': {'A': {'type': 'WRN', 'description': \"it's\"}}}",
          "{'stdout': 'a.cu:5:15: warning: narrowing [bugprone-x]\\n   5 | x\\n', 'stderr': '', 'errored': False}",
          "{'aten::to': {'cpu_time_total': 203, 'device_time_total': 80.5}, 'b': {'count': 0x1F}}",
          "[None, True, -inf, (1,), {2, 3}, b'\\xff', r'\\n', \"\"\"x\"\"\", '\\u00e9' 'y', 1_000, set()]"},
         [](const std::string& text) {
             (void)profile::parseLiteral(text);
             (void)profile::parseNcuProfile(text);
             (void)profile::parseTorchProfile(text);
             (void)profile::parseClangTidy(text);
             (void)profile::parseTidyOutput(text);
         }},
        {"search text",
         {"task:1/23 op:\"a b\" speedup>2 uses:wmma error:compile re:x[0-9]+", "correct:yes runtime:0.1..2 std::max"},
         [](const std::string& text) {
             (void)archive::parseSearch(text);
             (void)archive::Pattern::regex(text, false);
         }},
        {"normalised code",
         {"#define A(x) \"a // b\" /* c */ R\"x(y)x\" 'z' 1'000\nint a = 1; // d\n"},
         [](const std::string& text) { (void)archive::shapeOf(text); }},
        {"verdict", {verify::toJson(sampleVerdict()).dump()}, jsonReader([](const json& j) {
             (void)verify::verdictFromJson(j);
         })},
        {"verdict line", {audit::toLine(judged)}, [](const std::string& text) { (void)audit::verdictFromLine(text); }},
        {"run request", {protocol::toJson(run).dump()}, jsonReader([](const json& j) {
             (void)protocol::runParametersFromJson(j);
         })},
        {"run summary", {protocol::toJson(protocol::RunSummary{}).dump()}, jsonReader([](const json& j) {
             (void)protocol::runSummaryFromJson(j);
         })},
        {"profile", {protocol::toJson(protocol::ProfileSummary{}).dump()}, jsonReader([](const json& j) {
             (void)protocol::profileSummaryFromJson(j);
         })},
        {"compiled unit",
         {protocol::unitToJson(compile::CompiledUnit{}, {"ptx", "log"}).dump()},
         jsonReader([](const json& j) { (void)protocol::unitFromJson(j); })},
        {"message",
         {R"({"id": 1, "method": "verify", "params": {}})", R"({"id": 1, "event": "progress", "stage": "run"})"},
         [](const std::string& text) {
             (void)protocol::parseRequest(text);
             (void)protocol::parseEvent(text);
         }},
        {"arguments",
         {"float32[128,256]", "(float32[4]~uniform(0,1), 2)", "int64[8]~integer(0,9)", "none", "\"text\""},
         [](const std::string& text) { (void)verify::parseArguments({text}); }},
        {"lesson", filesOf("resources/lessons", ".md"),
         [noFiles](const std::string& text) { (void)lesson::parseLesson("fuzzed", text, noFiles, "fuzzed"); }},
        {"device", filesOf("resources/devices", ".json"),
         [](const std::string& text) { (void)perf::parseDeviceSpec(text); }},
        {"compiler log",
         {"kernel.cu(12): error: expected a \";\"\n  int i\n      ^\n",
          "ptxas error : Entry function 'f' uses too much"},
         [](const std::string& text) {
             (void)compile::parseCompilerLog(text, "int i;\n");
             (void)compile::parseAssemblerLog(text, ".loc 1 2 3\n");
             (void)compile::parseAssemblerNotes(text, ".loc 1 2 3\nsetmaxnreg.\n");
         }},
    };
}

} // namespace kernelarium::fuzz
