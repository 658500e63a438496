// SPDX-License-Identifier: GPL-3.0-or-later
// From an edit to its verdict in children that are warm: the source is changed by a comment, compiled and verified,
// several times over, and the seconds of every stage are printed with their ratio to what PyTorch's load_inline needs to
// compile the same kernel (44.8 s for that of task 1/1).
//
//   benchmark_warm_verdict FILE.cu LEVEL/TASK [TIMES [BACKEND [SIZE]]]      3 cuda full
#include "core/task/Card.h"
#include "gpu/worker/CompileMessages.h"
#include "gpu/worker/CompileService.h"
#include "gpu/worker/RunService.h"

#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

using namespace kernelarium;

namespace {

constexpr double loadInlineSeconds = 44.8;

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
        worker::CompileParameters compile;
        compile.source = asked.source + fmt::format("\n// edit {}\n", edit);
        compile.arch = asked.arch;
        compile.emit = {"ptx", "kernel_ptx", "cubin"};
        const auto answer = m_compile.handle({1, 0, "compile", "", worker::toJson(compile)}, m_quiet, {});
        if (!answer) return answer.error();
        const Result<compile::CompiledUnit> unit = worker::unitFromJson(*answer);
        if (!unit) return unit.error();
        if (!unit->ok) return Error{"bad_input", "It does not compile.", "", unit->log};
        compileSeconds = secondsSince(start);
        worker::RunParameters run;
        run.unit = *unit;
        run.backend = asked.backend;
        run.size = asked.size;
        run.card = nlohmann::json::parse(task::writeCard(asked.card));
        return m_run.handle({2, 0, "verify", "", worker::toJson(run)}, m_quiet, {});
    }

private:
    worker::CompileService m_compile;
    worker::RunService m_run;
    worker::Service::Progress m_quiet{[](const std::string&) {}, [](nlohmann::json) {}};
};

int fail(const Error& error) {
    std::fputs((error.text() + "\n").c_str(), stderr);
    return 1;
}

} // namespace

int main(int argc, char** argv) {
    const auto key = task::parseTaskKey(argc > 2 ? argv[2] : "");
    if (!key) return fail({"usage", "benchmark_warm_verdict FILE.cu LEVEL/TASK [TIMES [BACKEND [SIZE]]]"});
    std::ifstream file(argv[1]);
    Result<task::Card> card = task::loadCard(key->level, key->task);
    if (!card) return fail(card.error());
    Asked asked{{std::istreambuf_iterator<char>(file), {}}, std::move(*card)};
    const int times = argc > 3 ? std::atoi(argv[3]) : 3;
    if (argc > 4) asked.backend = argv[4];
    if (argc > 5) asked.size = argv[5];
    Children children;
    for (int edit = 1; edit <= times; ++edit) {
        const auto start = std::chrono::steady_clock::now();
        double compileSeconds = 0;
        const auto verdict = children.verify(asked, edit, compileSeconds);
        if (!verdict) return fail(verdict.error());
        const double total = secondsSince(start);
        fmt::print("edit {}: {} in {:.3f} s (load_inline {:.0f} times as long): compile {:.3f}", edit,
                   verdict->value("verdict", "?"), total, loadInlineSeconds / total, compileSeconds);
        for (const auto& [stage, seconds] : verdict->at("seconds").items())
            fmt::print(", {} {:.3f}", stage, seconds.get<double>());
        fmt::print("\n        against the {}\n", verdict->value("reference", "?"));
        for (const auto& check : verdict->at("checks"))
            if (check.value("seconds", 0.0) >= 0.02)
                fmt::print("        {:18} {:.3f} s, {} runs\n", check.value("name", "?"), check.value("seconds", 0.0),
                           check.value("runs", 0));
    }
    return 0;
}
