// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/timing/Ceiling.h"

#include <array>

namespace kernelarium::device {

namespace {

using Work = CeilingProbe::Work;

constexpr double chainFlops = 8 * 16 * 2; ///< of resources/ceilings/rates.cuh
/// Of a thread in an iteration of eight products of 16 x 8 x inner by a warp.
constexpr double mmaFlops(double inner) {
    return 8 * 2.0 * 16 * 8 * inner / 32;
}
/// The same for 16 products of 64 x 256 x inner by a warpgroup.
constexpr double wgmmaFlops(double inner) {
    return 16 * 2.0 * 64 * 256 * inner / 128;
}

constexpr std::array probes{
    CeilingProbe{"device_read", "memory", "readMemory", "16-byte loads", Work::bytesOnce, 4, 512, 1},
    CeilingProbe{"device_write", "memory", "writeMemory", "16-byte stores", Work::bytesOnce, 4, 512, 1, 0x5eed},
    CeilingProbe{"device_copy", "memory", "copyMemory", "16-byte loads and stores", Work::bytesOnce, 4, 512, 2},
    CeilingProbe{"l2", "memory", "readCache", "16-byte loads past L1", Work::bytesAgain, 2, 512, 1},
    CeilingProbe{"shared", "memory", "readShared", "16-byte loads", Work::operations, 6, 256, 8 * 16},
    CeilingProbe{"fp32", "rates", "rateFloat", "fma.f32", Work::operations, 8, 256, chainFlops, 0, 0.75f, 0.5f},
    CeilingProbe{"fp64", "rates", "rateDouble", "fma.f64", Work::operations, 8, 256, chainFlops, 0, 0.75f, 0.5f},
    CeilingProbe{"fp16", "rates", "rateHalf", "fma.f16x2", Work::operations, 8, 256, 2 * chainFlops, 0x38003800u},
    CeilingProbe{"bf16", "rates", "rateBfloat", "fma.bf16x2", Work::operations, 8, 256, 2 * chainFlops, 0x3f003f00u},
    CeilingProbe{"special", "rates", "rateSpecial", "ex2.approx", Work::operations, 8, 256, 8 * 16},
    CeilingProbe{"tensor_fp16", "tensor", "mmaHalf", "mma.sync", Work::operations, 4, 256, mmaFlops(16), 1},
    CeilingProbe{"tensor_bf16", "tensor", "mmaBfloat", "mma.sync", Work::operations, 4, 256, mmaFlops(16), 1},
    CeilingProbe{"tensor_tf32", "tensor", "mmaTfloat", "mma.sync", Work::operations, 4, 256, mmaFlops(8), 1},
    CeilingProbe{"tensor_fp8", "tensor", "mmaFloatEight", "mma.sync", Work::operations, 4, 256, mmaFlops(32), 1},
    CeilingProbe{"tensor_int8", "tensor", "mmaByte", "mma.sync", Work::operations, 4, 256, mmaFlops(32), 1},
    CeilingProbe{"tensor_fp64", "tensor", "mmaDouble", "mma.sync m8n8k4", Work::operations, 4, 256,
                 8 * 2.0 * 8 * 8 * 4 / 32, 1},
    CeilingProbe{"tensor_fp64", "tensor", "mmaDoubleWide", "mma.sync m16n8k16", Work::operations, 2, 256,
                 mmaFlops(16) / 2, 1},
    CeilingProbe{"tensor_fp16", "wgmma", "wgmmaHalf", "wgmma", Work::operations, 1, 256, wgmmaFlops(16), 1},
    CeilingProbe{"tensor_bf16", "wgmma", "wgmmaBfloat", "wgmma", Work::operations, 1, 256, wgmmaFlops(16), 1},
    CeilingProbe{"tensor_tf32", "wgmma", "wgmmaTfloat", "wgmma", Work::operations, 1, 256, wgmmaFlops(8), 1},
    CeilingProbe{"tensor_fp8", "wgmma", "wgmmaFloatEight", "wgmma", Work::operations, 1, 256, wgmmaFlops(32), 1},
    CeilingProbe{"tensor_int8", "wgmma", "wgmmaByte", "wgmma", Work::operations, 1, 256, wgmmaFlops(32), 1},
};

} // namespace

std::span<const CeilingProbe> ceilingProbes() {
    return probes;
}

} // namespace kernelarium::device
