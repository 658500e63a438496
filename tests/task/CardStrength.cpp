// SPDX-License-Identifier: GPL-3.0-or-later
#include "CardStrength.h"

#include "core/verify/CardSubject.h"
#include "core/verify/Comparison.h"

#include <functional>
#include <optional>
#include <thread>

namespace kernelarium {

using tensor::Tensor;

namespace {

using Tensors = std::vector<Tensor>;

Tensor filledLike(const Tensor& like, double value) {
    Tensor t(like.dtype(), like.shape());
    for (std::int64_t i = 0; i < t.count(); ++i)
        t.set(i, value);
    return t;
}

double meanOf(const Tensor& t) {
    double sum = 0;
    for (std::int64_t i = 0; i < t.count(); ++i)
        sum += t.at(i);
    return t.count() ? sum / double(t.count()) : 0;
}

bool passes(const Tensors& reference, const std::function<Tensor(std::size_t)>& answer) {
    tensor::List got, expected;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        got.emplace_back(answer(i));
        expected.emplace_back(reference[i]);
    }
    return verify::compare(got, expected, {}, {}).right();
}

/// The same parameters, other inputs of the call.
Tensors withOtherInputs(const task::Card& card, const verify::InputPlan& plan, const Tensors& tensors,
                        std::uint64_t seed) {
    Tensors other = tensors;
    for (std::size_t i = 0; i < other.size(); ++i)
        if (!card.tensors[i].isParameter) other[i] = verify::drawTensor(plan.tensors[i], i, seed);
    return other;
}

} // namespace

Result<std::vector<std::string>> passingTrivialAnswers(const task::Card& card) {
    const auto plan = verify::planOf(card, "small");
    if (!plan) return plan.error();
    const auto graph = verify::CardReference::create(card, "small", std::max(1u, std::thread::hardware_concurrency()));
    if (!graph) return graph.error();
    const auto evaluate = [&](const Tensors& tensors) -> Result<Tensors> {
        verify::CallInputs inputs;
        inputs.tensors = tensors;
        const auto value = (*graph)->evaluate(inputs, {});
        if (!value) return value.error();
        return verify::flatten(*value);
    };
    const Tensors drawn = verify::drawTensors(*plan, 1);
    const auto reference = evaluate(drawn);
    if (!reference) return reference.error();
    const auto elsewhere = evaluate(withOtherInputs(card, *plan, drawn, 2));
    if (!elsewhere) return elsewhere.error();
    std::optional<Result<Tensors>> third; // evaluated only where the second leaves a doubt

    std::vector<std::string> passing;
    const auto offer = [&](const std::string& name, const std::function<Tensor(std::size_t)>& answer) {
        if (passes(*reference, answer)) passing.push_back(name);
    };
    const Tensors& expected = *reference;
    offer("zeros", [&](std::size_t i) { return filledLike(expected[i], 0); });
    // The mean of a single number is that number: of those, a constant counts when it was found on other inputs.
    if (std::any_of(expected.begin(), expected.end(), [](const Tensor& t) { return t.count() > 1; }))
        offer("its mean", [&](std::size_t i) { return filledLike(expected[i], meanOf(expected[i])); });
    // An answer found on other inputs is trivial when it is right on all inputs: two draws may agree by chance.
    const auto offerFixed = [&](const std::string& name, const std::function<Tensor(std::size_t)>& answer) {
        if (!passes(expected, answer)) return;
        if (!third) third = evaluate(withOtherInputs(card, *plan, drawn, 3));
        if (!*third || passes(**third, answer)) passing.push_back(name);
    };
    offerFixed("a constant", [&](std::size_t i) { return filledLike(expected[i], meanOf((*elsewhere)[i])); });
    offerFixed("the answer to other inputs", [&](std::size_t i) { return (*elsewhere)[i]; });
    if (third && !*third) return third->error();
    for (std::size_t k = 0; k < drawn.size(); ++k)
        if (expected.size() == 1 && drawn[k].count() == expected[0].count())
            offer("a copy of " + card.tensors[k].name,
                  [&](std::size_t i) { return drawn[k].to(expected[i].dtype()).reshaped(expected[i].shape()); });
    return passing;
}

} // namespace kernelarium
