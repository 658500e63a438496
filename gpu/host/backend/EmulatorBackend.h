// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/decode/Program.h"
#include "gpu/emulator/memory/DeviceMemory.h"
#include "gpu/emulator/record/Recorder.h"
#include "gpu/emulator/run/Launch.h"
#include "gpu/host/backend/Backend.h"
#include "gpu/host/backend/HostProgram.h"

#include <map>
#include <memory>

namespace kernelarium::host {

/// The emulator as a device: its memory and its launches.
class EmulatorBackend : public Backend {
public:
    using Assembled = std::map<std::string, AssembledKernel>; ///< by mangled kernel name

    /// All of these outlive the backend. `options` is how the request is run (runOptions()); the recorder, which may be
    /// null, gets the launch that it asks for.
    EmulatorBackend(const emulator::Program& program, const verify::RunRequest& request,
                    const emulator::RunOptions& options, const Assembled& assembled,
                    emulator::Recorder* recorder = nullptr);

    [[nodiscard]] std::string name() const override { return "emulator"; }
    [[nodiscard]] const emulator::DeviceLimits& limits() const override { return m_options.limits; }
    [[nodiscard]] std::optional<KernelFacts> kernel(std::string_view mangled) const override;
    [[nodiscard]] std::optional<DeviceSymbol> symbol(std::string_view mangled) override;
    Result<std::array<std::byte, emulator::tensorMapBytes>> tensorMap(const emulator::TensorMap& map) override {
        return emulator::encodeTensorMap(map);
    }
    KernelReport launch(const KernelLaunch& launch) override;
    Result<void> synchronize() override { return {}; }
    [[nodiscard]] std::vector<std::string> damagedGuards() const override { return m_memory.damagedGuards(); }

    Result<std::uint64_t> allocate(std::uint64_t bytes, std::string label) override;
    Result<std::uint64_t> allocateHolding(std::span<const std::byte> contents, std::string label) override;
    Result<std::uint64_t> allocateManaged(std::uint64_t bytes, std::string label) override;
    [[nodiscard]] bool sharesHostMemory() const override { return true; }
    Result<void> release(std::uint64_t address) override;
    Result<void> read(std::uint64_t address, std::span<std::byte> out) const override;
    [[nodiscard]] const std::byte* lend(std::uint64_t address, std::uint64_t bytes) const override;
    Result<void> write(std::uint64_t address, std::span<const std::byte> bytes) override;
    Result<void> fill(std::uint64_t address, std::uint64_t bytes, std::uint8_t value) override;
    Result<void> repeat(std::uint64_t address, std::uint64_t bytes, std::span<const std::byte> pattern) override;
    Result<void> copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) override;
    [[nodiscard]] std::optional<std::uint64_t> firstUnwritten(std::uint64_t address,
                                                              std::uint64_t bytes) const override;
    [[nodiscard]] bool holds(std::uint64_t address) const override;
    [[nodiscard]] std::uint64_t capacity() const override { return m_memory.capacity(); }
    [[nodiscard]] std::uint64_t used() const override { return m_memory.used(); }
    [[nodiscard]] std::uint64_t peak() const override { return m_memory.peak(); }

    /// Launches are counted from now on, for the recorder and for who is watched.
    void beginRecording() { m_launches = 0; }
    /// After the run; null where nothing was recorded.
    [[nodiscard]] std::shared_ptr<const recording::Recording> takeRecording();

private:
    [[nodiscard]] Result<void> check(std::uint64_t address) const;
    /// Those of the run, with what is counted and left out of this launch.
    [[nodiscard]] emulator::RunOptions optionsFor(const KernelLaunch& launch) const;
    [[nodiscard]] KernelReport execute(const KernelLaunch& launch, std::uint32_t function);
    [[nodiscard]] std::string tooLargeTogether(const KernelLaunch& launch, const KernelFacts& facts) const;
    /// Grids that a kernel's threads launched: into its report.
    /// Whether what a launch's threads launched is listed one by one in its report.
    bool isListed(const KernelReport& ran);
    void runLaunched(const std::vector<emulator::LaunchConfig>& configs, KernelReport& report);

    emulator::DeviceMemory& m_memory;
    const emulator::Program& m_program;
    const verify::RunRequest& m_request;
    const emulator::RunOptions& m_options;
    const Assembled& m_assembled;
    emulator::Recorder* m_recorder;
    std::optional<std::uint32_t> m_launches; ///< since beginRecording()
    std::string m_recordedKernel;
    int m_depth = 0;                                ///< of launches from launches
    std::size_t m_listed = 0;                       ///< of those, since the last launch by the host
    std::size_t m_listedFaulty = 0;                 ///< and of those that were refused or had faults
    std::map<std::string, KernelReport> m_profiled; ///< with a profile: launches seen, by everything but addresses
};

} // namespace kernelarium::host
