// SPDX-License-Identifier: GPL-3.0-or-later
// What kernels with tensor cores call, as text of the emitted files.
#include "core/kernelgen/products/Fragments.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen::products {

const char* const copyEightText =
    "/// Eight elements of 16 bits from number `first` on, of which `count` exist; zeros stand for the others. `whole`:\n"
    "/// they are neighbours in memory, begin on a border of 16 bytes, and all or none exist; then they are on their way\n"
    "/// until waitForCopies.\n"
    "template <class At> __device__ void copyEight(unsigned short* to, At at, Index first, Index count, bool whole) {\n"
    "    if (whole) {\n"
    "        const unsigned place = unsigned(__cvta_generic_to_shared(to)), bytes = count > 0 ? 16 : 0;\n"
    "        asm volatile(\"cp.async.cg.shared.global [%0], [%1], 16, %2;\" ::\"r\"(place), \"l\"(at(first)), \"r\"(bytes)\n"
    "                     : \"memory\");\n"
    "        return;\n"
    "    }\n"
    "#pragma unroll\n"
    "    for (int v = 0; v < 8; ++v)\n"
    "        to[v] = v < count ? *at(first + v) : 0;\n"
    "}\n\n"
    "__device__ void endOfStage() {\n"
    "    asm volatile(\"cp.async.commit_group;\" ::: \"memory\");\n"
    "}\n\n"
    "/// Until no more than `most` stages are on their way.\n"
    "template <int most> __device__ void waitForCopies() {\n"
    "    asm volatile(\"cp.async.wait_group %0;\" ::\"n\"(most) : \"memory\");\n"
    "}\n\n";

const char* const loadFragmentText =
    "/// Four 8x8 matrices of 16-bit elements; each lane names a row of one. `turned`: transposed on the way.\n"
    "template <bool turned> __device__ void loadFragment(unsigned (&to)[4], const unsigned short* row) {\n"
    "    const unsigned place = unsigned(__cvta_generic_to_shared(row));\n"
    "    if (turned)\n"
    "        asm volatile(\"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];\"\n"
    "                     : \"=r\"(to[0]), \"=r\"(to[1]), \"=r\"(to[2]), \"=r\"(to[3])\n"
    "                     : \"r\"(place)\n"
    "                     : \"memory\");\n"
    "    else\n"
    "        asm volatile(\"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\"\n"
    "                     : \"=r\"(to[0]), \"=r\"(to[1]), \"=r\"(to[2]), \"=r\"(to[3])\n"
    "                     : \"r\"(place)\n"
    "                     : \"memory\");\n"
    "}\n\n";

std::string multiplyFragmentsText(tensor::DType dtype) {
    const char* type = dtype == tensor::DType::Float16 ? "f16" : "bf16";
    return fmt::format(
        "/// 16 rows times 8 columns over 16 terms, added in float32.\n"
        "__device__ void multiplyFragments(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {{\n"
        "    asm volatile(\"mma.sync.aligned.m16n8k16.row.col.f32.{0}.{0}.f32 {{%0, %1, %2, %3}}, \"\n"
        "                 \"{{%4, %5, %6, %7}}, {{%8, %9}}, {{%0, %1, %2, %3}};\"\n"
        "                 : \"+f\"(sum[0]), \"+f\"(sum[1]), \"+f\"(sum[2]), \"+f\"(sum[3])\n"
        "                 : \"r\"(a[0]), \"r\"(a[1]), \"r\"(a[2]), \"r\"(a[3]), \"r\"(b0), \"r\"(b1));\n"
        "}}\n\n",
        type);
}

const char* const loadPairsText =
    "/// Neighbours of 16 bits from number `first` on, two in a register, of which `exist` do; zeros stand for the others.\n"
    "/// `whole`: they begin on a border of 16 bytes and all or none exist; then it is one load.\n"
    "template <int count, bool whole, class At>\n"
    "__device__ void loadPairs(unsigned (&to)[count / 2], At at, Index first, Index exist) {\n"
    "    if constexpr (whole && count == 4) {\n"
    "        const uint2 two = exist > 0 ? *reinterpret_cast<const uint2*>(at(first)) : make_uint2(0, 0);\n"
    "        to[0] = two.x, to[1] = two.y;\n"
    "    } else if constexpr (whole && count == 8) {\n"
    "        const uint4 four = exist > 0 ? *reinterpret_cast<const uint4*>(at(first)) : make_uint4(0, 0, 0, 0);\n"
    "        to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;\n"
    "    } else {\n"
    "#pragma unroll\n"
    "        for (int v = 0; v < count / 2; ++v) {\n"
    "            const unsigned low = 2 * v < exist ? *at(first + 2 * v) : 0;\n"
    "            to[v] = low | (2 * v + 1 < exist ? unsigned(*at(first + 2 * v + 1)) << 16 : 0);\n"
    "        }\n"
    "    }\n"
    "}\n\n";

std::string numberOfText(tensor::DType dtype) {
    const std::string head = "/// The number that the lower 16 bits are.\n"
                             "__device__ float numberOf(unsigned bits) {\n";
    if (dtype == tensor::DType::BFloat16) return head + "    return __uint_as_float(bits << 16);\n}\n\n";
    return head + "    float number;\n"
                  "    asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(number) : \"h\"((unsigned short)(bits)));\n"
                  "    return number;\n}\n\n";
}

} // namespace kernelarium::kernelgen::products
