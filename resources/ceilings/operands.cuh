// SPDX-License-Identifier: GPL-3.0-or-later
// Operands of the tensor cores, a 32-bit word at a time: numbers of a magnitude from one half to one and random signs and
// bits (zeros would draw less power and run at higher clocks than real data), or ones where the seed is 0.

__device__ inline unsigned scrambled(unsigned x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
}

template <unsigned Kept, unsigned Set, unsigned One> struct Words {
    __device__ static unsigned at(unsigned index, unsigned seed) {
        return seed == 0 ? One : (scrambled(index * 0x9e3779b9u + seed) & Kept) | Set;
    }
};

using HalfWords = Words<0x83ff83ffu, 0x38003800u, 0x3c003c00u>;
using BfloatWords = Words<0x807f807fu, 0x3f003f00u, 0x3f803f80u>;
using TfloatWords = Words<0x807fe000u, 0x3f000000u, 0x3f800000u>;
using FloatEightWords = Words<0x87878787u, 0x30303030u, 0x38383838u>;
using ByteWords = Words<0xffffffffu, 0u, 0x01010101u>;
