// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/memory/DevicePool.h"
#include "gpu/device/vendor/CublasApi.h"
#include "gpu/operators/Machine.h"
#include "gpu/process/DynamicLibrary.h"

#include <memory>
#include <optional>
#include <string>

namespace kernelarium::device {

/// How a strided matrix [rows, columns] is a column-major matrix [columns, rows] to BLAS: its leading dimension, and
/// whether it has to be transposed. Empty where neither rows nor columns lie side by side.
struct BlasMatrix {
    std::int64_t leading = 0;
    bool transposed = false;
};
[[nodiscard]] std::optional<BlasMatrix> blasMatrix(std::int64_t rows, std::int64_t columns, std::int64_t rowStep,
                                                   std::int64_t columnStep);

/// A product in BLAS's terms: C^T = B^T A^T, every matrix column-major.
struct BlasProduct {
    int type = realFloat; ///< cudaDataType_t of all three matrices
    int compute = computeFloat;
    BlasMatrix left, right; ///< of B and of A
    std::int64_t leadingC = 0;
};
/// Empty where the library cannot do it: its types, strides, and sizes beyond 2^31.
[[nodiscard]] std::optional<BlasProduct> blasProduct(const operators::MatrixProduct& product);

/// cuBLAS on a GPU, on the default stream, with a workspace of ours: nothing is allocated when products are queued.
/// float32 is computed in float32 (no TF32, PyTorch's own default); narrower types are summed in float32.
class Cublas {
public:
    static constexpr std::size_t workspaceBytes = 32u << 20; ///< what PyTorch gives it on Hopper

    /// The first of vendorLibraries() that starts on this GPU; `library` that one alone. Errors: "missing_component"
    /// with what each one lacks, "out_of_memory".
    static Result<std::unique_ptr<Cublas>> open(std::shared_ptr<DeviceContext> context,
                                                std::shared_ptr<DevicePool> pool, const std::string& library = {});
    ~Cublas();
    Cublas(const Cublas&) = delete;
    Cublas& operator=(const Cublas&) = delete;

    [[nodiscard]] const std::string& version() const { return m_version; } ///< "13.1.0"
    [[nodiscard]] const std::string& path() const { return m_path; }

    /// Products without a bias.
    [[nodiscard]] static bool takes(const operators::MatrixProduct& product);
    /// Queues it. Errors: "unsupported", "launch_failed" with cuBLAS's words, "device_lost".
    Result<void> multiply(const operators::MatrixProduct& product);

private:
    Cublas() = default;
    Result<void> start(const std::string& library);
    [[nodiscard]] Error failure(CublasStatus status, const std::string& doing) const;

    std::shared_ptr<DeviceContext> m_context;
    std::shared_ptr<DevicePool> m_pool;
    process::DynamicLibrary m_library;
    CublasApi m_api;
    CublasHandle m_handle = nullptr;
    Slab m_workspace;
    std::string m_version, m_path;
};

} // namespace kernelarium::device
