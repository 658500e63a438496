// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Comparison.h"
#include "gpu/compile/Compiler.h"
#include "gpu/device/run/RunOperators.h"
#include "gpu/host/backend/EmulatorBackend.h"
#include "gpu/host/run/HostSession.h"
#include "gpu/operators/EmulatorMachine.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace kernelarium::test {

/// Why there is no compiler; empty where there is one.
inline std::string& missingCompiler() {
    static std::string why;
    return why;
}
inline compile::Compiler* compiler() {
    static auto made = compile::Compiler::create(compile::Toolkit::find());
    if (!made) missingCompiler() = made.error().text();
    return made ? made->get() : nullptr;
}
/// Kernels of ours for library operators.
inline operators::KernelLibrary* operatorLibrary() {
    static auto made = operators::KernelLibrary::create(compile::Toolkit::find());
    if (!made) missingCompiler() = made.error().text();
    return made ? made->get() : nullptr;
}

/// A run as device::TimingRun makes it.
struct TracedRun {
    TracedRun(const compile::CompiledUnit& unit, const std::vector<tensor::Value>& arguments, bool checks = true,
              std::chrono::milliseconds timeLimit = std::chrono::minutes(1))
        : memory(bytes, checks ? emulator::DeviceMemory::Tracking::states : emulator::DeviceMemory::Tracking::none) {
        program = *emulator::Program::load(unit.ptx, memory);
        request.arguments = arguments;
        request.timeLimit = timeLimit;
        request.checks = checks;
        host::HostSession::Settings settings;
        settings.memoryLimit = bytes;
        options = host::runOptions(request, {}, 1, 8);
        backend = std::make_unique<host::EmulatorBackend>(*program, request, options, assembled);
        tracing = std::make_unique<device::TracingBackend>(*backend);
        machine = std::make_unique<operators::EmulatorMachine>(memory,
                                                               operators::EmulatorMachine::Settings{.checks = checks});
        device::OperatorParts parts;
        parts.machine = machine.get();
        parts.library = operatorLibrary();
        computing = std::make_unique<device::RunOperators>(
            parts, *tracing, [this](device::TimedAction action) { tracing->note(std::move(action)); },
            std::stop_token());
        settings.operators = computing.get();
        session = std::make_unique<host::HostSession>(*program, *tracing, log, options, settings, request);
        host::HostSession::Moments moments;
        moments.beforeForward = [this] { tracing->enter(device::TracingBackend::Phase::forward); };
        moments.forwardReturned = [this] { tracing->enter(device::TracingBackend::Phase::after); };
        result = session->execute(request, moments);
    }

    /// Everything that forward asked for once more, as TimedReplay does it.
    Result<void> again() {
        for (const device::TimedAction& action : tracing->trace().actions) {
            Result<void> done;
            using Kind = device::TimedAction::Kind;
            switch (action.kind) {
            case Kind::launch:
                if (const auto report = backend->launch(action.launch); report.end != emulator::LaunchEnd::finished)
                    done = Error{"launch", report.reason};
                break;
            case Kind::fill: done = backend->fill(action.address, action.bytes, action.value); break;
            case Kind::pattern: done = backend->repeat(action.address, action.bytes, action.data); break;
            case Kind::copy: done = backend->copy(action.address, action.from, action.bytes); break;
            case Kind::upload: done = backend->write(action.address, action.data); break;
            case Kind::read: break; // what host code did then is among the actions
            case Kind::library: done = action.again(); break;
            }
            if (!done) return done;
        }
        return {};
    }
    std::vector<tensor::Tensor> outputsNow() const {
        std::vector<tensor::Tensor> outputs = verify::flatten(result.output);
        for (std::size_t i = 0; i < outputs.size(); ++i)
            (void)backend->read(result.outputPlaces[i].address, outputs[i].bytes());
        return outputs;
    }
    std::size_t libraryActions() const {
        const auto& actions = tracing->trace().actions;
        return std::size_t(std::count_if(actions.begin(), actions.end(), [](const device::TimedAction& a) {
            return a.kind == device::TimedAction::Kind::library;
        }));
    }

    static constexpr std::uint64_t bytes = 4ull << 30;
    emulator::DeviceMemory memory;
    std::shared_ptr<emulator::Program> program;
    verify::RunRequest request;
    emulator::RunOptions options;
    host::EmulatorBackend::Assembled assembled; ///< unknown
    host::RunLog log;
    std::unique_ptr<host::EmulatorBackend> backend;
    std::unique_ptr<device::TracingBackend> tracing;
    std::unique_ptr<operators::EmulatorMachine> machine;
    std::unique_ptr<device::RunOperators> computing;
    std::unique_ptr<host::HostSession> session;
    verify::RunResult result;
};

} // namespace kernelarium::test
