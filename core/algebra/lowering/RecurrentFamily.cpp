// SPDX-License-Identifier: GPL-3.0-or-later
// LSTM and GRU: the input's products for all steps at once, then a recurrence over the steps.
#include "core/algebra/lowering/Families.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::algebra::lowering {

namespace {

enum class Cell { lstm, gru, tanh, relu };
int gatesOf(Cell cell) {
    return cell == Cell::lstm ? 4 : cell == Cell::gru ? 3 : 1;
}

/// One step: inputs are the state h (and memory m) [B, H], the gates' part of the input x [B, G*H], and the weights.
std::shared_ptr<const Graph> stepOf(Cell cell, DType dtype, std::int64_t batch, std::int64_t hidden, bool biased) {
    Builder b;
    const Extents state{batch, hidden};
    const std::int64_t width = gatesOf(cell) * hidden;
    std::size_t inputs = 0;
    const auto input = [&](const char* name, Extents extents) {
        return b.input(name, std::move(extents), dtype, Input{inputs++, false, {}});
    };
    const Operand h = input("state", state);
    const std::optional<Operand> m = cell == Cell::lstm ? std::optional(input("memory", state)) : std::nullopt;
    const Operand x = input("from_input", {batch, width}), w = input("weight", {width, hidden});
    const std::optional<Operand> bias = biased ? std::optional(input("bias", {width})) : std::nullopt;
    const Operand own = linear(b, "from_state", dtype, h, w, bias);
    const auto gate = [&](const Operand& o, int g) {
        return b.view(o, {Index::axis(0), Index::axis(1, 1, g * hidden)}, state);
    };
    const auto gated = [&](const char* name, int g, Function f) {
        return b.pointwise(name, state, dtype, call(f, operandAt(0) + operandAt(1)), {gate(x, g), gate(own, g)});
    };
    std::vector<TensorId> outputs;
    if (cell == Cell::lstm) {
        const Operand in = gated("input_gate", 0, Function::sigmoid),
                      forget = gated("forget_gate", 1, Function::sigmoid),
                      fresh = gated("candidate", 2, Function::tanh), out = gated("output_gate", 3, Function::sigmoid);
        const Operand memory =
            b.pointwise("next_memory", state, dtype, operandAt(0) * operandAt(1) + operandAt(2) * operandAt(3),
                        {forget, *m, in, fresh});
        const Operand next =
            b.pointwise("next_state", state, dtype, operandAt(0) * call(Function::tanh, operandAt(1)), {out, memory});
        outputs = {next.read.source, memory.read.source};
    } else if (cell == Cell::gru) {
        const Operand reset = gated("reset_gate", 0, Function::sigmoid),
                      update = gated("update_gate", 1, Function::sigmoid);
        const Operand fresh =
            b.pointwise("candidate", state, dtype, call(Function::tanh, operandAt(0) + operandAt(1) * operandAt(2)),
                        {gate(x, 2), reset, gate(own, 2)});
        const Operand next =
            b.pointwise("next_state", state, dtype,
                        (literal(1) - operandAt(0)) * operandAt(1) + operandAt(0) * operandAt(2), {update, fresh, h});
        outputs = {next.read.source};
    } else {
        outputs = {gated("next_state", 0, cell == Cell::tanh ? Function::tanh : Function::relu).read.source};
    }
    auto graph = std::make_shared<Graph>(b.take());
    graph->outputs = std::move(outputs);
    return graph;
}

struct Layers {
    std::vector<Operand> parameters;
    bool biased = true, bidirectional = false;
    std::int64_t count = 1;
};

/// Part `at` of states [layers * directions, B, H].
Operand partOf(Builder& b, const Operand& states, std::int64_t at) {
    return b.view(states, {Index::constant(at), Index::axis(0), Index::axis(1)}, {states.shape[1], states.shape[2]});
}

/// Every state of one direction of one layer: [states, T, B, H].
Operand layer(Builder& b, const OperatorCall& c, Cell cell, const Operand& x, const std::vector<Operand>& weights,
              const std::vector<Operand>& initial, bool backwards, const std::string& name) {
    const std::int64_t time = x.shape[0], batch = x.shape[1], hidden = initial[0].shape[1];
    const bool biased = weights.size() == 4;
    const Operand gates =
        linear(b, name + ".input", c.dtype(), x, weights[0], biased ? std::optional(weights[2]) : std::nullopt);
    Recurrence r;
    r.body = stepOf(cell, c.dtype(), batch, hidden, biased);
    r.steps = time;
    r.backwards = backwards;
    for (const Operand& o : initial)
        r.initial.push_back(b.whole(o, name + ".initial"));
    r.sequences = {b.whole(gates, name + ".gates")};
    r.constants = {b.whole(weights[1])};
    if (biased) r.constants.push_back(b.whole(weights[3]));
    return b.add(name, {std::int64_t(initial.size()), time, batch, hidden}, c.dtype(), std::move(r));
}

Value recurrent(Builder& b, const OperatorCall& c, Cell cell, const std::vector<Operand>& initial) {
    Layers l{c.operands(2, "params"), c.flag(3, "has_biases", true), c.flag(7, "bidirectional", false),
             c.integer(4, "num_layers", 1)};
    if (c.number(5, "dropout", 0) != 0 && c.flag(6, "train", false) && l.count > 1) c.refuse("dropout in training");
    const std::int64_t directions = l.bidirectional ? 2 : 1;
    const std::size_t each = l.biased ? 4 : 2;
    Operand x = c.operand(0, "input");
    if (x.rank() != 3) c.refuse("an input without a batch");
    if (l.parameters.size() != std::size_t(l.count * directions) * each) c.refuse("projections");
    const bool batchFirst = c.flag(8, "batch_first", false);
    const std::vector<int> swapped{1, 0, 2};
    if (batchFirst) x = b.permuted(x, swapped);
    std::vector<std::vector<Operand>> last(initial.size());
    for (std::int64_t i = 0; i < l.count; ++i) {
        std::vector<Operand> outputs;
        for (std::int64_t direction = 0; direction < directions; ++direction) {
            const std::int64_t at = i * directions + direction;
            const auto from = l.parameters.begin() + std::ptrdiff_t(std::size_t(at) * each);
            std::vector<Operand> states;
            for (const Operand& s : initial)
                states.push_back(partOf(b, s, at));
            const Operand all = layer(b, c, cell, x, {from, from + std::ptrdiff_t(each)}, states, direction == 1,
                                      fmt::format("{}.layer{}{}", c.node(), i, direction ? "_backwards" : ""));
            const Extents sequence(all.shape.begin() + 1, all.shape.end());
            const Extents state(all.shape.begin() + 2, all.shape.end());
            outputs.push_back(
                b.view(all, {Index::constant(0), Index::axis(0), Index::axis(1), Index::axis(2)}, sequence));
            const std::int64_t end = direction == 1 ? 0 : sequence[0] - 1;
            for (std::size_t s = 0; s < initial.size(); ++s)
                last[s].push_back(b.view(
                    all, {Index::constant(std::int64_t(s)), Index::constant(end), Index::axis(0), Index::axis(1)},
                    state));
        }
        x = directions == 1 ? outputs[0]
                            : joined(b, fmt::format("{}.layer{}_both", c.node(), i), c.dtype(), outputs, 2);
    }
    Values results{result(batchFirst ? b.permuted(x, swapped) : x)};
    for (std::vector<Operand>& states : last) {
        for (Operand& s : states)
            s = b.reshaped(s, {1, s.shape[0], s.shape[1]});
        results.push_back(result(states.size() == 1 ? states[0] : joined(b, c.node() + ".last", c.dtype(), states, 0)));
    }
    return Value{std::move(results)};
}

Value lstm(Builder& b, const OperatorCall& c) {
    return recurrent(b, c, Cell::lstm, c.operands(1, "hx"));
}
Value gru(Builder& b, const OperatorCall& c) {
    return recurrent(b, c, Cell::gru, {c.operand(1, "hx")});
}
Value rnnTanh(Builder& b, const OperatorCall& c) {
    return recurrent(b, c, Cell::tanh, {c.operand(1, "hx")});
}
Value rnnRelu(Builder& b, const OperatorCall& c) {
    return recurrent(b, c, Cell::relu, {c.operand(1, "hx")});
}

constexpr Entry recurrentEntries[] = {{"lstm", lstm}, {"gru", gru}, {"rnn_tanh", rnnTanh}, {"rnn_relu", rnnRelu}};

} // namespace

Family recurrentFamily() {
    return recurrentEntries;
}

} // namespace kernelarium::algebra::lowering
