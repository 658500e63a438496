// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/threads/ChildQueue.h"

namespace kernelarium::ui {

ChildQueue::ChildQueue(std::vector<std::string> command, QObject* parent)
    : QObject(parent)
    , m_client(std::make_shared<protocol::WorkerClient>(std::move(command))) {}

ChildQueue::~ChildQueue() = default;

void ChildQueue::setStarter(std::shared_ptr<protocol::WorkerStarter> starter) {
    m_thread.postToFinish([this, starter = std::move(starter)] {
        m_client = std::make_shared<protocol::WorkerClient>(starter);
        m_pid = -1;
    });
}

protocol::CallOptions ChildQueue::options(std::stop_token stop, std::function<void(const QString&)> progress) {
    return {[this, progress = std::move(progress)](const std::string& stage) {
                m_pid = m_client->childPid();
                if (progress) deliver(this, [progress, text = QString::fromStdString(stage)] { progress(text); });
            },
            std::move(stop)};
}

Result<nlohmann::json> ChildQueue::call(const std::string& method, nlohmann::json parameters,
                                        std::chrono::milliseconds limit, std::stop_token stop,
                                        const std::function<void(const QString&)>& progress,
                                        const std::function<void(const nlohmann::json&)>& partial) {
    protocol::WorkerClient::CallOptions options;
    options.timeLimit = limit;
    const protocol::CallOptions watched = this->options(stop, progress);
    options.stop = watched.stop;
    options.progress = watched.progress;
    options.partial = partial;
    auto answer = m_client->call(method, std::move(parameters), options);
    m_pid = m_client->childPid();
    return answer;
}

} // namespace kernelarium::ui
