// SPDX-License-Identifier: GPL-3.0-or-later
// LSTM, GRU and plain recurrent layers: by a library, or a product for all inputs, then one product and one cell kernel
// each step.
#include "gpu/operators/DeviceCall.h"

#include <fmt/format.h>

namespace kernelarium::operators {

using tensor::Shape;

namespace {

enum Cell { lstmCell = 0, gruCell = 1, tanhCell = 2, reluCell = 3 };

struct CellWeights {
    DeviceTensor input, hidden;
    std::optional<DeviceTensor> inputBias, hiddenBias;
};
struct LayerStack {
    std::vector<DeviceTensor> parameters;
    bool biases = true, bidirectional = false;
    std::int64_t layers = 1;

    [[nodiscard]] CellWeights weights(std::int64_t cell) const {
        const std::size_t each = biases ? 4 : 2, at = std::size_t(cell) * each;
        CellWeights w{parameters.at(at), parameters.at(at + 1), {}, {}};
        if (biases) w.inputBias = parameters.at(at + 2), w.hiddenBias = parameters.at(at + 3);
        return w;
    }
};

DeviceTensor copyOf(Device& device, const DeviceTensor& t) {
    DeviceTensor out = device.make(t.dtype, t.shape);
    copyInto(device, out, t);
    return out;
}

/// One direction of one layer over x [time, batch, features]; state and memory [batch, hidden] are updated in
/// place. The results go to `out` [time, batch, hidden], a view.
void runLayer(Device& device, int kind, const DeviceTensor& x, const CellWeights& w, const DeviceTensor& state,
              const DeviceTensor& memory, bool backwards, const DeviceTensor& out) {
    const std::int64_t time = x.shape[0], batch = x.shape[1], hidden = state.shape[1];
    const DeviceTensor gates = multiplied(device, x, swapped(w.input, 0, 1), w.inputBias);
    const Kernel kernel{"elements", fmt::format("cell<{}>", cudaName(x.dtype)), "CellArguments"};
    for (std::int64_t step = 0; step < time; ++step) {
        const std::int64_t t = backwards ? time - 1 - step : step;
        const DeviceTensor fromState = multiplied(device, state, swapped(w.hidden, 0, 1), w.hiddenBias);
        const DeviceTensor own = selected(gates, 0, t), to = selected(out, 0, t);
        const CellArguments a{own.address(),   fromState.address(),
                              state.address(), kind == lstmCell ? memory.address() : 0,
                              to.address(),    batch,
                              hidden,          own.strides[0],
                              to.strides[0],   kind};
        device.launchOver(kernel, batch * hidden, a);
    }
}

LayerStack stackOf(const DeviceCall& call) {
    return {call.tensors(2, "params"), call.host.flag(3, "has_biases", true), call.host.flag(7, "bidirectional", false),
            call.host.integer(4, "num_layers", 1)};
}

RecurrentLayers::Cell cellOf(int kind) {
    using enum RecurrentLayers::Cell;
    return kind == lstmCell ? lstm : kind == gruCell ? gru : kind == tanhCell ? RecurrentLayers::Cell::tanh : relu;
}
/// Without addresses.
RecurrentLayers layersOf(int kind, const LayerStack& s, const DeviceTensor& x, const DeviceTensor& h0) {
    RecurrentLayers c;
    c.dtype = x.dtype, c.cell = cellOf(kind), c.bidirectional = s.bidirectional, c.biased = s.biases;
    c.time = x.shape[0], c.batch = x.shape[1], c.features = x.shape[2], c.hidden = h0.shape[2], c.layers = s.layers;
    return c;
}

/// Elements of each of its parameters.
std::vector<std::int64_t> parameterSizes(const RecurrentLayers& c) {
    const std::int64_t directions = c.bidirectional ? 2 : 1;
    const std::int64_t rows = c.hidden * (c.cell == RecurrentLayers::Cell::lstm  ? 4
                                          : c.cell == RecurrentLayers::Cell::gru ? 3
                                                                                 : 1);
    std::vector<std::int64_t> sizes;
    for (std::int64_t cell = 0; cell < c.layers * directions; ++cell) {
        sizes.push_back(rows * (cell < directions ? c.features : directions * c.hidden));
        sizes.push_back(rows * c.hidden);
        if (c.biased) sizes.insert(sizes.end(), 2, rows);
    }
    return sizes;
}

/// Output, last states and, of an LSTM, last memories.
struct RecurrentResults {
    DeviceTensor out, states, memories;
};
/// By a library of the machine's, where it has one for this; x and the states are dense.
std::optional<RecurrentResults> recurrentByLibrary(Device& device, int kind, const LayerStack& s, const DeviceTensor& x,
                                                   const DeviceTensor& h0, const DeviceTensor& c0) {
    RecurrentLayers c = layersOf(kind, s, x, h0);
    if (!device.machine().recurs(c)) return std::nullopt;
    const std::vector<std::int64_t> sizes = parameterSizes(c);
    if (s.parameters.size() != sizes.size()) return std::nullopt;
    std::vector<DeviceTensor> kept; // until it is queued
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (s.parameters[i].dtype != x.dtype || s.parameters[i].count() != sizes[i]) return std::nullopt;
        kept.push_back(dense(device, s.parameters[i]));
        c.parameters.push_back(kept.back().address());
    }
    RecurrentResults r;
    r.out = device.make(x.dtype, {x.shape[0], x.shape[1], (s.bidirectional ? 2 : 1) * c.hidden});
    r.states = device.make(x.dtype, h0.shape);
    c.in = x.address(), c.out = r.out.address(), c.state = h0.address(), c.lastState = r.states.address();
    if (kind == lstmCell) {
        r.memories = device.make(x.dtype, c0.shape);
        c.memory = c0.address(), c.lastMemory = r.memories.address();
    }
    valueOf(device.machine().recur(c));
    return r;
}

RecurrentResults recurrentByKernels(Device& device, int kind, const LayerStack& s, DeviceTensor x,
                                    const DeviceTensor& h0, const DeviceTensor& c0) {
    const std::int64_t directions = s.bidirectional ? 2 : 1, hidden = h0.shape[2];
    const DeviceTensor states = copyOf(device, h0), memories = kind == lstmCell ? copyOf(device, c0) : states;
    for (std::int64_t l = 0; l < s.layers; ++l) {
        DeviceTensor out = device.make(x.dtype, {x.shape[0], x.shape[1], directions * hidden});
        for (std::int64_t d = 0; d < directions; ++d) {
            const std::int64_t i = l * directions + d;
            runLayer(device, kind, x, s.weights(i), selected(states, 0, i), selected(memories, 0, i), d == 1,
                     sliced(out, 2, d * hidden, hidden));
        }
        x = out;
    }
    return {x, states, memories};
}

DeviceResults recurrentOver(const DeviceCall& call, int kind, DeviceTensor h0, DeviceTensor c0) {
    const LayerStack s = stackOf(call);
    Device& device = call.device;
    DeviceTensor x = call.tensor(0, "input");
    const bool unbatched = x.dim() == 2, batchFirst = call.host.flag(8, "batch_first", false) && !unbatched;
    if (unbatched) {
        x = withUnit(x, 1), h0 = withUnit(h0, 1);
        if (kind == lstmCell) c0 = withUnit(c0, 1);
    }
    if (batchFirst) x = swapped(x, 0, 1);
    x = dense(device, x), h0 = dense(device, h0);
    if (kind == lstmCell) c0 = dense(device, c0);
    std::optional<RecurrentResults> made = recurrentByLibrary(device, kind, s, x, h0, c0);
    if (!made) made = recurrentByKernels(device, kind, s, x, h0, c0);
    if (batchFirst) made->out = swapped(made->out, 0, 1);
    if (unbatched) made->out = selected(made->out, 1, 0);
    DeviceResults results{made->out, reshaped(device, made->states, call.shape(1))};
    if (kind == lstmCell) results.emplace_back(reshaped(device, made->memories, call.shape(2)));
    return results;
}
DeviceResults lstm(const DeviceCall& call) {
    const std::vector<DeviceTensor> hx = call.tensors(1, "hx");
    return recurrentOver(call, lstmCell, hx.at(0), hx.at(1));
}
DeviceResults gru(const DeviceCall& call) {
    return recurrentOver(call, gruCell, call.tensor(1, "hx"), {});
}
DeviceResults rnnTanh(const DeviceCall& call) {
    return recurrentOver(call, tanhCell, call.tensor(1, "hx"), {});
}
DeviceResults rnnRelu(const DeviceCall& call) {
    return recurrentOver(call, reluCell, call.tensor(1, "hx"), {});
}

/// cell(input [batch, features], state, w_ih, w_hh, b_ih, b_hh)
DeviceResults singleStep(const DeviceCall& call, int kind, const DeviceTensor& h, const DeviceTensor& c) {
    const DeviceTensor x = dense(call.device, call.tensor(0, "input"));
    const CellWeights w{call.tensor(2, "w_ih"), call.tensor(3, "w_hh"), call.optionalTensor(4, "b_ih"),
                        call.optionalTensor(5, "b_hh")};
    const DeviceTensor state = copyOf(call.device, h), memory = kind == lstmCell ? copyOf(call.device, c) : state;
    const DeviceTensor out = call.device.make(x.dtype, {1, h.shape[0], h.shape[1]});
    runLayer(call.device, kind, withUnit(x, 0), w, state, memory, false, out);
    if (kind == lstmCell) return {state, memory};
    return {state};
}
DeviceResults lstmStep(const DeviceCall& call) {
    const std::vector<DeviceTensor> hx = call.tensors(1, "hx");
    return singleStep(call, lstmCell, hx.at(0), hx.at(1));
}
DeviceResults gruStep(const DeviceCall& call) {
    return singleStep(call, gruCell, call.tensor(1, "hx"), {});
}
DeviceResults tanhStep(const DeviceCall& call) {
    return singleStep(call, tanhCell, call.tensor(1, "hx"), {});
}
DeviceResults reluStep(const DeviceCall& call) {
    return singleStep(call, reluCell, call.tensor(1, "hx"), {});
}

constexpr DeviceEntry recurrentEntries[] = {
    {"aten.lstm.input", lstm},
    {"aten.gru.input", gru},
    {"aten.rnn_tanh.input", rnnTanh},
    {"aten.rnn_relu.input", rnnRelu},
    {"aten.lstm_cell.default", lstmStep},
    {"aten.gru_cell.default", gruStep},
    {"aten.rnn_tanh_cell.default", tanhStep},
    {"aten.rnn_relu_cell.default", reluStep},
};

} // namespace

DeviceFamily deviceRecurrent() {
    return recurrentEntries;
}

} // namespace kernelarium::operators
