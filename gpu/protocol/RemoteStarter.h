// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/protocol/RemoteProgram.h"
#include "gpu/protocol/WorkerStarter.h"

#include <cstdint>

namespace kernelarium::protocol {

/// A worker on another machine, over ssh: its standard input and output are the worker's, so that nothing
/// else is needed there but an ssh server. The program is copied there when it is missing. Errors: those of
/// remoteError() and RemoteProgram; "missing_component" where the other side has no program and there is none
/// to copy.
class RemoteStarter : public WorkerStarter {
public:
    /// `program` and `bundle`: as of RemoteProgram::find(), which is asked when the worker is first started.
    RemoteStarter(RemoteHost host, std::filesystem::path program, std::string words, std::filesystem::path bundle)
        : m_host(std::move(host))
        , m_local(std::move(program))
        , m_bundle(std::move(bundle))
        , m_words(std::move(words)) {}

    Result<process::ChildProcess> start(const Manner& manner) override;
    Result<bool> mend(process::ChildProcess& ended, const Manner& manner) override;
    [[nodiscard]] Error whyEnded(process::ChildProcess& ended) override;
    [[nodiscard]] std::chrono::milliseconds patience() const override { return std::chrono::seconds(60); }
    [[nodiscard]] std::string place() const override { return m_host.text(); }

private:
    RemoteHost m_host;
    std::filesystem::path m_local;
    std::filesystem::path m_bundle;
    std::optional<RemoteProgram> m_program; ///< from the first start on
    std::string m_words;                    ///< "run --gpu 1"
};

/// The starter of a run worker on one of a machine's GPUs, should it use any: on this machine with `program`,
/// or on `host` ("user@host:port"; empty: here), which may take so much memory (0: its own default). Reads no file.
/// Error "bad_input".
Result<std::shared_ptr<WorkerStarter>> starterFor(const std::string& host, const std::filesystem::path& program,
                                                  int gpu = 0, const std::filesystem::path& bundle = {},
                                                  std::uint64_t memoryMegabytes = 0);

} // namespace kernelarium::protocol
