// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/process/CallFilter.h"

#include "gpu/process/Descriptor.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>

namespace kernelarium::process {

namespace {

/// Calls that are refused with EPERM, whatever their arguments. Those that a machine does not have are passed over.
constexpr std::array refusedCalls = {
    // sockets and what makes them by another way
    SCMP_SYS(socket),
    SCMP_SYS(connect),
    SCMP_SYS(bind),
    SCMP_SYS(listen),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register),
    // other processes
    SCMP_SYS(tkill),
    SCMP_SYS(rt_sigqueueinfo),
    SCMP_SYS(rt_tgsigqueueinfo),
    SCMP_SYS(pidfd_open),
    SCMP_SYS(pidfd_send_signal),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(kcmp),
    SCMP_SYS(setpriority),
    SCMP_SYS(ioprio_set),
    SCMP_SYS(sched_setscheduler),
    SCMP_SYS(sched_setparam),
    SCMP_SYS(sched_setattr),
    SCMP_SYS(migrate_pages),
    SCMP_SYS(move_pages),
    // the machine
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(keyctl),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(setns),
    SCMP_SYS(unshare),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(kexec_load),
    SCMP_SYS(reboot),
    SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
    SCMP_SYS(sethostname),
    SCMP_SYS(setdomainname),
    SCMP_SYS(quotactl),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(clock_settime),
    SCMP_SYS(settimeofday),
    SCMP_SYS(adjtimex),
    SCMP_SYS(acct),
    SCMP_SYS(mknodat),
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    SCMP_SYS(mknod),
};

using Context = std::unique_ptr<void, decltype(&seccomp_release)>;

/// Rules are added one after the other; the first failure shows in failed().
class Rules {
public:
    Rules()
        : m_context(seccomp_init(SCMP_ACT_ALLOW), &seccomp_release) {
        // Kernels before 4.14, and some sandboxes, can end the calling thread only.
        m_failed = !m_context || !(onOtherArchitecture(SCMP_ACT_KILL_PROCESS) || onOtherArchitecture(SCMP_ACT_KILL));
    }

    bool onOtherArchitecture(std::uint32_t action) {
        return seccomp_attr_set(m_context.get(), SCMP_FLTATR_ACT_BADARCH, action) == 0;
    }
    void refuse(int call, int error = EPERM) { add(call, error, {}); }
    void refuseIf(int call, const scmp_arg_cmp& argument) { add(call, EPERM, {argument}); }

    /// The call's first argument must be `self` or 0.
    void refuseAllBut(int call, std::uint64_t self) {
        refuseIf(call, SCMP_A0_64(SCMP_CMP_GT, self));
        // A rule looks at an argument once: what lies between 0 and `self` is cut into ranges of numbers that begin
        // alike.
        for (std::uint64_t at = 1, length = 1; at < self; at += length) {
            for (length = at & (~at + 1); at + length > self;)
                length /= 2;
            refuseIf(call, SCMP_A0_64(SCMP_CMP_MASKED_EQ, ~(length - 1), at));
        }
    }

    /// As the kernel takes it; empty after a failure.
    [[nodiscard]] std::vector<sock_filter> program() const {
        const Descriptor memory(::memfd_create("filter", MFD_CLOEXEC));
        if (m_failed || !memory.isOpen() || seccomp_export_bpf(m_context.get(), memory.number()) != 0) return {};
        const off_t bytes = ::lseek(memory.number(), 0, SEEK_END);
        std::vector<sock_filter> all(std::size_t(bytes < 0 ? 0 : bytes) / sizeof(sock_filter));
        if (::pread(memory.number(), all.data(), all.size() * sizeof(sock_filter), 0) != bytes) return {};
        return all;
    }

private:
    void add(int call, int error, const std::vector<scmp_arg_cmp>& arguments) {
        m_failed = m_failed || seccomp_rule_add_array(m_context.get(), SCMP_ACT_ERRNO(std::uint32_t(error)), call,
                                                      unsigned(arguments.size()), arguments.data()) != 0;
    }

    Context m_context;
    bool m_failed;
};

} // namespace

bool knowsCallsOfThisMachine() {
    const std::uint32_t machine = seccomp_arch_native();
    return machine == SCMP_ARCH_X86_64 || machine == SCMP_ARCH_AARCH64;
}

std::vector<sock_filter> callFilter(pid_t self) {
    Rules rules;
    for (const int call : refusedCalls)
        rules.refuse(call);
    rules.refuse(SCMP_SYS(clone3), ENOSYS); // glibc falls back to clone, whose flags can be looked at
    rules.refuseIf(SCMP_SYS(clone), SCMP_A0_64(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
    for (const int call : {SCMP_SYS(kill), SCMP_SYS(tgkill)})
        rules.refuseIf(call, SCMP_A0_64(SCMP_CMP_NE, std::uint64_t(self)));
    rules.refuseAllBut(SCMP_SYS(prlimit64), std::uint64_t(self));
    return rules.program();
}

} // namespace kernelarium::process
