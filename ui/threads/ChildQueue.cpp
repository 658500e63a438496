// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/threads/ChildQueue.h"

#include <sys/wait.h>

namespace kernelarium::ui {

ChildQueue::ChildQueue(std::vector<std::string> command, QObject* parent)
    : QObject(parent)
    , m_command(std::move(command))
    , m_client(std::make_unique<worker::WorkerClient>(m_command)) {}

ChildQueue::~ChildQueue() = default;

void ChildQueue::forgetDeadChild() {
    // One that died while nothing was asked of it is no failure of the next request: a new one is started.
    const qint64 pid = m_client->childPid();
    siginfo_t end{};
    if (pid > 0 && ::waitid(P_PID, id_t(pid), &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid == pid)
        m_client = std::make_unique<worker::WorkerClient>(m_command);
}

Result<nlohmann::json> ChildQueue::call(const std::string& method, nlohmann::json parameters,
                                        std::chrono::milliseconds limit, std::stop_token stop,
                                        const std::function<void(const QString&)>& progress,
                                        const std::function<void(const nlohmann::json&)>& partial) {
    forgetDeadChild();
    worker::WorkerClient::CallOptions options;
    options.timeLimit = limit;
    options.stop = stop;
    options.progress = [this, progress](const std::string& stage) {
        m_pid = m_client->childPid();
        if (progress) deliver(this, [progress, text = QString::fromStdString(stage)] { progress(text); });
    };
    options.partial = partial;
    auto answer = m_client->call(method, std::move(parameters), options);
    m_pid = m_client->childPid();
    return answer;
}

} // namespace kernelarium::ui
