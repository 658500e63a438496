// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bounds/BoundedSources.h"

namespace {

/// `kernels` before, and `body` in, a host function that copies its argument with a kernel.
std::string host(const std::string& body, const std::string& kernels = {}) {
    return R"(#include <torch/extension.h>
#include <string>
#include <vector>
__global__ void copyAll(const float* from, float* to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i];
}
)" + kernels +
           R"(
torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty_like(x);
    const int n = int(x.numel());
    )" + body +
           R"(
    copyAll<<<(n + 127) / 128, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
    return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
)";
}

const std::vector<std::string> noMemory{"out_of_memory", "host_exception", "crashed"};
const std::vector<std::string> noTime{"timeout"};

} // namespace

std::vector<GreedySource> greedyRuns() {
    return {
        {"heap of host code",
         host("std::vector<double*> all; for (long k = 0;; ++k) { auto* p = new double[1 << 20]; p[k & 1023] = 1; "
              "all.push_back(p); }"),
         noMemory},
        {"tensors on the device",
         host("std::vector<torch::Tensor> all; for (;;) all.push_back(torch::full({1 << 22}, 2.0, x.options()));"),
         noMemory},
        {"tensors on the host",
         host("std::vector<torch::Tensor> all; for (;;) all.push_back(torch::zeros({1 << 22}, torch::kDouble));"),
         noMemory},
        {"tensors that double", host("auto t = x.clone(); for (;;) t = torch::cat({t, t, t});"), noMemory},
        {"tensors given back",
         host("for (;;) { auto t = torch::ones({1 << 20}, x.options()); }"),
         {"out_of_memory", "host_exception", "timeout"}},
        {"allocations whose failure is passed over",
         host("for (;;) { void* p = nullptr; cudaMalloc(&p, 3 << 20); if (p) cudaMemset(p, 1, 3 << 20); }"),
         {"timeout", "out_of_memory"}},
        {"a string that doubles",
         host("std::string s(1000, 'a'); for (;;) s += s; y.fill_(float(s.size()));"),
         {"out_of_memory", "host_exception", "crashed", "timeout"}},
        {"large arrays of threads",
         host("hold<<<8, 1024>>>(y.data_ptr<float>(), n);", R"(
__global__ void hold(float* p, int n) {
    float mine[90000];
    for (int i = 0; i < 90000; ++i) mine[i] = p[(i * 7) % n];
    p[threadIdx.x % n] = mine[(int(p[1]) + n) % 90000];
})"),
         {"out_of_memory"},
         "may take"},
        {"arrays that no thread may have",
         host("hold<<<1, 32>>>(y.data_ptr<float>(), n);", R"(
__global__ void hold(float* p, int n) {
    float mine[1 << 22];
    for (int i = 0; i < (1 << 22); ++i) mine[i] = p[(i * 7) % n];
    p[threadIdx.x % n] = mine[(int(p[1]) + n) & 0xfffff];
})"),
         {"launch_refused", "compile_error"}},
        {"kernels that launch themselves",
         host("grow<<<1, 1>>>(3);", "__global__ void grow(int k) { for (int i = 0; i < k; ++i) grow<<<1, 1>>>(k); }"),
         {"timeout", "out_of_memory"}},
        {"launches without end", host("for (;;) copyAll<<<1, 1>>>(nullptr, nullptr, 0);"), noTime, "launches_left_out"},
        {"fields of a kernel's printf",
         host("say<<<1, 1>>>();", R"(
__global__ void say() { printf("%1999999999d %.1999999999e %*x %-*.*f\n", 7, 2.0, 1888888888, 3, 1777777777, 1666666666, 0.5); })"),
         {"finished"}},
        {"fields of the host's printf",
         host(R"(printf("%1999999999d %.1999999999e %*x\n", 7, 2.0, 1888888888, 3);)"),
         {"finished"}},
        {"printing without end", host("talk<<<2, 64>>>();", R"(
__global__ void talk() { for (;;) printf("%s %200d\n", "and again", int(threadIdx.x)); })"),
         noTime, "printed_bytes_left_out"},
        {"a long exception",
         host("std::string s; for (int i = 0; i < 3000; ++i) s += \"what went wrong \"; throw std::runtime_error(s);"),
         {"host_exception"},
         "more bytes)"},
    };
}

std::vector<GreedySource> greedyCompilations() {
    return {
        {"an initialised array",
         R"(__device__ double table[1ull << 30] = {1, 2, 3};
__global__ void take(double* out) { *out = table[5]; }
)",
         {"out_of_memory"}},
        {"a braced list",
         R"(#define T1 {1.f, 2.f},{3.f, 4.f},
#define T2 T1 T1 T1 T1 T1 T1 T1 T1
#define T3 T2 T2 T2 T2 T2 T2 T2 T2
#define T4 T3 T3 T3 T3 T3 T3 T3 T3
#define T5 T4 T4 T4 T4 T4 T4 T4 T4
#define T6 T5 T5 T5 T5 T5 T5 T5 T5
#define T7 T6 T6 T6 T6 T6 T6 T6 T6
#define T8 T7 T7 T7 T7 T7 T7 T7 T7
struct Pair { float a, b; };
__device__ Pair pairs[] = { T8 };
__global__ void take(float* out) { *out = pairs[5].b; }
)",
         {"out_of_memory"}},
    };
}
