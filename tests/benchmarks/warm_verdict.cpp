// SPDX-License-Identifier: GPL-3.0-or-later
// From an edit to its verdict in children that are warm: a kernel in the source is changed, compiled and verified,
// several times over, and the seconds of every stage are printed with their ratio to what PyTorch's load_inline needs
// to compile the same kernel (44.8 s for that of task 1/1).
//
//   benchmark_warm_verdict FILE.cu LEVEL/TASK [TIMES [BACKEND [SIZE]]]      3 cuda full
//   benchmark_warm_verdict --time FILE.cu LEVEL/TASK [TIMES]
//
// With --time each edit is then timed on the GPU, as the window does it: "first" is the median by the first samples
// with its interval, "refined" what all of them say, with the energy of a call. Promised for task 1/1: 1.5 s from the
// edit to "first", children warm; the first edit starts them and does not count. Needs a GPU.
#include "core/task/Card.h"
#include "gpu/protocol/CompileMessages.h"
#include "gpu/protocol/DeviceMessages.h"
#include "gpu/protocol/TimeMessages.h"
#include "gpu/service/CompileService.h"
#include "gpu/service/RunService.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

using namespace kernelarium;

namespace {

constexpr double loadInlineSeconds = 44.8;
constexpr double promisedSeconds = 1.5; ///< from an edit to a verdict with a time

double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Asked {
    std::string source;
    task::Card card;
    std::string backend = "cuda";
    std::string size = "full";
    std::string arch = "sm_90";
};

/// The two children's work, one after the other, in this process.
class Children {
public:
    Children()
        : m_run(std::uint64_t(4) << 30) {}

    Result<nlohmann::json> verify(const Asked& asked, int edit, double& compileSeconds) {
        const auto start = std::chrono::steady_clock::now();
        protocol::CompileParameters compile;
        // Of a kernel: the assembler's answer to the text before does not serve.
        compile.source = asked.source + fmt::format("\n__global__ void benchmark_edit(int* x) {{ *x = {}; }}\n", edit);
        compile.arch = asked.arch;
        compile.texts = {"ptx", "kernel_ptx", "cubin"};
        const auto answer = m_compile.handle({1, 0, "compile", "", protocol::toJson(compile)}, m_quiet, {});
        if (!answer) return answer.error();
        const Result<compile::CompiledUnit> unit = protocol::unitFromJson(*answer);
        if (!unit) return unit.error();
        if (!unit->ok) return Error{"bad_input", "It does not compile.", "", unit->log};
        compileSeconds = secondsSince(start);
        m_asked = {};
        m_asked.unit = std::make_shared<const compile::CompiledUnit>(*unit);
        m_asked.backend = asked.backend;
        m_asked.size = asked.size;
        m_asked.card = std::make_shared<const task::Card>(asked.card);
        return m_run.handle({2, 0, "verify", "", protocol::toJson(m_asked)}, m_quiet, {});
    }

    /// Between two edits, as the children do when their answers are sent.
    void prepareNext() {
        m_compile.answered();
        m_run.answered();
    }

    /// Of what was verified last. `first`: what the first samples said, and after how many seconds.
    Result<protocol::TimeSummary> time(std::optional<std::pair<protocol::TimeSummary, double>>& first) {
        const auto start = std::chrono::steady_clock::now();
        protocol::TimeParameters timed;
        timed.run = m_asked;
        m_stages.clear();
        const auto noteStage = [&](const std::string& stage) { m_stages.emplace_back(stage, secondsSince(start)); };
        const service::Service::Progress listening{noteStage, [&](const nlohmann::json& part) {
                                                       const auto summary = protocol::timeSummaryFromJson(part);
                                                       if (summary && !first) first = {*summary, secondsSince(start)};
                                                   }};
        const auto answer = m_run.handle({3, 0, "time", "", protocol::toJson(timed)}, listening, {});
        if (!answer) return answer.error();
        return protocol::timeSummaryFromJson(*answer);
    }

    /// Of the timing, with the seconds from its beginning to theirs.
    [[nodiscard]] const std::vector<std::pair<std::string, double>>& stages() const { return m_stages; }

    [[nodiscard]] const compile::StageSeconds& compiled() const { return m_asked.unit->seconds; }

    Result<protocol::DeviceList> devices() {
        const auto answer = m_run.handle({4, 0, "devices", "", nlohmann::json::object()}, m_quiet, {});
        if (!answer) return answer.error();
        return protocol::deviceListFromJson(*answer);
    }

private:
    protocol::RunParameters m_asked;
    std::vector<std::pair<std::string, double>> m_stages;
    service::CompileService m_compile;
    service::RunService m_run;
    service::Service::Progress m_quiet{[](const std::string&) {}, [](nlohmann::json) {}};
};

int fail(const Error& error) {
    std::fputs((error.text() + "\n").c_str(), stderr);
    return 1;
}

void printVerdict(int edit, const nlohmann::json& verdict, double total, double compileSeconds,
                  const compile::StageSeconds& of) {
    fmt::print("edit {}: {} in {:.3f} s (load_inline {:.0f} times as long): compile {:.3f}", edit,
               verdict.value("verdict", "?"), total, loadInlineSeconds / total, compileSeconds);
    for (const auto& [stage, seconds] : verdict.at("seconds").items())
        fmt::print(", {} {:.3f}", stage, seconds.get<double>());
    fmt::print("\n        of the compiling: rewrite {:.3f}, NVRTC {:.3f}, extract {:.3f}, assemble {:.3f}", of.rewrite,
               of.nvrtc, of.extract, of.link);
    fmt::print("\n        against the {}\n", verdict.value("reference", "?"));
    for (const auto& check : verdict.at("checks"))
        if (check.value("seconds", 0.0) >= 0.02)
            fmt::print("        {:18} {:.3f} s, {} runs\n", check.value("name", "?"), check.value("seconds", 0.0),
                       check.value("runs", 0));
}

void printTime(const char* which, const protocol::TimeSummary& time, double seconds) {
    const perf::SampleSummary& s = time.summary;
    fmt::print("        {:8} after {:.3f} s: {:.5g} ms ({:.5g} to {:.5g}), {} samples on {}\n", which, seconds,
               s.median * 1e3, s.confidentFrom * 1e3, s.confidentTo * 1e3, s.count, time.device);
}

/// Seconds from the edit to the first time, where it is timed; else to the verdict.
Result<double> tryEdit(Children& children, const Asked& asked, int edit, bool timed) {
    const auto start = std::chrono::steady_clock::now();
    double compileSeconds = 0;
    const auto verdict = children.verify(asked, edit, compileSeconds);
    if (!verdict) return verdict.error();
    const double verified = secondsSince(start);
    printVerdict(edit, *verdict, verified, compileSeconds, children.compiled());
    if (!timed) return verified;
    std::optional<std::pair<protocol::TimeSummary, double>> first;
    const auto time = children.time(first);
    if (!time) return time.error();
    if (time->summary.count == 0)
        return Error{"run_failed", "There are no samples.", "",
                     time->reason + (time->remarks.empty() ? "" : time->remarks.front())};
    if (!first)
        first = {*time, secondsSince(start) - verified}; // host code is timed with it: there are no early samples
    const double total = verified + first->second;
    printTime("first", first->first, total);
    fmt::print("       ");
    for (const auto& [stage, seconds] : children.stages())
        fmt::print(" {} from {:.3f}", stage, verified + seconds);
    fmt::print("\n");
    printTime("refined", *time, secondsSince(start));
    fmt::print("        edit to timed verdict: {:.3f} s, promised {:.1f} s\n", total, promisedSeconds);
    return total;
}

} // namespace

int main(int argc, char** argv) {
    std::vector<std::string> words(argv + 1, argv + argc);
    const bool timed = !words.empty() && words.front() == "--time";
    if (timed) words.erase(words.begin());
    const auto key = task::parseTaskKey(words.size() > 1 ? words[1] : "");
    if (!key) return fail({"usage", "benchmark_warm_verdict [--time] FILE.cu LEVEL/TASK [TIMES [BACKEND [SIZE]]]"});
    std::ifstream file(words[0]);
    if (!file) return fail({"bad_input", words[0] + " cannot be read."});
    Result<task::Card> card = task::loadCard(key->level, key->task);
    if (!card) return fail(card.error());
    Asked asked{{std::istreambuf_iterator<char>(file), {}}, std::move(*card)};
    const int times = words.size() > 2 ? std::atoi(words[2].c_str()) : 3;
    if (words.size() > 3) asked.backend = words[3];
    if (words.size() > 4) asked.size = words[4];
    Children children;
    const Result<protocol::DeviceList> list = children.devices();
    if (!list) return fail(list.error());
    const protocol::DeviceSummary* gpu = list->gpu();
    if (asked.backend == "cuda" && !gpu)
        return fail({"missing_component", "This needs a GPU, and there is none.",
                     "Without --time the BACKEND can be emulator.",
                     list->missing ? list->missing->text() : std::string()});
    if (timed && asked.backend != "cuda")
        return fail({"usage", "Times are taken on a GPU: BACKEND is cuda with --time."});
    if (gpu) asked.arch = gpu->arch;
    std::vector<double> warm;
    for (int edit = 1; edit <= times; ++edit) {
        const Result<double> seconds = tryEdit(children, asked, edit, timed);
        if (!seconds) return fail(seconds.error());
        if (edit > 1) warm.push_back(*seconds);
        children.prepareNext();
    }
    if (warm.empty()) return 0;
    std::sort(warm.begin(), warm.end());
    fmt::print("warm: median {:.3f} s of {} edits, {:.3f} to {:.3f}\n", perf::quantile(warm, 0.5), warm.size(),
               warm.front(), warm.back());
    return 0;
}
