// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/kernel/KernelJob.h"
#include "app/cli/schedule/CubinChoice.h"

#include <memory>
#include <string>

namespace kernelarium::cli {

/// A kernel that is to be run with other native code than it was compiled to (protocol::ScheduleMeasurer), in the run
/// child: what goes wrong there costs that child only.
class VariantRun {
public:
    /// Compiles the kernel file for this machine's GPU, or for the emulator. Errors: "bad_input" (a cubin: nothing says
    /// how to call it), those of KernelJob.
    static Result<std::unique_ptr<VariantRun>> prepare(const CubinChoice& choice, const std::string& task,
                                                       const std::string& size, const std::string& backend = "cuda");

    [[nodiscard]] Result<sass::Cubin> cubin() const { return sass::Cubin::read(m_job.unit().cubin); }

    /// What the run child is told, with the unit as it was compiled.
    [[nodiscard]] const protocol::RunParameters& parameters() const { return m_job.parameters; }
    [[nodiscard]] const std::string& source() const { return m_job.source.text; }
    /// Runs the original once. Errors: those of KernelJob::run.
    [[nodiscard]] Result<protocol::RunSummary> original() { return m_work->run(m_job); }

private:
    explicit VariantRun(JobOptions options)
        : m_work(std::make_unique<KernelJob>(options)) {}
    std::unique_ptr<KernelJob> m_work;
    PreparedJob m_job;
};

} // namespace kernelarium::cli
