// SPDX-License-Identifier: GPL-3.0-or-later
// Tries what a confined process must not do, and some of what it may, and says what came of each: "name errno".
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/sched.h>
#include <sched.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/xattr.h>
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

/// Signals by way of a descriptor's owner.
void tryOwners(long parent) {
    int pair[2];
    say("socketpair", ::socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    f_owner_ex owner{F_OWNER_PID, pid_t(parent)};
    int number = int(parent), on = 1;
    say("setown", ::syscall(SYS_fcntl, pair[0], F_SETOWN, parent));
    say("setown_ex", ::syscall(SYS_fcntl, pair[0], F_SETOWN_EX, &owner));
    say("setsig", ::syscall(SYS_fcntl, pair[0], F_SETSIG, 0));
    say("async", ::syscall(SYS_fcntl, pair[0], F_SETFL, O_ASYNC));
    say("async_hidden", ::syscall(SYS_fcntl, pair[0], (1L << 32) | F_SETOWN, parent));
    say("nonblock", ::syscall(SYS_fcntl, pair[0], F_SETFL, O_NONBLOCK));
    say("notify", ::syscall(SYS_fcntl, pair[0], F_NOTIFY, 0));
    say("lease", ::syscall(SYS_fcntl, pair[0], F_SETLEASE, F_UNLCK));
    say("pipe_size", ::syscall(SYS_fcntl, pair[0], F_SETPIPE_SZ, 1 << 20));
    say("ioctl_owner", ::ioctl(pair[0], FIOSETOWN, &number));
    say("ioctl_async", ::ioctl(pair[0], FIOASYNC, &on));
    say("ioctl_nonblock", ::ioctl(pair[0], FIONBIO, &on));
    // Where that was let, nobody gets a signal when the pair is closed.
    on = 0;
    ::ioctl(pair[0], FIOASYNC, &on);
    ::fcntl(pair[0], F_SETOWN, 0);
    say("type_into_terminal", ::ioctl(0, TIOCSTI, "x"));
    say("type_hidden", ::syscall(SYS_ioctl, 0L, (1L << 32) | TIOCSTI, "x"));
    sockaddr_un service{AF_UNIX, "/dev/log"};
    say("datagrams", ::socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
    say("send_to_service", ::sendto(pair[0], "x", 0, 0, reinterpret_cast<sockaddr*>(&service), sizeof service));
    msghdr message{};
    say("sendmsg", ::syscall(SYS_sendmsg, pair[0], &message, 0));
}

/// What changes files that may be read only, or leaves something behind.
void tryFiles() {
    const int file = ::open("written", O_CREAT | O_RDWR | O_TRUNC, 0600);
    say("write_here", file);
    say("chmod", ::chmod("written", 0600));
    say("fchmod", ::fchmod(file, 0600));
    say("fchmodat", ::syscall(SYS_fchmodat, AT_FDCWD, "written", 0600));
    say("fchmodat2", ::syscall(452, AT_FDCWD, "written", 0600, 0));
    say("chown", ::chown("written", ::getuid(), ::getgid()));
    say("fchown", ::fchown(file, ::getuid(), ::getgid()));
    say("times", ::utimensat(AT_FDCWD, "written", nullptr, 0));
    say("setxattr", ::setxattr("written", "user.x", "1", 1, 0));
    say("truncate", ::truncate("written", 0));
    say("open_truncating", ::open("written", O_RDONLY | O_TRUNC));
    say("openat2", ::syscall(437, AT_FDCWD, "written", nullptr, 0));
    say("link", ::link("written", "linked"));
    say("symlink", ::symlink("written", "linked_to"));
    say("fifo", ::mkfifo("fifo", 0600));
    say("fallocate", ::fallocate(file, 0, 0, 4096));
    say("splice", ::syscall(SYS_splice, file, nullptr, file, nullptr, 0, 0));
    say("rename", ::rename("written", "renamed"));
    say("write_nowhere", ::open("/dev/null", O_WRONLY));
    const auto mapped = [&](int flags, int of) {
        void* memory = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, flags, of, 0);
        return memory == MAP_FAILED ? -1L : 0L;
    };
    say("map_private", mapped(MAP_PRIVATE | MAP_ANONYMOUS, -1));
    say("map_shared", mapped(MAP_SHARED | MAP_ANONYMOUS, -1));
    say("map_shared_file", mapped(MAP_SHARED, file));
    say("map_shared_validated", mapped(MAP_SHARED_VALIDATE, file));
    say("memfd", ::memfd_create("x", 0));
    // Removed again where they were let.
    const int memory = ::shmget(IPC_PRIVATE, 4096, 0600);
    say("shmget", memory);
    if (memory >= 0) ::shmctl(memory, IPC_RMID, nullptr);
    const int queue = ::msgget(IPC_PRIVATE, 0600);
    say("msgget", queue);
    if (queue >= 0) ::msgctl(queue, IPC_RMID, nullptr);
    const int semaphore = ::semget(IPC_PRIVATE, 1, 0600);
    say("semget", semaphore);
    if (semaphore >= 0) ::semctl(semaphore, 0, IPC_RMID);
    say("mq_open", ::syscall(SYS_mq_open, "kernelarium", 0, 0, nullptr));
}

/// What concerns the process itself and others.
void tryProcess(long self, long parent) {
    cpu_set_t processors;
    say("affinity", ::sched_getaffinity(0, sizeof processors, &processors));
    say("set_affinity", ::sched_setaffinity(0, sizeof processors, &processors));
    say("set_affinity_of_parent", ::sched_setaffinity(pid_t(parent), sizeof processors, &processors));
    rlimit limit{};
    ::getrlimit(RLIMIT_CORE, &limit);
    say("set_limit", ::setrlimit(RLIMIT_CORE, &limit));
    say("set_limit_of_self", ::syscall(SYS_prlimit64, self, RLIMIT_CORE, &limit, nullptr));
    say("outlive_parent", ::prctl(PR_SET_PDEATHSIG, 0));
    say("dumpable", ::prctl(PR_SET_DUMPABLE, 1));
    say("thread_name", ::prctl(PR_SET_NAME, "named"));
    say("setsid", ::setsid());
    say("setpgid", ::setpgid(0, 0));
    say("setuid", ::setresuid(::getuid(), ::getuid(), ::getuid()));
    say("personality", ::personality(0xffffffff));
    say("seccomp", ::syscall(SYS_seccomp, 2, 0, nullptr));
    timer_t timer{};
    say("timer", ::timer_create(CLOCK_MONOTONIC, nullptr, &timer));
    say("perf", ::syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0));
    say("userfaultfd", ::syscall(SYS_userfaultfd, 0));
    say("mount", ::mount(nullptr, "/nowhere", nullptr, 0, nullptr));
    say("inotify", ::syscall(SYS_inotify_init1, 0));
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct capabilities[2]{};
    ::syscall(SYS_capget, &header, capabilities);
    std::printf("capabilities %d\n", capabilities[0].permitted || capabilities[1].permitted ? 1 : 0);
    // With numbers where a pass would be, and at addresses that the first exec had no say in.
    const char* words[] = {"nothing", nullptr};
    say("exec", ::syscall(SYS_execve, "/no/such/program", words, environ));
    say("exec_guessed", ::syscall(SYS_execve, "/no/such/program", words, environ, 1, 2, 3));
    say("exec_at", ::syscall(SYS_execveat, AT_FDCWD, "/no/such/program", words, environ, 0));
}

} // namespace

int main(int argc, char** argv) {
    const long self = ::getpid(), parent = ::getppid();
    say("socket", ::syscall(SYS_socket, AF_INET, SOCK_STREAM, 0));
    say("local_socket", ::syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0));
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
    tryOwners(parent);
    tryFiles();
    tryProcess(self, parent);
    if (argc > 1) say("write_elsewhere", ::open(argv[1], O_CREAT | O_WRONLY, 0600));
    if (argc > 2) {
        say("read_elsewhere", ::open(argv[2], O_RDONLY));
        say("list_elsewhere", ::open(argv[2], O_RDONLY | O_DIRECTORY));
        say("read_self", ::open("/proc/self/status", O_RDONLY));
        say("read_library", ::open("/usr/bin/env", O_RDONLY));
        say("read_random", ::open("/dev/urandom", O_RDONLY));
        say("read_parent", ::open(("/proc/" + std::to_string(parent) + "/status").c_str(), O_RDONLY));
        say("read_environment_of_parent", ::open(("/proc/" + std::to_string(parent) + "/environ").c_str(), O_RDONLY));
        say("read_users", ::open("/etc/passwd", O_RDONLY));
    }
    return 0;
}
