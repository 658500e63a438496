// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::protocol {

/// A machine that workers are started on by ssh. Names may be aliases of the user's ssh configuration.
struct RemoteHost {
    std::string user; ///< empty: as ssh decides
    std::string host;
    int port = 0; ///< 0: as ssh decides

    /// "ssh:user@host:port", "ssh user@host", "user@[2001:db8::1]:2222"; user and port may be missing. Error
    /// "bad_input".
    static Result<RemoteHost> parse(std::string_view text);
    [[nodiscard]] std::string text() const;        ///< "user@host:port", which parse() takes back
    [[nodiscard]] std::string destination() const; ///< "user@host"
    /// The ssh client's words for running `remoteCommand` there without a terminal and without asking
    /// anything. The client and options before ours are those of the environment variable KERNELARIUM_SSH
    /// ("ssh -F my_config"); "ssh" without it.
    [[nodiscard]] std::vector<std::string> command(const std::string& remoteCommand) const;
    bool operator==(const RemoteHost&) const = default;
};

/// What ssh, or the shell on the other side, meant: `said` is what came on standard error, `code` the exit
/// code (-1: ssh was killed). Codes: "host_key", "not_allowed", "unknown_host", "unreachable",
/// "connection_lost", "too_old", "remote".
[[nodiscard]] Error remoteError(const RemoteHost& host, const std::string& said, int code);

} // namespace kernelarium::protocol
