// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/worker/TrialJudge.h"

#include "core/task/Card.h"
#include "gpu/worker/CompileMessages.h"
#include "gpu/worker/Trial.h"

#include <algorithm>
#include <fmt/format.h>
#include <thread>
#include <unistd.h>

namespace kernelarium::worker {

namespace {

std::uint64_t memoryOfTheMachine() {
    return std::uint64_t(::sysconf(_SC_PHYS_PAGES)) * std::uint64_t(::sysconf(_SC_PAGESIZE));
}

verify::Verdict withoutReference(const audit::VerdictKey& key, const RunParameters& parameters) {
    verify::Verdict verdict;
    verdict.kind = verify::VerdictKind::unverifiable;
    verdict.reasons = {"no_reference"};
    verdict.message =
        fmt::format("There is no card for task {}/{}: it compiles, and was not run.", key.level, key.task);
    verdict.backend = parameters.backend;
    verdict.size = parameters.size;
    verdict.seed = parameters.seed;
    return verdict;
}

} // namespace

TrialJudge::TrialJudge(Commands commands)
    : m_commands(std::move(commands))
    , m_compiler(m_commands.compile)
    , m_runner(m_commands.run) {}

TrialJudge::Commands TrialJudge::commandsFor(const std::string& program, unsigned jobs) {
    const unsigned sharers = std::max(1U, jobs);
    const std::uint64_t all = memoryOfTheMachine() >> 20;
    const std::uint64_t memory = std::min(all / 4, all / 2 / sharers);
    Commands commands;
    commands.compile = {program, "worker", "compile"};
    commands.run = {program, "worker", "run", "--memory", std::to_string(std::max<std::uint64_t>(memory, 64))};
    commands.threads = std::max(1U, std::thread::hardware_concurrency() / sharers);
    return commands;
}

Result<nlohmann::json> TrialJudge::call(WorkerClient& client, const char* method, const nlohmann::json& params,
                                        std::chrono::milliseconds limit, const std::stop_token& stop) {
    WorkerClient::CallOptions options;
    options.timeLimit = limit;
    options.stop = stop;
    Result<nlohmann::json> answer = client.call(method, params, options);
    if (!answer && answer.error().code == "child_died" && !stop.stop_requested())
        answer = client.call(method, params, options);
    return answer;
}

Result<task::Card> TrialJudge::cardOf(const audit::Candidate& kernel) {
    if (m_commands.archive.empty()) return task::loadCard(kernel.key.level, kernel.key.task);
    if (!m_archive) {
        Result<archive::Archive> opened = archive::Archive::open(m_commands.archive);
        if (!opened) return opened.error();
        m_archive.emplace(std::move(*opened));
    }
    const Result<RowTask> row = readRowTask(*m_archive, kernel.id);
    if (!row) return row.error();
    return cardForRow(*row, m_commands.cards);
}

Result<verify::Verdict> TrialJudge::judge(const audit::Candidate& kernel, const std::string& code,
                                          const audit::Settings& settings, const std::stop_token& stop) {
    CompileParameters compile;
    compile.source = code;
    compile.fastMath = settings.fastMath;
    compile.arch = m_commands.arch;
    compile.emit = {"ptx", "log"};
    if (settings.backend == "cuda") compile.emit.insert("cubin");
    compile.early = false;
    const auto start = std::chrono::steady_clock::now();
    const Result<nlohmann::json> compiled = call(m_compiler, "compile", toJson(compile), compileLimit, stop);
    if (!compiled) return compiled.error();
    Result<compile::CompiledUnit> unit = unitFromJson(*compiled);
    if (!unit) return unit.error();
    const double compileSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    RunParameters run;
    run.backend = settings.backend;
    run.size = settings.size;
    run.seed = settings.seed;
    run.jobs = m_commands.threads;
    run.timeLimit = std::chrono::milliseconds(std::int64_t(settings.timeLimit * 1000));
    const audit::VerdictKey& key = kernel.key;
    run.claim = archivesClaim(kernel.claimedMilliseconds);
    Result<verify::Verdict> verdict = withoutReference(key, run);
    if (!unit->ok) {
        verdict = refusedVerdict(*unit, run);
    } else if (const Result<task::Card> card = cardOf(kernel); card) {
        run.card = nlohmann::json::parse(task::writeCard(*card));
        run.unit = std::move(*unit);
        verdict = verdictOf(call(m_runner, "verify", toJson(run), childLimit("verify", run.timeLimit), stop), run);
    } else if (card.error().code != "unknown_task") {
        return card.error();
    }
    if (!verdict) return verdict.error();
    verdict->fastMath = settings.fastMath;
    verdict->seconds["compile"] = compileSeconds;
    return verdict;
}

} // namespace kernelarium::worker
