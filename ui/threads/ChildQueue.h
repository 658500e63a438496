// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/worker/WorkerClient.h"
#include "ui/threads/Ask.h"

#include <QObject>
#include <QString>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

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
    void setStarter(std::shared_ptr<worker::WorkerStarter> starter);

    template <class T> struct Job {
        std::string method;
        std::string tag;
        std::chrono::milliseconds timeLimit{60000};
        std::function<nlohmann::json()> parameters;              ///< called on the thread
        std::function<Result<T>(const nlohmann::json&)> convert; ///< called on the thread
        std::function<Result<T>(const Error&)> recover;          ///< on the thread: an answer in an error's place
        std::function<void(const QString& stage)> progress;      ///< any number of times before the end
        std::function<void(const nlohmann::json& part)> partial; ///< likewise, on the thread
        std::function<void(Result<T>)> ended;                    ///< once
    };

    template <class T> void submit(Job<T> job) {
        auto shared = std::make_shared<Job<T>>(std::move(job));
        ask<T>(
            m_thread, this, shared->tag,
            [this, shared](std::stop_token stop) -> Result<T> {
                auto answer = call(shared->method, shared->parameters(), shared->timeLimit, stop, shared->progress,
                                   shared->partial);
                if (!answer) return shared->recover ? shared->recover(answer.error()) : answer.error();
                return shared->convert(*answer);
            },
            [shared](Result<T> result) { shared->ended(std::move(result)); });
    }
    void cancel(const std::string& tag) { m_thread.cancel(tag); }
    void cancelAll() { m_thread.cancelAll(); }

    /// Process number of the running child; -1 without one.
    [[nodiscard]] qint64 childPid() const { return m_pid; }

private:
    Result<nlohmann::json> call(const std::string& method, nlohmann::json parameters, std::chrono::milliseconds limit,
                                std::stop_token stop, const std::function<void(const QString&)>& progress,
                                const std::function<void(const nlohmann::json&)>& partial);

    std::unique_ptr<worker::WorkerClient> m_client; ///< of the thread alone
    std::atomic<qint64> m_pid{-1};
    SerialThread m_thread; ///< ends first
};

} // namespace kernelarium::ui
