// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/protocol/CallOptions.h"
#include "ui/threads/Ask.h"

#include <QObject>
#include <QString>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace kernelarium::protocol {
class WorkerClient;
class WorkerStarter;
} // namespace kernelarium::protocol

namespace kernelarium::ui {

/// One child of the program and the thread that talks to it. The child is started with the first request, and restarted
/// after it died. Answers are read, parsed and converted on that thread; handlers run in the GUI thread.
class ChildQueue : public QObject {
    Q_OBJECT
public:
    /// `command`: program and arguments, "kernelarium-cli worker compile" say.
    explicit ChildQueue(std::vector<std::string> command, QObject* parent = nullptr);
    ~ChildQueue() override;

    /// From the next request on the child is another one; that of before ends. What waits is asked of the new one.
    void setStarter(std::shared_ptr<protocol::WorkerStarter> starter);
    /// Likewise, with the command of the beginning.
    void startAnew();

    using Child = std::shared_ptr<protocol::WorkerClient>;
    /// A call of a typed client (KernelClient, ToolClient). Newer calls of a tag replace older ones ("cancelled").
    ///
    ///     queue.submit(ChildQueue::Call<Recording>{"record", [parameters](const auto& child, const auto& call) {
    ///         return protocol::KernelClient(child).record(parameters, call); }, progress, ended});
    template <class T> struct Call {
        std::string tag;
        std::function<Result<T>(const Child& child, const protocol::CallOptions& call)> make; ///< on the thread
        std::function<void(const QString& stage)> progress; ///< any number of times before the end
        std::function<void(Result<T>)> ended;               ///< once
    };

    template <class T> void submit(Call<T> call) {
        auto shared = std::make_shared<Call<T>>(std::move(call));
        ask<T>(
            m_thread, this, shared->tag,
            [this, shared](std::stop_token stop) -> Result<T> {
                Result<T> answer = shared->make(m_child, options(std::move(stop), shared->progress));
                notePid();
                return answer;
            },
            [shared](Result<T> result) { shared->ended(std::move(result)); });
    }
    void cancel(const std::string& tag) { m_thread.cancel(tag); }
    void cancelAll() { m_thread.cancelAll(); }

    /// Process number of the running child; -1 without one.
    [[nodiscard]] qint64 childPid() const { return m_pid; }

private:
    protocol::CallOptions options(std::stop_token stop, std::function<void(const QString&)> progress);
    void notePid();

    std::vector<std::string> m_command;
    Child m_child; ///< of the thread alone
    std::atomic<qint64> m_pid{-1};
    SerialThread m_thread; ///< ends first
};

} // namespace kernelarium::ui
