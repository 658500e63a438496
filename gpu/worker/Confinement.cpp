// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/worker/Confinement.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace kernelarium::worker {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t thisMachine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t thisMachine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t thisMachine = 0;
#endif

constexpr std::array refusedCalls = {
    // sockets and what makes them by another way
    SYS_socket,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    // other processes
    SYS_tkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_pidfd_open,
    SYS_pidfd_send_signal,
    SYS_pidfd_getfd,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_setpriority,
    SYS_ioprio_set,
    SYS_sched_setscheduler,
    SYS_sched_setparam,
    SYS_sched_setattr,
    SYS_migrate_pages,
    SYS_move_pages,
    // the machine
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_setns,
    SYS_unshare,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_quotactl,
    SYS_open_by_handle_at,
    SYS_clock_settime,
    SYS_settimeofday,
    SYS_adjtimex,
    SYS_acct,
    SYS_mknodat,
#if defined(__x86_64__)
    SYS_fork,
    SYS_vfork,
    SYS_mknod,
#endif
};

/// A filter for the kernel's own small machine (linux/filter.h): every instruction looks at one word of the call.
class Filter {
public:
    explicit Filter(pid_t self) {
        load(offsetof(seccomp_data, arch));
        add(BPF_JMP | BPF_JEQ | BPF_K, thisMachine, 1, 0);
        answer(SECCOMP_RET_KILL_PROCESS);
        load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
        add(BPF_JMP | BPF_JGE | BPF_K, 0x40000000U, 0, 1); // the x32 numbers of the same calls
        answer(SECCOMP_RET_KILL_PROCESS);
#endif
        for (long call : refusedCalls) {
            add(BPF_JMP | BPF_JEQ | BPF_K, std::uint32_t(call), 0, 1);
            answer(SECCOMP_RET_ERRNO | EPERM);
        }
        // glibc falls back to clone, whose flags can be looked at.
        add(BPF_JMP | BPF_JEQ | BPF_K, std::uint32_t(SYS_clone3), 0, 1);
        answer(SECCOMP_RET_ERRNO | ENOSYS);
        add(BPF_JMP | BPF_JEQ | BPF_K, std::uint32_t(SYS_clone), 0, 4);
        load(offsetof(seccomp_data, args[0]));
        add(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0);
        answer(SECCOMP_RET_ERRNO | EPERM);
        answer(SECCOMP_RET_ALLOW);
        onlyOf(SYS_kill, self, false);
        onlyOf(SYS_tgkill, self, false);
        onlyOf(SYS_prlimit64, self, true);
        answer(SECCOMP_RET_ALLOW);
    }

    [[nodiscard]] bool install() {
        sock_fprog program{m_count, m_code.data()};
        return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
    }

private:
    void add(int code, std::uint32_t k, unsigned char yes = 0, unsigned char no = 0) {
        m_code[m_count++] = {std::uint16_t(code), yes, no, k};
    }
    void load(std::size_t offset) {
        add(BPF_LD | BPF_W | BPF_ABS, std::uint32_t(offset));
    }
    void answer(std::uint32_t verdict) {
        add(BPF_RET | BPF_K, verdict);
    }
    /// The call's first argument must be this process (or 0, where that means it).
    void onlyOf(long call, pid_t self, bool orZero) {
        add(BPF_JMP | BPF_JEQ | BPF_K, std::uint32_t(call), 0, 5);
        load(offsetof(seccomp_data, args[0]));
        add(BPF_JMP | BPF_JEQ | BPF_K, std::uint32_t(self), 2, 0);
        add(BPF_JMP | BPF_JEQ | BPF_K, orZero ? 0U : std::uint32_t(self), 1, 0);
        answer(SECCOMP_RET_ERRNO | EPERM);
        answer(SECCOMP_RET_ALLOW);
    }

    std::array<sock_filter, 256> m_code{};
    unsigned short m_count = 0;
};

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

/// A set of rules that lets nothing be written but below `scratch`; -1 where the kernel has no Landlock.
int writeRules(const std::string& scratch) {
    const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return -1;
    landlock_ruleset_attr handled{};
    handled.handled_access_fs = writing | (version >= 3 ? truncating : 0);
    const int rules = int(::syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0));
    if (rules < 0) return -1;
    allow(rules, scratch.c_str(), handled.handled_access_fs);
    allow(rules, "/dev/null", handled.handled_access_fs & (LANDLOCK_ACCESS_FS_WRITE_FILE | truncating));
    return rules;
}

} // namespace

Result<Confinement> Confinement::prepare(const std::string& scratch, const ConfinementLimits& limits) {
    // Asked for nothing at a bad address, a kernel with filters says so; one without says that it knows no such call.
    const long answer = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, nullptr);
    if (thisMachine == 0 || (answer != 0 && errno != EFAULT))
        return Error{"missing_component", "This system cannot keep a program from the network (no seccomp filters).",
                     "Use another kernel as the reference: archived code is not executed without that."};
    Confinement prepared(limits);
    prepared.m_rules = writeRules(scratch);
    return prepared;
}

Confinement::~Confinement() {
    if (m_rules >= 0) ::close(m_rules);
}

Confinement::Confinement(Confinement&& other) noexcept
    : m_limits(other.m_limits)
    , m_rules(std::exchange(other.m_rules, -1)) {}

bool Confinement::apply() const {
    limit(RLIMIT_DATA, m_limits.memory);
    limit(RLIMIT_FSIZE, m_limits.fileSize);
    limit(RLIMIT_CPU, m_limits.seconds);
    limit(RLIMIT_NOFILE, 256);
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
    if (m_rules >= 0 && ::syscall(SYS_landlock_restrict_self, m_rules, 0) != 0) return false;
    return Filter(::getpid()).install();
}

} // namespace kernelarium::worker
