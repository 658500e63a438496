// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Runner.h"
#include "gpu/device/memory/DevicePool.h"
#include "gpu/device/run/RunOperators.h"
#include "gpu/emulator/decode/Module.h"
#include "gpu/host/backend/HostProgram.h"
#include "gpu/host/backend/TensorCoreUse.h"
#include "gpu/host/tensors/TensorKeeper.h"

#include <memory>
#include <string>
#include <vector>

namespace kernelarium::device {

/// A compiled file as this runner needs it: the whole for the host code, the kernels alone for the GPU.
struct CudaProgram {
    host::HostProgram host;
    std::vector<std::byte> cubin; ///< of `kernelPtx`; empty where the driver is to compile that itself
    std::string kernelPtx;        ///< CompiledUnit::kernelPtx
};

/// What runs on a GPU are made with.
struct CudaSettings {
    std::uint64_t hostCapacity =
        2ull << 30;                   ///< heap of the interpreted host code and its variables; as much for an operator
    std::uint64_t deviceCapacity = 0; ///< bytes of device memory that a run may allocate; 0: what is free
    unsigned jobs = 1;                ///< threads for library operators that the GPU does not compute
    OperatorParts operators;          ///< what computes those that it does
    host::TensorKeeper* keeper =
        nullptr; ///< of tensors that stay on the GPU, outlives the runner; null: there are none
};

/// Runs a compiled file's `forward` with its kernels on a GPU. Host code is interpreted as in the emulator and makes
/// the same calls in the same order; its tensors are addresses on the GPU. Every run starts from nothing: fresh memory
/// filled with the request's poison, module variables as initialised.
///
/// After a fault or a kernel that did not end in time the context is lost: that run's result says so, later ones end as
/// `crashed`, and the process has to be started again.
class CudaRunner : public verify::Runner {
public:
    CudaRunner(std::shared_ptr<DeviceContext> context, std::shared_ptr<DevicePool> pool, CudaProgram program,
               CudaSettings settings);

    [[nodiscard]] std::string backend() const override { return "cuda"; }
    [[nodiscard]] verify::Capabilities capabilities() const override {
        return {.severalCalls = true,
                .skipsLaunches = true,
                .reordersStreams = true,
                .takesPlaced = m_settings.keeper != nullptr};
    }
    /// Errors: "out_of_memory" (no room for the host code's own memory), "bad_ptx", "missing_component" (the driver
    /// cannot load the kernels), "unsupported" (the request asks for what capabilities() does not offer).
    Result<verify::RunResult> run(const verify::RunRequest& request) override;

private:
    Result<verify::RunResult> runOnGpu(const verify::RunRequest& request);

    std::shared_ptr<DeviceContext> m_context;
    std::shared_ptr<DevicePool> m_pool;
    CudaProgram m_program;
    CudaSettings m_settings;
    Result<std::shared_ptr<emulator::Module>> m_hostCode; ///< of all runs
    std::vector<host::MatrixProducts> m_products;
    host::AtomicUse m_atomics;
    std::vector<verify::HiddenInput> m_hiddenInputs;
    std::vector<verify::Fault> m_textFaults; ///< that the text of its kernels shows
    bool m_prints;
};

} // namespace kernelarium::device
