// SPDX-License-Identifier: GPL-3.0-or-later
//
// at::globalContext(), at::Parallel, grad modes: settings that change nothing a run can see are taken and kept.
#pragma once
#include "kernelarium/aten_factories.h"
#include "kernelarium/cuda_api.h"

namespace at {
class Context {
public:
    bool userEnabledCuDNN() const { return true; }
    void setUserEnabledCuDNN(bool) {}
    bool benchmarkCuDNN() const { return m_benchmark; }
    void setBenchmarkCuDNN(bool v) { m_benchmark = v; }
    bool deterministicCuDNN() const { return false; }
    void setDeterministicCuDNN(bool) {}
    bool allowTF32CuBLAS() const { return m_tf32; }
    void setAllowTF32CuBLAS(bool v) {
        m_tf32 = v;
        kl::callValue("torch.allow_tf32_cublas", {v});
    }
    bool allowTF32CuDNN() const { return true; }
    void setAllowTF32CuDNN(bool) {}
    bool hasCUDA() const { return true; }

private:
    bool m_benchmark = false;
    bool m_tf32 = false;
};
inline Context kl_context;
inline Context& globalContext() { return kl_context; }
inline int get_num_threads() { return 1; }
inline void set_num_threads(int) {}
inline void manual_seed(uint64_t seed) { kl::callValue("torch.manual_seed", {(long long)seed}); }
class NoGradGuard {
public:
    constexpr NoGradGuard() {}
};
template <class T, bool cuda> struct AccumulateType { using type = double; };
template <bool cuda> struct AccumulateType<c10::Half, cuda> { using type = float; };
template <bool cuda> struct AccumulateType<c10::BFloat16, cuda> { using type = float; };
template <> struct AccumulateType<float, true> { using type = float; };
template <> struct AccumulateType<double, true> { using type = double; };
#define KL_LONG_SUM(T) template <bool cuda> struct AccumulateType<T, cuda> { using type = int64_t; };
KL_LONG_SUM(uint8_t) KL_LONG_SUM(int8_t) KL_LONG_SUM(int16_t) KL_LONG_SUM(int32_t) KL_LONG_SUM(int64_t)
#undef KL_LONG_SUM
template <class T, bool cuda> using acc_type = typename AccumulateType<T, cuda>::type;
template <class T> struct OpMathType { using type = T; };
template <> struct OpMathType<c10::Half> { using type = float; };
template <> struct OpMathType<c10::BFloat16> { using type = float; };
template <class T> using opmath_type = typename OpMathType<T>::type;
template <class A, class B> constexpr A ceil_div(A a, B b) { return (a + b - 1) / b; }
} // namespace at
namespace torch {
using at::NoGradGuard;
namespace cuda {
inline bool is_available() { return true; }
inline size_t device_count() {
    int n = 0;
    cudaGetDeviceCount(&n);
    return size_t(n);
}
inline void synchronize(int64_t = -1) { cudaDeviceSynchronize(); }
inline void manual_seed(uint64_t seed) { at::manual_seed(seed); }
} // namespace cuda
} // namespace torch
