// SPDX-License-Identifier: GPL-3.0-or-later
// einsum of letters with an explicit result, as a chain of batched products over views.
#include "gpu/operators/DeviceCall.h"
#include "gpu/operators/Folding.h"

#include <map>

#include <fmt/format.h>

namespace kernelarium::operators {

using tensor::Shape;

namespace {

/// An operand with a letter for each dimension.
struct Lettered {
    DeviceTensor x;
    std::string letters;
};
bool holds(const std::string& letters, char c) {
    return letters.find(c) != std::string::npos;
}

/// Letters that nothing else needs are summed.
Lettered summedTo(Device& device, const Lettered& in, const std::string& needed) {
    Shape dims;
    Lettered out;
    for (std::size_t d = 0; d < in.letters.size(); ++d)
        if (holds(needed, in.letters[d]))
            out.letters += in.letters[d];
        else
            dims.push_back(std::int64_t(d));
    out.x = dims.empty() ? in.x : foldDims(device, {"Sum", {}, in.x.dtype}, in.x, dims, false).first;
    return out;
}
/// A view with dimensions in the order of `letters`; one that the operand lacks repeats.
DeviceTensor arranged(const Lettered& in, const std::string& letters, const std::map<char, std::int64_t>& sizes) {
    Shape shape, strides;
    for (const char c : letters) {
        const std::size_t at = in.letters.find(c);
        shape.push_back(sizes.at(c));
        strides.push_back(at == std::string::npos || in.x.shape[at] == 1 ? 0 : in.x.strides[at]);
    }
    return seen(in.x, {shape, strides, in.x.offset});
}

Lettered contracted(Device& device, Lettered a, Lettered b, const std::string& needed,
                    const std::map<char, std::int64_t>& sizes) {
    a = summedTo(device, a, needed + b.letters);
    b = summedTo(device, b, needed + a.letters);
    std::string batch, left, right, inner;
    for (const char c : a.letters)
        (holds(b.letters, c) ? (holds(needed, c) ? batch : inner) : left) += c;
    for (const char c : b.letters)
        if (!holds(a.letters, c)) right += c;
    if (inner.empty()) { // nothing is summed
        const std::string all = batch + left + right;
        return {compute(device, {"Mul", a.x.dtype}, a.x.dtype, {arranged(a, all, sizes), arranged(b, all, sizes)}),
                all};
    }
    const auto product = [&](const std::string& letters) {
        std::int64_t n = 1;
        for (const char c : letters)
            n *= sizes.at(c);
        return n;
    };
    const std::int64_t batches = product(batch), m = product(left), k = product(inner), n = product(right);
    const DeviceTensor x = reshaped(device, arranged(a, batch + left + inner, sizes), {batches, m, k});
    const DeviceTensor y = reshaped(device, arranged(b, batch + inner + right, sizes), {batches, k, n});
    Shape shape;
    for (const char c : batch + left + right)
        shape.push_back(sizes.at(c));
    return {reshaped(device, multiplied(device, x, y), shape), batch + left + right};
}

/// A letter that stands twice in one operand takes the diagonal.
Lettered lettered(const DeviceTensor& x, const std::string& term) {
    Lettered out;
    Shape shape, strides;
    for (std::size_t d = 0; d < term.size(); ++d) {
        const std::size_t at = out.letters.find(term[d]);
        if (at != std::string::npos) {
            strides[at] += x.strides[d];
            continue;
        }
        out.letters += term[d];
        shape.push_back(x.shape[d]);
        strides.push_back(x.strides[d]);
    }
    out.x = seen(x, {shape, strides, x.offset});
    return out;
}

DeviceResults einsum(const DeviceCall& call) {
    std::string equation = call.host.text(0, "equation", "");
    std::erase(equation, ' ');
    const std::size_t arrow = equation.find("->");
    if (arrow == std::string::npos || equation.find('.') != std::string::npos)
        throw Failure{{"unsupported",
                       fmt::format("einsum '{}' has no kernel of ours: it needs letters and a result.", equation)}};
    const std::string output = equation.substr(arrow + 2);
    const std::vector<DeviceTensor> tensors = call.tensors(1, "tensors");
    std::vector<Lettered> operands;
    std::map<char, std::int64_t> sizes;
    std::size_t start = 0;
    for (const DeviceTensor& t : tensors) {
        const std::size_t end = std::min(equation.find(',', start), arrow);
        operands.push_back(lettered(t, equation.substr(start, end - start)));
        start = end + 1;
        for (std::size_t d = 0; d < operands.back().letters.size(); ++d) {
            std::int64_t& size = sizes.try_emplace(operands.back().letters[d], 1).first->second;
            if (size == 1) size = operands.back().x.shape[d];
        }
    }
    Lettered result = operands.at(0);
    for (std::size_t i = 1; i < operands.size(); ++i) {
        std::string needed = output;
        for (std::size_t j = i + 1; j < operands.size(); ++j)
            needed += operands[j].letters;
        result = contracted(call.device, result, operands[i], needed, sizes);
    }
    result = summedTo(call.device, result, output);
    return {dense(call.device, arranged(result, output, sizes))};
}

constexpr DeviceEntry einsumEntries[] = {{"aten.einsum.default", einsum}};

} // namespace

DeviceFamily deviceEinsum() {
    return einsumEntries;
}

} // namespace kernelarium::operators
