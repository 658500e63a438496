// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/process/ChildEnvironment.h"
#include "gpu/process/ChildProcess.h"

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::protocol {

/// How a worker comes to life, and what its death means. One thread at a time.
class WorkerStarter {
public:
    struct Manner {
        std::function<void(const std::string& stage)> progress = {};
        std::stop_token stop = {};
    };
    virtual ~WorkerStarter() = default;
    /// Errors: "missing_component", and of a remote worker those of RemoteStarter.
    virtual Result<process::ChildProcess> start(const Manner& manner) = 0;
    /// Asked when the child ended before it said hello: whether what it lacked is there now, so that starting
    /// it again may do. Errors: why it cannot be brought there.
    virtual Result<bool> mend(process::ChildProcess& ended, const Manner& manner) {
        (void)ended, (void)manner;
        return false;
    }
    [[nodiscard]] virtual Error whyEnded(process::ChildProcess& ended) = 0;
    /// Until its hello.
    [[nodiscard]] virtual std::chrono::milliseconds patience() const { return std::chrono::seconds(20); }
    /// Where it runs; empty: on this machine.
    [[nodiscard]] virtual std::string place() const { return {}; }
    /// The file of this machine that is run; empty where it runs elsewhere.
    [[nodiscard]] virtual std::string program() const { return {}; }
};

/// A program of this machine.
class LocalStarter : public WorkerStarter {
public:
    explicit LocalStarter(std::vector<std::string> command)
        : m_command(std::move(command)) {}
    Result<process::ChildProcess> start(const Manner&) override {
        return process::ChildProcess::start(m_command, process::ChildProcess::Errors::ours,
                                            process::workerEnvironment(m_command));
    }
    [[nodiscard]] Error whyEnded(process::ChildProcess& ended) override {
        return {"child_died", "The worker process " + ended.howItEnded() + ".",
                "It is started again for the next request."};
    }
    [[nodiscard]] std::string program() const override { return m_command.empty() ? std::string() : m_command.front(); }

private:
    std::vector<std::string> m_command;
};

} // namespace kernelarium::protocol
