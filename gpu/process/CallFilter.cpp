// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/process/CallFilter.h"

#include "gpu/process/Descriptor.h"

#include <cerrno>
#include <cstddef>
#include <linux/seccomp.h>
#include <memory>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>

namespace kernelarium::process {

namespace {

/// Calls that are let, whatever their arguments. Those that a machine does not have are passed over. What is not here
/// and why: links, modes, owners, times and attributes of files (they hold for files outside, which Landlock does not
/// prevent), truncate by name (Landlock knows it from Linux 6.2 on), fallocate and splice (they write without being
/// counted, see WriteWatch.h), sendmsg (it may name another receiver).
constexpr std::array letCalls = {
    // memory of its own
    SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mprotect), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(mincore),
    SCMP_SYS(msync), SCMP_SYS(membarrier), SCMP_SYS(get_mempolicy),
    // threads
    SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(set_tid_address), SCMP_SYS(rseq), SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_getparam), SCMP_SYS(sched_getscheduler),
    SCMP_SYS(sched_get_priority_max), SCMP_SYS(sched_get_priority_min), SCMP_SYS(getpriority), SCMP_SYS(getcpu),
    SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(restart_syscall), SCMP_SYS(wait4), SCMP_SYS(waitid),
    // signals to itself, and waiting
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigpending),
    SCMP_SYS(rt_sigsuspend), SCMP_SYS(rt_sigtimedwait), SCMP_SYS(sigaltstack), SCMP_SYS(pause), SCMP_SYS(alarm),
    SCMP_SYS(setitimer), SCMP_SYS(getitimer), SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(select), SCMP_SYS(pselect6),
    SCMP_SYS(epoll_create), SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_wait), SCMP_SYS(epoll_pwait),
    SCMP_SYS(epoll_pwait2), SCMP_SYS(eventfd), SCMP_SYS(eventfd2),
    // time
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
    SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(times), SCMP_SYS(timerfd_create), SCMP_SYS(timerfd_settime),
    SCMP_SYS(timerfd_gettime),
    // who it is and where
    SCMP_SYS(getpid), SCMP_SYS(getppid), SCMP_SYS(gettid), SCMP_SYS(getpgrp), SCMP_SYS(getuid), SCMP_SYS(geteuid),
    SCMP_SYS(getgid), SCMP_SYS(getegid), SCMP_SYS(getresuid), SCMP_SYS(getresgid), SCMP_SYS(getgroups),
    SCMP_SYS(capget), SCMP_SYS(getrlimit), SCMP_SYS(getrusage), SCMP_SYS(uname), SCMP_SYS(sysinfo), SCMP_SYS(umask),
    SCMP_SYS(arch_prctl), SCMP_SYS(getrandom),
    // files, as far as their rules let
    SCMP_SYS(creat), SCMP_SYS(close), SCMP_SYS(close_range), SCMP_SYS(dup), SCMP_SYS(dup2), SCMP_SYS(dup3),
    SCMP_SYS(pipe), SCMP_SYS(pipe2), SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(preadv),
    SCMP_SYS(preadv2), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(pwrite64), SCMP_SYS(pwritev), SCMP_SYS(pwritev2),
    SCMP_SYS(lseek), SCMP_SYS(sendfile), SCMP_SYS(copy_file_range), SCMP_SYS(ftruncate), SCMP_SYS(fsync),
    SCMP_SYS(fdatasync), SCMP_SYS(flock), SCMP_SYS(fadvise64), SCMP_SYS(readahead), SCMP_SYS(stat), SCMP_SYS(lstat),
    SCMP_SYS(fstat), SCMP_SYS(newfstatat), SCMP_SYS(statx), SCMP_SYS(statfs), SCMP_SYS(fstatfs), SCMP_SYS(access),
    SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(getdents),
    SCMP_SYS(getdents64), SCMP_SYS(getcwd), SCMP_SYS(chdir), SCMP_SYS(fchdir), SCMP_SYS(mkdir), SCMP_SYS(mkdirat),
    SCMP_SYS(rmdir), SCMP_SYS(unlink), SCMP_SYS(unlinkat), SCMP_SYS(rename), SCMP_SYS(renameat), SCMP_SYS(renameat2),
    // pairs of sockets, which lead nowhere
    SCMP_SYS(recvfrom), SCMP_SYS(shutdown), SCMP_SYS(getsockopt), SCMP_SYS(getsockname), SCMP_SYS(getpeername)};

/// The numbers of calls are the same on all machines from here on (clone3); the ones that are let.
constexpr std::uint32_t firstNewCall = 435, closeRange = 436, faccessat2 = 439, epollPwait2 = 441;
static_assert(SCMP_SYS(close_range) == int(closeRange) && SCMP_SYS(faccessat2) == int(faccessat2) &&
              SCMP_SYS(epoll_pwait2) == int(epollPwait2));

/// Asking and setting what concerns the descriptor itself; neither typing into a terminal nor who gets signals.
constexpr std::array<std::uint32_t, 7> letControls = {TCGETS,  TIOCGWINSZ, FIONREAD,  FIONBIO,
                                                      FIOCLEX, FIONCLEX,   0x802c542a}; // TCGETS2 of x86-64 and ARM
constexpr std::array<std::uint32_t, 9> letDescriptorCommands = {
    F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_GETLK, F_SETLK, F_SETLKW, 1034}; // F_GET_SEALS
/// Names of threads and of memory; what a machine has.
constexpr std::array<std::uint32_t, 7> letProcessCommands = {
    PR_SET_NAME, PR_GET_NAME, PR_CAPBSET_READ, PR_GET_NO_NEW_PRIVS, 0x53564d41, 51, // PR_SET_VMA, SVE
    64};                                                                            // SME

constexpr std::uint64_t lowHalf = 0xffffffff; ///< of an argument that the kernel takes as an int
constexpr std::uint64_t kindOfMapping = 0xf, kindOfSocket = 0xf;

scmp_arg_cmp argumentIs(unsigned which, std::uint64_t value, std::uint64_t ofBits = ~std::uint64_t(0)) {
    return {which, SCMP_CMP_MASKED_EQ, ofBits, value};
}
scmp_arg_cmp integerIs(unsigned which, std::uint32_t value) {
    return argumentIs(which, value, lowHalf);
}

using Context = std::unique_ptr<void, decltype(&seccomp_release)>;

/// Rules are added one after the other; the first failure shows in an empty program.
class Rules {
public:
    Rules()
        : m_context(seccomp_init(SCMP_ACT_ERRNO(EPERM)), &seccomp_release) {
        // Kernels before 4.14, and some sandboxes, can end the calling thread only.
        m_failed = !m_context || !(set(SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) ||
                                   set(SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL));
        if (!m_failed) set(SCMP_FLTATR_CTL_OPTIMIZE, 2); // found by halving; a list is as right
    }

    void let(int call, const std::vector<scmp_arg_cmp>& arguments = {}) {
        m_failed = m_failed || seccomp_rule_add_array(m_context.get(), SCMP_ACT_ALLOW, call, unsigned(arguments.size()),
                                                      arguments.data()) != 0;
    }

    /// As the kernel takes it; empty after a failure.
    [[nodiscard]] std::vector<sock_filter> program() const {
        const Descriptor memory(m_failed ? -1 : ::memfd_create("filter", MFD_CLOEXEC));
        if (!memory.isOpen() || seccomp_export_bpf(m_context.get(), memory.number()) != 0) return {};
        const off_t bytes = ::lseek(memory.number(), 0, SEEK_END);
        std::vector<sock_filter> all(std::size_t(bytes < 0 ? 0 : bytes) / sizeof(sock_filter));
        if (::pread(memory.number(), all.data(), all.size() * sizeof(sock_filter), 0) != bytes) return {};
        return all;
    }

private:
    bool set(scmp_filter_attr attribute, std::uint32_t value) {
        return seccomp_attr_set(m_context.get(), attribute, value) == 0;
    }

    Context m_context;
    bool m_failed;
};

void letFiles(Rules& rules) {
    for (const std::uint32_t command : letDescriptorCommands)
        rules.let(SCMP_SYS(fcntl), {integerIs(1, command)});
    rules.let(SCMP_SYS(fcntl), {integerIs(1, F_SETFL), argumentIs(2, 0, O_ASYNC)});
    for (const std::uint32_t control : letControls)
        rules.let(SCMP_SYS(ioctl), {integerIs(1, control)});
    // Opened for reading with O_TRUNC, a file is truncated all the same, and Landlock looks at that from Linux 6.2 on.
    for (const auto& [call, flags] : {std::pair{SCMP_SYS(open), 1U}, {SCMP_SYS(openat), 2U}}) {
        rules.let(call, {argumentIs(flags, 0, O_TRUNC)});
        for (const std::uint64_t access : {O_WRONLY, O_RDWR})
            rules.let(call, {argumentIs(flags, O_TRUNC | access, O_TRUNC | O_ACCMODE)});
    }
    rules.let(SCMP_SYS(sendto), {argumentIs(4, 0)}); // to its peer and no other
    // Datagrams could be sent to any service of this machine.
    rules.let(SCMP_SYS(socketpair), {integerIs(0, AF_UNIX), argumentIs(1, SOCK_STREAM, kindOfSocket)});
}

void letProcess(Rules& rules, std::uint32_t self) {
    rules.let(SCMP_SYS(clone), {argumentIs(0, CLONE_THREAD, CLONE_THREAD)});
    // Shared memory is counted by no limit of what a process uses.
    rules.let(SCMP_SYS(mmap), {argumentIs(3, MAP_PRIVATE, kindOfMapping)});
    for (const std::uint32_t command : letProcessCommands)
        rules.let(SCMP_SYS(prctl), {integerIs(0, command)});
    for (const int call : {SCMP_SYS(kill), SCMP_SYS(tgkill)})
        rules.let(call, {integerIs(0, self)});
    for (const std::uint32_t which : {0U, self}) {
        rules.let(SCMP_SYS(sched_setaffinity), {integerIs(0, which)});
        rules.let(SCMP_SYS(prlimit64), {integerIs(0, which), argumentIs(2, 0)}); // asking
    }
}

/// What comes before the rules: new calls are not known, but for those that the rules let.
std::vector<sock_filter> newCallsUnknown() {
    constexpr std::uint32_t otherNumbers = 0x40000000; // of x32, which the rules refuse
    return {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
            BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, firstNewCall, 0, 5),
            BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, otherNumbers, 4, 0),
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, closeRange, 3, 0),
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, faccessat2, 2, 0),
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, epollPwait2, 1, 0),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS)};
}

} // namespace

std::optional<ExecPass> ExecPass::make() {
    ExecPass pass;
    if (::getrandom(pass.numbers.data(), sizeof pass.numbers, 0) != ssize_t(sizeof pass.numbers)) return std::nullopt;
    return pass;
}

bool knowsCallsOfThisMachine() {
    const std::uint32_t machine = seccomp_arch_native();
    return machine == SCMP_ARCH_X86_64 || machine == SCMP_ARCH_AARCH64;
}

std::vector<sock_filter> callFilter(pid_t self, const ExecPass& pass) {
    Rules rules;
    for (const int call : letCalls)
        rules.let(call);
    letFiles(rules);
    letProcess(rules, std::uint32_t(self));
    rules.let(SCMP_SYS(execve),
              {argumentIs(3, pass.numbers[0]), argumentIs(4, pass.numbers[1]), argumentIs(5, pass.numbers[2])});
    const std::vector<sock_filter> all = rules.program();
    if (all.empty()) return {};
    std::vector<sock_filter> whole = newCallsUnknown();
    whole.insert(whole.end(), all.begin(), all.end());
    return whole;
}

void execWith(const ExecPass& pass, const char* program, char* const* arguments, char* const* environment) {
    ::syscall(SYS_execve, program, arguments, environment, pass.numbers[0], pass.numbers[1], pass.numbers[2]);
}

} // namespace kernelarium::process
