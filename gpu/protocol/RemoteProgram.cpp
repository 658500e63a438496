// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/RemoteProgram.h"

#include "core/files/Sha256.h"
#include "gpu/worker/ChildProcess.h"
#include "gpu/worker/ConfinedProcess.h"

#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

namespace kernelarium::protocol {

namespace {

namespace fs = std::filesystem;

Result<std::string> keyOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string content((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (!in.is_open() || content.empty())
        return Error{"unreadable_file", "The portable bundle " + file.string() + " cannot be read.",
                     "Choose another file."};
    std::string key = std::string(KERNELARIUM_VERSION) + "-";
    const files::Digest digest = files::sha256(content);
    for (std::size_t i = 0; i < 8; ++i)
        key += fmt::format("{:02x}", unsigned(digest[i]));
    return key;
}

bool endsWith(const std::string& text, std::initializer_list<const char*> ends) {
    for (const char* end : ends)
        if (text.ends_with(end)) return true;
    return false;
}

/// A shell on the other side may be any; this one is not. `script` has no single quotes.
std::string inShell(const std::string& script) {
    return "exec sh -c '" + script + "'";
}

struct Ended {
    int code = -1;
    std::string said;
};

Result<Ended> runToEnd(const std::vector<std::string>& command, const std::stop_token& stop) {
    Result<worker::ChildProcess> child = worker::ChildProcess::start(command, worker::ChildProcess::Errors::kept);
    if (!child) return child.error();
    constexpr std::chrono::milliseconds between(50);
    std::string line;
    while (child->read(line, between) != worker::ChildProcess::Read::ended)
        if (stop.stop_requested()) return Error{"cancelled", "Cancelled."};
    const int code = child->exitCode();
    return Ended{code, child->errorText()};
}

} // namespace

Result<RemoteProgram> RemoteProgram::find(const fs::path& program, const fs::path& bundle) {
    RemoteProgram found;
    const char* named = std::getenv("KERNELARIUM_BUNDLE");
    found.m_archive = !bundle.empty() ? bundle : named && *named ? fs::path(named) : fs::path();
    std::error_code failure;
    if (found.m_archive.empty()) {
        const fs::path real = fs::canonical(program, failure);
        const fs::path root = real.parent_path().parent_path();
        // Only a bundle has its libraries beside it, and this file for Qt's.
        if (failure || !fs::exists(root / "bin/qt.conf", failure) || !fs::is_directory(root / "lib", failure))
            return found;
        found.m_folder = root;
    }
    Result<std::string> key = keyOf(found.m_archive.empty() ? found.m_folder / "bin/kernelarium-cli" : found.m_archive);
    if (!key) return key.error();
    found.m_key = std::move(*key);
    return found;
}

std::string RemoteProgram::startCommand(const std::string& words) const {
    if (!canCopy())
        return inShell(fmt::format(
            "command -v kernelarium-cli >/dev/null 2>&1 || exit {}; exec kernelarium-cli worker {}", isMissing, words));
    return inShell(fmt::format("p=\"$HOME/.cache/kernelarium/remote/{}/bin/kernelarium-cli\"; [ -x \"$p\" ] "
                               "|| exit {}; exec \"$p\" worker {}",
                               m_key, isMissing, words));
}

Result<void> RemoteProgram::copyTo(const RemoteHost& host, const std::function<void(const std::string&)>& progress,
                                   const std::stop_token& stop) const {
    if (progress) progress("copying the program to " + host.text());
    Result<worker::ScratchFolder> scratch = worker::ScratchFolder::make();
    if (!scratch) return scratch.error();
    fs::path archive = m_archive;
    if (archive.empty()) {
        archive = scratch->path() / "program.tar.gz";
        const Result<Ended> packed =
            runToEnd({"tar", "-C", m_folder.string(), "-czf", archive.string(), "bin/kernelarium-cli", "lib"}, stop);
        if (!packed) return packed.error();
        if (packed->code != 0)
            return Error{"unwritable_file", "The program could not be packed to be copied to " + host.text() + ".", "",
                         packed->said};
    }
    const std::string name = archive.string();
    const char* packing = endsWith(name, {".xz"}) ? "J" : endsWith(name, {".gz", ".tgz"}) ? "z" : "";
    // A bundle's archive has one folder at its top. Whole or not at all: others may be copying the same.
    const std::string unpack =
        fmt::format("d=\"$HOME/.cache/kernelarium/remote/{0}\"; t=\"$d.$$\"; mkdir -p \"$t\" && tar -x{1}f - "
                    "-C \"$t\"{2} || {{ rm -rf \"$t\"; exit 94; }}; "
                    "if [ -d \"$d\" ]; then rm -rf \"$t\"; else mv \"$t\" \"$d\"; fi",
                    m_key, packing, m_archive.empty() ? "" : " --strip-components=1");
    std::vector<std::string> command{"sh", "-c", "f=$1; shift; exec \"$@\" <\"$f\"", "sh", name};
    for (std::string& word : host.command(inShell(unpack)))
        command.push_back(std::move(word));
    const Result<Ended> copied = runToEnd(command, stop);
    if (!copied) return copied.error();
    if (copied->code == 0) return {};
    if (copied->code == 255 || copied->code < 0) return remoteError(host, copied->said, copied->code);
    return Error{"remote", "The program could not be unpacked on " + host.text() + ".",
                 "Is there space in ~/.cache there, and are tar and xz installed?", copied->said};
}

} // namespace kernelarium::protocol
