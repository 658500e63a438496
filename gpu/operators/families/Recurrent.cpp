// SPDX-License-Identifier: GPL-3.0-or-later
// LSTM, GRU and plain recurrent layers: a product for all inputs, then one product and one cell kernel each
// step.
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
void runLayer(Device& device, int kind, const DeviceTensor& x, const CellWeights& w,
              const DeviceTensor& state, const DeviceTensor& memory, bool backwards,
              const DeviceTensor& out) {
    const std::int64_t time = x.shape[0], batch = x.shape[1], hidden = state.shape[1];
    const DeviceTensor gates = multiplied(device, x, swapped(w.input, 0, 1), w.inputBias);
    const Kernel kernel{"elements", fmt::format("cell<{}>", cudaName(x.dtype)), "CellArguments"};
    for (std::int64_t step = 0; step < time; ++step) {
        const std::int64_t t = backwards ? time - 1 - step : step;
        const DeviceTensor fromState = multiplied(device, state, swapped(w.hidden, 0, 1), w.hiddenBias);
        const DeviceTensor own = without(sliced(gates, 0, t, 1), 0), to = without(sliced(out, 0, t, 1), 0);
        const CellArguments a{own.address(),   fromState.address(),
                              state.address(), kind == lstmCell ? memory.address() : 0,
                              to.address(),    batch,
                              hidden,          own.strides[0],
                              to.strides[0],   kind};
        device.launchOver(kernel, batch * hidden, a);
    }
}

LayerStack stackOf(const DeviceCall& call) {
    return {call.tensors(2, "params"), call.host.flag(3, "has_biases", true),
            call.host.flag(7, "bidirectional", false), call.host.integer(4, "num_layers", 1)};
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
    x = dense(device, x);
    const std::int64_t directions = s.bidirectional ? 2 : 1, hidden = h0.shape[2];
    const DeviceTensor states = copyOf(device, h0), memories = kind == lstmCell ? copyOf(device, c0) : states;
    for (std::int64_t l = 0; l < s.layers; ++l) {
        DeviceTensor out = device.make(x.dtype, {x.shape[0], x.shape[1], directions * hidden});
        for (std::int64_t d = 0; d < directions; ++d) {
            const std::int64_t i = l * directions + d;
            runLayer(device, kind, x, s.weights(i), without(sliced(states, 0, i, 1), 0),
                     without(sliced(memories, 0, i, 1), 0), d == 1, sliced(out, 2, d * hidden, hidden));
        }
        x = out;
    }
    if (batchFirst) x = swapped(x, 0, 1);
    if (unbatched) x = without(x, 1);
    DeviceResults results{x, reshaped(device, states, call.shape(1))};
    if (kind == lstmCell) results.emplace_back(reshaped(device, memories, call.shape(2)));
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
    const DeviceTensor state = copyOf(call.device, h),
                       memory = kind == lstmCell ? copyOf(call.device, c) : state;
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
