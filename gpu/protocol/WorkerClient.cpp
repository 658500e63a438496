// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/WorkerClient.h"

#include "core/files/ScratchFolder.h"
#include "core/quantities/Quantities.h"

#include <fmt/format.h>
#include <sys/wait.h>

namespace kernelarium::protocol {

namespace {
constexpr std::chrono::milliseconds cancelGrace{1000};
constexpr std::chrono::milliseconds longestWait{50}; ///< between two looks at the stop token
} // namespace

WorkerClient::~WorkerClient() {
    endChild();
}

/// Kills it where it runs. What it had in temporary folders is of no use to anybody.
void WorkerClient::endChild() {
    if (!m_child) return;
    m_child.reset();
    files::ScratchFolder::removeAbandoned();
}

/// Whether a signal or a debugger holds the child.
bool WorkerClient::isStopped() const {
    siginfo_t state{};
    return m_child && m_child->pid() > 0 &&
           ::waitid(P_PID, id_t(m_child->pid()), &state, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
           state.si_pid == m_child->pid();
}

Result<nlohmann::json> WorkerClient::call(const std::string& method, nlohmann::json params,
                                          const CallOptions& options) {
    if (Result<void> started = ensureStarted(options); !started) return started.error();
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
        endChild();
}

/// The child's first event; "ended" where it ended before.
Result<Event> WorkerClient::greeting(const CallOptions& options) {
    constexpr int mostChatter = 200; // a login shell on the way may say something first
    const Clock::time_point deadline = Clock::now() + m_starter->patience();
    int chatter = 0;
    while (Clock::now() < deadline) {
        if (options.stop.stop_requested()) return Error{"cancelled", "Cancelled."};
        std::string line;
        const process::ChildProcess::Read read = m_child->read(line, longestWait);
        if (read == process::ChildProcess::Read::ended) return Error{"ended", "It ended."};
        if (read == process::ChildProcess::Read::timeout) continue;
        const bool skipped = !m_starter->place().empty() && !line.starts_with('{') && ++chatter <= mostChatter;
        if (skipped) continue;
        Result<Event> hello = parseEvent(line);
        if (!hello) return Error{"protocol", hello.error().message};
        return hello;
    }
    if (isStopped())
        return Error{"child_stopped",
                     "The worker was stopped (SIGSTOP, or a debugger) before it was ready; it was killed.",
                     "Try again, and find out who stops processes of this program."};
    const double waited = std::chrono::duration<double>(m_starter->patience()).count();
    return Error{"timeout",
                 fmt::format("The worker was not ready within {} and was killed.", quantities::seconds(waited)),
                 "Try again when the machine is less busy."};
}

Result<void> WorkerClient::checkGreeting(const Event& hello) const {
    const std::string place = m_starter->place();
    if (!place.empty() && hello.kind == EventKind::hello && hello.version != KERNELARIUM_VERSION)
        return Error{"other_version",
                     fmt::format("{} has Kernelarium {}; this is {}.", place, hello.version, KERNELARIUM_VERSION),
                     "Install the same version there, or use the portable bundle, which includes it."};
    if (hello.kind == EventKind::hello && hello.protocol == protocolVersion) return {};
    return Error{"protocol", "The worker does not speak this program's protocol.", "Use a worker of the same version."};
}

Result<void> WorkerClient::ensureStarted(const CallOptions& options) {
    forgetDeadChild();
    if (m_child) return {};
    const WorkerStarter::Manner manner{options.progress, options.stop};
    Event notHello;
    notHello.kind = EventKind::failed;
    for (bool mended = false;;) {
        Result<process::ChildProcess> child = m_starter->start(manner);
        if (!child) return child.error();
        m_child = std::move(*child);
        Result<Event> hello = greeting(options);
        if (!hello && hello.error().code == "ended" && !mended) {
            Result<bool> again = m_starter->mend(*m_child, manner);
            if (!again) endChild();
            if (!again) return again.error();
            mended = *again;
            if (mended) continue;
        }
        if (!hello && hello.error().code == "ended") return died();
        const bool silent = !hello && hello.error().code != "protocol";
        Result<void> checked = silent ? Result<void>(hello.error()) : checkGreeting(hello ? *hello : notHello);
        if (!checked) {
            endChild();
            return checked;
        }
        m_hello = std::move(*hello);
        return {};
    }
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
            endChild();
            return Error{"cancelled", "Cancelled."};
        }
        if (Clock::now() > deadline) return giveUp(options);
        std::string line;
        const process::ChildProcess::Read read = m_child->read(line, longestWait);
        if (read == process::ChildProcess::Read::ended) return died();
        if (read == process::ChildProcess::Read::timeout) continue;
        Result<Event> event = parseEvent(line);
        if (!event) {
            endChild();
            return Error{"protocol", "The worker sent something that is not an event: " + event.error().message};
        }
        if (event->id != request.id && !(event->id == -1 && event->kind == EventKind::failed)) continue;
        if (event->isTerminal() && event->childEnds) endChild(); // the next request starts another
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
    Error why = m_starter->whyEnded(*m_child);
    endChild();
    return why;
}

Error WorkerClient::giveUp(const CallOptions& options) {
    const bool stopped = isStopped();
    endChild();
    if (stopped)
        return {
            "child_stopped",
            fmt::format("The worker was stopped (SIGSTOP, or a debugger) and did not answer within {}; it was killed.",
                        quantities::seconds(std::chrono::duration<double>(options.timeLimit).count())),
            "Try again, and find out who stops processes of this program."};
    return {"timeout",
            fmt::format("The worker did not answer within {} and was killed.",
                        quantities::seconds(std::chrono::duration<double>(options.timeLimit).count())),
            "Raise the time limit, or use a smaller size."};
}

} // namespace kernelarium::protocol
