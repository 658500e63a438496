// SPDX-License-Identifier: GPL-3.0-or-later
// Cards and tensors for them, for these tests.
#pragma once

#include "Making.h"
#include "core/task/Card.h"

namespace kernelarium {

inline task::Card load(int level, int number) {
    auto card = task::loadCard(level, number);
    if (!card) throw std::runtime_error(card.error().message);
    return *std::move(card);
}

/// Tensors with noise that suits their kind: no zeros in variances, whole numbers in range.
inline std::vector<Tensor> drawn(const task::Card& card, const task::Symbols& symbols) {
    const auto shapes = task::tensorShapes(card, symbols);
    std::vector<Tensor> tensors;
    for (std::size_t i = 0; i < card.tensors.size(); ++i) {
        const task::CardTensor& t = card.tensors[i];
        Tensor values = noise((*shapes)[i], std::uint32_t(i + 1), DType::Float64);
        for (std::int64_t k = 0; k < values.count(); ++k) {
            const double unit = (values.at(k) + 1) / 2;
            double v = values.at(k);
            if (t.fill.kind == task::Fill::Kind::normal) v = t.fill.a + v * t.fill.b;
            if (t.fill.kind == task::Fill::Kind::uniform) v = t.fill.a + unit * (t.fill.b - t.fill.a);
            if (t.fill.kind == task::Fill::Kind::constant) v = t.fill.a;
            if (t.fill.kind == task::Fill::Kind::values) v = t.fill.values[std::size_t(k) % t.fill.values.size()];
            if (t.fill.kind == task::Fill::Kind::integers)
                v = std::floor(t.fill.a + unit * (t.fill.b - t.fill.a + 0.999));
            if (t.fill.kind == task::Fill::Kind::booleans) v = unit < 0.5;
            if (t.fill.kind == task::Fill::Kind::varied) v = t.fill.a + v * t.fill.b;
            if (t.fill.kind == task::Fill::Kind::probabilities || t.fill.kind == task::Fill::Kind::variedProbabilities)
                v = unit + 0.01;
            values.set(k, v);
        }
        tensors.push_back(values.to(t.dtype));
    }
    return tensors;
}

} // namespace kernelarium
