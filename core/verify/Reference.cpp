// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Reference.h"

#include "core/verify/Poison.h"

namespace kernelarium::verify {

Result<tensor::Value> KernelReference::evaluate(const CallInputs& inputs, std::stop_token stop) {
    const auto failed = [this](const std::string& why) {
        return Error{"reference_failed", "The reference kernel " + m_name + " cannot be trusted: " + why + ".",
                     "Choose another reference."};
    };
    RunRequest request;
    request.arguments = inputs.arguments;
    request.outputs = m_outputs;
    request.poison = firstPoison;
    request.timeLimit = m_timeLimit;
    request.stop = stop;
    Result<RunResult> run = m_runner->run(request);
    if (!run) return run.error();
    if (run->end == RunEnd::cancelled) return Error{"cancelled", "Cancelled."};
    if (run->end == RunEnd::unsupported) return failed("it needs " + run->reason + ", which is not supported");
    if (run->end != RunEnd::finished) return failed(run->reason.empty() ? "it did not finish" : run->reason);
    for (std::size_t o = 0; o < run->firstUnwritten.size(); ++o)
        if (run->firstUnwritten[o])
            return failed("it never writes element " + std::to_string(*run->firstUnwritten[o]) + " of output " +
                          std::to_string(o));
    for (const Fault& fault : run->faults)
        if (fault.leavesAllocation) return failed(fault.message);
    return std::move(run->output);
}

} // namespace kernelarium::verify
