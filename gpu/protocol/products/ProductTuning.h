// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/laboratory/BestTable.h"
#include "gpu/protocol/KernelClient.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace kernelarium::protocol {

/// Products to be tuned, and how closely.
struct ProductTuning {
    std::vector<hgemm::Shape> shapes;
    std::vector<hgemm::Mode> modes{hgemm::Mode::hot};
    std::vector<hgemm::Layout> layouts{hgemm::Layout::tn, hgemm::Layout::nn};
    bool halfSums = false;
    std::size_t looks = 48;    ///< short ones for each shape, mode and layout; fewer of large products
    double fullLooks = 12;     ///< close ones for each shape and mode
    double fullSeconds = 0.02; ///< of samples in a close one
    /// For everything, compiling included: what is left is shared out among the shapes and modes that are left, by how
    /// long their calls take, so that all of them are reached.
    std::optional<double> secondsAtMost;
    std::filesystem::path store; ///< a folder with a search for each; empty: nothing is kept
};

/// What came of one shape in one mode.
struct TunedProduct {
    hgemm::Shape shape;
    hgemm::Mode mode = hgemm::Mode::hot;
    std::optional<hgemm::BestRow> row;
    std::string why; ///< there is none
};

struct TuningEvents {
    std::function<void(std::size_t kernels)> compiling;
    /// `done` of `all` have ended, this one as the last.
    std::function<void(const TunedProduct& tuned, std::size_t done, std::size_t all)> tuned;
};

/// What is looked at for a shape, those of which most is hoped first: `known`, then those that the model thinks fast.
[[nodiscard]] std::vector<hgemm::Configuration> tuningCandidates(const ProductTuning& tuning, const hgemm::Shape& shape,
                                                                 const std::vector<hgemm::Configuration>& known);

/// For each shape and mode successive halving over its candidates, among them what was best for the same shape in
/// another mode and for the nearest shapes; then the fastest of them in turn with cuBLASLt's fastest algorithm in both
/// layouts, by which the one is chosen that the row names. Errors: those of searchProducts(); "cancelled".
[[nodiscard]] Result<std::vector<hgemm::BestRow>> tuneProducts(KernelClient& client, const ProductTuning& tuning,
                                                               const TuningEvents& events, const std::stop_token& stop);

} // namespace kernelarium::protocol
