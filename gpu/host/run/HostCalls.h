// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/run/HostRun.h"
#include "gpu/host/aten/AtenCalls.h"
#include "gpu/host/backend/Raised.h"
#include "gpu/host/cuda/CublasLtCalls.h"
#include "gpu/host/cuda/CudaContext.h"
#include "gpu/host/python/HostModule.h"
#include "gpu/host/python/PyCalls.h"
#include "gpu/host/run/Unwinding.h"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace kernelarium::host {

/// Answers every call that interpreted host code makes to the outside: the functions of the shim's abi.h, the
/// two that
/// `<<<>>>` becomes, and printf, malloc and assert as device code knows them.
class HostCalls : public emulator::ExternHandler {
public:
    HostCalls(CudaContext& cuda, TensorTable& table, AtenCalls& aten, HostModule& module);

    emulator::ExternAction call(emulator::HostRun& run, emulator::ExternCall& call) override;

    /// What kl_arguments serves from now on and kl_return fills.
    void beginCall(const Definition& definition, PyItems arguments);
    [[nodiscard]] const std::optional<PyValue>& returned() const { return m_returned; }
    /// Whether the call failed before it began, because an argument did not convert: the next overload may
    /// fit.
    [[nodiscard]] bool argumentMismatch() const { return m_argumentMismatch; }

    /// The API call or operator that host code made last ("cudaMemcpy", "aten.zeros"); empty after forgetCall().
    [[nodiscard]] const std::string& current() const { return m_current; }
    void forgetCall() { m_current.clear(); }

    /// Why the run stopped, where a handler stopped it.
    [[nodiscard]] const std::optional<RunStopped>& stopped() const { return m_stopped; }
    /// The exception that nobody caught, as Python would show it.
    [[nodiscard]] const std::optional<Raised>& uncaught() const { return m_uncaught; }

private:
    using Run = emulator::HostRun;
    using Call = emulator::ExternCall;
    using Action = emulator::ExternAction;
    using Handler = Action (HostCalls::*)(Run&, Call&);

    static const std::map<std::string_view, Handler>& handlers();

    Action operation(Run& run, Call& call);
    Action cudaCall(Run& run, Call& call);
    Action tensorInfo(Run& run, Call& call);
    Action define(Run& run, Call& call);
    Action moduleName(Run& run, Call& call);
    Action arguments(Run& run, Call& call);
    Action giveBack(Run& run, Call& call);

    Action enterTry(Run& run, Call& call);
    Action leaveTry(Run& run, Call& call);
    Action touch(Run& run, Call& call);
    Action throwIt(Run& run, Call& call);
    Action rethrow(Run& run, Call& call);
    Action checkFailed(Run& run, Call& call);
    Action cudaFailed(Run& run, Call& call);
    Action failIt(Run& run, Call& call);
    Action caughtObject(Run& run, Call& call);
    Action caughtType(Run& run, Call& call);
    Action caughtWhat(Run& run, Call& call);
    Action caughtIs(Run& run, Call& call);
    Action endCatch(Run& run, Call& call);
    Action unwind(Run& run, ThrownException exception);

    Action allocate(Run& run, Call& call);
    Action release(Run& run, Call& call);
    Action print(Run& run, Call& call);
    Action format(Run& run, Call& call);
    Action printFormat(Run& run, Call& call);
    Action assertFailed(Run& run, Call& call);

    Action parameterBuffer(Run& run, Call& call);
    Action launch(Run& run, Call& call);

    [[nodiscard]] std::string formatted(std::uint64_t formatAddress, std::uint64_t arguments) const;
    [[nodiscard]] kl_value argument(std::size_t index, int kind);
    [[nodiscard]] ThrownException withoutObject(std::uint64_t types, std::string typeName) const;
    [[nodiscard]] std::string printed(const kl_value& piece) const;
    PyItems operate(const std::string& name, PyItems arguments);

    CudaContext& m_cuda;
    Marshal& m_marshal;
    TensorTable& m_table;
    AtenCalls& m_aten;
    HostModule& m_module;
    PyCalls m_python;
    CublasCalls m_cublas;
    CublasLtCalls m_cublasLt;
    Unwinding m_unwinding;
    std::map<std::uint64_t, KernelLaunch> m_prepared; ///< launches whose parameters are being stored, by buffer

    std::string m_current;
    const Definition* m_definition = nullptr;
    PyItems m_arguments;
    std::optional<PyValue> m_returned;
    bool m_argumentMismatch = false;
    std::optional<RunStopped> m_stopped;
    std::optional<Raised> m_uncaught;
};

/// PyTorch's name of a c10::ScalarType by its number ("Float").
[[nodiscard]] const char* scalarTypeName(std::int64_t type);

/// PyTorch's settings that change nothing in an interpreted run ("torch.manual_seed"). False for other names.
bool callTorchSetting(const std::string& name, PyItems& results);

} // namespace kernelarium::host
