// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/schedule/VariantRun.h"

#include "gpu/protocol/Trial.h"

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

} // namespace kernelarium::cli
