// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/backend/DeadlineStop.h"
#include "gpu/host/backend/HostMemory.h"
#include "gpu/host/run/GivenOutputs.h"
#include "gpu/host/run/HostCalls.h"
#include "gpu/host/run/KeptOutputs.h"
#include "gpu/host/tensors/ValueTransfer.h"

#include <functional>
#include <memory>
#include <vector>

namespace kernelarium::host {

/// How host code is interpreted in a run: deadline, stop, checks, poison and schedule of the request.
[[nodiscard]] emulator::RunOptions runOptions(const verify::RunRequest& request, const emulator::DeviceLimits& limits,
                                              unsigned jobs, std::size_t faultsPerKind);

/// One run of a compiled file's `forward`, from import to outputs, or of a program's main, whatever the device: host
/// code is interpreted, what it asks of a GPU goes to the Backend. The parts, wired together, and the order of the
/// stages.
class HostSession {
public:
    struct Settings {
        std::string function = {};     ///< HostProgram::function
        bool isProgram = false;        ///< HostProgram::isProgram
        std::uint64_t memoryLimit = 0; ///< bytes that one library operator may take in this process
        DeviceOperators* operators =
            nullptr; ///< of the device, outlives the session; null: they are computed in this process
        TensorKeeper* keeper =
            nullptr; ///< of tensors that lie on the device already, outlives the session; null: there are none
    };
    /// What a backend does besides at the two ends of the call that counts; either may be empty.
    struct Moments {
        std::function<void()> beforeForward = {};                  ///< its arguments are there, earlier calls are done
        std::function<void()> forwardReturned = {};                ///< nothing of its outputs is read yet
        std::function<void(verify::RunResult&)> afterForward = {}; ///< it returned, and its outputs are read
    };

    /// All of these but the settings outlive the session. The program's memory is the host code's heap; the log is
    /// filled. `options` is how host code is interpreted (runOptions()); library operators have as many threads.
    HostSession(const emulator::Program& program, Backend& device, RunLog& log, const emulator::RunOptions& options,
                const Settings& settings, const verify::RunRequest& request);

    verify::RunResult execute(const verify::RunRequest& request, const Moments& moments);

    /// The API call or operator that host code made last; empty while none was made.
    [[nodiscard]] const std::string& currentCall() const { return m_calls.current(); }
    [[nodiscard]] int currentLine() const { return m_interpreter ? m_interpreter->currentLine() : 0; }
    /// Library operators that were computed in this process although their tensors lie on the device.
    [[nodiscard]] const std::vector<ComputedHere>& computedHere() const { return m_aten.computedHere(); }
    /// Where the elements of what forward returned lie; empty before it did.
    [[nodiscard]] std::vector<verify::OutputPlace> returnedPlaces() const;

private:
    void makeStatics();
    void runModule(const verify::RunRequest& request, verify::RunResult& result, const Moments& moments,
                   std::vector<std::int64_t>& handles);
    /// In the stead of importing a module and calling forward.
    void runProgram(const verify::RunRequest& request, verify::RunResult& result, const Moments& moments);
    [[nodiscard]] std::uint64_t placeProgramArguments(const std::vector<std::string>& values);
    void checkProgramAfterwards() const;
    void importModule();
    std::vector<const Definition*> entries();
    void callForward(const std::vector<const Definition*>& overloads, const PyItems& arguments);
    [[nodiscard]] PyItems importArguments(const std::vector<tensor::Value>& arguments,
                                          std::vector<std::int64_t>& handles, Tiles* tiles = nullptr);
    /// Writes a call's tensors over those of an earlier one; false where they do not fit.
    [[nodiscard]] bool overwriteArguments(const std::vector<tensor::Value>& arguments,
                                          const std::vector<std::int64_t>& handles);
    /// What the call gave, by its return or through its arguments.
    void findResult(verify::RunResult& result, const std::vector<std::int64_t>& handles,
                    const verify::RunRequest& request);
    /// After an earlier call with these arguments' tensors.
    void keepOutputs(const std::vector<std::int64_t>& arguments);
    /// The calls before the one that counts, and then that one's arguments.
    [[nodiscard]] PyItems makeEarlierCalls(const verify::RunRequest& request,
                                           const std::vector<const Definition*>& forward,
                                           std::vector<std::int64_t>& handles);
    /// Calls an interpreted function; throws RunStopped or Raised where it did not return.
    void interpret(std::uint32_t function, const std::vector<std::uint64_t>& parameters);
    void checkAfterwards() const;
    void readBack(verify::RunResult& result, const std::vector<std::int64_t>& arguments,
                  const std::vector<tensor::Value>& given) const;
    /// What host code did since this many instructions, with these arguments.
    [[nodiscard]] verify::HostWork hostWork(std::uint64_t instructionsBefore,
                                            const std::vector<std::int64_t>& arguments) const;
    [[nodiscard]] tensor::Tensor afterwards(const TensorView& view, const tensor::Tensor& before) const;
    void collect(verify::RunResult& result);
    [[nodiscard]] HostSymbols symbols() const;
    [[nodiscard]] std::function<void(perf::LibraryCall)> costListener(const verify::RunRequest& request);
    void noteUnwrittenRead(const std::string& reader, const std::string& sentence);
    void noteCost(perf::LibraryCall call);

    const emulator::Program& m_program;
    std::string m_function;
    bool m_isProgram;
    Backend& m_device;
    RunLog& m_log;
    std::vector<perf::LibraryCall> m_libraryCosts;
    TensorKeeper* m_keeper;
    HostMemory m_host;
    Marshal m_marshal;
    CudaContext m_cuda;
    TensorTable m_table;
    DeadlineStop m_libraryStop;
    AtenCalls m_aten;
    HostModule m_module;
    HostCalls m_calls;
    GivenOutputs m_given;
    std::optional<PyValue> m_result; ///< of the call that counts, once it is over
    KeptOutputs m_kept;
    std::unique_ptr<emulator::HostRun> m_interpreter;
};

} // namespace kernelarium::host
