// SPDX-License-Identifier: GPL-3.0-or-later
// einsum as a chain of batched matrix products.
#include "core/task/operators/Blas.h"
#include "core/task/operators/Gather.h"
#include "core/task/operators/Nested.h"

#include <map>
#include <string>

#include <fmt/format.h>

namespace kernelarium::task::operators {

namespace {

/// An operand and the label of each of its dimensions. Labels of an ellipsis are 0x80 and up, counted from
/// its end.
struct Labelled {
    Tensor x;
    std::string labels;
};

bool has(const std::string& labels, char c) {
    return labels.find(c) != std::string::npos;
}

struct Equation {
    std::vector<std::string> inputs;
    std::string output;
    bool explicitOutput = false;
};
Equation parse(const std::string& text) {
    Equation e;
    std::string bare;
    std::copy_if(text.begin(), text.end(), std::back_inserter(bare), [](char c) { return c != ' '; });
    const std::size_t arrow = bare.find("->");
    e.explicitOutput = arrow != std::string::npos;
    if (e.explicitOutput) e.output = bare.substr(arrow + 2);
    const std::string left = bare.substr(0, arrow);
    for (std::size_t start = 0; start <= left.size();) {
        const std::size_t comma = std::min(left.find(',', start), left.size());
        e.inputs.push_back(left.substr(start, comma - start));
        start = comma + 1;
    }
    return e;
}
/// The term with its ellipsis written out for `count` dimensions.
std::string spelled(const std::string& term, std::size_t count) {
    const std::size_t dots = term.find("...");
    if (dots == std::string::npos) return term;
    std::string ellipsis;
    for (std::size_t i = count; i-- > 0;)
        ellipsis += char(0x80 + int(i));
    return term.substr(0, dots) + ellipsis + term.substr(dots + 3);
}

/// A label that stands twice in one operand takes the diagonal.
Labelled diagonalised(const Call& call, const Labelled& in) {
    Labelled out;
    Shape shape, strides;
    const Shape dense = denseStrides(in.x.shape());
    for (std::size_t d = 0; d < in.labels.size(); ++d) {
        const std::size_t at = out.labels.find(in.labels[d]);
        if (at != std::string::npos) {
            require(shape[at] == in.x.shape()[d], "einsum(): a repeated subscript has dimensions of different sizes.");
            strides[at] += dense[d];
            continue;
        }
        out.labels += in.labels[d];
        shape.push_back(in.x.shape()[d]);
        strides.push_back(dense[d]);
    }
    out.x = out.labels == in.labels ? in.x : gather(call, in.x, Layout(shape, strides));
    return out;
}

/// Sums over the labels that nothing else needs.
Labelled reducedTo(const Call& call, const Labelled& in, const std::string& needed) {
    Shape dims;
    Labelled out;
    for (std::size_t d = 0; d < in.labels.size(); ++d) {
        if (has(needed, in.labels[d]))
            out.labels += in.labels[d];
        else
            dims.push_back(std::int64_t(d));
    }
    out.x = dims.empty() ? in.x : apply(call, "aten.sum.dim_IntList", {in.x, listOf(dims)});
    return out;
}
/// The dimensions in the order of `labels`; a missing label is a dimension of 1.
Tensor ordered(const Call& call, const Labelled& in, const std::string& labels) {
    Shape order, shape;
    for (char c : labels)
        if (const std::size_t at = in.labels.find(c); at != std::string::npos) order.push_back(std::int64_t(at));
    const Tensor x = permuted(call, in.x, order);
    std::size_t next = 0;
    for (char c : labels)
        shape.push_back(has(in.labels, c) ? x.shape()[next++] : 1);
    return x.reshaped(shape);
}

using Sizes = std::map<char, std::int64_t>;
std::int64_t product(const std::string& labels, const Sizes& sizes) {
    std::int64_t n = 1;
    for (char c : labels)
        if (__builtin_mul_overflow(n, sizes.at(c), &n))
            badArgument("einsum: the result would be larger than any tensor.");
    return n;
}
/// Ordered and spread to the full size of each label (an ellipsis may broadcast).
Tensor arranged(const Call& call, const Labelled& in, const std::string& labels, const Sizes& sizes,
                const Shape& flat) {
    Shape full;
    for (char c : labels)
        full.push_back(sizes.at(c));
    return expanded(call, ordered(call, in, labels), full).reshaped(flat);
}

Labelled contracted(const Call& call, Labelled a, Labelled b, const std::string& needed, const Sizes& sizes) {
    a = reducedTo(call, a, needed + b.labels);
    b = reducedTo(call, b, needed + a.labels);
    std::string batch, left, right, inner;
    for (char c : a.labels)
        (has(b.labels, c) ? (has(needed, c) ? batch : inner) : left) += c;
    for (char c : b.labels)
        if (!has(a.labels, c)) right += c;
    const std::int64_t nb = product(batch, sizes), m = product(left, sizes), k = product(inner, sizes),
                       n = product(right, sizes);
    const Tensor x = arranged(call, a, batch + left + inner, sizes, {nb, m, k});
    const Tensor y = arranged(call, b, batch + inner + right, sizes, {nb, k, n});
    Shape shape;
    for (char c : batch + left + right)
        shape.push_back(sizes.at(c));
    return {matmul(call, x, y).reshaped(shape), batch + left + right};
}

std::string defaultOutput(const std::vector<Labelled>& operands) {
    std::map<char, int> seen;
    for (const Labelled& o : operands)
        for (char c : o.labels)
            ++seen[c];
    std::string ellipsis, out;
    for (const auto& [c, n] : seen)
        if (static_cast<unsigned char>(c) >= 0x80)
            ellipsis.insert(ellipsis.begin(), c);
        else if (n == 1)
            out += c;
    std::sort(ellipsis.begin(), ellipsis.end(),
              [](char a, char b) { return static_cast<unsigned char>(a) > static_cast<unsigned char>(b); });
    return ellipsis + out;
}

Sizes sizesOf(const std::vector<Labelled>& operands) {
    Sizes sizes;
    for (const Labelled& o : operands)
        for (std::size_t d = 0; d < o.labels.size(); ++d) {
            auto [it, fresh] = sizes.emplace(o.labels[d], o.x.shape()[d]);
            if (fresh || it->second == o.x.shape()[d] || o.x.shape()[d] == 1) continue;
            if (it->second != 1)
                badArgument(fmt::format("einsum(): a subscript has size {} in one operand and {} in another.",
                                        it->second, o.x.shape()[d]));
            it->second = o.x.shape()[d];
        }
    return sizes;
}

std::vector<Labelled> operandsOf(const Call& call, const Equation& e, std::size_t& ellipsis) {
    const std::vector<Tensor> tensors = call.tensors(1, "tensors");
    require(tensors.size() == e.inputs.size(), "einsum(): the number of operands does not match the equation.");
    std::vector<Labelled> operands;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const std::string& term = e.inputs[i];
        const bool dots = term.find("...") != std::string::npos;
        const std::size_t letters = term.size() - (dots ? 3 : 0), rank = tensors[i].shape().size();
        if (dots ? rank < letters : rank != letters)
            badArgument(
                fmt::format("einsum(): the subscripts '{}' do not fit an operand of {} dimensions.", term, rank));
        if (dots) ellipsis = std::max(ellipsis, rank - letters);
        operands.push_back({tensors[i], spelled(term, rank - letters)});
    }
    return operands;
}

Results einsum(const Call& call) {
    const Equation e = parse(call.text(0, "equation", ""));
    std::size_t ellipsis = 0;
    std::vector<Labelled> operands = operandsOf(call, e, ellipsis);
    const Sizes sizes = sizesOf(operands);
    const std::string output = e.explicitOutput ? spelled(e.output, ellipsis) : defaultOutput(operands);
    for (char c : output)
        require(sizes.count(c) > 0, "einsum(): an output subscript is missing from the operands.");
    for (Labelled& o : operands)
        o = diagonalised(call, o);
    Labelled result = operands[0];
    for (std::size_t i = 1; i < operands.size(); ++i) {
        std::string needed = output;
        for (std::size_t j = i + 1; j < operands.size(); ++j)
            needed += operands[j].labels;
        result = contracted(call, result, operands[i], needed, sizes);
    }
    return {ordered(call, reducedTo(call, result, output), output)};
}

constexpr Entry einsumEntries[] = {{"aten.einsum.default", einsum}};

} // namespace

Family einsumFamily() {
    return einsumEntries;
}

} // namespace kernelarium::task::operators
