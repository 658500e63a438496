// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Runner.h"
#include "gpu/compile/CompiledUnit.h"
#include "gpu/device/memory/WorkplaceKeeper.h"
#include "gpu/device/run/RunOperators.h"
#include "gpu/host/backend/EmulatorBackend.h"
#include "gpu/host/run/HostSession.h"
#include "gpu/operators/DeviceWorkplace.h"
#include "gpu/operators/EmulatorMachine.h"

#include <memory>

namespace kernelarium::test {

/// Runs as device::CudaRunner makes them, in the emulator: all runs, our own kernels and a verification's tensors share
/// one device memory, and nobody knows what was written.
class SharedMemoryRunner : public verify::Runner {
public:
    SharedMemoryRunner(compile::CompiledUnit unit, operators::KernelLibrary& library, std::uint64_t bytes)
        : m_unit(std::move(unit))
        , m_memory(bytes, emulator::DeviceMemory::Tracking::none)
        , m_machine(m_memory, {})
        , m_place(m_machine, library)
        , m_keeper(m_place.tensors())
        , m_bytes(bytes) {
        m_parts.machine = &m_machine;
        m_parts.library = &library;
    }

    [[nodiscard]] operators::DeviceWorkplace& place() { return m_place; }
    [[nodiscard]] std::string backend() const override { return "cuda"; }
    [[nodiscard]] verify::Capabilities capabilities() const override {
        return {.severalCalls = true, .skipsLaunches = true, .takesPlaced = true};
    }

    Result<verify::RunResult> run(const verify::RunRequest& request) override {
        if (putAwayBeforeRuns) (void)m_place.tensors().makeRoom(~std::uint64_t(0));
        auto program = emulator::Program::load(m_unit.ptx, m_memory);
        if (!program) return program.error();
        host::HostSession::Settings session;
        session.memoryLimit = m_bytes;
        emulator::RunOptions options = host::runOptions(request, {}, 1, 8);
        options.checks = false;
        session.keeper = &m_keeper;
        const host::EmulatorBackend::Assembled assembled; // unknown
        host::EmulatorBackend backend(**program, request, options, assembled);
        device::RunOperators computing(m_parts, backend, device::RunMachine::Listener(), request.stop);
        session.operators = &computing;
        host::RunLog log;
        verify::RunResult result =
            host::HostSession(**program, backend, log, options, session, request).execute(request, {});
        std::vector<tensor::Tensor> given;
        for (const tensor::Value& argument : request.arguments)
            tensor::collectTensors(argument, given);
        placedRuns += !given.empty() && given[0].elsewhere() ? 1 : 0;
        for (const tensor::Tensor& output : verify::flatten(result.output))
            if (given.empty() || output.defined() == (given[0].elsewhere() != nullptr))
                return Error{"internal", "An output is not where the arguments are."};
        return result;
    }

    bool putAwayBeforeRuns = false; ///< every tensor that is kept
    int placedRuns = 0;             ///< whose arguments were there already

private:
    compile::CompiledUnit m_unit;
    emulator::DeviceMemory m_memory;
    operators::EmulatorMachine m_machine;
    operators::DeviceWorkplace m_place;
    device::WorkplaceKeeper m_keeper;
    device::OperatorParts m_parts;
    std::uint64_t m_bytes;
};

} // namespace kernelarium::test
