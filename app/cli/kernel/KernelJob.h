// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/Workers.h"
#include "app/cli/kernel/KernelSource.h"
#include "gpu/protocol/KernelClient.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::cli {

/// What `run`, `verify` and `time` are told.
struct JobOptions {
    std::string file;
    std::string kernelId;
    std::filesystem::path archive;
    std::string task;
    std::string card;      ///< CARD.json: in place of the task's own
    std::string python;    ///< that exports cards; empty: one is looked for
    std::string reference; ///< OTHER.cu
    std::vector<std::string> arguments;
    std::vector<std::size_t> outputs;          ///< parameters of the function that it writes
    std::vector<std::string> programArguments; ///< behind `--`, for a program's main
    std::string backend = "emulator";
    RunPlace place;
    std::string size = "small";
    std::string function; ///< of the module; empty: forward, or the only one
    std::string arch;     ///< empty: the GPU's own with the backend cuda, else sm_90
    std::uint64_t seed = 1;
    bool fastMath = false;
    std::vector<std::string> compilerWords; ///< -I, -D, -U, --max-registers
    bool noChecks = false;
    bool exactSums = false;
    bool everyBlock = false;
    bool counters = false;
    std::string nativeCode; ///< of `run`: a cubin in place of what the text compiles to
    bool explain = false;
    double claimedMilliseconds = 0; ///< for one call at full size; 0: none
    std::string claimedDevice = "h100-sxm";
    std::string device = "h200";   ///< whose time `profile` models
    recording::Request record;     ///< of `step`
    tensorview::Query tensors;     ///< of `tensors`
    std::string timeMode = "cold"; ///< of `time`, as all up to sessionFile
    double requestRate = 100;
    std::size_t requests = 300;
    double sampleSeconds = 5;
    std::string against; ///< OTHER.cu
    bool unverified = false;
    std::string verifySize = "timed"; ///< or "small"
    bool noEnergy = false;
    std::string baselines = "none";
    std::string sessionFile;
    double timeLimit = 60; ///< seconds
    bool timeLimitGiven = false;
    unsigned jobs = 0;
    std::uint64_t gpuMegabytes = 0; ///< of device memory with --backend cuda; 0: what is free
};

/// The options that every command about one kernel has.
void addJobOptions(CLI::App& command, JobOptions& options);

/// A kernel compiled in the compile child, with all that the run child needs.
struct PreparedJob {
    KernelSource source;
    std::optional<TaskName> task;
    protocol::RunParameters parameters;

    [[nodiscard]] const compile::CompiledUnit& unit() const { return *parameters.unit; } ///< `ok` may be false
};

/// Whether there is such a size: small and full always, another only of a card (null: none). Errors "bad_usage",
/// "bad_input".
[[nodiscard]] Result<void> checkSize(const std::string& size, const task::Card* card);

/// Takes one kernel from its source to an answer through the two children.
class KernelJob {
public:
    explicit KernelJob(const JobOptions& options);

    /// Reads and compiles. Errors: "bad_input", "missing_component", "timeout", "child_died", ...
    Result<PreparedJob> prepare();
    Result<protocol::VerdictAnswer> verify(const PreparedJob& job);
    Result<protocol::RunSummary> run(const PreparedJob& job);
    Result<protocol::ProfileSummary> profile(const PreparedJob& job);
    Result<protocol::TimeSummary> time(const PreparedJob& job);
    Result<tensorview::Answer> tensors(const PreparedJob& job, const tensorview::Query& query);
    Result<std::shared_ptr<const recording::Recording>> record(const PreparedJob& job);
    [[nodiscard]] const text::CompilerSettings& settings() const { return m_settings; } ///< once it is prepared
    [[nodiscard]] const std::string& arch() const { return m_options.arch; }            ///< likewise

private:
    Result<KernelSource> readSource() const;
    Result<std::shared_ptr<const task::Card>> cardFor(const PreparedJob& job) const; ///< null where none is needed
    [[nodiscard]] std::optional<protocol::TimeClaim> claimOf(const KernelSource& source) const;
    /// Where kernels are to run on a GPU: finds it, and takes its architecture unless another was asked for.
    Result<void> chooseTarget();
    Result<protocol::KernelClient::Unit> compileText(const std::string& text);
    struct NamedUnit {
        protocol::KernelClient::Unit unit;
        std::string name;
    };
    /// A second kernel, which has to compile; `role` is what messages call it.
    Result<NamedUnit> compileFile(const std::string& file, const std::string& role);
    Result<void> addReference(PreparedJob& job);
    Result<void> takeNativeCode(PreparedJob& job) const;

    JobOptions m_options;
    text::CompilerSettings m_settings;
    protocol::KernelClient m_compiler;
    protocol::KernelClient m_runner;
};

} // namespace kernelarium::cli
