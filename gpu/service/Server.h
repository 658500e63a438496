// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/protocol/Messages.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::service {

/// What a child does: answers requests one after another.
class Service {
public:
    virtual ~Service() = default;
    [[nodiscard]] virtual std::string kind() const = 0; ///< "compile", "run"
    [[nodiscard]] virtual std::vector<std::string> capabilities() const = 0;
    /// How a service speaks before it has its answer; from any thread.
    struct Progress {
        std::function<void(const std::string& stage)> sayStage;
        std::function<void(nlohmann::json result)> sendPartial; ///< what is known early, as event `partial`
        /// The request may take so many bytes of memory beside what the child may (ServerOptions::memory).
        std::function<void(std::uint64_t bytes)> allowMemory = {};
        void operator()(const std::string& stage) const { sayStage(stage); }
    };
    /// The result, or the error that becomes `failed` (code "cancelled" becomes `cancelled`). Exceptions are answered
    /// with `failed` too: "out_of_memory" for bad_alloc, else "internal".
    virtual Result<nlohmann::json> handle(const protocol::Request& request, const Progress& progress,
                                          std::stop_token stop) = 0;
    /// Asked after each request: whether this process can serve no more and has to be started again. Its answer to that
    /// request is still sent; requests that wait are not answered.
    [[nodiscard]] virtual bool mustEnd() const { return false; }
    /// Called some milliseconds after the answer to a request was sent, or when the next one comes: time to make ready
    /// for that.
    virtual void answered() {}
};

/// What a child serves on.
struct ServerOptions {
    int input = 0;  ///< file descriptors
    int output = 1; ///< taken over: what else is printed there goes to standard error
    /// Limit of this process's address space in bytes, so that running out of memory costs one request and not the
    /// machine; 0 leaves it as it is.
    std::uint64_t addressSpace = 0;
    /// Most bytes that this process, with the programs that it starts, may hold while it works on a request; beyond
    /// that the request ends as "out_of_memory" and the process with it. 0: no bound.
    std::uint64_t memory = 0;
};

/// Serves until the input ends and every request read so far is answered, until it ends and nobody listens any more, or
/// until the service must end. Returns the exit code.
int serve(Service& service, const ServerOptions& options);

} // namespace kernelarium::service
