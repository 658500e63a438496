// SPDX-License-Identifier: GPL-3.0-or-later
//
// How many multiply-adds of wgmma the emulator does in a second on one core: 64 x N x 64 of float16 to float32 in each
// turn of a loop, without checks, with fast sums and with exact ones; with the bulk copies that bring both factors, and
// without. Of a core's time the best of several launches. The aims are 2 G a second, and 0.3 with exact sums.
#include "gpu/compile/Compiler.h"
#include "gpu/emulator/run/Launch.h"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <fmt/format.h>
#include <vector>

using namespace kernelarium;
using namespace kernelarium::emulator;

namespace {

/// A kernel whose warpgroup multiplies 64 x 64 by N x 64, rows of 128 bytes in the 128-byte swizzle.
std::string sourceOf(int n) {
    std::string results, operands;
    for (int i = 0; i < n / 2; ++i) {
        results += fmt::format("{}%{}", i ? "," : "", i);
        operands += fmt::format("{}\"+f\"(d[{}])", i ? "," : "", i);
    }
    return fmt::format(
        R"(extern "C" __global__ void __launch_bounds__(128) product{0}(const char* from, float* out, int turns, int copies) {{
    extern __shared__ __align__(1024) char stage[];
    __shared__ unsigned long long bar;
    const unsigned at = (unsigned)__cvta_generic_to_shared(stage), full = (unsigned)__cvta_generic_to_shared(&bar);
    const unsigned bytes = (64 + {0}) * 128;
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\nfence.mbarrier_init.release.cluster;" :: "r"(full) : "memory");
    __syncthreads();
    const unsigned long long a = (at & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62, b = a + 8192 / 16;
    float d[{3}] = {{}};
    for (int i = 0; i < turns; ++i) {{
        if (copies || i == 0) {{
            if (threadIdx.x == 0)
                asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\n"
                             "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%2], [%3], %1, [%0];" :: "r"(full), "r"(bytes), "r"(at), "l"(from) : "memory");
            asm volatile("{{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra OVER;\nbra AGAIN;\nOVER:\n}}" :: "r"(full), "r"(i & 1) : "memory");
        }}
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        for (int k = 0; k < 4; ++k)
            asm volatile("wgmma.mma_async.sync.aligned.m64n{0}k16.f32.f16.f16 {{{1}}}, %{3}, %{4}, 1, 1, 1, 0, 0;" : {2} : "l"(a + 2 * k), "l"(b + 2 * k));
        asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
        __syncthreads();
    }}
    float sum = 0;
    for (int i = 0; i < {3}; ++i) sum += d[i];
    out[threadIdx.x] = sum;
}}
)",
        n, results, operands, n / 2, n / 2 + 1);
}

/// Seconds of this process's processor time: what else the machine does counts little then.
double now() {
    timespec t{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

template <class T> void put(LaunchConfig& config, std::size_t at, T value) {
    std::memcpy(config.parameters.data() + at, &value, sizeof value);
}

/// Multiply-adds a second; 0, and a message, where the launch does not run cleanly.
double rate(const Program& program, int n, std::uint64_t from, std::uint64_t out, bool copies, bool exact) {
    LaunchConfig config;
    config.function = *program.functionByName(fmt::format("product{}", n));
    config.block = {128, 1, 1};
    config.dynamicSharedBytes = std::uint32_t(64 + n) * 128;
    config.parameters.resize(24);
    const int turns = (exact ? 2'000 : 8'000) / (n / 8) * 4;
    put(config, 0, from);
    put(config, 8, out);
    put(config, 16, turns);
    put(config, 20, int(copies));
    RunOptions options;
    options.checks = false;
    options.exactSums = exact;
    double least = 1e9;
    for (int k = 0; k < 5; ++k) {
        const double start = now();
        const LaunchResult r = launch(program, config, options);
        least = std::min(least, now() - start);
        if (r.end != LaunchEnd::finished || !r.faults.empty()) {
            fmt::print(stderr, "product{} did not run cleanly: {}\n", n, r.reason);
            return 0;
        }
    }
    return 64.0 * n * 64 * turns / least;
}

} // namespace

int main() {
    auto compiler = compile::Compiler::create(compile::Toolkit::find());
    if (!compiler) {
        fmt::print(stderr, "{}\n", compiler.error().text());
        return 3;
    }
    constexpr int widths[] = {64, 128, 256};
    std::string source;
    for (const int n : widths)
        source += sourceOf(n);
    compile::CompileOptions compileOptions;
    compileOptions.cubin = false;
    auto unit = (*compiler)->compile(source, compileOptions);
    if (!unit || !unit->ok) {
        fmt::print(stderr, "The benchmark's kernels do not compile: {}\n", unit ? unit->log : unit.error().text());
        return 2;
    }
    DeviceMemory memory(64u << 20);
    auto program = Program::load(unit->ptx, memory);
    auto from = memory.allocate(320 * 128, "factors", {}), out = memory.allocate(512, "sums", {});
    if (!program || !from || !out) return 2;
    std::vector<std::uint16_t> halves(320 * 64);
    for (std::size_t i = 0; i < halves.size(); ++i)
        halves[i] = std::uint16_t(0x3000 + i * 2654435761u % 0x0c00); // 1/8 to 1
    if (Result<void> w = memory.write(*from, std::as_bytes(std::span(halves))); !w) return 2;
    for (const bool exact : {false, true})
        for (const int n : widths)
            for (const bool copies : {false, true}) {
                const double each = rate(**program, n, *from, *out, copies, exact);
                if (each == 0) return 2;
                fmt::print("{:5} sums  64 x {:3} x 64 {:14}  {:5.2f} G multiply-adds/s\n", exact ? "exact" : "fast", n,
                           copies ? "with copies" : "without copies", each / 1e9);
            }
    return 0;
}
