// SPDX-License-Identifier: GPL-3.0-or-later
// Templates with extern shared memory of several types; kernels in files beside this one.
// prints: float 496
// prints: int 496
// prints: double 496
#include "pieces/reduce.cuh"

#include <cstdio>

template <class T> bool check(const char* name) {
    T host[32], sum = 0, *in, *out;
    for (int i = 0; i < 32; ++i) host[i] = T(i);
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof(T));
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    reduce<T><<<1, 32, 32 * sizeof(T)>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    printf("%s %g\n", name, double(sum));
    return sum == T(496);
}

int main(int, const char**) {
    const bool right = check<float>("float") & check<int>("int") & check<double>("double");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
