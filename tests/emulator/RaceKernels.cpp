// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/emulator/RaceKernels.h"

#include "tests/emulator/PtxProgram.h"

#include <algorithm>
#include <numeric>

namespace kernelarium::test {

const std::vector<RaceKernel>& raceKernels() {
    static const std::vector<RaceKernel> list = {
        {"reduction without a barrier", {1, 1, 1}, {128, 1, 1}, R"(
extern "C" __global__ void k(int* a, int* b, int n) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half]; // now earlier
        if (HONEST || half == 128) __syncthreads();
    }
    __syncthreads();
    if (t == 0) b[0] = s[0];
})"},
        {"transposition without a barrier", {1, 1, 1}, {16, 16, 1}, R"(
extern "C" __global__ void k(int* a, int* b, int n) {
    __shared__ int s[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = a[y * 16 + x]; // now
#if HONEST
    __syncthreads();
#endif
    b[y * 16 + x] = s[x][y]; // earlier
})"},
        {"scan in place without a barrier", {1, 1, 1}, {128, 1, 1}, R"(
extern "C" __global__ void k(int* a, int* b, int n) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        int v = t >= d ? s[t - d] : 0; // now
#if HONEST
        __syncthreads();
#endif
        s[t] += v; // earlier
        __syncthreads();
    }
    b[t] = s[t];
})"},
        {"two blocks write one element", {4, 1, 1}, {64, 1, 1}, R"(
extern "C" __global__ void k(int* a, int* b, int n) {
    int i = blockIdx.x * (HONEST ? 64 : 63) + threadIdx.x;
    b[i] = i + blockIdx.x; // now earlier
})"},
        {"histogram without atomics", {4, 1, 1}, {64, 1, 1}, R"(
extern "C" __global__ void k(int* a, int* b, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
#if HONEST
    atomicAdd(&b[a[i] % 8], 1);
#else
    b[a[i] % 8] += 1; // now
#endif
})"},
        {"halo of the neighbour block", {4, 1, 1}, {64, 1, 1}, R"(
extern "C" __global__ void k(int* a, int* b, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    int left = i > 0 ? a[i - 1] : 0; // now
#if HONEST
    b[i] = left + i;
#else
    if (threadIdx.x == 63) a[i] = left + i; // earlier
#endif
})"},
        {"last block without a fence", {4, 1, 1}, {64, 1, 1}, R"(
extern "C" __global__ void k(int* a, int* b, int n) {
    __shared__ int s, last;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    atomicAdd(&s, a[blockIdx.x * 64 + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        b[1 + blockIdx.x] = s; // earlier
#if HONEST
        __threadfence();
#endif
        last = atomicAdd(&a[256], 1) == 3;
    }
    __syncthreads();
    if (last && threadIdx.x < 4) atomicAdd(&b[0], b[1 + threadIdx.x]); // now
})"},
        {"flag without a fence", {2, 1, 1}, {32, 1, 1}, R"(
extern "C" __global__ void k(int* a, int* b, int n) {
    volatile int* flag = a + 256;
    if (blockIdx.x == 0) {
        b[threadIdx.x] = threadIdx.x + 1; // earlier
#if HONEST
        __threadfence();
        __syncwarp();
#endif
        if (threadIdx.x == 0) *flag = 1;
    } else {
        while (*flag == 0) {}
        b[32 + threadIdx.x] = b[threadIdx.x]; // now
    }
})"},
        {"double buffer with one barrier too few", {1, 1, 1}, {128, 1, 1}, R"(
extern "C" __global__ void k(int* a, int* b, int n) {
    __shared__ int s[2][128];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < 4; ++i) {
        s[HONEST ? i % 2 : 0][t] = a[(i * 64 + t) % 256]; // earlier
        __syncthreads();
        sum += s[HONEST ? i % 2 : 0][127 - t]; // now
    }
    b[t] = sum;
})"},
        {"producer and consumer at named barriers", {1, 1, 1}, {64, 1, 1}, R"(
extern "C" __global__ void k(int* a, int* b, int n) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 32) {
        s[t] = a[t];
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        if (HONEST) asm volatile("bar.sync 2, 64;" ::: "memory");
        s[t] = a[t + 32]; // earlier
        asm volatile("bar.arrive 3, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        b[t - 32] = s[63 - t]; // now
        if (HONEST) asm volatile("bar.arrive 2, 64;" ::: "memory");
        asm volatile("bar.sync 3, 64;" ::: "memory");
        b[t] = s[63 - t];
    }
})"},
        {"all blocks meet without a fence",
         {4, 1, 1},
         {64, 1, 1},
         R"(
extern "C" __global__ void k(int* a, int* b, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    b[i] = i + 1; // earlier
    __syncthreads();
    if (threadIdx.x == 0) {
#if HONEST
        __threadfence();
#endif
        atomicAdd(&a[256], 1);
        while (*(volatile int*)&a[256] < 4) {}
    }
    __syncthreads();
    b[256 + i] = b[(i + 64) % 256]; // now
})"},
        {"release and acquire between blocks",
         {2, 1, 1},
         {32, 1, 1},
         R"(
extern "C" __global__ void k(int* a, int* b, int n) {
    int flag = 0;
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) {
            b[0] = 5; // earlier
            if (HONEST) asm volatile("st.release.gpu.global.s32 [%0], 1;" :: "l"(a + 256) : "memory");
            else asm volatile("st.relaxed.gpu.global.s32 [%0], 1;" :: "l"(a + 256) : "memory");
        }
    } else if (threadIdx.x == 0) {
        while (!flag) asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(flag) : "l"(a + 256) : "memory");
        b[1] = b[0]; // now
    }
})"},
        {"asynchronous copy over what others still read",
         {1, 1, 1},
         {64, 1, 1},
         R"(
extern "C" __global__ void k(int* a, int* b, int n) {
    __shared__ __align__(16) int s[64];
    int t = threadIdx.x;
    unsigned to = __cvta_generic_to_shared(s + t);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(to), "l"(a + t) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    b[t] = s[63 - t]; // earlier
    if (HONEST) __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(to), "l"(a + 64 + t) : "memory"); // now
    __syncthreads();
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    b[64 + t] = s[63 - t];
})"},
        {"two lanes store to one place", {1, 1, 1}, {32, 1, 1}, R"(
extern "C" __global__ void k(int* a, int* b, int n) {
    b[HONEST ? threadIdx.x : threadIdx.x / 2] = threadIdx.x; // now earlier
})"},
        {"lock without a fence", {8, 1, 1}, {32, 1, 1}, R"(
extern "C" __global__ void k(int* a, int* b, int n) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(&a[256], 0, 1) != 0) {}
#if HONEST
    __threadfence();
#endif
    b[0] += blockIdx.x + 1; // now
#if HONEST
    __threadfence();
#endif
    atomicExch(&a[256], 0);
})"},
    };
    return list;
}

std::optional<Ran> runKernel(const RaceKernel& kernel, bool honest, std::uint64_t schedule, QString& why) {
    std::string text = "#define HONEST ";
    text.append(honest ? "1" : "0").append(kernel.source);
    const auto program = PtxProgram::compiled(text, why);
    if (!program || !program->isLoaded()) return {};
    std::vector<int> a(257);
    std::iota(a.begin(), a.end() - 1, 1);
    const std::uint64_t pa = program->buffer(a, "a"), pb = program->buffer(std::vector<int>(512), "b");
    program->options.schedule = schedule;
    Ran ran{program->launch("k", kernel.grid, kernel.block, pa, pb, 256), {}};
    ran.b = program->read<int>(pb, 512);
    return ran;
}

int markedLine(std::string_view source, std::string_view mark) {
    for (std::size_t at = 0; (at = source.find("//", at)) != std::string_view::npos; ++at) {
        const std::string_view comment = source.substr(at, source.find('\n', at) - at);
        if (comment.find(mark) != std::string_view::npos)
            return 1 + int(std::count(source.begin(), source.begin() + std::ptrdiff_t(at), '\n'));
    }
    return 0;
}

} // namespace kernelarium::test
