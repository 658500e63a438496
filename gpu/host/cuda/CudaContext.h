// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/backend/Backend.h"
#include "gpu/host/backend/CudaErrors.h"
#include "gpu/host/backend/HostCopies.h"
#include "gpu/host/backend/PinnedRanges.h"
#include "gpu/host/backend/StreamOrder.h"
#include "gpu/host/cuda/CudaGraphs.h"
#include "gpu/host/cuda/RunLog.h"
#include "gpu/host/python/Marshal.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace kernelarium::host {

/// What the interpreted program's addresses of kernels and device variables stand for: their mangled names.
struct HostSymbols {
    std::function<std::optional<std::string>(std::uint64_t)> kernelAt;
    std::function<std::optional<std::string>(std::uint64_t)> variableAt; ///< of the variable's first byte
};

/// State of the CUDA runtime that host code talks to.
struct CudaContext {
    CudaContext(Backend& device_, Marshal& host_, RunLog& log_, HostSymbols symbols_)
        : device(device_)
        , host(host_)
        , log(log_)
        , symbols(std::move(symbols_)) {}

    Backend& device;
    Marshal& host;
    RunLog& log;
    HostSymbols symbols;

    int lastError = cudaSuccess;   ///< given once by cudaGetLastError
    int stickyError = cudaSuccess; ///< the context is lost: given for ever
    bool stickySeen = false;       ///< host code was told of it
    int resetError = cudaSuccess;  ///< the last one that cudaDeviceReset took away
    std::string lostReason;        ///< why, in a sentence

    /// A launch outside the limits whose error nobody has asked for yet: a sentence.
    std::string unreadRefusal;
    std::string firstRefusal;

    PinnedRanges managed; ///< cudaMallocManaged's

    bool isProgram = false;      ///< a main runs, not a module
    std::optional<int> exitCode; ///< the program has ended
    std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();

    std::set<std::string_view> askedOfMachine; ///< what a result may depend on unseen: functions, each once

    std::set<std::uint64_t> streams;
    std::uint64_t currentStream = 0; ///< PyTorch's
    StreamOrder order;
    HostCopies copies{host.memory(), order};
    CudaGraphs graphs;
    struct Event {
        bool recorded = false;
        std::chrono::steady_clock::time_point when;
    };
    std::map<std::uint64_t, Event> events;
    std::uint64_t nextHandle = 0x5eed0001;            ///< streams, events and library handles are opaque numbers
    std::map<std::int64_t, std::uint64_t> limits;     ///< from cudaDeviceSetLimit
    std::map<std::string, std::uint32_t> sharedOptIn; ///< by kernel, from cudaFuncSetAttribute
    std::set<std::string> nonPortableClusters;        ///< kernels that it allowed them

    /// Notes a failure as the runtime does and gives the code back.
    int fail(int code);
    /// cudaGetLastError (`clear`) and cudaPeekAtLastError.
    int takeError(bool clear);
    [[nodiscard]] bool validStream(std::uint64_t stream) const { return stream <= 2 || streams.contains(stream); }
};

/// Arguments of a runtime call, by position.
class ApiArguments {
public:
    ApiArguments(std::string api, PyItems items)
        : m_api(std::move(api))
        , m_items(std::move(items)) {}

    [[nodiscard]] const std::string& api() const { return m_api; }
    [[nodiscard]] std::size_t count() const { return m_items.size(); }
    [[nodiscard]] bool has(std::size_t i) const { return i < m_items.size() && !m_items[i].isNone(); }
    [[nodiscard]] std::uint64_t pointer(std::size_t i) const;
    [[nodiscard]] std::int64_t integer(std::size_t i) const;
    [[nodiscard]] std::int64_t integer(std::size_t i, std::int64_t otherwise) const;
    [[nodiscard]] double number(std::size_t i) const;
    [[nodiscard]] const PyValue& at(std::size_t i) const;

private:
    std::string m_api;
    PyItems m_items;
};

using ApiCall = int (*)(CudaContext&, const ApiArguments&);

/// The runtime's calls by API name, one table per family.
[[nodiscard]] const std::map<std::string_view, ApiCall>& memoryCalls();
[[nodiscard]] const std::map<std::string_view, ApiCall>& streamCalls();
[[nodiscard]] const std::map<std::string_view, ApiCall>& deviceCalls();
[[nodiscard]] const std::map<std::string_view, ApiCall>& kernelCalls();
[[nodiscard]] const std::map<std::string_view, ApiCall>& graphCalls();
[[nodiscard]] const std::map<std::string_view, ApiCall>& processCalls();
[[nodiscard]] const std::map<std::string_view, ApiCall>& pointerCalls();

/// Runs the call; the status code as the API gives it. Stops the run as unsupported on an API that is not
/// here.
int callCuda(CudaContext& context, const ApiArguments& arguments);

/// Runs a kernel in program order and notes it in the log. Gives the status that the launch leaves in the
/// runtime; throws RunStopped where the run cannot go on (an unsupported instruction, the time limit).
int launchKernel(CudaContext& context, const KernelLaunch& launch);

} // namespace kernelarium::host
