// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/timing/RaceKernels.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::device {

namespace {

constexpr unsigned countingThreads = 256, scrubbingThreads = 256;
constexpr unsigned sharedBytes = 48 << 10; // what every block may have

// Each thread takes every grid-th word; the first one the bytes behind the last word, too.
constexpr const char* countingKernel = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry kl_differ(.param .u64 one, .param .u64 other, .param .u64 bytes, .param .u64 counter)
{
    .reg .pred %p<4>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<12>;
    ld.param.u64 %rd1, [one];
    ld.param.u64 %rd2, [other];
    ld.param.u64 %rd3, [bytes];
    ld.param.u64 %rd4, [counter];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r3, %r1, %r2, %r3;
    mov.u32 %r4, %nctaid.x;
    mul.lo.u32 %r4, %r4, %r2;
    mul.wide.u32 %rd5, %r3, 4;
    mul.wide.u32 %rd6, %r4, 4;
    and.b64 %rd7, %rd3, -4;
    mov.u32 %r5, 0;
WORDS:
    setp.ge.u64 %p1, %rd5, %rd7;
    @%p1 bra BYTES;
    add.u64 %rd8, %rd1, %rd5;
    add.u64 %rd9, %rd2, %rd5;
    ld.global.u32 %r6, [%rd8];
    ld.global.u32 %r7, [%rd9];
    setp.ne.u32 %p2, %r6, %r7;
    @%p2 add.u32 %r5, %r5, 1;
    add.u64 %rd5, %rd5, %rd6;
    bra WORDS;
BYTES:
    setp.ne.u32 %p1, %r3, 0;
    @%p1 bra TOLD;
NEXT:
    setp.ge.u64 %p1, %rd7, %rd3;
    @%p1 bra TOLD;
    add.u64 %rd8, %rd1, %rd7;
    add.u64 %rd9, %rd2, %rd7;
    ld.global.u8 %r6, [%rd8];
    ld.global.u8 %r7, [%rd9];
    setp.ne.u32 %p2, %r6, %r7;
    @%p2 add.u32 %r5, %r5, 1;
    add.u64 %rd7, %rd7, 1;
    bra NEXT;
TOLD:
    setp.eq.u32 %p3, %r5, 0;
    @%p3 bra DONE;
    red.global.add.u32 [%rd4], %r5;
DONE:
    ret;
}
)";

// Volatile loads keep their place before the barrier, and the sum behind it wants them all at once.
std::string scrubbingKernel() {
    std::string text = fmt::format(R"(
.extern .shared .align 16 .b8 room[];
.visible .entry kl_scrub(.param .u64 from)
.maxntid {}, 1, 1
{{
    .reg .pred %p<3>;
    .reg .b32 %r<{}>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [from];
)",
                                   scrubbingThreads, RaceKernels::scrubbedRegisters + 5);
    for (int i = 0; i < RaceKernels::scrubbedRegisters; ++i)
        text += fmt::format("    ld.volatile.global.u32 %r{}, [%rd1];\n", i);
    const int sum = 0, at = RaceKernels::scrubbedRegisters, address = at + 1, end = at + 2, base = at + 3;
    text += fmt::format("    bar.sync 0;\n    mov.u32 %r{0}, %tid.x;\n    shl.b32 %r{0}, %r{0}, 2;\n", at);
    text += fmt::format("    mov.u32 %r{0}, room;\n    add.u32 %r{1}, %r{0}, %r{2};\n    add.u32 %r{3}, %r{0}, {4};\n",
                        base, address, at, end, sharedBytes);
    text += fmt::format("SHARED:\n    st.volatile.shared.u32 [%r{0}], %r1;\n    add.u32 %r{0}, %r{0}, {1};\n"
                        "    setp.lt.u32 %p1, %r{0}, %r{2};\n    @%p1 bra SHARED;\n",
                        address, 4 * scrubbingThreads, end);
    for (int i = 1; i < RaceKernels::scrubbedRegisters; ++i)
        text += fmt::format("    add.u32 %r{0}, %r{0}, %r{1};\n", sum, i);
    // What the sum is not: nothing is stored, and nobody but the thread knows.
    text += fmt::format("    setp.eq.u32 %p2, %r{0}, 12345;\n    @%p2 st.volatile.global.u32 [%rd1], %r{0};\n"
                        "    ret;\n}}\n",
                        sum);
    return text;
}

} // namespace

const std::string& raceKernelsPtx() {
    static const std::string text = countingKernel + scrubbingKernel();
    return text;
}

Result<std::unique_ptr<RaceKernels>> RaceKernels::load(std::shared_ptr<DeviceContext> context) {
    std::unique_ptr<RaceKernels> kernels(new RaceKernels(std::move(context)));
    Result<std::unique_ptr<DeviceModule>> module = DeviceModule::load(kernels->m_context, {}, raceKernelsPtx());
    if (!module) return module.error();
    kernels->m_module = std::move(*module);
    if (!kernels->m_module->function("kl_differ") || !kernels->m_module->function("kl_scrub"))
        return Error{"internal", "The kernels that stand around a race were not loaded."};
    return kernels;
}

Result<void> RaceKernels::countDifferent(std::uint64_t one, std::uint64_t other, std::uint64_t bytes,
                                         std::uint64_t counter) {
    constexpr std::uint64_t wordsOfThread = 16, mostBlocks = 4096;
    const std::uint64_t blocks =
        std::clamp<std::uint64_t>(bytes / 4 / (countingThreads * wordsOfThread), 1, mostBlocks);
    void* parameters[] = {&one, &other, &bytes, &counter};
    return m_context->check(m_context->api().cuLaunchKernel(m_module->function("kl_differ"), unsigned(blocks), 1, 1,
                                                            countingThreads, 1, 1, 0, nullptr, parameters, nullptr),
                            "Comparing outputs on the device");
}

Result<void> RaceKernels::scrub(std::uint64_t from) {
    // A block has nearly all registers of its multiprocessor; a second round finds those that the first one missed.
    const unsigned blocks = 2 * unsigned(std::max(1u, m_context->info().multiprocessors));
    void* parameters[] = {&from};
    return m_context->check(m_context->api().cuLaunchKernel(m_module->function("kl_scrub"), blocks, 1, 1,
                                                            scrubbingThreads, 1, 1, sharedBytes, nullptr, parameters,
                                                            nullptr),
                            "Scrubbing registers");
}

} // namespace kernelarium::device
