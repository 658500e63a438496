// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/vendor/CudnnRecurrent.h"

#include <algorithm>
#include <limits>

namespace kernelarium::device {

namespace {

using Cell = operators::RecurrentLayers::Cell;

int modeOf(Cell cell) {
    switch (cell) {
    case Cell::relu: return cudnnRecurrentRelu;
    case Cell::tanh: return cudnnRecurrentTanh;
    case Cell::lstm: return cudnnRecurrentLstm;
    case Cell::gru: return cudnnRecurrentGru;
    }
    return cudnnRecurrentTanh;
}
int directionsOf(const operators::RecurrentLayers& c) {
    return c.bidirectional ? 2 : 1;
}

constexpr std::uint64_t alignment = 256;
std::uint64_t aligned(std::uint64_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
}

} // namespace

bool CudnnRecurrent::takes(const operators::RecurrentLayers& c) {
    const bool known =
        c.dtype == tensor::DType::Float32 || c.dtype == tensor::DType::Float64 || c.dtype == tensor::DType::Float16;
    if (!known) return false;
    std::int64_t rows = 0, elements = 0;
    for (const std::int64_t size : {c.time, c.batch, c.features, c.hidden, c.layers})
        if (size < 1 || size > std::numeric_limits<int>::max()) return false;
    if (__builtin_mul_overflow(c.time, c.batch, &rows)) return false;
    return !__builtin_mul_overflow(rows, std::max(c.features, 2 * c.hidden), &elements) &&
           elements <= std::numeric_limits<int>::max();
}

Result<std::shared_ptr<CudnnRecurrent>> CudnnRecurrent::prepare(std::shared_ptr<Cudnn> library,
                                                                const operators::RecurrentLayers& layers) {
    if (!takes(layers)) return Error{"unsupported", "cuDNN has no such recurrent layers."};
    if (Result<void> current = library->context().makeCurrent(); !current) return current.error();
    std::shared_ptr<CudnnRecurrent> made(new CudnnRecurrent(library, layers));
    CudnnStatus status = made->describeLayers();
    if (status == cudnnSuccess) status = made->describeData(made->m_in, layers.features);
    if (status == cudnnSuccess) status = made->describeData(made->m_out, layers.hidden * directionsOf(layers));
    if (status == cudnnSuccess) status = made->describeStates();
    if (status == cudnnSuccess) status = made->measure();
    if (status == cudnnSuccess) {
        if (Result<void> taken = made->takeMemory(); !taken) return taken.error();
        status = made->placeWeights();
    }
    if (status != cudnnSuccess) return library->failure(status, "Describing recurrent layers to cuDNN");
    return made;
}

CudnnRecurrent::~CudnnRecurrent() {
    const CudnnApi& api = m_library->api();
    for (const CudnnTensor tensor : {m_states, m_matrix, m_bias})
        if (tensor) api.cudnnDestroyTensorDescriptor(tensor);
    for (const CudnnRecurrentData data : {m_in, m_out})
        if (data) api.cudnnDestroyRNNDataDescriptor(data);
    if (m_layers) api.cudnnDestroyRNNDescriptor(m_layers);
    if (m_dropout) api.cudnnDestroyDropoutDescriptor(m_dropout);
    if (m_memory.bytes) m_library->pool().giveBack(m_memory);
}

CudnnStatus CudnnRecurrent::describeLayers() {
    const CudnnApi& api = m_library->api();
    const int type = cudnnTypeOf(m_call.dtype), compute = type == cudnnDouble ? cudnnDouble : cudnnFloat;
    const int math = m_call.dtype == tensor::DType::Float32 ? cudnnFmaMath : cudnnDefaultMath;
    CudnnStatus status = api.cudnnCreateDropoutDescriptor(&m_dropout);
    if (status == cudnnSuccess)
        status = api.cudnnSetDropoutDescriptor(m_dropout, m_library->handle(), 0, nullptr, 0, 0);
    if (status == cudnnSuccess) status = api.cudnnCreateRNNDescriptor(&m_layers);
    if (status == cudnnSuccess)
        status = api.cudnnSetRNNDescriptor(
            m_layers, cudnnRecurrentStandard, modeOf(m_call.cell), m_call.biased ? cudnnTwoBiases : cudnnNoBias,
            m_call.bidirectional ? cudnnBothWays : cudnnOneWay, cudnnLinearInput, type, compute, math,
            int(m_call.features), int(m_call.hidden), int(m_call.hidden), int(m_call.layers), m_dropout, 0);
    return status;
}

/// Steps one behind another, every sequence of the same length.
CudnnStatus CudnnRecurrent::describeData(CudnnRecurrentData& data, std::int64_t features) const {
    const CudnnApi& api = m_library->api();
    const std::vector<int> lengths(std::size_t(m_call.batch), int(m_call.time));
    const CudnnStatus status = api.cudnnCreateRNNDataDescriptor(&data);
    if (status != cudnnSuccess) return status;
    return api.cudnnSetRNNDataDescriptor(data, cudnnTypeOf(m_call.dtype), cudnnStepsPacked, int(m_call.time),
                                         int(m_call.batch), int(features), lengths.data(), nullptr);
}

CudnnStatus CudnnRecurrent::describeStates() {
    const CudnnApi& api = m_library->api();
    const int batch = int(m_call.batch), hidden = int(m_call.hidden);
    const std::array<int, 3> sizes{int(m_call.layers) * directionsOf(m_call), batch, hidden},
        strides{batch * hidden, hidden, 1};
    CudnnStatus status = cudnnSuccess;
    for (CudnnTensor* tensor : {&m_states, &m_matrix, &m_bias})
        if (status == cudnnSuccess) status = api.cudnnCreateTensorDescriptor(tensor);
    if (status == cudnnSuccess)
        status = api.cudnnSetTensorNdDescriptor(m_states, cudnnTypeOf(m_call.dtype), 3, sizes.data(), strides.data());
    return status;
}

CudnnStatus CudnnRecurrent::measure() {
    const CudnnApi& api = m_library->api();
    const CudnnStatus status = api.cudnnGetRNNWeightSpaceSize(m_library->handle(), m_layers, &m_weightBytes);
    if (status != cudnnSuccess) return status;
    return api.cudnnGetRNNTempSpaceSizes(m_library->handle(), m_layers, cudnnInference, m_in, &m_workspaceBytes,
                                         &m_reserveBytes);
}

Result<void> CudnnRecurrent::takeMemory() {
    Result<Slab> slab = m_library->pool().take(aligned(m_weightBytes) + std::uint64_t(m_call.batch) * sizeof(int));
    if (!slab) return slab.error();
    m_memory = *slab;
    DeviceContext& context = m_library->context();
    const std::vector<int> lengths(std::size_t(m_call.batch), int(m_call.time));
    return context.check(context.api().cuMemcpyHtoD(m_memory.address + aligned(m_weightBytes), lengths.data(),
                                                    lengths.size() * sizeof(int)),
                         "Writing the lengths of sequences");
}

void CudnnRecurrent::add(const Piece& piece) {
    if (!m_pieces.empty()) {
        Piece& last = m_pieces.back();
        if (last.to + last.bytes == piece.to && last.from + last.bytes == piece.from) {
            last.bytes += piece.bytes;
            return;
        }
    }
    m_pieces.push_back(piece);
}

/// The matrices of a cell, those of its input before those of its state, each with its bias: the rows of one
/// gate behind those of another, in the order that PyTorch took over from cuDNN.
CudnnStatus CudnnRecurrent::placeCell(std::int64_t cell) {
    const CudnnApi& api = m_library->api();
    const int gates = m_call.cell == Cell::lstm  ? 4
                      : m_call.cell == Cell::gru ? 3
                                                 : 1,
              directions = directionsOf(m_call);
    const std::uint64_t element = tensor::byteSize(m_call.dtype), hidden = std::uint64_t(m_call.hidden);
    const std::uint64_t features =
        cell < directions ? std::uint64_t(m_call.features) : hidden * std::uint64_t(directions);
    const std::size_t each = m_call.biased ? 4 : 2, first = std::size_t(cell) * each;
    for (int half = 0; half < 2; ++half) {
        const std::uint64_t rowBytes = (half == 0 ? features : hidden) * element;
        for (int gate = 0; gate < gates; ++gate) {
            void *matrix = nullptr, *bias = nullptr;
            const CudnnStatus status = api.cudnnGetRNNWeightParams(
                m_library->handle(), m_layers, int(cell), m_weightBytes, cudnnPointer(m_memory.address),
                half * gates + gate, m_matrix, &matrix, m_bias, &bias);
            if (status != cudnnSuccess) return status;
            const auto gateOffset = std::uint64_t(gate) * hidden;
            add({reinterpret_cast<std::uint64_t>(matrix),
                 m_call.parameters[first + std::size_t(half)] + gateOffset * rowBytes, hidden * rowBytes});
            if (m_call.biased)
                add({reinterpret_cast<std::uint64_t>(bias),
                     m_call.parameters[first + 2 + std::size_t(half)] + gateOffset * element, hidden * element});
        }
    }
    return cudnnSuccess;
}

CudnnStatus CudnnRecurrent::placeWeights() {
    for (std::int64_t cell = 0; cell < m_call.layers * directionsOf(m_call); ++cell)
        if (const CudnnStatus status = placeCell(cell); status != cudnnSuccess) return status;
    std::sort(m_pieces.begin(), m_pieces.end(), [](const Piece& a, const Piece& b) { return a.to < b.to; });
    for (const Piece& piece : std::exchange(m_pieces, {}))
        add(piece);
    return cudnnSuccess;
}

Result<void> CudnnRecurrent::queue() const {
    DeviceContext& context = m_library->context();
    if (Result<void> current = context.makeCurrent(); !current) return current;
    const Result<std::uint64_t> workspace = m_library->workspace(aligned(m_workspaceBytes) + m_reserveBytes);
    if (!workspace) return workspace.error();
    for (const Piece& piece : m_pieces)
        if (Result<void> copied = context.check(
                context.api().cuMemcpyDtoDAsync(piece.to, piece.from, piece.bytes, nullptr), "Copying weights");
            !copied)
            return copied;
    const bool memory = m_call.cell == Cell::lstm;
    const CudnnStatus status = m_library->api().cudnnRNNForward(
        m_library->handle(), m_layers, cudnnInference,
        static_cast<const int*>(cudnnPointer(m_memory.address + aligned(m_weightBytes))), m_in, cudnnPointer(m_call.in),
        m_out, cudnnPointer(m_call.out), m_states, cudnnPointer(m_call.state), cudnnPointer(m_call.lastState),
        memory ? m_states : nullptr, memory ? cudnnPointer(m_call.memory) : nullptr,
        memory ? cudnnPointer(m_call.lastMemory) : nullptr, m_weightBytes, cudnnPointer(m_memory.address),
        m_workspaceBytes, cudnnPointer(*workspace), m_reserveBytes,
        m_reserveBytes ? cudnnPointer(*workspace + aligned(m_workspaceBytes)) : nullptr);
    if (status == cudnnSuccess) return {};
    return m_library->failure(status, "Recurrent layers of cuDNN");
}

} // namespace kernelarium::device
