// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/Workers.h"
#include "core/lesson/Lesson.h"
#include "gpu/protocol/KernelClient.h"

#include <string>

namespace kernelarium::cli {

/// Texts of a lesson's step compiled, verified, counted and timed in the two children, as the window does it.
class StepWork {
public:
    explicit StepWork(const RunPlace& place = {});

    /// Has texts compiled for the GPU of the place, which measure() needs. Errors: "missing_component" without one.
    Result<protocol::DeviceSummary> useGpu(int ordinal);

    /// For the step's call at that size, with everything that runs need. Errors: those of KernelClient::compile and of
    /// task::loadCard; "bad_input" where the text, or the reference, does not compile.
    Result<protocol::RunParameters> prepare(const lesson::StepKernel& kernel, const std::string& text,
                                            const std::string& size);
    /// As prepare(), of a text that need not compile: the verdict says so then.
    Result<protocol::RunParameters> prepareAnyway(const lesson::StepKernel& kernel, const std::string& text,
                                                  const std::string& size);

    Result<protocol::VerdictAnswer> verify(protocol::RunParameters run);
    /// Counters and modelled time on a device (an id of core/perf/DeviceSpec.h).
    Result<protocol::ProfileSummary> profile(protocol::RunParameters run, const std::string& device);
    /// Cold calls on the GPU; with `against` also in pairs with that one.
    Result<protocol::TimeSummary> measure(protocol::RunParameters run, double sampleSeconds,
                                          const protocol::KernelClient::Unit& against = {});

private:
    Result<protocol::KernelClient::Unit> compile(const std::string& text);

    protocol::KernelClient m_compiler;
    protocol::KernelClient m_runner;
    std::string m_arch = "sm_90";
    bool m_gpu = false;
};

} // namespace kernelarium::cli
