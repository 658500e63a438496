// SPDX-License-Identifier: GPL-3.0-or-later
// An exception that nobody catches ends the program; one that is caught does not.
// end: host_exception
// prints: caught: no memory
#include <cstdio>
#include <stdexcept>

struct CudaError : std::runtime_error {
    explicit CudaError(cudaError_t e) : std::runtime_error(e == cudaErrorMemoryAllocation ? "no memory" : "other") {}
};
void check(cudaError_t e) {
    if (e != cudaSuccess) throw CudaError(e);
}

int main() {
    void* p;
    try {
        check(cudaMalloc(&p, size_t(1) << 60));
    } catch (const CudaError& e) {
        printf("caught: %s\n", e.what());
    }
    cudaGetLastError();
    check(cudaFree(&p));
    printf("not reached\n");
    return 0;
}
