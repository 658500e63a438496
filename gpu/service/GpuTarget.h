// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/task/Card.h"
#include "core/verify/Runner.h"
#include "gpu/compile/CompiledUnit.h"
#include "gpu/protocol/DeviceMessages.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace kernelarium::operators {
class DeviceReference;
class DeviceWorkplace;
} // namespace kernelarium::operators
namespace kernelarium::device {
class DeviceContext;
class DevicePool;
class TimingQueue;
struct CudaProgram;
struct OperatorParts;
} // namespace kernelarium::device

namespace kernelarium::service {

/// A unit with PTX and cubin, as the device room takes it.
[[nodiscard]] device::CudaProgram cudaProgramOf(const compile::CompiledUnit& unit, const std::string& function = {});

/// The GPU of a run child, opened by the first request that asks for it: a child that only emulates never loads the
/// driver. The driver takes addresses for all of the card's memory and more; the process's limit makes room for them.
class GpuTarget {
public:
    explicit GpuTarget(int ordinal = 0); ///< which of the machine's GPUs, in the order of list()
    ~GpuTarget();
    GpuTarget(const GpuTarget&) = delete;
    GpuTarget& operator=(const GpuTarget&) = delete;

    /// Errors: "missing_component" (no driver, no GPU: what to do is said), and those of device::DeviceContext::open.
    Result<void> open();
    /// Every GPU of this machine, without taking any. Errors: as of open().
    Result<std::vector<protocol::DeviceSummary>> list();

    /// For a unit with PTX and cubin; `hostBytes` for the heap of its host code, and for a library operator in this
    /// process. The target must be open, and outlives the runner.
    [[nodiscard]] std::unique_ptr<verify::Runner>
    makeRunner(const compile::CompiledUnit& unit, const std::string& function, unsigned jobs, std::uint64_t hostBytes);
    /// What computes library operators of host code on this GPU, looked for once. The target must be open, and outlives
    /// the runs.
    [[nodiscard]] const device::OperatorParts& operatorParts();
    /// A card's reference on this GPU, with kernels that stay compiled and loaded until the process ends. The target
    /// must be open, and outlives it. Errors: "missing_component" (no compiler for our own kernels), as verify::planOf.
    Result<std::unique_ptr<operators::DeviceReference>> makeReference(task::Card card, const std::string& size,
                                                                      unsigned jobs);
    /// Where a verification's tensors lie on this GPU; null where there is no compiler for our own kernels. The target
    /// must be open, and outlives all of them.
    [[nodiscard]] operators::DeviceWorkplace* workplace();
    /// From now on nobody takes more of the card's memory than so many bytes; 0: what is free. The target must be open.
    void limitMemory(std::uint64_t bytes);
    [[nodiscard]] const std::shared_ptr<device::DeviceContext>& context() const; ///< null while it is not open
    [[nodiscard]] const std::shared_ptr<device::DevicePool>& pool() const;
    /// For KernelTimer. The target must be open, and outlives the timer.
    [[nodiscard]] std::unique_ptr<device::TimingQueue>& spareQueue();
    /// Bytes that a run could allocate now. The target must be open.
    [[nodiscard]] std::uint64_t capacity() const;
    /// Between requests: gives back device memory that others may want, but for a thirty-second of the card's (1 GB at
    /// least, no more than limitMemory() allows), which the next request takes again.
    void rest();
    /// Whether this process can do no more on the GPU (a kernel's fault, or one that never ended).
    [[nodiscard]] bool isLost() const;

private:
    Result<void> loadDriver();
    Result<void> openMachine();

    struct Parts;
    std::unique_ptr<Parts> m_parts;
    int m_ordinal;
};

} // namespace kernelarium::service
