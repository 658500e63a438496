// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/rungs/CardInputs.h"

#include "core/verify/CardSubject.h"
#include "core/verify/inputs/UnevenPlan.h"

namespace kernelarium::proof {

namespace {

void moveFar(std::vector<verify::TensorPlan>& plans) {
    using Kind = verify::Distribution::Kind;
    constexpr double deviations = 64;
    for (verify::TensorPlan& plan : plans) {
        verify::Distribution& d = plan.distribution;
        if (plan.isParameter || !tensor::isFloating(plan.dtype)) continue;
        if (d.kind == Kind::normal || d.kind == Kind::varied) d.ramp.shift = deviations * d.b;
    }
}

} // namespace

std::vector<double> elementsOf(const tensor::Tensor& tensor) {
    const tensor::Tensor wide = tensor.to(tensor::DType::Float64);
    const double* data = wide.data<double>();
    return {data, data + wide.count()};
}

Result<CardInputs> cardInputs(const Sized& sized, Drawing drawing, std::uint64_t seed) {
    Result<verify::InputPlan> plan = verify::planOf(sized.card, sized.size);
    if (!plan) return plan.error();
    if (drawing == Drawing::uneven) (void)verify::makeUneven(plan->tensors);
    if (drawing == Drawing::far) moveFar(plan->tensors);
    CardInputs inputs;
    inputs.tensors = verify::drawTensors(*plan, seed);
    for (const tensor::Tensor& t : inputs.tensors)
        inputs.elements.push_back(elementsOf(t));
    return inputs;
}

} // namespace kernelarium::proof
