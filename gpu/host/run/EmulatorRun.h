// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/WriterMap.h"
#include "gpu/emulator/record/Recorder.h"
#include "gpu/host/backend/ContraryOrder.h"
#include "gpu/host/backend/EmulatorBackend.h"
#include "gpu/host/backend/HostProgram.h"
#include "gpu/host/run/EmulatorSettings.h"
#include "gpu/host/run/HostSession.h"

#include <memory>

namespace kernelarium::host {

/// One run in the emulator: a HostSession on an EmulatorBackend, with what only the emulator can tell besides: who
/// wrote an element, and what a block did step by step.
class EmulatorRun {
public:
    /// The compiled file and the request outlive it.
    EmulatorRun(std::shared_ptr<emulator::Program> program, const EmulatorSettings& settings,
                const HostProgram& compiled, const verify::RunRequest& request,
                std::shared_ptr<emulator::Recorder> recorder = nullptr);

    /// `counting`: variables of the module that are looked at before and after forward (emulator::countingVariables).
    verify::RunResult execute(const verify::RunRequest& request, const std::vector<std::string>& counting);

private:
    /// Those of the request, with what is printed going to the log.
    [[nodiscard]] emulator::RunOptions optionsOf(const EmulatorSettings& settings, const verify::RunRequest& request);
    [[nodiscard]] std::vector<std::vector<std::byte>> contentsOf(const std::vector<std::string>& variables) const;
    /// After the outputs were read.
    [[nodiscard]] verify::LeftOut leftOut(verify::RunResult& result) const;
    /// Tells the memory which bytes are of interest.
    void watch(const verify::WatchedElement& element);
    void watch(const verify::WatchedElements& elements);
    /// The API call or operator that writes, as the host's side.
    [[nodiscard]] emulator::Writer hostWriter() const;
    [[nodiscard]] std::optional<verify::WriterInfo> lastWriter(const verify::WatchedElement& element) const;
    /// `type`: of the output.
    [[nodiscard]] verify::ElementHistory history(tensor::DType type) const;
    [[nodiscard]] std::shared_ptr<const verify::WriterMap> writers(const verify::WatchedElements& elements) const;

    std::shared_ptr<emulator::Program> m_program;
    std::shared_ptr<emulator::Recorder> m_recorder; ///< null: nothing is recorded
    RunLog m_log;
    const emulator::RunOptions m_options;
    EmulatorBackend m_device;
    std::optional<ContraryOrder> m_contrary; ///< where streams are to be reordered
    HostSession m_session;
};

} // namespace kernelarium::host
