// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/driver/DeviceModule.h"
#include "gpu/device/memory/SlabArena.h"
#include "gpu/operators/Machine.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace kernelarium::device {

/// A GPU for kernels of our own, in the context of the runs and with memory of their pool. Everything goes to the
/// default stream, as the runs' launches do: memory that was released may be given out again at once, since what is
/// done with it then comes after what is under way.
///
/// A kernel of ours that faults loses the context as any other does ("device_lost" from then on).
class CudaMachine : public operators::Machine {
public:
    CudaMachine(std::shared_ptr<DeviceContext> context, std::shared_ptr<DevicePool> pool);

    [[nodiscard]] const operators::MachineFacts& facts() const override { return m_facts; }
    [[nodiscard]] std::uint64_t freeBytes() const override;
    Result<void> load(const operators::KernelModule& module) override;
    [[nodiscard]] bool has(std::string_view kernel) const override { return m_functions.contains(kernel); }
    Result<std::uint64_t> allocate(std::uint64_t bytes, std::string_view label) override;
    Result<void> release(std::uint64_t address) override;
    Result<void> read(std::uint64_t address, std::span<std::byte> out) override;
    Result<void> write(std::uint64_t address, std::span<const std::byte> bytes) override;
    Result<void> copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) override;
    Result<void> launch(const operators::MachineLaunch& launch) override;
    Result<void> synchronize() override;

    /// How many float64 operations a second the multiprocessors can do, tensor cores left out; 0 where the driver does
    /// not say. From the clock, the cores of a multiprocessor of that architecture, and the driver's own ratio of
    /// float32 to float64.
    [[nodiscard]] double float64Rate() const;

private:
    [[nodiscard]] Result<void> check(DriverStatus status, std::string_view doing) const;

    std::shared_ptr<DeviceContext> m_context;
    std::shared_ptr<DevicePool> m_pool;
    operators::MachineFacts m_facts;
    SlabArena m_arena;
    std::vector<std::unique_ptr<DeviceModule>> m_modules;
    std::map<std::string, FunctionHandle, std::less<>> m_functions;
};

} // namespace kernelarium::device
