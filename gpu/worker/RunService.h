// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/worker/RecordMessages.h"
#include "gpu/worker/RunMessages.h"
#include "gpu/worker/Server.h"

namespace kernelarium::worker {

/// The run child's work: one kernel at a time in the emulator. Methods "run" (result: RunSummary), "verify"
/// (result: a verdict as core/verify/VerdictJson.h has it, with `counters` where they were asked for); parameters:
/// RunParameters. Method "profile": ProfileParameters, ProfileSummary. Method "record": gpu/worker/RecordMessages.h.
class RunService : public Service {
public:
    /// `capacity` is how many bytes of emulated memory one run may allocate.
    explicit RunService(std::uint64_t capacity)
        : m_capacity(capacity) {}

    [[nodiscard]] std::string kind() const override { return "run"; }
    [[nodiscard]] std::vector<std::string> capabilities() const override { return {"run", "verify", "profile", "record", "emulator"}; }
    Result<nlohmann::json> handle(const Request& request, const Progress& progress, std::stop_token stop) override;

private:
    Result<nlohmann::json> runOnce(const RunParameters& parameters, const Progress& progress, std::stop_token stop);
    Result<nlohmann::json> profile(const Request& request, const Progress& progress, std::stop_token stop);
    Result<nlohmann::json> record(const Request& request, const Progress& progress, std::stop_token stop);
    Result<nlohmann::json> verify(const RunParameters& parameters, const Progress& progress, std::stop_token stop);

    std::uint64_t m_capacity;
};

} // namespace kernelarium::worker
