// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/TrialJudge.h"

#include "core/task/Card.h"
#include "core/threads/FanOut.h"
#include "gpu/process/MemoryWatch.h"
#include "gpu/protocol/Trial.h"

#include <algorithm>
#include <fmt/format.h>
#include <thread>

namespace kernelarium::protocol {

namespace {

/// A second time where the child died, in a fresh one.
template <class Ask> auto patiently(const std::stop_token& stop, Ask ask) {
    auto answer = ask();
    if (!answer && answer.error().code == "child_died" && !stop.stop_requested()) answer = ask();
    return answer;
}

verify::Verdict withoutReference(const audit::VerdictKey& key, const RunParameters& parameters) {
    verify::Verdict verdict;
    verdict.kind = verify::VerdictKind::unverifiable;
    verdict.reasons = {"no_reference"};
    verdict.message =
        fmt::format("There is no card for task {}/{}: it compiles, and was not run.", key.level, key.task);
    return inReplyTo(parameters, std::move(verdict));
}

} // namespace

TrialJudge::TrialJudge(Commands commands)
    : m_commands(std::move(commands))
    , m_compiler(m_commands.compile)
    , m_runner(m_commands.run) {
    if (m_commands.cores) m_commands.cores->add(-1);
}

TrialJudge::~TrialJudge() {
    if (m_commands.cores) m_commands.cores->add(1);
}

TrialJudge::Commands TrialJudge::commandsFor(const std::string& program, unsigned jobs) {
    const unsigned sharers = std::max(1U, jobs);
    const std::uint64_t all = process::machineMemory() >> 20;
    const std::uint64_t memory = std::min(all / 4, all / 2 / sharers);
    Commands commands;
    constexpr std::uint64_t mostOfCompilers = 4096, leastOfCompilers = 1024; // megabytes
    const std::uint64_t compiling = std::clamp(all / 4 / sharers, leastOfCompilers, mostOfCompilers);
    commands.compile = {program, "worker", "compile", "--memory", std::to_string(compiling)};
    commands.run = {program, "worker", "run", "--memory", std::to_string(std::max<std::uint64_t>(memory, 512))};
    commands.threads = std::max(1U, std::thread::hardware_concurrency() / sharers);
    return commands;
}

TrialJudge::Commands TrialJudge::sharingCommandsFor(const std::string& program, unsigned jobs) {
    Commands commands = commandsFor(program, jobs);
    constexpr unsigned coresForOneOver = 4;
    commands.cores = threads::SharedCores::make(threads::cores(), commands.threads, threads::cores() / coresForOneOver);
    commands.compile.emplace_back("--many");
    if (commands.cores) commands.run.insert(commands.run.end(), {"--idle-cores", commands.cores->path()});
    return commands;
}

Result<task::Card> TrialJudge::cardOf(const audit::Candidate& kernel) {
    if (m_commands.archive.empty()) return task::loadCard(kernel.key.level, kernel.key.task);
    if (!m_archive) {
        Result<archive::Archive> opened = archive::Archive::open(m_commands.archive);
        if (!opened) return opened.error();
        m_archive.emplace(std::move(*opened));
    }
    const Result<audit::RowTask> row = audit::readRowTask(*m_archive, kernel.id);
    if (!row) return row.error();
    return audit::cardForRow(*row, m_commands.cards);
}

Result<verify::Verdict> TrialJudge::judge(const audit::Candidate& kernel, const std::string& code,
                                          const audit::Settings& settings, const std::stop_token& stop) {
    CompileParameters compile;
    compile.source = code;
    compile.fastMath = settings.fastMath;
    compile.arch = m_commands.arch;
    compile.texts = {"ptx", "log"};
    if (settings.backend == "cuda") compile.texts.insert("cubin");
    const std::chrono::milliseconds timeLimit(std::int64_t(settings.timeLimit * 1000));
    const CallOptions call{.compileLimit = compileLimitBeside(timeLimit), .stop = stop};
    const Result<KernelClient::Unit> unit = patiently(stop, [&] { return m_compiler.compile(compile, call); });
    if (!unit) return unit.error();

    RunParameters run;
    run.unit = *unit;
    run.backend = settings.backend;
    run.size = settings.size;
    run.seed = settings.seed;
    run.jobs = m_commands.cores && settings.backend == "emulator" ? threads::cores() : m_commands.threads;
    run.timeLimit = timeLimit;
    run.claim = archivesClaim(kernel.claimedMilliseconds);
    if (run.unit->ok) {
        Result<task::Card> card = cardOf(kernel);
        if (!card && card.error().code == "unknown_task") return withoutReference(kernel.key, run);
        if (!card) return card.error();
        run.card = std::make_shared<const task::Card>(std::move(*card));
    }
    Result<VerdictAnswer> answer = patiently(stop, [&] { return m_runner.verify(run, call); });
    if (m_commands.cores) m_commands.cores->takeBack();
    if (!answer) return answer.error();
    return std::move(answer->verdict);
}

} // namespace kernelarium::protocol
