// SPDX-License-Identifier: GPL-3.0-or-later
// Text of kernels and of the host, in order; %zu, %lld, %c, %5.2Lf, %*d.
// prints: before
// prints: block 0 thread 1 says 0.50 x
// prints: 18446744073709551615 -9000000000 A  2.50    7|
// prints: to the error stream
// prints: characters 6
#include <cstdio>
#include <cstring>

__global__ void say() {
    printf("block %d thread %d says %.2f %c\n", blockIdx.x, threadIdx.x, threadIdx.x * 0.5, 'x');
}

int main() {
    printf("before\n");
    say<<<1, 2>>>();
    cudaDeviceSynchronize();
    printf("%zu %lld %c %5.2Lf %*d|\n", ~size_t(0), -9000000000ll, 'A', (long double)2.5, 4, 7);
    fprintf(stderr, "to the error stream\n");
    char text[16];
    const int n = sprintf(text, "%s-%02d", "abc", 5);
    fputs("characters ", stdout);
    putchar('0' + n);
    putchar('\n');
    fflush(stdout);
    return n == 6 && strlen(text) == 6 ? 0 : 1;
}
