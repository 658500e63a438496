// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/names/CudaNames.h"

namespace kernelarium::ui {

const char* CudaNames::keywords() {
    return "alignas alignof asm auto break case catch class co_await co_return co_yield concept const const_cast "
           "consteval constexpr constinit continue decltype default delete do dynamic_cast else enum explicit export "
           "extern false final for friend goto if import inline module mutable namespace new noexcept nullptr operator "
           "override private protected public register reinterpret_cast requires return sizeof static static_assert "
           "static_cast struct switch template this thread_local throw true try typedef typeid typename union using "
           "virtual volatile while";
}

const char* CudaNames::types() {
    return "bool char char8_t char16_t char32_t wchar_t short int long float double signed unsigned void size_t "
           "ptrdiff_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t char1 char2 "
           "char3 char4 uchar1 uchar2 uchar3 uchar4 short1 short2 short3 short4 ushort1 ushort2 ushort3 ushort4 int1 "
           "int2 int3 int4 uint1 uint2 uint3 uint4 long1 long2 long3 long4 longlong1 longlong2 longlong3 longlong4 "
           "ulonglong1 ulonglong2 ulonglong3 ulonglong4 float1 float2 float3 float4 double1 double2 double3 double4 "
           "dim3 half half2 __half __half2 nv_bfloat16 nv_bfloat162 __nv_bfloat16 __nv_bfloat162 __nv_fp8_e4m3 "
           "__nv_fp8_e5m2 scalar_t cudaError_t cudaStream_t cudaEvent_t cudaDeviceProp cublasHandle_t cublasStatus_t";
}

const char* CudaNames::qualifiers() {
    return "__global__ __device__ __host__ __shared__ __constant__ __managed__ __grid_constant__ __launch_bounds__ "
           "__maxnreg__ __cluster_dims__ __forceinline__ __noinline__ __inline__ __restrict__ __restrict __align__ "
           "__CUDA_ARCH__ __CUDACC__";
}

const char* CudaNames::builtins() {
    return "threadIdx blockIdx blockDim gridDim warpSize __syncthreads __syncthreads_count __syncthreads_and "
           "__syncthreads_or __syncwarp __threadfence __threadfence_block __threadfence_system __shfl_sync "
           "__shfl_up_sync __shfl_down_sync __shfl_xor_sync __ballot_sync __all_sync __any_sync __activemask "
           "__match_any_sync __match_all_sync __reduce_add_sync __reduce_min_sync __reduce_max_sync __reduce_and_sync "
           "__reduce_or_sync __reduce_xor_sync atomicAdd atomicSub atomicExch atomicMin atomicMax atomicInc atomicDec "
           "atomicCAS atomicAnd atomicOr atomicXor atomicAdd_block atomicAdd_system __ldg __ldcg __ldca __ldcs __ldlu "
           "__ldcv __stwb __stcg __stcs __stwt __nanosleep __trap __brkpt clock clock64 __popc __popcll __clz __clzll "
           "__ffs __ffsll __brev __brevll __byte_perm __funnelshift_l __funnelshift_r __dp4a __dp2a __mul24 __umul24 "
           "__mulhi __umulhi __mul64hi __sad __usad __hadd __rhadd __cvta_generic_to_shared __isShared __isGlobal "
           "__isLocal __isConstant __pipeline_memcpy_async __pipeline_commit __pipeline_wait_prior __builtin_assume "
           "__builtin_assume_aligned cooperative_groups this_thread_block this_grid this_cluster tiled_partition "
           "coalesced_threads thread_rank group_index nvcuda wmma fragment load_matrix_sync store_matrix_sync mma_sync "
           "fill_fragment matrix_a matrix_b accumulator row_major col_major mem_row_major mem_col_major make_int2 "
           "make_int3 make_int4 make_uint2 make_uint3 make_uint4 make_float2 make_float3 make_float4 make_double2 "
           "make_double4 make_half2 make_char4 make_uchar4 make_short2 make_short4";
}

const char* CudaNames::mathematics() {
    return "__expf __exp10f __logf __log2f __log10f __sinf __cosf __tanf __sincosf __powf __fdividef __fadd_rn "
           "__fsub_rn __fmul_rn __fmaf_rn __fmaf_rz __frcp_rn __frsqrt_rn __fsqrt_rn __fdiv_rn __saturatef "
           "__float2int_rn __float2int_rz __float2int_rd __float2int_ru __float2uint_rn __int2float_rn __uint2float_rn "
           "__float_as_int __int_as_float __float_as_uint __uint_as_float __double_as_longlong __longlong_as_double "
           "__float2half __float2half_rn __half2float __float2half2_rn __half22float2 __floats2half2_rn __low2float "
           "__high2float __low2half __high2half __hadd2 __hsub __hsub2 __hmul __hmul2 __hfma __hfma2 __hdiv __hneg "
           "__hmax __hmin __heq __hlt __hgt __hle __hge hexp hlog hsqrt hrsqrt __float2bfloat16 __bfloat162float "
           "__float2bfloat16_rn rsqrtf rsqrt rcbrtf sqrtf expf exp2f exp10f expm1f logf log2f log10f log1pf powf sinf "
           "cosf tanf sincosf sinpif cospif asinf acosf atanf atan2f sinhf coshf tanhf asinhf acoshf atanhf erff erfcf "
           "erfinvf erfcxf normcdff tgammaf lgammaf fmaf fabsf fmaxf fminf fmodf floorf ceilf roundf truncf rintf "
           "nearbyintf copysignf ldexpf frexpf hypotf cbrtf fdimf remainderf isnan isinf isfinite signbit FLT_MAX "
           "FLT_MIN FLT_EPSILON DBL_MAX INT_MAX INT_MIN UINT_MAX INFINITY NAN M_PI CUDART_INF_F CUDART_PI_F";
}

const char* CudaNames::runtime() {
    return "cudaMalloc cudaMallocAsync cudaMallocHost cudaMallocManaged cudaFree cudaFreeAsync cudaFreeHost cudaMemcpy "
           "cudaMemcpyAsync cudaMemcpy2D cudaMemcpy2DAsync cudaMemset cudaMemsetAsync cudaMemcpyToSymbol "
           "cudaMemcpyToSymbolAsync cudaMemcpyFromSymbol cudaGetSymbolAddress cudaDeviceSynchronize cudaGetLastError "
           "cudaPeekAtLastError cudaGetErrorString cudaGetErrorName cudaGetDevice cudaSetDevice cudaGetDeviceCount "
           "cudaGetDeviceProperties cudaDeviceGetAttribute cudaMemGetInfo cudaDeviceReset cudaDeviceSetLimit "
           "cudaDeviceSetCacheConfig cudaDeviceSetSharedMemConfig cudaStreamCreate cudaStreamCreateWithFlags "
           "cudaStreamCreateWithPriority cudaDeviceGetStreamPriorityRange cudaStreamDestroy cudaStreamSynchronize "
           "cudaStreamQuery cudaStreamWaitEvent cudaEventCreate cudaEventCreateWithFlags cudaEventRecord "
           "cudaEventSynchronize cudaEventQuery cudaEventElapsedTime cudaEventDestroy cudaHostRegister "
           "cudaHostUnregister cudaProfilerStart cudaProfilerStop cudaFuncSetAttribute cudaFuncSetCacheConfig "
           "cudaFuncGetAttributes cudaOccupancyMaxActiveBlocksPerMultiprocessor cudaOccupancyMaxPotentialBlockSize "
           "cudaLaunchKernel cudaLaunchCooperativeKernel cudaSuccess cudaMemcpyHostToDevice cudaMemcpyDeviceToHost "
           "cudaMemcpyDeviceToDevice cudaMemcpyHostToHost cudaMemcpyDefault cudaStreamNonBlocking cudaStreamDefault "
           "cudaEventDisableTiming cudaFuncAttributeMaxDynamicSharedMemorySize "
           "cudaFuncAttributePreferredSharedMemoryCarveout cudaFuncCachePreferL1 cudaFuncCachePreferShared "
           "cudaDevAttrMultiProcessorCount cublasCreate cublasDestroy cublasSetStream cublasSgemm cublasGemmEx "
           "cublasSgemmStridedBatched CUBLAS_OP_N CUBLAS_OP_T CUBLAS_STATUS_SUCCESS";
}

const char* CudaNames::torchNames() {
    return "torch c10 pybind11 Tensor TensorOptions IntArrayRef ArrayRef Scalar ScalarType Device "
           "DeviceGuard CUDAGuard OptionalCUDAGuard PackedTensorAccessor32 PackedTensorAccessor64 RestrictPtrTraits "
           "BFloat16 Half MemoryFormat kFloat kFloat32 kFloat16 kFloat64 kHalf kBFloat16 kDouble kInt kInt32 kInt64 "
           "kLong kBool kUInt8 kInt8 kInt16 kByte kChar kShort kCUDA kCPU kStrided "
           "TORCH_CHECK TORCH_INTERNAL_ASSERT TORCH_WARN TORCH_EXTENSION_NAME TORCH_CHECK_EQ PYBIND11_MODULE AT_ERROR "
           "AT_ASSERTM AT_CUDA_CHECK C10_CUDA_CHECK C10_CUDA_KERNEL_LAUNCH_CHECK AT_DISPATCH_FLOATING_TYPES "
           "AT_DISPATCH_FLOATING_TYPES_AND_HALF AT_DISPATCH_FLOATING_TYPES_AND2 AT_DISPATCH_ALL_TYPES "
           "AT_DISPATCH_INTEGRAL_TYPES AT_DISPATCH_SWITCH AT_DISPATCH_CASE getCurrentCUDAStream "
           "getCurrentCUDABlasHandle data_ptr packed_accessor32 packed_accessor64 from_blob empty_like zeros_like";
}

const char* CudaNames::torchMembers() {
    return "abs acos adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool2d add addcdiv "
           "addcmul addmm alias all amax amin any arange argmax argmin as_strided asin atan avg_pool1d avg_pool2d "
           "avg_pool3d baddbmm batch_norm bilinear bitwise_and bitwise_not bitwise_or bitwise_xor bmm "
           "broadcast_tensors cat ceil celu chunk clamp clamp_max clamp_min clone concat const_data_ptr "
           "constant_pad_nd contiguous conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d "
           "convolution copy_ cos cosh cosine_similarity cpu cross_entropy_loss cuda cumprod cumsum data data_ptr "
           "defined det detach device diag diagonal dim div dot dropout dtype einsum element_size elu embedding empty "
           "empty_like eq erf erfc exp exp2 expand expand_as expm1 eye fill_ flatten flip floor floor_divide frac "
           "from_blob full full_like gather ge gelu get_device glu group_norm gru gt hardsigmoid hardswish hardtanh "
           "im2col index index_put_ index_select instance_norm inverse is_contiguous is_cpu is_cuda is_floating_point "
           "isfinite isinf isnan item itemsize kl_div l1_loss layer_norm layout le leaky_relu lerp linear linspace log "
           "log10 log1p log2 log_sigmoid log_softmax logical_and logical_not logical_or logsumexp lstm lt masked_fill "
           "masked_select matmul max max_pool1d max_pool2d max_pool3d maximum mean min minimum mish mm mse_loss mul "
           "multiply mutable_data_ptr mv narrow nbytes ndimension ne neg new_empty new_full new_ones new_zeros "
           "nll_loss nonzero norm numel one_hot ones ones_like options outer pad packed_accessor32 packed_accessor64 "
           "pairwise_distance permute pixel_shuffle pow prelu prod rand rand_like randn randn_like reciprocal relu "
           "relu6 remainder repeat repeat_interleave requires_grad reshape reshape_as rnn_relu rnn_tanh roll round "
           "rsqrt scalar_tensor scalar_type scaled_dot_product_attention select selu sigmoid sign silu sin sinh size "
           "sizes slice smooth_l1_loss softmax softplus sort split split_with_sizes sqrt square squeeze stack std "
           "storage_offset stride strides sub sum t tan tanh tensor threshold to topk trace transpose tril triu trunc "
           "type type_as unbind unflatten unfold unsqueeze var var_mean view view_as where zero_ zeros zeros_like";
}

} // namespace kernelarium::ui
