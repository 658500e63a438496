// SPDX-License-Identifier: GPL-3.0-or-later
// LSTM, GRU and plain recurrent layers, by the equations of torch.nn.LSTM, torch.nn.GRU and torch.nn.RNN.
#include "core/task/operators/Blas.h"
#include "core/task/operators/Gather.h"
#include "core/task/operators/Nested.h"
#include "core/task/operators/Types.h"

#include <cmath>

#include <fmt/format.h>

namespace kernelarium::task::operators {

namespace {

enum class Cell { lstm, gru, tanh, relu };
std::int64_t gatesOf(Cell cell) {
    return cell == Cell::lstm ? 4 : cell == Cell::gru ? 3 : 1;
}

template <class T> T logistic(T x) {
    return T(1) / (T(1) + std::exp(-x));
}

/// New state of one sample from the gates: `x` from the input, `h` from the state, both with their biases.
template <class T> void advance(Cell cell, std::int64_t hidden, const T* x, const T* h, T* state, T* memory) {
    for (std::int64_t i = 0; i < hidden; ++i) {
        const auto gate = [&](std::int64_t g) { return x[g * hidden + i] + h[g * hidden + i]; };
        switch (cell) {
        case Cell::lstm:
            memory[i] = logistic(gate(1)) * memory[i] + logistic(gate(0)) * std::tanh(gate(2));
            state[i] = logistic(gate(3)) * std::tanh(memory[i]);
            break;
        case Cell::gru: {
            const T reset = logistic(gate(0)), update = logistic(gate(1));
            const T fresh = std::tanh(x[2 * hidden + i] + reset * h[2 * hidden + i]);
            state[i] = (T(1) - update) * fresh + update * state[i];
            break;
        }
        case Cell::tanh: state[i] = std::tanh(gate(0)); break;
        case Cell::relu: state[i] = std::max(gate(0), T(0)); break;
        }
    }
}

struct Weights {
    Tensor input, hidden;
    std::optional<Tensor> inputBias, hiddenBias;
};
Value orNone(const std::optional<Tensor>& t) {
    return t ? Value(*t) : Value();
}

/// One direction of one layer over x [time, batch, features]; state and memory [batch, hidden] are updated in
/// place.
Tensor layer(const Call& call, Cell cell, const Tensor& x, const Weights& w, Tensor& state, Tensor& memory,
             bool backwards) {
    const std::int64_t time = x.shape()[0], batch = x.shape()[1], hidden = state.shape()[1],
                       width = gatesOf(cell) * hidden;
    const Tensor gates = apply(call, "aten.linear.default", {x, w.input, orNone(w.inputBias)});
    require(gates.shape().back() == width && w.hidden.shape() == Shape({width, hidden}),
            "The recurrent weights do not fit the state.");
    require(!w.hiddenBias || w.hiddenBias->shape() == Shape({width}), "The recurrent bias does not fit the state.");
    require(state.shape()[0] == batch && (cell != Cell::lstm || memory.shape() == state.shape()),
            "The hidden states do not fit the input, or each other.");
    const auto isAlike = [&x](const Tensor& t) { return t.dtype() == x.dtype(); };
    require(isAlike(gates) && isAlike(w.hidden) && (!w.hiddenBias || isAlike(*w.hiddenBias)) && isAlike(state) &&
                (cell != Cell::lstm || isAlike(memory)),
            "A recurrent layer expects one element type.");
    Tensor out = call.makeUnfilled(x.dtype(), {time, batch, hidden});
    if (call.shapesOnly()) return out;
    withFloating(call, x.dtype(), [&](auto tag) {
        using T = decltype(tag);
        std::vector<T> fromState(std::size_t(batch * width));
        for (std::int64_t step = 0; step < time; ++step) {
            const std::int64_t t = backwards ? time - 1 - step : step;
            for (std::int64_t b = 0; w.hiddenBias && b < batch; ++b)
                std::copy_n(w.hiddenBias->template data<T>(), width, fromState.data() + b * width);
            multiply(call, batch, width, hidden, 1.0, Matrix<T>{state.data<T>(), hidden},
                     Matrix<T>{w.hidden.template data<T>(), hidden, true}, w.hiddenBias ? 1.0 : 0.0, fromState.data(),
                     width);
            for (std::int64_t b = 0; b < batch; ++b)
                advance(cell, hidden, gates.data<T>() + (t * batch + b) * width, fromState.data() + b * width,
                        state.data<T>() + b * hidden, cell == Cell::lstm ? memory.data<T>() + b * hidden : nullptr);
            std::copy_n(state.data<T>(), batch * hidden, out.data<T>() + t * batch * hidden);
        }
    });
    return out;
}

struct Stack {
    std::vector<Tensor> parameters;
    bool biases = true, bidirectional = false, batchFirst = false;
    std::int64_t layers = 1;

    [[nodiscard]] Weights weights(std::int64_t cell) const {
        const std::size_t each = biases ? 4 : 2, at = std::size_t(cell) * each;
        Weights w{parameters[at], parameters[at + 1], {}, {}};
        if (biases) w.inputBias = parameters[at + 2], w.hiddenBias = parameters[at + 3];
        return w;
    }
};

Tensor joinedLast(const Call& call, const Tensor& a, const Tensor& b) {
    return apply(call, "aten.cat.default", {tensor::List{a, b}, -1});
}
Tensor partOf(const Call& call, const Tensor& states, std::int64_t index) {
    return apply(call, "aten.clone.default", {apply(call, "aten.select.int", {states, 0, index})});
}

/// Arguments from index 2 on are the same for all kinds.
Stack stackOf(const Call& call) {
    Stack s{call.tensors(2, "params"), call.flag(3, "has_biases", true), call.flag(7, "bidirectional", false),
            call.flag(8, "batch_first", false), call.integer(4, "num_layers", 1)};
    require(call.number(5, "dropout", 0.0) == 0.0 || !call.flag(6, "train", false) || s.layers < 2,
            "A recurrent net in training with dropout between layers has no fixed result.");
    require(s.layers > 0 && s.layers < 100'000, "A recurrent net has at least one layer.");
    const std::size_t cells = std::size_t(s.layers * (s.bidirectional ? 2 : 1));
    if (s.parameters.size() != cells * (s.biases ? 4 : 2))
        unsupported(
            fmt::format("{}: {} parameter tensors do not make {} cells; projections (proj_size) are not supported.",
                        call.name(), s.parameters.size(), cells));
    return s;
}

Results recurrent(const Call& call, Cell cell, const Tensor& h0, const Tensor& c0) {
    const Stack s = stackOf(call);
    Tensor x = call.tensor(0, "input");
    const bool unbatched = x.dim() == 2;
    if (unbatched) x = x.reshaped({x.shape()[0], 1, x.shape()[1]});
    require(x.dim() == 3, "A recurrent layer expects an input of two or three dimensions.");
    if (s.batchFirst && !unbatched) x = apply(call, "aten.transpose.int", {x, 0, 1});
    const std::int64_t cells = s.layers * (s.bidirectional ? 2 : 1), batch = x.shape()[1];
    const auto isState = [&](const Tensor& t) { return t.dim() == (unbatched ? 2 : 3); };
    require(isState(h0) && (cell != Cell::lstm || (isState(c0) && c0.shape() == h0.shape())),
            "A recurrent layer expects hidden states of as many dimensions as its input, and of one shape.");
    const Tensor states = unbatched ? h0.reshaped({h0.shape()[0], 1, h0.shape().back()}) : h0;
    const Tensor memories = cell != Cell::lstm ? Tensor()
                            : unbatched        ? c0.reshaped({c0.shape()[0], 1, c0.shape().back()})
                                               : c0;
    if (states.dim() != 3 || states.shape()[0] != cells || states.shape()[1] != batch)
        badArgument(
            fmt::format("Expected hidden size ({}, {}, ...), got {}.", cells, batch, tensor::toString(h0.shape())));

    tensor::List lastStates, lastMemories;
    for (std::int64_t l = 0; l < s.layers; ++l) {
        Tensor outputs[2];
        for (std::int64_t direction = 0; direction < (s.bidirectional ? 2 : 1); ++direction) {
            const std::int64_t index = l * (s.bidirectional ? 2 : 1) + direction;
            Tensor state = partOf(call, states, index);
            Tensor memory = cell == Cell::lstm ? partOf(call, memories, index) : Tensor();
            outputs[direction] = layer(call, cell, x, s.weights(index), state, memory, direction == 1);
            lastStates.emplace_back(state);
            lastMemories.emplace_back(memory);
        }
        x = s.bidirectional ? joinedLast(call, outputs[0], outputs[1]) : outputs[0];
    }
    if (s.batchFirst && !unbatched) x = apply(call, "aten.transpose.int", {x, 0, 1});
    if (unbatched) x = x.reshaped({x.shape()[0], x.shape()[2]});
    Results results{x, apply(call, "aten.stack.default", {lastStates, 0}).reshaped(h0.shape())};
    if (cell == Cell::lstm)
        results.emplace_back(apply(call, "aten.stack.default", {lastMemories, 0}).reshaped(c0.shape()));
    return results;
}
Results lstm(const Call& call) {
    const std::vector<Tensor> hx = call.tensors(1, "hx");
    require(hx.size() == 2, "lstm expects two hidden states.");
    return recurrent(call, Cell::lstm, hx[0], hx[1]);
}
Results gru(const Call& call) {
    return recurrent(call, Cell::gru, call.tensor(1, "hx"), {});
}
Results rnnTanh(const Call& call) {
    return recurrent(call, Cell::tanh, call.tensor(1, "hx"), {});
}
Results rnnRelu(const Call& call) {
    return recurrent(call, Cell::relu, call.tensor(1, "hx"), {});
}

/// cell(input [batch, features], state, w_ih, w_hh, b_ih, b_hh)
Results single(const Call& call, Cell cell, const Tensor& h, const Tensor& c) {
    Tensor x = call.tensor(0, "input");
    require(x.dim() == 2 && h.dim() == 2 && (cell != Cell::lstm || c.dim() == 2),
            "A recurrent cell expects an input and a state of two dimensions.");
    const Weights w{call.tensor(2, "w_ih"), call.tensor(3, "w_hh"), call.optionalTensor(4, "b_ih"),
                    call.optionalTensor(5, "b_hh")};
    Tensor state = h.clone(), memory = c.clone();
    (void)layer(call, cell, x.reshaped({1, x.shape()[0], x.shape()[1]}), w, state, memory, false);
    return cell == Cell::lstm ? Results{state, memory} : Results{state};
}
Results lstmCell(const Call& call) {
    const std::vector<Tensor> hx = call.tensors(1, "hx");
    require(hx.size() == 2, "lstm_cell expects two hidden states.");
    return single(call, Cell::lstm, hx[0], hx[1]);
}
Results gruCell(const Call& call) {
    return single(call, Cell::gru, call.tensor(1, "hx"), {});
}
Results rnnTanhCell(const Call& call) {
    return single(call, Cell::tanh, call.tensor(1, "hx"), {});
}
Results rnnReluCell(const Call& call) {
    return single(call, Cell::relu, call.tensor(1, "hx"), {});
}

constexpr Entry recurrentEntries[] = {
    {"aten.lstm.input", lstm},
    {"aten.gru.input", gru},
    {"aten.rnn_tanh.input", rnnTanh},
    {"aten.rnn_relu.input", rnnRelu},
    {"aten.lstm_cell.default", lstmCell},
    {"aten.gru_cell.default", gruCell},
    {"aten.rnn_tanh_cell.default", rnnTanhCell},
    {"aten.rnn_relu_cell.default", rnnReluCell},
};

} // namespace

Family recurrentFamily() {
    return recurrentEntries;
}

} // namespace kernelarium::task::operators
