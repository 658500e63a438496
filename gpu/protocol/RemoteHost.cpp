// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/RemoteHost.h"

#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <sstream>

namespace kernelarium::protocol {

namespace {

Error badHost(std::string_view text) {
    return {"bad_input", "\"" + std::string(text) + "\" is no machine to reach by ssh.",
            "Write ssh:user@host or ssh:user@host:port."};
}

/// Of a name that becomes a word of ssh's command line: nothing that could be an option or end the word.
bool isName(std::string_view text, std::string_view more) {
    if (text.empty() || text.front() == '-') return false;
    for (const char c : text) {
        const bool usual = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!usual && more.find(c) == std::string_view::npos) return false;
    }
    return true;
}

bool says(const std::string& text, std::initializer_list<const char*> any) {
    for (const char* words : any)
        if (text.find(words) != std::string::npos) return true;
    return false;
}

} // namespace

Result<RemoteHost> RemoteHost::parse(std::string_view text) {
    std::string_view rest = text;
    for (const std::string_view scheme : {"ssh://", "ssh:", "ssh "})
        if (rest.starts_with(scheme)) {
            rest.remove_prefix(scheme.size());
            break;
        }
    while (rest.starts_with(' '))
        rest.remove_prefix(1);
    while (rest.ends_with(' '))
        rest.remove_suffix(1);
    RemoteHost found;
    if (const auto at = rest.rfind('@'); at != std::string_view::npos) {
        found.user = rest.substr(0, at);
        rest.remove_prefix(at + 1);
        if (!isName(found.user, "._-+$\\")) return badHost(text);
    }
    std::string_view port;
    if (rest.starts_with('[')) {
        const auto end = rest.find(']');
        if (end == std::string_view::npos) return badHost(text);
        found.host = rest.substr(1, end - 1);
        rest.remove_prefix(end + 1);
        if (!rest.empty() && rest.front() != ':') return badHost(text);
        if (!rest.empty()) port = rest.substr(1);
        if (!isName(found.host, ":.%") || (port.empty() && !rest.empty())) return badHost(text);
    } else {
        const auto colon = rest.find(':');
        found.host = rest.substr(0, colon);
        if (colon != std::string_view::npos) port = rest.substr(colon + 1);
        if (!isName(found.host, "._-") || (colon != std::string_view::npos && port.empty())) return badHost(text);
    }
    if (port.empty()) return found;
    const auto [end, failure] = std::from_chars(port.data(), port.data() + port.size(), found.port);
    if (failure != std::errc() || end != port.data() + port.size() || found.port < 1 || found.port > 65535)
        return badHost(text);
    return found;
}

std::string RemoteHost::text() const {
    const std::string name = host.find(':') == std::string::npos ? host : "[" + host + "]";
    return (user.empty() ? std::string() : user + "@") + name + (port ? ":" + std::to_string(port) : std::string());
}

std::string RemoteHost::destination() const {
    return (user.empty() ? std::string() : user + "@") + host;
}

std::vector<std::string> RemoteHost::command(const std::string& remoteCommand) const {
    std::vector<std::string> words;
    const char* chosen = std::getenv("KERNELARIUM_SSH");
    std::istringstream client(chosen && *chosen ? chosen : "ssh");
    for (std::string word; client >> word;)
        words.push_back(word);
    if (words.empty()) words.emplace_back("ssh");
    // It asks nothing (there is nobody to answer) and notices a dead connection within a minute.
    for (const char* option : {"BatchMode=yes", "ConnectTimeout=10", "ServerAliveInterval=10", "ServerAliveCountMax=3",
                               "ClearAllForwardings=yes", "LogLevel=ERROR"}) {
        words.emplace_back("-o");
        words.emplace_back(option);
    }
    words.emplace_back("-T");
    if (port) {
        words.emplace_back("-p");
        words.push_back(std::to_string(port));
    }
    words.emplace_back("--");
    words.push_back(destination());
    words.push_back(remoteCommand);
    return words;
}

Error remoteError(const RemoteHost& host, const std::string& said, int code) {
    const std::string name = host.text();
    const std::string byHand =
        "ssh " + (host.port ? "-p " + std::to_string(host.port) + " " : std::string()) + host.destination();
    const auto error = [&said](const char* kind, std::string message, std::string action) {
        return Error{kind, std::move(message), std::move(action), said};
    };
    if (says(said, {"REMOTE HOST IDENTIFICATION HAS CHANGED"}))
        return error("host_key",
                     name + " shows another key than the one that is known of it: it may not be the machine you mean.",
                     "If it was set up anew, remove the old key with `ssh-keygen -R " + host.host +
                         "` and connect once by hand.");
    if (says(said, {"Host key verification failed", "host key is known for"}))
        return error("host_key", "The key of " + name + " is not known here.",
                     "Connect once by hand with `" + byHand + "`, compare the key, and accept it.");
    if (says(said, {"Permission denied", "Too many authentication failures", "no mutual signature"}))
        return error("not_allowed", name + " did not let you in without a password.",
                     "Give it your public key with `ssh-copy-id`, and unlock the key in your agent; no "
                     "password is asked for here.");
    if (says(said, {"Could not resolve hostname"}))
        return error("unknown_host", "There is no machine called " + host.host + ".", "Correct the name.");
    if (says(said, {"Connection refused", "Connection timed out", "No route to host", "Network is unreachable",
                    "port 22: Operation timed out"}))
        return error("unreachable", name + " cannot be reached.",
                     "Is it running, and is an ssh server listening there?");
    if (says(said, {"GLIBC_", "GLIBCXX_", "cannot execute binary file", "Exec format error"}))
        return error("too_old",
                     "The program does not run on " + name + ": it needs x86-64 Linux with a newer C library.",
                     "Build it there and put kernelarium-cli on its PATH.");
    if (code == 255 || code == -1)
        return error("connection_lost", "The connection to " + name + " was lost.",
                     "What ran there ends with it. The next request connects again.");
    return error("remote", fmt::format("The worker on {} ended with exit code {}.", name, code),
                 "It is started again for the next request.");
}

} // namespace kernelarium::protocol
