// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/process/Confinement.h"

#include "gpu/process/CallFilter.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <optional>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace kernelarium::process {

namespace {

void limit(decltype(RLIMIT_DATA) which, std::uint64_t value) {
    if (value == 0) return;
    rlimit now{};
    ::getrlimit(which, &now);
    const rlim_t bound = now.rlim_max == RLIM_INFINITY ? rlim_t(value) : std::min<rlim_t>(value, now.rlim_max);
    const rlimit limits{bound, bound};
    ::setrlimit(which, &limits);
}

constexpr std::uint64_t writing = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                  LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                  LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                  LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                  LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
constexpr std::uint64_t truncating = std::uint64_t(1) << 14; // LANDLOCK_ACCESS_FS_TRUNCATE, since Linux 6.2

void allow(int rules, const char* path, std::uint64_t access) {
    landlock_path_beneath_attr rule{};
    rule.allowed_access = access;
    rule.parent_fd = ::open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0) return;
    ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    ::close(rule.parent_fd);
}

/// A set of rules that lets nothing be written but below `scratch`; none where the kernel has no Landlock.
Descriptor writeRules(const std::string& scratch) {
    const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return Descriptor();
    landlock_ruleset_attr handled{};
    handled.handled_access_fs = writing | (version >= 3 ? truncating : 0);
    Descriptor rules(int(::syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0)));
    if (!rules.isOpen()) return rules;
    allow(rules.number(), scratch.c_str(), handled.handled_access_fs);
    allow(rules.number(), "/dev/null", handled.handled_access_fs & (LANDLOCK_ACCESS_FS_WRITE_FILE | truncating));
    return rules;
}

using FilterLength = std::size_t; ///< instructions; goes before them

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

/// In the child: waits for its filter.
bool installFilter(int pipe) {
    std::array<sock_filter, BPF_MAXINSNS> code;
    FilterLength length = 0;
    if (!readWhole(pipe, &length, sizeof length)) return false;
    if (length == 0 || length > code.size()) {
        errno = ENOSYS;
        return false;
    }
    if (!readWhole(pipe, code.data(), length * sizeof(sock_filter))) return false;
    sock_fprog program{static_cast<unsigned short>(length), code.data()};
    return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

} // namespace

Result<Confinement> Confinement::prepare(const std::string& scratch, const ConfinementLimits& limits) {
    // Asked for nothing at a bad address, a kernel with filters says so; one without says that it knows no such call.
    const long answer = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, nullptr);
    if (!knowsCallsOfThisMachine() || (answer != 0 && errno != EFAULT))
        return Error{"missing_component", "This system cannot keep a program from the network (no seccomp filters).",
                     "Use another kernel as the reference: archived code is not executed without that."};
    std::optional<DescriptorPair> pipe = DescriptorPair::pipe();
    if (!pipe)
        return Error{"missing_component", std::string("There is no pipe to be had: ") + std::strerror(errno) + "."};
    return Confinement(limits, std::move(*pipe), writeRules(scratch));
}

bool Confinement::admit(pid_t child) const {
    const std::vector<sock_filter> filter = callFilter(child);
    const FilterLength length = filter.size();
    // Less than a pipe holds; its other end is ours, too, so that writing to a child that is gone does no harm.
    const auto bytes = ssize_t(length * sizeof(sock_filter));
    return ::write(m_filter.writing.number(), &length, sizeof length) == ssize_t(sizeof length) &&
           (bytes == 0 || ::write(m_filter.writing.number(), filter.data(), std::size_t(bytes)) == bytes);
}

bool Confinement::apply() const {
    limit(RLIMIT_DATA, m_limits.memory);
    limit(RLIMIT_FSIZE, m_limits.fileSize);
    limit(RLIMIT_CPU, m_limits.seconds);
    limit(RLIMIT_NOFILE, 256);
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
    if (m_rules.isOpen() && ::syscall(SYS_landlock_restrict_self, m_rules.number(), 0) != 0) return false;
    return installFilter(m_filter.reading.number());
}

} // namespace kernelarium::process
