// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/threads/ChildQueue.h"

#include "gpu/protocol/WorkerClient.h"

namespace kernelarium::ui {

ChildQueue::ChildQueue(std::vector<std::string> command, QObject* parent)
    : QObject(parent)
    , m_command(std::move(command))
    , m_child(std::make_shared<protocol::WorkerClient>(m_command)) {}

ChildQueue::~ChildQueue() = default;

void ChildQueue::setStarter(std::shared_ptr<protocol::WorkerStarter> starter) {
    m_thread.postToFinish([this, starter = std::move(starter)] {
        m_child = std::make_shared<protocol::WorkerClient>(starter);
        m_pid = -1;
    });
}

void ChildQueue::startAnew() {
    m_thread.postToFinish([this] {
        m_child = std::make_shared<protocol::WorkerClient>(m_command);
        m_pid = -1;
    });
}

protocol::CallOptions ChildQueue::options(std::stop_token stop, std::function<void(const QString&)> progress) {
    return {.progress =
                [this, progress = std::move(progress)](const std::string& stage) {
                    notePid();
                    if (progress) deliver(this, [progress, text = QString::fromStdString(stage)] { progress(text); });
                },
            .stop = std::move(stop)};
}

void ChildQueue::notePid() {
    m_pid = m_child->childPid();
}

} // namespace kernelarium::ui
