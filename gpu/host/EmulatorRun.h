// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/Recorder.h"
#include "gpu/host/DeadlineStop.h"
#include "gpu/host/EmulatorBackend.h"
#include "gpu/host/EmulatorRunner.h"
#include "gpu/host/HostCalls.h"
#include "gpu/host/HostMemory.h"
#include "gpu/host/ValueTransfer.h"

#include <memory>
#include <vector>

namespace kernelarium::host {

/// One run from import to outputs: the parts, wired together, and the order of the stages.
class EmulatorRun {
public:
    EmulatorRun(std::shared_ptr<emulator::Program> program, const EmulatorSettings& settings,
                const std::map<std::string, std::uint32_t>& registers, const verify::RunRequest& request,
                std::shared_ptr<emulator::Recorder> recorder = nullptr);

    verify::RunResult execute(const verify::RunRequest& request);

private:
    void importModule();
    std::vector<const Definition*> entries();
    void callForward(const std::vector<const Definition*>& overloads, const PyItems& arguments);
    [[nodiscard]] PyItems importArguments(const std::vector<tensor::Value>& arguments,
                                          std::vector<std::int64_t>& handles, Tiles* tiles = nullptr);
    /// Writes a call's tensors over those of an earlier one; false where they do not fit.
    [[nodiscard]] bool overwriteArguments(const std::vector<tensor::Value>& arguments,
                                          const std::vector<std::int64_t>& handles);
    /// The calls before the one that counts, and then that one's arguments.
    [[nodiscard]] PyItems makeEarlierCalls(const verify::RunRequest& request, const std::vector<const Definition*>& forward,
                                           std::vector<std::int64_t>& handles);
    /// Calls an interpreted function; throws RunStopped or Raised where it did not return.
    void interpret(std::uint32_t function, const std::vector<std::uint64_t>& parameters);
    void checkAfterwards() const;
    void readBack(verify::RunResult& result, const std::vector<std::int64_t>& handles) const;
    /// After the outputs were read.
    [[nodiscard]] verify::LeftOut leftOut(verify::RunResult& result) const;
    [[nodiscard]] EmulatorBackend::Settings
    backendSettings(const EmulatorSettings& settings, const std::map<std::string, std::uint32_t>& registers,
                    const verify::RunRequest& request);
    [[nodiscard]] HostSymbols symbols() const;
    [[nodiscard]] std::function<void(perf::LibraryCall)> costListener(const verify::RunRequest& request);
    /// Tells the memory which bytes are of interest.
    void watch(const verify::WatchedElement& element);
    [[nodiscard]] std::optional<verify::WriterInfo> lastWriter(const verify::WatchedElement& element) const;
    void noteCost(perf::LibraryCall call);

    std::shared_ptr<emulator::Program> m_program;
    std::shared_ptr<emulator::Recorder> m_recorder; ///< null: nothing is recorded
    RunLog m_log;
    std::vector<perf::LibraryCall> m_libraryCosts;
    emulator::RunOptions m_options;
    EmulatorBackend m_device;
    HostMemory m_host;
    Marshal m_marshal;
    CudaContext m_cuda;
    TensorTable m_table;
    DeadlineStop m_libraryStop;
    AtenCalls m_aten;
    HostModule m_module;
    HostCalls m_calls;
    std::unique_ptr<emulator::HostRun> m_interpreter;
};

} // namespace kernelarium::host
