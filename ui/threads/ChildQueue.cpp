// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/threads/ChildQueue.h"

namespace kernelarium::ui {

ChildQueue::ChildQueue(std::vector<std::string> command, QObject* parent)
    : QObject(parent)
    , m_client(std::make_unique<protocol::WorkerClient>(std::move(command))) {}

ChildQueue::~ChildQueue() = default;

void ChildQueue::setStarter(std::shared_ptr<protocol::WorkerStarter> starter) {
    m_thread.postToFinish([this, starter = std::move(starter)] {
        m_client = std::make_unique<protocol::WorkerClient>(starter);
        m_pid = -1;
    });
}

Result<nlohmann::json> ChildQueue::call(const std::string& method, nlohmann::json parameters,
                                        std::chrono::milliseconds limit, std::stop_token stop,
                                        const std::function<void(const QString&)>& progress,
                                        const std::function<void(const nlohmann::json&)>& partial) {
    protocol::WorkerClient::CallOptions options;
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
