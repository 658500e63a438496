// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hgemm/family/KernelText.h"

#include "core/hgemm/family/Templates.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kernelarium::hgemm {

namespace {

std::string constants(const Configuration& c) {
    std::string text;
    const auto number = [&text](const char* name, int value) {
        text += fmt::format("constexpr int {} = {};\n", name, value);
    };
    const auto flag = [&text](const char* name, bool value) {
        text += fmt::format("constexpr bool {} = {};\n", name, value);
    };
    number("tileRows", c.tileRows);
    number("tileColumns", c.tileColumns);
    number("stages", c.stages);
    number("splits", c.splits);
    number("rasterGroup", c.rasterGroup);
    flag("rasterAlongRows", c.rasterAlongRows);
    number("blocksPerMultiprocessor", c.blocksPerMultiprocessor());
    flag("halfSums", c.halfSums);
    if (c.engine == Engine::mma) {
        number("depth", c.depth);
        number("warpsOfRows", c.warpsOfRows);
        number("warpsOfColumns", c.warpsOfColumns);
        number("warpsOfDepth", c.warpsOfDepth);
        flag("bKInner", c.layout == Layout::tn);
    } else {
        number("consumers", c.consumers);
        flag("pingPong", c.pingPong);
        number("clusterRows", c.clusterRows);
        number("clusterColumns", c.clusterColumns);
        flag("splitsInCluster", c.splitsInCluster);
        flag("swapped", c.swapped);
        flag("xKInner", c.xKInner());
        flag("yKInner", c.yKInner());
        flag("storesBoxes", c.storesBoxes);
    }
    return text + fmt::format("using Sum = {}; // of a thread; halves go by twos\n", c.halfSums ? "unsigned" : "float");
}

/// wgmma of this width: its accumulators are operands by number.
std::string product(const Configuration& c) {
    const int registers = c.halfSums ? c.tileColumns / 4 : c.tileColumns / 2;
    std::vector<std::string> places, operands;
    for (int i = 0; i < registers; ++i) {
        places.push_back(fmt::format("%{}", i));
        operands.push_back(fmt::format("\"+{}\"(d[{}])", c.halfSums ? "r" : "f", i));
    }
    const std::string all = fmt::format("{}", fmt::join(operands, ", "));
    return fmt::format(
        R"(/// d = x y, or with `keep` d += x y: 64 rows, 16 elements of k.
__device__ __forceinline__ void multiply(Sum (&d)[{0}], u64 x, u64 y, int keep) {{
    asm volatile("{{.reg .pred keeps;\nsetp.ne.b32 keeps, %{1}, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n{2}k16.{3}.f16.f16 {{{4}}}, %{0}, %{5}, keeps, 1, 1, {6}, {7};}}"
                 : {8} : "l"(x), "l"(y), "r"(keep));
}}
/// From here on the compiler may read d: the products have ended.
__device__ __forceinline__ void settle(Sum (&d)[{0}]) {{
    asm volatile("" : {8}::"memory");
}})",
        registers, registers + 2, c.tileColumns, c.halfSums ? "f16" : "f32", fmt::join(places, ", "), registers + 1,
        c.xKInner() ? 0 : 1, c.yKInner() ? 0 : 1, all);
}

std::string deviceText(const Configuration& c) {
    std::string text = constants(c) + std::string(c.engine == Engine::mma ? mmaTemplate() : wgmmaTemplate());
    constexpr std::string_view place = "//PRODUCT//";
    if (const std::size_t at = text.find(place); at != std::string::npos) text.replace(at, place.size(), product(c));
    return text;
}

constexpr std::string_view wgmmaHost = R"(
inline CUtensorMap mapOf(const void* address, long long inner, long long outer, int boxOuter) {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult state;
    TORCH_CHECK(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, &state) == cudaSuccess && found,
                "the driver makes no tensor maps");
    CUtensorMap map;
    const cuuint64_t extents[2] = {(cuuint64_t)inner, (cuuint64_t)outer}, strides[1] = {(cuuint64_t)inner * 2};
    const cuuint32_t box[2] = {64, (cuuint32_t)boxOuter}, elementStrides[2] = {1, 1};
    const CUresult made = ((PFN_cuTensorMapEncodeTiled)found)(
        &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, (void*)address, extents, strides, box, elementStrides,
        CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    TORCH_CHECK(made == CUDA_SUCCESS, "the tensor map was refused");
    return map;
}

void start(torch::Tensor A, torch::Tensor B, torch::Tensor C, long long m, long long n, long long k) {
    const long long rows = swapped ? n : m, columns = swapped ? m : n;
    const void* left = swapped ? B.data_ptr() : A.data_ptr();
    const void* right = swapped ? A.data_ptr() : B.data_ptr();
    constexpr int xBox = xKInner ? tileRows / clusterColumns : 64 / clusterColumns;
    constexpr int yBox = yKInner ? tileColumns / clusterRows : 64 / clusterRows;
    const CUtensorMap x = mapOf(left, xKInner ? k : rows, xKInner ? rows : k, xBox);
    const CUtensorMap y = mapOf(right, yKInner ? k : columns, yKInner ? columns : k, yBox);
    const CUtensorMap z = mapOf(C.data_ptr(), n, m, swapped && tileColumns < 64 ? tileColumns : 64);
    const long long rowTiles = (rows + tileRows - 1) / tileRows, columnTiles = (columns + tileColumns - 1) / tileColumns;
    const long long items = (rowTiles + clusterRows - 1) / clusterRows * ((columnTiles + clusterColumns - 1) / clusterColumns) * outerSplits;
    long long clusters = items;
    if (persistent) {
        int device = 0, multiprocessors = 0;
        cudaGetDevice(&device);
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
        const long long room = multiprocessors * blocksPerMultiprocessor / clusterSize;
        if (clusters > room) clusters = room > 1 ? room : 1;
    }
    auto partial = torch::empty({outerSplits > 1 ? items * tileRows * tileColumns : 1}, C.options().dtype(torch::kFloat32));
    cudaFuncSetAttribute(hgemm, cudaFuncAttributeMaxDynamicSharedMemorySize, sharedBytes);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = clusterSize;
    attribute.val.clusterDim.y = 1;
    attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t how = {};
    how.gridDim = dim3((unsigned)(clusters * clusterSize));
    how.blockDim = dim3(threads);
    how.dynamicSmemBytes = sharedBytes;
    how.attrs = &attribute;
    how.numAttrs = clusterSize > 1 ? 1 : 0;
    TORCH_CHECK(cudaLaunchKernelEx(&how, hgemm, (const TensorMap&)x, (const TensorMap&)y, (const TensorMap&)z,
                                   (unsigned short*)C.data_ptr(), (float*)partial.data_ptr(), (int)rows, (int)columns, (int)k,
                                   (int)items) == cudaSuccess, "the launch failed");
}
)";

constexpr std::string_view mmaHost = R"(
void start(torch::Tensor A, torch::Tensor B, torch::Tensor C, long long m, long long n, long long k) {
    const long long tiles = (m + tileRows - 1) / tileRows * ((n + tileColumns - 1) / tileColumns);
    cudaFuncSetAttribute(hgemm, cudaFuncAttributeMaxDynamicSharedMemorySize, sharedBytes);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = splits;
    attribute.val.clusterDim.y = 1;
    attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t how = {};
    how.gridDim = dim3((unsigned)(tiles * splits));
    how.blockDim = dim3(threads);
    how.dynamicSmemBytes = sharedBytes;
    how.attrs = &attribute;
    how.numAttrs = splits > 1 ? 1 : 0;
    TORCH_CHECK(cudaLaunchKernelEx(&how, hgemm, (const unsigned short*)A.data_ptr(), (const unsigned short*)B.data_ptr(),
                                   (unsigned short*)C.data_ptr(), (int)m, (int)n, (int)k) == cudaSuccess,
                "the launch failed");
}
)";

} // namespace

std::string kernelText(const Configuration& configuration) {
    return deviceText(configuration);
}

std::string kernelFile(const Configuration& c) {
    std::string device = deviceText(c);
    constexpr std::string_view linkage = "extern \"C\" __global__";
    if (const std::size_t at = device.find(linkage); at != std::string::npos)
        device.replace(at, linkage.size(), "__global__");
    const bool tn = c.layout == Layout::tn;
    std::string text =
        fmt::format("// SPDX-License-Identifier: GPL-3.0-or-later\n//\n// Half-precision product: {}.\n// B is "
                    "[{}.\n{}#include <cuda_runtime.h>\n#include <torch/extension.h>\n\n",
                    c.title(), tn ? "n, k]: its columns side by side" : "k, n]",
                    c.engine == Engine::wgmma ? "#include <cuda.h>\n#include <cudaTypedefs.h>\n" : "");
    text += device;
    text += fmt::format("\nconstexpr int sharedBytes = {};\n", c.sharedBytes());
    if (c.engine == Engine::wgmma) text += fmt::format("constexpr bool persistent = {};\n", c.persistent);
    text += c.engine == Engine::mma ? mmaHost : wgmmaHost;
    text += fmt::format(R"(
torch::Tensor forward(torch::Tensor A, torch::Tensor B) {{
    TORCH_CHECK(A.is_cuda() && B.is_cuda() && A.scalar_type() == torch::kHalf && B.scalar_type() == torch::kHalf,
                "A and B must be float16 CUDA tensors");
    TORCH_CHECK(A.dim() == 2 && B.dim() == 2 && A.size(1) == B.size({0}), "A must be [m, k] and B [{1}]");
    A = A.contiguous();
    B = B.contiguous();
    const long long m = A.size(0), k = A.size(1), n = B.size({2});
    TORCH_CHECK(n % 8 == 0 && k % 8 == 0 && m > 0 && n > 0{3} && (k + {4}) / {5} >= splits, "this kernel cannot have that shape");
    auto C = torch::empty({{m, n}}, A.options());
    start(A, B, C, m, n, k);
    return C;
}}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{
    m.def("forward", &forward, "Half-precision matrix multiplication");
}}
)",
                        tn ? 1 : 0, tn ? "n, k" : "k, n", tn ? 0 : 1, c.swapped ? " && m % 2 == 0" : "", c.depth - 1,
                        c.depth);
    return text;
}

} // namespace kernelarium::hgemm
