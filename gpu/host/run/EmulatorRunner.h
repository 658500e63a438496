// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Runner.h"
#include "gpu/emulator/decode/Module.h"
#include "gpu/emulator/memory/MemoryPages.h"
#include "gpu/host/backend/HostProgram.h"
#include "gpu/host/backend/TensorCoreUse.h"
#include "gpu/host/run/EmulatorSettings.h"

#include <memory>
#include <string>
#include <vector>

namespace kernelarium::host {

/// Runs a compiled file's `forward` in the emulator: imports the module as Python would, binds the arguments
/// as pybind11 does, interprets host code, runs each launch in program order, and reads the outputs back.
/// Every run starts from nothing: fresh memory filled with the request's poison, module variables as
/// initialised.
class EmulatorRunner : public verify::Runner {
public:
    EmulatorRunner(HostProgram program, EmulatorSettings settings);

    [[nodiscard]] std::string backend() const override { return "emulator"; }
    [[nodiscard]] verify::Capabilities capabilities() const override {
        return {.severalCalls = true,
                .skipsLaunches = true,
                .counts = true,
                .profiles = true,
                .tracksWrites = true,
                .namesWriters = true,
                .schedules = true,
                .reordersStreams = true,
                .records = true,
                .samples = true};
    }
    /// What the kernel or its host code did wrong is in the result. Errors: "out_of_memory" (the emulator could not
    /// even reserve its memory), "bad_ptx" (the compiler gave what the emulator cannot read).
    Result<verify::RunResult> run(const verify::RunRequest& request) override;

private:
    void sayProducts(verify::RunResult& result) const;
    /// What a run's memory lies in; that of the run before, where memory is used again (tensor::MemoryReuse).
    [[nodiscard]] std::shared_ptr<emulator::MemoryPages> pagesForRun();

    HostProgram m_program;
    EmulatorSettings m_settings;
    Result<std::shared_ptr<emulator::Module>> m_module; ///< of all runs
    std::vector<MatrixProducts> m_products;
    AtomicUse m_atomics;
    std::vector<verify::HiddenInput> m_hiddenInputs;
    std::vector<verify::Fault> m_textFaults; ///< that the text of its kernels shows
    std::vector<std::string> m_countingVariables;
    std::shared_ptr<emulator::MemoryPages> m_pages; ///< null: not yet made
};

} // namespace kernelarium::host
