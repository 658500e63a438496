// SPDX-License-Identifier: GPL-3.0-or-later
// Tries what a confined process must not do, and some of what it may, and says what came of each: "name errno".
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <linux/sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace {

void say(const char* name, long result) {
    std::printf("%s %d\n", name, result < 0 ? errno : 0);
}

/// A new process ends at once.
long started(long pid) {
    if (pid == 0) ::_exit(0);
    return pid;
}

long askLimits(long pid) {
    rlimit limit{};
    return ::syscall(SYS_prlimit64, pid, RLIMIT_CORE, nullptr, &limit);
}

/// Other processes whose limits can be asked for, of those that there might be.
int processesInReach(long self) {
    int reached = 0;
    for (long pid = 1; pid < 1 << 17; ++pid)
        if (pid != self && (askLimits(pid) == 0 || errno != EPERM)) ++reached;
    return reached;
}

} // namespace

int main(int argc, char** argv) {
    const long self = ::getpid(), parent = ::getppid();
    say("socket", ::syscall(SYS_socket, AF_INET, SOCK_STREAM, 0));
    say("local_socket", ::syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0));
    int pair[2];
    say("socketpair", ::socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    say("connect", ::syscall(SYS_connect, -1, nullptr, 0));
    say("io_uring_setup", ::syscall(SYS_io_uring_setup, 0, nullptr));
    say("ptrace", ::syscall(SYS_ptrace, 2, parent, 0, 0));
    say("process_vm_readv", ::syscall(SYS_process_vm_readv, parent, nullptr, 0, nullptr, 0, 0));
    say("pidfd_open", ::syscall(SYS_pidfd_open, self, 0));
    say("bpf", ::syscall(SYS_bpf, 0, nullptr, 0));
    say("unshare", ::syscall(SYS_unshare, 0));
    say("setpriority", ::syscall(SYS_setpriority, PRIO_PROCESS, 0, 19));
    say("keyctl", ::syscall(SYS_keyctl, 0, -3, 0));
    say("clone", started(::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr)));
    clone_args how{};
    how.exit_signal = SIGCHLD;
    say("clone3", started(::syscall(SYS_clone3, &how, sizeof how)));
#ifdef SYS_fork
    say("fork", started(::syscall(SYS_fork)));
#else
    errno = EPERM;
    say("fork", -1);
#endif
    std::thread([] {}).join();
    say("thread", 0);
    say("kill_self", ::syscall(SYS_kill, self, 0));
    say("kill_parent", ::syscall(SYS_kill, parent, 0));
    say("kill_group", ::syscall(SYS_kill, 0, 0));
    say("kill_all", ::syscall(SYS_kill, -1, 0));
    say("tgkill_self", ::syscall(SYS_tgkill, self, self, 0));
    say("tgkill_parent", ::syscall(SYS_tgkill, parent, parent, 0));
    say("tkill", ::syscall(SYS_tkill, self, 0));
    say("limits", askLimits(0));
    say("limits_self", askLimits(self));
    std::printf("processes_in_reach %d\n", processesInReach(self));
    say("write_here", ::open("written", O_CREAT | O_WRONLY, 0600));
    say("write_nowhere", ::open("/dev/null", O_WRONLY));
    if (argc > 1) say("write_elsewhere", ::open(argv[1], O_CREAT | O_WRONLY, 0600));
    return 0;
}
