// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/run/CudaBackend.h"
#include "gpu/device/run/CudaRunner.h"
#include "gpu/device/timing/TimingReplay.h"
#include "gpu/host/cuda/RunLog.h"
#include "gpu/host/run/HostSession.h"

#include <memory>
#include <optional>
#include <vector>

namespace kernelarium::device {

/// One forward whose memory stays after it returned, and whose device work can be queued again.
class TimingRun {
public:
    /// Runs forward once, as CudaRunner does. Errors: as of CudaRunner::run; what the kernel did is in result().
    static Result<std::unique_ptr<TimingRun>> execute(std::shared_ptr<DeviceContext> context,
                                                      std::shared_ptr<DevicePool> pool, const CudaProgram& program,
                                                      const CudaSettings& settings, const verify::RunRequest& request);
    ~TimingRun();
    TimingRun(const TimingRun&) = delete;
    TimingRun& operator=(const TimingRun&) = delete;

    [[nodiscard]] const verify::RunResult& result() const { return m_result; }
    [[nodiscard]] const TimedTrace& trace() const { return m_tracing->trace(); }
    /// Of the call itself, its interpretation included and its device work waited for.
    [[nodiscard]] double callSeconds() const { return m_callSeconds; }
    [[nodiscard]] std::uint64_t peakBytes() const { return m_result.peakBytes; }

    /// Library operators on device tensors that this process computed: their time says nothing about a GPU.
    [[nodiscard]] std::vector<host::ComputedHere> computedHere() const {
        return m_session ? m_session->computedHere() : std::vector<host::ComputedHere>();
    }

    /// Empty: forward's device work can be queued again without it. Else why not, a sentence.
    [[nodiscard]] std::string whyNotReplayed() const;
    /// The run outlives it. Errors: as of TimedReplay::create.
    Result<std::unique_ptr<TimedReplay>> replay() const;
    /// The same with the kernels of another module, which has all that the trace launches. That, too, outlives it.
    Result<std::unique_ptr<TimedReplay>> replayWith(const DeviceModule& module) const;

    /// Puts other values where the arguments' tensors lie; false where they are not all of the same sizes as before.
    Result<bool> writeArguments(const std::vector<tensor::Value>& arguments);
    /// What lies now where the outputs lay when forward returned. Only those that lie densely in device memory.
    Result<std::vector<tensor::Tensor>> readOutputs() const;

    struct Piece {
        std::uint64_t address = 0;
        std::uint64_t bytes = 0;
    };
    /// Where the outputs lie in device memory, in order; none where one does not lie there densely.
    [[nodiscard]] std::optional<std::vector<Piece>> outputPieces() const;
    /// Empty: all that forward has the device do is done to memory of the run, by kernels that have no variables of
    /// their own; other native code of the same kernels may take their place. Else why not, a sentence.
    [[nodiscard]] std::string whyNotExchanged() const;

private:
    TimingRun() = default;
    Result<void> load(const CudaProgram& program, const CudaSettings& settings, const verify::RunRequest& request);
    void callForward(const verify::RunRequest& request);

    std::shared_ptr<DeviceContext> m_context;
    std::shared_ptr<DevicePool> m_pool;
    std::unique_ptr<emulator::DeviceMemory> m_hostMemory;
    std::shared_ptr<emulator::Program> m_program;
    std::unique_ptr<DeviceModule> m_module;
    host::RunLog m_log;
    emulator::RunOptions m_options;
    std::unique_ptr<CudaBackend> m_backend;
    std::unique_ptr<TracingBackend> m_tracing;
    std::unique_ptr<RunOperators> m_operators; ///< null where library operators are computed in this process
    std::unique_ptr<host::HostSession> m_session;
    verify::RunResult m_result;
    double m_callSeconds = 0;
    bool m_hasVariables = false;
};

} // namespace kernelarium::device
