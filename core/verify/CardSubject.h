// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/Card.h"
#include "core/verify/Reference.h"
#include "core/verify/inputs/InputPlan.h"

#include <string>

namespace kernelarium::verify {

/// What forward is called with for a task at one of its sizes. Errors: "bad_input" (no such size), "bad_card".
Result<InputPlan> planOf(const task::Card& card, const std::string& size);

/// The card's graph, evaluated in float64.
class CardReference : public Reference {
public:
    /// `threads` for large operators. Errors: as planOf.
    static Result<std::unique_ptr<CardReference>> create(task::Card card, const std::string& size, unsigned threads);

    Result<tensor::Value> evaluate(const CallInputs& inputs, std::stop_token stop) override;
    Result<std::optional<tensor::Value>> evaluateFloat32(const CallInputs& inputs, std::stop_token stop) override;
    /// Running statistics of batch norms in training: (1 - momentum) * old + momentum * (batch mean, unbiased
    /// variance).
    Result<std::vector<tensor::Tensor>> updated(const CallInputs& inputs, std::stop_token stop) override;
    [[nodiscard]] std::string describe() const override;
    /// Floating outputs have the type of the card's first floating tensor.
    [[nodiscard]] std::vector<tensor::DType> outputTypes() const override { return m_outputTypes; }

private:
    CardReference(task::Card card, task::Symbols symbols, unsigned threads);

    task::Card m_card;
    task::Symbols m_symbols;
    unsigned m_threads;
    std::vector<tensor::DType> m_outputTypes;
};

} // namespace kernelarium::verify
