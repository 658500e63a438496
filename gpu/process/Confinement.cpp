// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/process/Confinement.h"

#include "gpu/process/ReadableFiles.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace kernelarium::process {

namespace {

namespace fs = std::filesystem;

void limit(decltype(RLIMIT_DATA) which, std::uint64_t value) {
    if (value == 0) return;
    rlimit now{};
    ::getrlimit(which, &now);
    const rlim_t bound = now.rlim_max == RLIM_INFINITY ? rlim_t(value) : std::min<rlim_t>(value, now.rlim_max);
    const rlimit limits{bound, bound};
    ::setrlimit(which, &limits);
}

/// Threads of one process, where it is this user's; 0 otherwise.
std::uint64_t ownThreads(const fs::path& process) {
    std::ifstream status(process / "status");
    bool ours = false;
    for (std::string key; status >> key; status.ignore(1 << 12, '\n')) {
        std::uint64_t value = 0;
        if (key == "Uid:") {
            ours = status >> value && value == ::getuid();
            if (!ours) return 0;
        } else if (key == "Threads:") {
            return status >> value && ours ? value : 0;
        }
    }
    return 0;
}

/// Threads that this user has now.
std::uint64_t threadsOfUser() {
    std::uint64_t all = 0;
    std::error_code problem;
    for (auto it = fs::directory_iterator("/proc", problem); !problem && it != fs::directory_iterator();
         it.increment(problem))
        if (const std::string name = it->path().filename(); name.find_first_not_of("0123456789") == std::string::npos)
            all += ownThreads(it->path());
    return all;
}

/// What goes to the child; the instructions follow.
struct FilterHeader {
    std::size_t length = 0; ///< instructions
    ExecPass pass;
};

bool readWhole(int file, void* to, std::size_t size) {
    auto* at = static_cast<char*>(to);
    for (char* const end = at + size; at < end;) {
        const ssize_t got = ::read(file, at, std::size_t(end - at));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
    }
    return true;
}

/// Root's capabilities would come back with the program, but not under no_new_privs.
bool dropCapabilities() {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    const std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
    return ::syscall(SYS_capset, &header, none.data()) == 0;
}

} // namespace

Result<Confinement> Confinement::prepare(const std::string& scratch, const ConfinementLimits& limits,
                                         const std::optional<std::vector<std::string>>& readable) {
    // Asked for nothing at a bad address, a kernel with filters says so; one without says that it knows no such call.
    const long answer = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, nullptr);
    if (!knowsCallsOfThisMachine() || (answer != 0 && errno != EFAULT))
        return Error{"missing_component", "This system cannot keep a program from the network (no seccomp filters).",
                     "Use another kernel as the reference: archived code is not executed without that."};
    std::optional<DescriptorPair> pipe = DescriptorPair::pipe();
    if (!pipe)
        return Error{"missing_component", std::string("There is no pipe to be had: ") + std::strerror(errno) + "."};
    FileRules rules(readable ? FileRules::Fence::all : FileRules::Fence::writing);
    rules.allowWriting(scratch);
    rules.allowDevices("/dev/null");
    if (readable) {
        for (const std::string& path : systemFiles())
            rules.allowRunning(path);
        for (const std::string& path : *readable)
            rules.allowRunning(path);
    }
    Confinement confinement(limits, std::move(*pipe), std::move(rules));
    if (limits.threads != 0) confinement.m_limits.threads += threadsOfUser();
    return confinement;
}

bool Confinement::admit(pid_t child) {
    // Nothing of the other processes: what a program reads of itself says nothing that it does not know.
    m_rules.allowReading("/proc/" + std::to_string(child));
    const std::optional<ExecPass> pass = ExecPass::make();
    if (!pass) return false;
    const std::vector<sock_filter> filter = callFilter(child, *pass);
    const FilterHeader header{filter.size(), *pass};
    // Less than a pipe holds; its other end is ours, too, so that writing to a child that is gone does no harm.
    const auto bytes = ssize_t(filter.size() * sizeof(sock_filter));
    return ::write(m_filter.writing.number(), &header, sizeof header) == ssize_t(sizeof header) &&
           (bytes == 0 || ::write(m_filter.writing.number(), filter.data(), std::size_t(bytes)) == bytes);
}

bool Confinement::apply(ExecPass& pass) const {
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !dropCapabilities()) return false;
    ::prctl(PR_SET_DUMPABLE, 0); // nobody looks at the pass; exec sets it anew
    ::umask(S_IRWXG | S_IRWXO);
    std::array<sock_filter, BPF_MAXINSNS> code;
    FilterHeader header;
    if (!readWhole(m_filter.reading.number(), &header, sizeof header)) return false;
    if (header.length == 0 || header.length > code.size()) {
        errno = ENOSYS;
        return false;
    }
    if (!readWhole(m_filter.reading.number(), code.data(), header.length * sizeof(sock_filter))) return false;
    pass = header.pass;
    if (!m_rules.restrictSelf()) return false;
    limit(RLIMIT_FSIZE, m_limits.fileSize);
    limit(RLIMIT_CPU, m_limits.seconds);
    limit(RLIMIT_NOFILE, 256);
    limit(RLIMIT_NPROC, m_limits.threads);
    limit(RLIMIT_DATA, m_limits.memory);
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    limit(RLIMIT_AS, m_limits.addressSpace); // last: this process, a copy of ours, may have mapped more than that
    sock_fprog program{static_cast<unsigned short>(header.length), code.data()};
    return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

} // namespace kernelarium::process
