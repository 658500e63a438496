// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/inputs/DrawnInputs.h"

#include <algorithm>

namespace kernelarium::verify {

namespace {

/// A tensor's name and its part in the call say nothing about its elements.
bool drawTheSame(const TensorPlan& a, const TensorPlan& b) {
    return a.dtype == b.dtype && a.shape == b.shape && a.distribution == b.distribution;
}

} // namespace

std::uint64_t DrawnInputs::Drawn::bytes() const {
    std::uint64_t all = 0;
    for (const tensor::Tensor& tensor : tensors)
        all += tensor.byteCount();
    return all;
}

std::uint64_t DrawnInputs::bytesKept() const {
    std::uint64_t all = 0;
    for (const Drawn& drawn : m_kept)
        all += drawn.bytes();
    return all;
}

std::vector<tensor::Tensor> DrawnInputs::draw(const InputPlan& plan, std::uint64_t seed) {
    const auto found = std::find_if(m_kept.begin(), m_kept.end(), [&](const Drawn& drawn) {
        return drawn.seed == seed && std::equal(drawn.plans.begin(), drawn.plans.end(), plan.tensors.begin(),
                                                plan.tensors.end(), drawTheSame);
    });
    if (found != m_kept.end()) {
        m_kept.splice(m_kept.begin(), m_kept, found);
        return found->tensors;
    }
    std::uint64_t bytes = 0;
    for (const TensorPlan& tensor : plan.tensors)
        bytes += std::uint64_t(tensor::elementCount(tensor.shape)) * tensor::byteSize(tensor.dtype);
    if (bytes > m_mostBytes) m_kept.clear(); // who draws these needs the room
    while (!m_kept.empty() && bytesKept() + bytes > m_mostBytes)
        m_kept.pop_back();
    std::vector<tensor::Tensor> tensors = drawTensors(plan, seed);
    if (bytes <= m_mostBytes) m_kept.push_front({plan.tensors, seed, tensors});
    return tensors;
}

} // namespace kernelarium::verify
