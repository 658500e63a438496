// SPDX-License-Identifier: GPL-3.0-or-later
// The beginner's mistake: the host follows a pointer of cudaMalloc.
// end: crashed
// reason: Host code accessed device memory
// prints: before
#include <cstdio>

int main() {
    int* d;
    cudaMalloc(&d, sizeof(int));
    printf("before\n");
    *d = 3;
    printf("not reached\n");
    return 0;
}
