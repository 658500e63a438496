// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/worker/WorkerClient.h"

#include <fmt/format.h>
#include <sys/wait.h>

namespace kernelarium::worker {

namespace {
constexpr std::chrono::milliseconds startLimit{20000};
constexpr std::chrono::milliseconds cancelGrace{1000};
constexpr std::chrono::milliseconds longestWait{50}; ///< between two looks at the stop token
} // namespace

Result<nlohmann::json> WorkerClient::call(const std::string& method, nlohmann::json params,
                                          const CallOptions& options) {
    if (Result<void> started = ensureStarted(); !started) return started.error();
    Request request;
    request.id = ++m_lastId;
    request.method = method;
    request.params = std::move(params);
    const std::string line = toLine(request);
    if (line.size() > longestLine)
        return Error{"too_large", "The request is longer than 64 MB.", "Use a smaller source."};
    m_child->send(line);
    request.params = nullptr;
    return await(request, options);
}

void WorkerClient::forgetDeadChild() {
    siginfo_t end{};
    if (m_child && ::waitid(P_PID, id_t(m_child->pid()), &end, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        end.si_pid == m_child->pid())
        m_child.reset();
}

Result<void> WorkerClient::ensureStarted() {
    forgetDeadChild();
    if (m_child) return {};
    Result<ChildProcess> child = ChildProcess::start(m_command);
    if (!child) return child.error();
    m_child = std::move(*child);
    std::string line;
    const ChildProcess::Read read = m_child->read(line, startLimit);
    if (read == ChildProcess::Read::ended) return died();
    Result<Event> hello = read == ChildProcess::Read::line ? parseEvent(line) : Error{"protocol", "It said nothing."};
    if (!hello || hello->kind != EventKind::hello || hello->protocol != protocolVersion) {
        m_child.reset();
        return Error{"protocol", "The worker does not speak this program's protocol.",
                     "Use a worker of the same version."};
    }
    m_hello = std::move(*hello);
    return {};
}

Result<nlohmann::json> WorkerClient::await(const Request& request, const CallOptions& options) {
    const Clock::time_point deadline = Clock::now() + options.timeLimit;
    std::optional<Clock::time_point> cancelDeadline;
    while (true) {
        if (options.stop.stop_requested() && !cancelDeadline) {
            cancelDeadline = Clock::now() + cancelGrace;
            m_child->send(nlohmann::json{{"id", request.id}, {"method", "cancel"}}.dump());
        }
        if (cancelDeadline && Clock::now() > *cancelDeadline) {
            m_child.reset();
            return Error{"cancelled", "Cancelled."};
        }
        if (Clock::now() > deadline) return giveUp(options);
        std::string line;
        const ChildProcess::Read read = m_child->read(line, longestWait);
        if (read == ChildProcess::Read::ended) return died();
        if (read == ChildProcess::Read::timeout) continue;
        Result<Event> event = parseEvent(line);
        if (!event) {
            m_child.reset();
            return Error{"protocol", "The worker sent something that is no event: " + event.error().message};
        }
        if (event->id != request.id && !(event->id == -1 && event->kind == EventKind::failed)) continue;
        if (event->isTerminal() && event->childEnds) m_child.reset(); // the next request starts another
        switch (event->kind) {
        case EventKind::finished: return std::move(event->result);
        case EventKind::failed: return event->error;
        case EventKind::cancelled: return Error{"cancelled", "Cancelled."};
        case EventKind::progress:
            if (options.progress) options.progress(event->stage);
            break;
        case EventKind::partial:
            if (options.partial) options.partial(event->result);
            break;
        case EventKind::hello: break;
        }
    }
}

Error WorkerClient::died() {
    const std::string how = m_child->howItEnded();
    m_child.reset();
    return {"child_died", "The worker process " + how + ".", "It is started again for the next request."};
}

Error WorkerClient::giveUp(const CallOptions& options) {
    m_child->kill();
    m_child.reset();
    return {"timeout",
            fmt::format("The worker did not answer within {:.1f} s and was killed.",
                        std::chrono::duration<double>(options.timeLimit).count()),
            "Raise the time limit, or use a smaller size."};
}

} // namespace kernelarium::worker
