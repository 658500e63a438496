// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// As Nsight Compute 2025.3 prints `--csv --page source --print-source cuda,sass` on an H200, most columns and rows
/// left out: two launches of one kernel, in which a header's function was inlined, and one of another with fewer
/// columns.
inline constexpr const char* sourceTable =
    "==PROF== Connected to process 622 (/usr/bin/kernelarium-cli)\n"
    "==PROF== Disconnected from process 622\n"
    "\"File Path\",\"/tmp/k/kernel.cu\"\n"
    "\"Function Name\",\"stencil(const float *, float *, int)\"\n"
    "\"Line No\",\"Source\",\"Address\",\"Source\",\"Warp Stall Sampling (All Samples)\",\"Warp Stall Sampling (Not-issued "
    "Samples)\",\"# Samples\",\"stall_barrier\",\"stall_long_sb\",\"stall_selected\",\"stall_wait\",\"stall_barrier (Not "
    "Issued)\",\"stall_long_sb (Not Issued)\"\n"
    "\"3\",\"<Unable to open source file>\",\"-\",\"-\",\"0\",\"0\",\"0\",\"0\",\"0\",\"0\",\"0\",\"0\",\"0\"\n"
    "\"5\",\"    s[threadIdx.x] = a[i], \"\"x\"\";\",\"-\",\"-\",\"1,117\",\"83\",\"1,117\",\"0\",\"1,000\",\"17\",\"100\",\"0\",\"80\"\n"
    "\"\",\"\",\"0x7f48b77a02d0\",\"      LDG.E R2, [R2.64]\",\"1,117\",\"83\",\"1,117\",\"0\",\"1,000\",\"17\",\"100\",\"0\",\"80\"\n"
    "\"\",\"\",\"...\",\"...\",\"-\",\"-\",\"-\",\"-\",\"-\",\"-\",\"-\",\"-\",\"-\"\n"
    "\"6\",\"    __syncthreads();\",\"-\",\"-\",\"40\",\"30\",\"40\",\"38\",\"0\",\"2\",\"0\",\"30\",\"0\"\n"
    "\"File Path\",\"/usr/include/cuda/math.h\"\n"
    "\"Function Name\",\"stencil(const float *, float *, int)\"\n"
    "\"Line No\",\"Source\",\"Address\",\"Source\",\"Warp Stall Sampling (All Samples)\",\"Warp Stall Sampling (Not-issued "
    "Samples)\",\"# Samples\",\"stall_wait\"\n"
    "\"5\",\"other\",\"-\",\"-\",\"9\",\"1\",\"9\",\"9\"\n"
    "\"File Path\",\"/tmp/k/kernel.cu\"\n"
    "\"Function Name\",\"stencil(const float *, float *, int)\"\n"
    "\"Line No\",\"Source\",\"Address\",\"Source\",\"Warp Stall Sampling (All Samples)\",\"Warp Stall Sampling (Not-issued "
    "Samples)\",\"# Samples\",\"stall_barrier\",\"stall_long_sb\",\"stall_selected\",\"stall_wait\",\"stall_barrier (Not "
    "Issued)\",\"stall_long_sb (Not Issued)\"\n"
    "\"6\",\"    __syncthreads();\",\"-\",\"-\",\"10\",\"3\",\"10\",\"4\",\"0\",\"6\",\"0\",\"3\",\"0\"\n"
    "\"File Path\",\"/tmp/k/kernel.cu\"\n"
    "\"Function Name\",\"plain(float *)\"\n"
    "\"Line No\",\"Source\",\"Address\",\"Source\",\"Warp Stall Sampling (All Samples)\",\"Warp Stall Sampling (Not-issued "
    "Samples)\",\"# Samples\",\"stall_drain\"\n"
    "\"10\",\"c[0] *= 2\",\"-\",\"-\",\"62\",\"0\",\"62\",\"62\"\n";
