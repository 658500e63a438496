// SPDX-License-Identifier: GPL-3.0-or-later
// A sum over memory that nobody wrote, and the same memory copied back.
// fault: uninitialised_read
__global__ void sum(const int* p, int* out) {
    int s = 0;
    for (int i = 0; i < 16; ++i) s += p[i];
    *out = s;
}

int main() {
    int *p, *out, result;
    cudaMalloc(&p, 16 * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    sum<<<1, 1>>>(p, out);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(p);
    cudaFree(out);
    return 0;
}
