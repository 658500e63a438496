// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/driver/DeviceModule.h"
#include "gpu/device/memory/CudaMemory.h"
#include "gpu/emulator/decode/Program.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>

namespace kernelarium::device {

/// A GPU as a device for one run. Launches go to one stream and are waited for one by one, so that an error belongs to
/// its kernel. A kernel that reaches the time limit cannot be stopped: the context is given up (DeviceContext::isLost)
/// and the process has to end; the same after a fault.
class CudaBackend final : public CudaMemory {
public:
    struct Settings {
        Layout memory;
        bool skipLaunches = false; ///< kernels are known but do nothing
        bool prints = false;       ///< whether kernels call printf, whose text is then passed on
        std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
        std::stop_token stop;
        std::function<void(std::string_view)> print;
    };
    /// The program is the same file as the module: its kernels' parameters are laid out as there. Both outlive this.
    CudaBackend(std::shared_ptr<DeviceContext> context, std::shared_ptr<DevicePool> pool, const DeviceModule& module,
                const emulator::Program& program, Settings settings);

    [[nodiscard]] std::string name() const override { return "cuda"; }
    [[nodiscard]] const emulator::DeviceLimits& limits() const override { return context().info().limits; }
    [[nodiscard]] std::optional<int> attribute(int which) const override;
    [[nodiscard]] std::optional<host::KernelFacts> kernel(std::string_view mangled) const override;
    [[nodiscard]] std::optional<host::DeviceSymbol> symbol(std::string_view mangled) override;
    Result<std::array<std::byte, emulator::tensorMapBytes>> tensorMap(const emulator::TensorMap& map) override;
    host::KernelReport launch(const host::KernelLaunch& launch) override;
    Result<void> synchronize() override;

private:
    [[nodiscard]] DriverStatus start(const host::KernelLaunch& launch, FunctionHandle function,
                                     const host::KernelFacts& facts) const;
    void wait(host::KernelReport& report, EventHandle done);
    void run(const host::KernelLaunch& launch, FunctionHandle function, const host::KernelFacts& facts,
             host::KernelReport& report);
    void noteFailure(DriverStatus status, host::KernelReport& report) const;
    void adoptSymbols();
    [[nodiscard]] std::optional<host::DeviceSymbol> placeUnused(const emulator::SymbolInfo& variable);

    const DeviceModule& m_module;
    const emulator::Program& m_program;
    Settings m_settings;
    mutable std::map<std::string, host::KernelFacts, std::less<>> m_facts;
    std::map<std::string, host::DeviceSymbol, std::less<>> m_symbols;
};

} // namespace kernelarium::device
