// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/vendor/Cudnn.h"

#include <vector>

namespace kernelarium::device {

/// One call of recurrent layers by cuDNN (its standard algorithm, float32 without TF32, as PyTorch's for
/// float32), ready to be queued. cuDNN wants all weights in one piece and an order of its own: they are
/// copied there each time, since their values may have changed.
class CudnnRecurrent {
public:
    /// Types it knows, and sizes of at least 1 and below 2^31.
    [[nodiscard]] static bool takes(const operators::RecurrentLayers& layers);
    /// It keeps the library and memory for the weights. Errors: "unsupported", "out_of_memory",
    /// "launch_failed".
    static Result<std::shared_ptr<CudnnRecurrent>> prepare(std::shared_ptr<Cudnn> library,
                                                           const operators::RecurrentLayers& layers);
    ~CudnnRecurrent();
    CudnnRecurrent(const CudnnRecurrent&) = delete;
    CudnnRecurrent& operator=(const CudnnRecurrent&) = delete;

    /// Errors: "launch_failed", "out_of_memory" (its workspace), "device_lost".
    Result<void> queue() const;

private:
    struct Piece { ///< of the weights
        std::uint64_t to = 0, from = 0, bytes = 0;
    };
    CudnnRecurrent(std::shared_ptr<Cudnn> library, const operators::RecurrentLayers& layers)
        : m_library(std::move(library))
        , m_call(layers) {}
    [[nodiscard]] CudnnStatus describeLayers();
    [[nodiscard]] CudnnStatus describeData(CudnnRecurrentData& data, std::int64_t features) const;
    [[nodiscard]] CudnnStatus describeStates();
    [[nodiscard]] CudnnStatus measure();
    Result<void> takeMemory();
    [[nodiscard]] CudnnStatus placeWeights();
    [[nodiscard]] CudnnStatus placeCell(std::int64_t cell);
    void add(const Piece& piece);

    std::shared_ptr<Cudnn> m_library;
    operators::RecurrentLayers m_call;
    CudnnDropout m_dropout = nullptr;
    CudnnRecurrentLayers m_layers = nullptr;
    CudnnRecurrentData m_in = nullptr, m_out = nullptr;
    CudnnTensor m_states = nullptr, m_matrix = nullptr, m_bias = nullptr;
    std::size_t m_weightBytes = 0, m_workspaceBytes = 0, m_reserveBytes = 0;
    Slab m_memory; ///< the weights, and how long each sequence is
    std::vector<Piece> m_pieces;
};

} // namespace kernelarium::device
