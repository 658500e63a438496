// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/schedule/VariantRun.h"

#include "gpu/protocol/Trial.h"

#include <fmt/format.h>

namespace kernelarium::cli {

Result<std::unique_ptr<VariantRun>> VariantRun::prepare(const CubinChoice& choice, const std::string& task,
                                                        const std::string& size, const std::string& backend) {
    JobOptions options;
    options.file = choice.file;
    options.task = task;
    options.backend = backend;
    if (backend != "cuda") options.arch = choice.arch;
    options.size = size;
    options.fastMath = choice.fastMath;
    options.compilerWords = choice.compilerWords;
    options.noChecks = true;
    std::unique_ptr<VariantRun> run(new VariantRun(options));
    Result<PreparedJob> job = run->m_work->prepare();
    if (!job) return job.error();
    if (!job->unit().ok)
        return Error{"bad_input", choice.file + " does not compile (" + job->unit().failedStage + ").", "",
                     protocol::errorsText(job->unit())};
    run->m_job = std::move(*job);
    return run;
}

Result<std::string> VariantRun::compare(const sass::Cubin& variant, std::uint64_t seed) {
    const std::shared_ptr<const compile::CompiledUnit> compiled = m_job.parameters.unit;
    m_job.parameters.seed = seed;
    const Result<protocol::RunSummary> before = m_work->run(m_job);
    if (!before) return before.error();
    if (before->end != "finished")
        return Error{"bad_input", "The kernel as compiled does not run: " + before->reason, "Verify it first."};
    auto other = std::make_shared<compile::CompiledUnit>(*compiled);
    other->cubin = variant.bytes();
    m_job.parameters.unit = other;
    const Result<protocol::RunSummary> after = m_work->run(m_job);
    m_job.parameters.unit = compiled;
    if (!after) return "it ended its child: " + after.error().message;
    if (after->end != "finished") return after->end + ": " + after->reason;
    if (after->outputs.size() != before->outputs.size()) return std::string("another number of outputs");
    for (std::size_t i = 0; i < before->outputs.size(); ++i)
        if (before->outputs[i].digest != after->outputs[i].digest)
            return fmt::format("output {} differs (seed {})", i, seed);
    return std::string();
}

} // namespace kernelarium::cli
