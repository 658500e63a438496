// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hgemm/family/LibraryText.h"

#include <fmt/format.h>
#include <string_view>

namespace kernelarium::hgemm {

namespace {

/// {0}: how B lies, in words; {1}: its operation, {2}: the extents of its columns as the library sees them; {3}: B's
/// dimension of k, {4}: its shape, {5}: its dimension of n.
constexpr std::string_view library = R"(// SPDX-License-Identifier: GPL-3.0-or-later
//
// Half-precision product: cuBLASLt, sums and scales in float32.
// B is [{0}.
//
// At the first call of a shape the algorithms that the heuristic offers are timed, some calls of each, and the fastest
// one serves it from then on: call it once before a CUDA graph is captured. Built by hand, it is linked with -lcublasLt.
#include <cublasLt.h>
#include <cuda_runtime.h>
#include <torch/extension.h>
#include <vector>

constexpr size_t mostWorkspace = 32u << 20;
constexpr int mostAlgorithms = 100, looks = 5;

/// A product of one shape on one device.
struct Plan {{
    int device;
    long long m, n, k;
    cublasLtHandle_t library;
    cublasLtMatmulDesc_t operation;
    cublasLtMatrixLayout_t left, right, result; // column by column: the library computes C's transpose
    cublasLtMatmulHeuristicResult_t chosen;
}};
static std::vector<Plan> plans;

inline void check(cublasStatus_t status) {{
    TORCH_CHECK(status == CUBLAS_STATUS_SUCCESS, "cuBLASLt: ", cublasLtGetStatusString(status));
}}

inline void multiply(const Plan& plan, const cublasLtMatmulHeuristicResult_t& how, const torch::Tensor& A,
                     const torch::Tensor& B, const torch::Tensor& C) {{
    const float one = 1, zero = 0;
    auto workspace = torch::empty({{(long long)how.workspaceSize}}, A.options().dtype(torch::kUInt8));
    check(cublasLtMatmul(plan.library, plan.operation, &one, B.data_ptr(), plan.left, A.data_ptr(), plan.right, &zero,
                         C.data_ptr(), plan.result, C.data_ptr(), plan.result, &how.algo, workspace.data_ptr(),
                         how.workspaceSize, 0));
}}

inline void choose(Plan& plan, const torch::Tensor& A, const torch::Tensor& B, const torch::Tensor& C) {{
    cublasLtMatmulPreference_t preference;
    check(cublasLtMatmulPreferenceCreate(&preference));
    check(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &mostWorkspace,
                                               sizeof mostWorkspace));
    std::vector<cublasLtMatmulHeuristicResult_t> offered(mostAlgorithms);
    int count = 0;
    check(cublasLtMatmulAlgoGetHeuristic(plan.library, plan.operation, plan.left, plan.right, plan.result, plan.result,
                                         preference, mostAlgorithms, offered.data(), &count));
    check(cublasLtMatmulPreferenceDestroy(preference));
    TORCH_CHECK(count > 0, "cuBLASLt has no algorithm for this product");
    plan.chosen = offered[0];
    if (count == 1) return;
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    float least = 0;
    for (int i = 0; i < count; ++i) {{
        if (offered[i].state != CUBLAS_STATUS_SUCCESS) continue;
        multiply(plan, offered[i], A, B, C);
        cudaEventRecord(begin);
        for (int look = 0; look < looks; ++look)
            multiply(plan, offered[i], A, B, C);
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        float took = 0;
        cudaEventElapsedTime(&took, begin, end);
        if (least > 0 && took >= least) continue;
        least = took;
        plan.chosen = offered[i];
    }}
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
}}

inline const Plan& planOf(const torch::Tensor& A, const torch::Tensor& B, const torch::Tensor& C, long long m,
                          long long n, long long k) {{
    Plan plan = {{}};
    cudaGetDevice(&plan.device);
    for (const Plan& known : plans)
        if (known.device == plan.device && known.m == m && known.n == n && known.k == k) return known;
    plan.m = m;
    plan.n = n;
    plan.k = k;
    check(cublasLtCreate(&plan.library));
    check(cublasLtMatmulDescCreate(&plan.operation, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    const cublasOperation_t operation = {1};
    check(cublasLtMatmulDescSetAttribute(plan.operation, CUBLASLT_MATMUL_DESC_TRANSA, &operation, sizeof operation));
    check(cublasLtMatrixLayoutCreate(&plan.left, CUDA_R_16F, {2}));
    check(cublasLtMatrixLayoutCreate(&plan.right, CUDA_R_16F, k, m, k));
    check(cublasLtMatrixLayoutCreate(&plan.result, CUDA_R_16F, n, m, n));
    choose(plan, A, B, C);
    plans.push_back(plan);
    return plans.back();
}}

torch::Tensor forward(torch::Tensor A, torch::Tensor B) {{
    TORCH_CHECK(A.is_cuda() && B.is_cuda() && A.scalar_type() == torch::kHalf && B.scalar_type() == torch::kHalf,
                "A and B must be float16 CUDA tensors");
    TORCH_CHECK(A.dim() == 2 && B.dim() == 2 && A.size(1) == B.size({3}), "A must be [m, k] and B [{4}]");
    A = A.contiguous();
    B = B.contiguous();
    // A view may begin anywhere; the algorithms that are offered take operands that begin at multiples of 256 bytes.
    if ((unsigned long long)A.data_ptr() % 256) A = A.clone();
    if ((unsigned long long)B.data_ptr() % 256) B = B.clone();
    const long long m = A.size(0), k = A.size(1), n = B.size({5});
    TORCH_CHECK(m > 0 && n > 0 && k > 0, "an extent is 0");
    auto C = torch::empty({{m, n}}, A.options());
    const Plan& plan = planOf(A, B, C, m, n, k);
    multiply(plan, plan.chosen, A, B, C);
    return C;
}}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{
    m.def("forward", &forward, "Half-precision matrix multiplication");
}}
)";

} // namespace

std::string libraryFile(Layout layout) {
    const bool tn = layout == Layout::tn;
    return fmt::format(library, tn ? "n, k]: its columns side by side" : "k, n]", tn ? "CUBLAS_OP_T" : "CUBLAS_OP_N",
                       tn ? "k, n, k" : "n, k, n", tn ? 1 : 0, tn ? "n, k" : "k, n", tn ? 0 : 1);
}

std::string takesText(const Configuration& c) {
    const int nOfB = c.layout == Layout::tn ? 0 : 1;
    std::string text = fmt::format("A.dim() == 2 && B.dim() == 2 && B.size({}) % 8 == 0 && A.size(1) % 8 == 0 && "
                                   "(unsigned long long)A.data_ptr() % 16 == 0 && "
                                   "(unsigned long long)B.data_ptr() % 16 == 0",
                                   nOfB);
    if (c.splits > 1) text += fmt::format(" && (A.size(1) + {}) / {} >= {}", c.depth - 1, c.depth, c.splits);
    if (c.engine != Engine::wgmma) return text;
    if (c.swapped) text += " && A.size(0) % 2 == 0";
    if (c.splits > 1 && !c.splitsInCluster) {
        const auto tiles = [&](int extent, int tile) {
            return fmt::format("(({} + {}) / {})", extent == 0 ? "A.size(0)" : fmt::format("B.size({})", nOfB),
                               tile - 1, tile);
        };
        text += fmt::format(" && {} * {} <= {}", tiles(c.swapped ? 1 : 0, c.tileRows),
                            tiles(c.swapped ? 0 : 1, c.tileColumns), mostCountedTiles);
    }
    return text;
}

} // namespace kernelarium::hgemm
