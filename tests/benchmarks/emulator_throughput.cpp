// SPDX-License-Identifier: GPL-3.0-or-later
//
// How many thread instructions (executed warp instructions times active lanes) the emulator runs in a second on one
// core: a 256^3 matrix product tiled through shared memory and a vector addition of 2^20 elements, with checks off
// and on. The ratio is to a plain C++ loop that does the same floating-point work on one core.
#include "gpu/compile/Compiler.h"
#include "gpu/emulator/run/Launch.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <fmt/format.h>
#include <vector>

using namespace kernelarium;
using namespace kernelarium::emulator;

namespace {

constexpr const char* source = R"(
extern "C" __global__ void add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
extern "C" __global__ void matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
    __shared__ float ta[32][32];
    __shared__ float tb[32][32];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32 + y, col = blockIdx.x * 32 + x;
    float sum = 0;
    for (int k = 0; k < n; k += 32) {
        ta[y][x] = a[row * n + k + x];
        tb[y][x] = b[(k + y) * n + col];
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 32; ++j) sum += ta[y][j] * tb[j][x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
)";

/// Seconds of this process's processor time: what else the machine does counts little then.
double now() {
    timespec t{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

/// Best of several runs of plain code on the same arrays.
template <class F> double best(F f) {
    double least = 1e9;
    for (int k = 0; k < 5; ++k) {
        const double start = now();
        f();
        least = std::min(least, now() - start);
    }
    return least;
}

struct Case {
    const char* kernel;
    Dim3 grid, block;
    int n;
    double plainSeconds;
};

int measure(const Program& program, const Case& c, std::uint64_t a, std::uint64_t b, std::uint64_t out, bool checks) {
    LaunchConfig config;
    config.function = *program.functionByName(c.kernel);
    config.grid = c.grid;
    config.block = c.block;
    config.parameters.resize(28);
    std::memcpy(config.parameters.data(), &a, 8);
    std::memcpy(config.parameters.data() + 8, &b, 8);
    std::memcpy(config.parameters.data() + 16, &out, 8);
    std::memcpy(config.parameters.data() + 24, &c.n, 4);
    RunOptions options;
    options.checks = checks;
    std::vector<double> rates;
    double seconds = 1e9;
    for (int k = 0; k < 15; ++k) {
        const double start = now();
        const LaunchResult r = launch(program, config, options);
        const double took = now() - start;
        if (r.end != LaunchEnd::finished || !r.faults.empty()) {
            fmt::print(stderr, "{} did not run cleanly: {}\n", c.kernel, r.reason);
            return 1;
        }
        rates.push_back(double(r.counters.threadInstructions) / took / 1e6);
        seconds = std::min(seconds, took);
    }
    std::sort(rates.begin(), rates.end());
    fmt::print("{:8} checks {:3}  median {:6.0f}  best {:6.0f}  worst {:6.0f} M thread instructions/s  {:5.1f} times a "
               "plain loop\n",
               c.kernel, checks ? "on" : "off", rates[rates.size() / 2], rates.back(), rates.front(),
               seconds / c.plainSeconds);
    return 0;
}

} // namespace

int main() {
    auto compiler = compile::Compiler::create(compile::Toolkit::find());
    if (!compiler) {
        fmt::print(stderr, "{}\n", compiler.error().text());
        return 3;
    }
    compile::CompileOptions compileOptions;
    compileOptions.cubin = false;
    auto unit = (*compiler)->compile(source, compileOptions);
    if (!unit || !unit->ok) {
        fmt::print(stderr, "The benchmark's kernels do not compile: {}\n", unit ? unit->log : unit.error().text());
        return 2;
    }
    DeviceMemory memory(1u << 30);
    auto program = Program::load(unit->ptx, memory);
    if (!program) {
        fmt::print(stderr, "{}\n", program.error().text());
        return 2;
    }
    constexpr int elements = 1 << 20, n = 256;
    std::vector<float> a(elements), b(elements), c(elements);
    for (int i = 0; i < elements; ++i) {
        a[std::size_t(i)] = std::sin(float(i));
        b[std::size_t(i)] = std::cos(float(i));
    }
    std::uint64_t address[3];
    for (int k = 0; k < 3; ++k) {
        auto at = memory.allocate(elements * 4, "array", {});
        if (!at) return 2;
        address[k] = *at;
        if (Result<void> w = memory.write(*at, std::as_bytes(std::span(k == 0 ? a : b))); !w) return 2;
    }
    const double plainAdd = best([&] {
        for (std::size_t i = 0; i < elements; ++i)
            c[i] = a[i] + b[i];
        asm volatile("" : : "r"(c.data()) : "memory");
    });
    const double plainProduct = best([&] {
        std::fill(c.begin(), c.begin() + n * n, 0.0f);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t k = 0; k < n; ++k)
                for (std::size_t j = 0; j < n; ++j)
                    c[i * n + j] += a[i * n + k] * b[k * n + j];
        asm volatile("" : : "r"(c.data()) : "memory");
    });
    const Case cases[] = {{"matmul", {n / 32, n / 32, 1}, {32, 32, 1}, n, plainProduct},
                          {"add", {elements / 256, 1, 1}, {256, 1, 1}, elements, plainAdd}};
    for (bool checks : {false, true})
        for (const Case& one : cases)
            if (measure(**program, one, address[0], address[1], address[2], checks)) return 2;
    return 0;
}
