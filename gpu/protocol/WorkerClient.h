// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/process/ChildProcess.h"
#include "gpu/protocol/Messages.h"
#include "gpu/protocol/WorkerStarter.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::protocol {

/// The parent's side of one child, blocking, without Qt. The child is started with the first request and restarted
/// after it died or was killed; one that died while nothing was asked of it is not a failure of the next request.
///
///     WorkerClient client({"kernelarium-cli", "worker", "run"});
///     Result<json> verdict = client.call("verify", params, {std::chrono::seconds(60)});
class WorkerClient {
public:
    /// `command` starts the child: program and arguments.
    explicit WorkerClient(std::vector<std::string> command)
        : m_starter(std::make_shared<LocalStarter>(std::move(command))) {}
    explicit WorkerClient(std::shared_ptr<WorkerStarter> starter)
        : m_starter(std::move(starter)) {}
    ~WorkerClient();
    WorkerClient(WorkerClient&&) = default;

    struct CallOptions {
        /// After this the child is taken for hung and killed. Give the child's own limit plus some grace.
        std::chrono::milliseconds timeLimit{60000};
        std::function<void(const std::string& stage)> progress = {};
        std::function<void(const nlohmann::json& result)> partial = {}; ///< what the child knows before it is done
        std::stop_token stop = {}; ///< asks the child to cancel; killed when it does not within a second
    };

    /// The result of the request. Errors: those of the child as they are; "cancelled"; "timeout" (killed after the
    /// limit); "child_died" (with the signal's name); "child_stopped" (by a signal or a debugger; killed);
    /// "missing_component" (cannot be started); "protocol" (the child does not speak the protocol); "other_version" (it
    /// is elsewhere and of another version); of a remote one those of RemoteStarter.
    Result<nlohmann::json> call(const std::string& method, nlohmann::json params, const CallOptions& options);

    /// What the child said when it started; empty before the first call.
    [[nodiscard]] const std::optional<Event>& hello() const { return m_hello; }
    /// See WorkerStarter::program().
    [[nodiscard]] std::string program() const { return m_starter->program(); }
    /// Of the running child; -1 without one.
    [[nodiscard]] pid_t childPid() const { return m_child ? m_child->pid() : -1; }

private:
    using Clock = std::chrono::steady_clock;
    Result<void> ensureStarted(const CallOptions& options);
    Result<Event> greeting(const CallOptions& options);
    Result<void> checkGreeting(const Event& hello) const;
    void forgetDeadChild();
    void endChild();
    [[nodiscard]] bool isStopped() const;
    Result<nlohmann::json> await(const Request& request, const CallOptions& options);
    Error died();
    Error giveUp(const CallOptions& options);

    std::shared_ptr<WorkerStarter> m_starter;
    std::optional<process::ChildProcess> m_child;
    std::optional<Event> m_hello;
    std::int64_t m_lastId = 0;
};

} // namespace kernelarium::protocol
