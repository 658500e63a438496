// SPDX-License-Identifier: GPL-3.0-or-later
// The same, and nobody asks.
// exit: 0
// end: crashed
// fault: trap
#include <cassert>

__global__ void fails() {
    assert(threadIdx.x == 1);
}

int main() {
    fails<<<1, 1>>>();
    return 0;
}
