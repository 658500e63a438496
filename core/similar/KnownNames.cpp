// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/similar/CodeWords.h"

#include <array>
#include <unordered_set>

namespace kernelarium::similar {
namespace {

const std::unordered_set<std::string_view>& knownNames() {
    static const std::unordered_set<std::string_view> names{
        // the language
        "alignas", "alignof", "auto", "bool", "break", "case", "catch", "char", "class", "const", "constexpr",
        "const_cast", "continue", "decltype", "default", "define", "delete", "do", "double", "dynamic_cast", "elif",
        "else", "endif", "enum", "explicit", "extern", "false", "float", "for", "friend", "goto", "if", "ifdef",
        "ifndef", "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "nullptr", "operator", "pragma",
        "private", "protected", "public", "reinterpret_cast", "return", "short", "signed", "sizeof", "static",
        "static_assert", "static_cast", "struct", "switch", "template", "this", "throw", "true", "try", "typedef",
        "typename", "undef", "union", "unroll", "unsigned", "using", "virtual", "void", "volatile", "while",
        // types
        "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "size_t", "half",
        "half2", "nv_bfloat16", "nv_bfloat162", "float2", "float3", "float4", "double2", "double4", "int2", "int3",
        "int4", "uint2", "uint3", "uint4", "char4", "uchar4", "dim3", "scalar_t",
        // CUDA
        "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "asm", "wmma", "fragment", "mma_sync",
        "load_matrix_sync", "store_matrix_sync", "fill_fragment", "matrix_a", "matrix_b", "accumulator", "row_major",
        "col_major", "cooperative_groups", "this_thread_block", "tiled_partition", "this_grid", "sync", "thread_rank",
        "memcpy_async", "pipeline", "cub", "BlockReduce", "WarpReduce", "BlockScan", "WarpScan", "thrust",
        "make_float2", "make_float4", "make_int4", "make_uint4", "make_half2", "min", "max", "printf",
        // mathematics; a letter f behind them is let
        "abs", "acos", "asin", "atan", "atan2", "ceil", "cos", "cosh", "erf", "erfc", "exp", "exp2", "exp10", "expm1",
        "fabs", "floor", "fma", "fmax", "fmin", "fmod", "isinf", "isnan", "lgamma", "log", "log10", "log1p", "log2",
        "logf", "pow", "rcp", "rint", "round", "rsqrt", "sin", "sinh", "sqrt", "tan", "tanh", "tgamma", "trunc",
        "normcdf", "INFINITY", "NAN", "FLT_MAX", "FLT_MIN", "FLT_EPSILON",
        // PyTorch
        "torch", "at", "c10", "Tensor", "data_ptr", "sizes", "size", "numel", "dim", "options", "device", "dtype",
        "contiguous", "is_contiguous", "is_cuda", "empty", "empty_like", "zeros", "zeros_like", "scalar_type", "stride",
        "getCurrentCUDAStream", "matmul", "mm", "bmm", "addmm", "conv2d", "conv3d", "conv1d", "linear", "def"};
    return names;
}

constexpr std::array<std::string_view, 9> knownBeginnings = {"__",  "cuda",   "cublas",   "cudnn",  "atomic",
                                                             "AT_", "TORCH_", "PYBIND11", "CUBLAS_"};

} // namespace

bool isKnownName(std::string_view name) {
    if (knownNames().contains(name)) return true;
    for (const std::string_view beginning : knownBeginnings)
        if (name.starts_with(beginning)) return true;
    return name.size() > 3 && name.back() == 'f' && knownNames().contains(name.substr(0, name.size() - 1));
}

} // namespace kernelarium::similar
