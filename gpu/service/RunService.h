// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Verdict.h"
#include "core/verify/inputs/DrawnInputs.h"
#include "gpu/protocol/RecordMessages.h"
#include "gpu/protocol/RunMessages.h"
#include "gpu/service/GpuTarget.h"
#include "gpu/service/KeptMemory.h"
#include "gpu/service/ProductService.h"
#include "gpu/service/RunTensors.h"
#include "gpu/service/Server.h"
#include "gpu/service/TimeService.h"

#include <algorithm>
#include <memory>

namespace kernelarium::service {

/// Bytes that some requests of the run child may take besides.
struct RunRoom {
    std::uint64_t profiled = 0; ///< that a profile may allocate; 0: twice what a run may
    std::uint64_t ofTasks = 0;  ///< most of Progress::allowMemory, for a task's own tensors and references
};

/// The run child's work: one kernel at a time, in the emulator or on the GPU. Methods "run" (result: RunSummary),
/// "verify" (result: a verdict as core/verify/VerdictJson.h has it, with `counters` where they were asked for);
/// parameters: RunParameters. Method "profile": ProfileParameters, ProfileSummary. Method "record":
/// gpu/protocol/RecordMessages.h. Method "tensors": RunParameters with a `query`, core/tensorview/Query.h; the run that
/// a query is about is kept for the next one, until anything else is asked for. Method "devices":
/// gpu/protocol/DeviceMessages.h. Methods "time" and "measure": gpu/protocol/TimeMessages.h, gpu/service/TimeService.h.
/// Methods "hgemm.prepare" and "hgemm.measure": gpu/service/ProductService.h.
class RunService : public Service {
public:
    /// `capacity` is how many bytes of emulated memory one run may allocate, `gpu` which of the machine's GPUs is used.
    explicit RunService(std::uint64_t capacity, int gpu = 0, const RunRoom& room = {})
        : m_capacity(capacity)
        , m_room(room)
        , m_kept(capacity / 2)
        , m_gpu(gpu)
        , m_timed(std::min(capacity / 4, std::uint64_t(2) << 30))
        , m_products(m_gpu) {}

    [[nodiscard]] std::string kind() const override { return "run"; }
    [[nodiscard]] std::vector<std::string> capabilities() const override {
        return {"run",  "verify",  "profile", "record",   "tensors", "devices",
                "time", "measure", "hgemm",   "emulator", "cuda"};
    }
    Result<nlohmann::json> handle(const protocol::Request& request, const Progress& progress,
                                  std::stop_token stop) override;
    [[nodiscard]] bool mustEnd() const override { return m_gpu.isLost(); }

private:
    Result<nlohmann::json> runOnce(const protocol::RunParameters& parameters, const Progress& progress,
                                   std::stop_token stop);
    Result<nlohmann::json> profile(const protocol::Request& request, const Progress& progress, std::stop_token stop);
    Result<nlohmann::json> record(const protocol::Request& request, const Progress& progress, std::stop_token stop);
    Result<nlohmann::json> answerOf(const protocol::Request& request, const Progress& progress, std::stop_token stop);
    Result<nlohmann::json> tensors(const protocol::Request& request, const Progress& progress, std::stop_token stop);
    Result<nlohmann::json> verify(const protocol::RunParameters& parameters, const Progress& progress,
                                  std::stop_token stop);

    Result<nlohmann::json> devices();
    /// Error "is_program" of what is not a module but has its own main; `done`: "verified".
    static Result<void> checkModule(const compile::CompiledUnit& unit, const std::string& done);
    /// A runner of the backend that is asked for, and what a run on it may allocate.
    struct Place {
        std::unique_ptr<verify::Runner> runner;
        std::uint64_t capacity = 0;
    };
    /// `kept`: where an emulator's memory may come from; null: it gets one of its own.
    Result<Place> placeFor(const protocol::RunParameters& parameters, const compile::CompiledUnit& unit,
                           const std::string& function, const KeptMemory::Use* kept = nullptr);

    /// Has the child's bound of memory widened by what the task itself takes.
    void allowForTask(const protocol::RunParameters& parameters, const Progress& progress) const;
    /// What one run in the emulator may allocate, its task's own tensors included.
    [[nodiscard]] std::uint64_t capacityFor(const protocol::RunParameters& parameters) const;

    std::uint64_t m_capacity;
    RunRoom m_room;
    KeptMemory m_kept; ///< of the last verification
    GpuTarget m_gpu;
    verify::DrawnInputs m_timed;           ///< what kernels are timed on
    ProductService m_products;             ///< ends before the GPU does, as the next ones
    KeptBench m_raced;                     ///< of the last race
    std::unique_ptr<RunTensors> m_tensors; ///< of the last query; ends before the GPU does
};

} // namespace kernelarium::service
