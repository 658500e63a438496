// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/HgemmTable.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::hgemm {

/// In what a kernel adds up, by what its source names: instructions, atoms, fragments, accumulator types.
enum class Accumulator { float32, float16, mixed, unknown };
[[nodiscard]] std::string_view name(Accumulator accumulator); ///< "float32"
[[nodiscard]] Accumulator accumulatorOf(std::string_view source);

/// A kernel of a published set: a file M_N_K.cu with `void NAME(Tensor a, Tensor b, Tensor b_col_major, Tensor c)`,
/// which writes c = a b; b_col_major holds b's columns side by side. It has no module of its own.
struct PublishedKernel {
    std::filesystem::path path;
    Shape shape;
    std::string function;
    std::string source;
    Accumulator accumulator = Accumulator::unknown;
};

/// Error "not_published": the file's name is no shape, or no such function is in it; "unreadable_file".
[[nodiscard]] Result<PublishedKernel> readPublished(const std::filesystem::path& path);
/// The .cu files of a folder that are named by a shape, by shape. Error "unreadable_file".
[[nodiscard]] Result<std::vector<std::filesystem::path>> publishedFiles(const std::filesystem::path& folder);

/// The file with a module behind it that calls the kernel. To verify, `forward(a, b)` makes b_col_major of b itself; to
/// time, `timed(a, b, b_col_major)` takes it, so that nothing but the kernel is timed.
[[nodiscard]] std::string withModule(const PublishedKernel& kernel);
/// The task card of either, as JSON, its only size being the kernel's shape under the names `small` and `full`.
/// The tolerance is that of sums in float32, rounded once: what adds up in float16 is beyond it where k is large.
[[nodiscard]] std::string publishedCard(const PublishedKernel& kernel, bool timed);

} // namespace kernelarium::hgemm
