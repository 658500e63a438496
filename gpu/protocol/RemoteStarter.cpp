// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/RemoteStarter.h"

namespace kernelarium::protocol {

Result<process::ChildProcess> RemoteStarter::start(const Manner& manner) {
    if (!m_program) {
        Result<RemoteProgram> found = RemoteProgram::find(m_local, m_bundle);
        if (!found) return found.error();
        m_program = std::move(*found);
    }
    if (manner.progress) manner.progress("connecting to " + m_host.text());
    Result<process::ChildProcess> child = process::ChildProcess::start(m_host.command(m_program->startCommand(m_words)),
                                                                       process::ChildProcess::Errors::kept);
    if (!child) return Error{"missing_component", child.error().message, "Install an ssh client (openssh-client)."};
    return child;
}

Result<bool> RemoteStarter::mend(process::ChildProcess& ended, const Manner& manner) {
    if (ended.exitCode() != RemoteProgram::isMissing) return false;
    if (!m_program->canCopy())
        return Error{"missing_component", "Kernelarium is not installed on " + m_host.text() + ".",
                     "Run the portable bundle's program, which copies itself there; or name a bundle's archive with "
                     "--bundle or KERNELARIUM_BUNDLE; or put kernelarium-cli on the PATH there."};
    if (Result<void> copied = m_program->copyTo(m_host, manner.progress, manner.stop); !copied) return copied.error();
    return true;
}

Error RemoteStarter::whyEnded(process::ChildProcess& ended) {
    const int code = ended.exitCode();
    if (code == RemoteProgram::isMissing)
        return {"missing_component", "The program that was copied to " + m_host.text() + " is not there.", "Try again.",
                ended.errorText()};
    return remoteError(m_host, ended.errorText(), code);
}

Result<std::shared_ptr<WorkerStarter>> starterFor(const std::string& host, const std::filesystem::path& program,
                                                  int gpu, const std::filesystem::path& bundle,
                                                  std::uint64_t memoryMegabytes) {
    const std::string number = std::to_string(gpu), memory = std::to_string(memoryMegabytes);
    if (host.empty()) {
        std::vector<std::string> words{program.string(), "worker", "run", "--gpu", number};
        if (memoryMegabytes) words.insert(words.end(), {"--memory", memory});
        return std::shared_ptr<WorkerStarter>(std::make_shared<LocalStarter>(std::move(words)));
    }
    Result<RemoteHost> parsed = RemoteHost::parse(host);
    if (!parsed) return parsed.error();
    return std::shared_ptr<WorkerStarter>(std::make_shared<RemoteStarter>(
        std::move(*parsed), program, "run --gpu " + number + (memoryMegabytes ? " --memory " + memory : std::string()),
        bundle));
}

} // namespace kernelarium::protocol
