// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix products, einsum, attention.
#include "core/algebra/lowering/Families.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

namespace kernelarium::algebra::lowering {

namespace {

/// An operand with a label for each of its axes.
struct Labelled {
    Operand operand;
    std::string labels;
};

/// The sum over the labels that `kept` lacks, of the product of the terms.
Labelled contracted(Builder& b, const std::string& name, DType dtype, const std::vector<Labelled>& terms,
                    const std::string& kept) {
    std::string all = kept;
    std::map<char, std::int64_t> extents;
    for (const Labelled& t : terms)
        for (std::size_t i = 0; i < t.labels.size(); ++i) {
            std::int64_t& e = extents[t.labels[i]];
            e = std::max(e, t.operand.shape[i]);
            if (all.find(t.labels[i]) == std::string::npos) all += t.labels[i];
        }
    Definition d;
    Extents shape, space;
    for (std::size_t i = 0; i < all.size(); ++i) {
        space.push_back(extents.at(all[i]));
        (i < kept.size() ? shape : d.reduction).push_back(space.back());
    }
    std::vector<Expression> factors;
    for (const Labelled& t : terms) {
        std::vector<Index> indices;
        for (std::size_t i = 0; i < t.labels.size(); ++i)
            indices.push_back(t.operand.shape[i] == 1 ? Index::constant(0) : Index::axis(int(all.find(t.labels[i]))));
        d.reads.push_back(b.at(t.operand, std::move(indices), space));
        factors.push_back(operandAt(factors.size()));
    }
    d.body = factors.size() == 1 ? factors[0] : Expression::of(Function::mul, std::move(factors));
    d.combine = d.reduction.empty() ? Combine::none : Combine::sum;
    return {b.add(name, std::move(shape), dtype, std::move(d)), kept};
}

Value matrixProduct(Builder& b, const OperatorCall& c) {
    return result(matmul(b, c.node(), c.dtype(), c.operand(0, "self"), c.operand(1, "mat2")));
}
Value linearOf(Builder& b, const OperatorCall& c) {
    return result(linear(b, c.node(), c.dtype(), c.operand(0, "input"), c.operand(1, "weight"), c.optional(2, "bias")));
}
/// beta * self + alpha * (x y)
Value addmm(Builder& b, const OperatorCall& c) {
    const Operand p = matmul(b, c.node() + ".products", c.dtype(), c.operand(1, "mat1"), c.operand(2, "mat2"));
    Expression own = operandAt(0), products = operandAt(1);
    if (const double beta = c.number(3, "beta", 1); beta != 1) own = literal(beta) * own;
    if (const double alpha = c.number(4, "alpha", 1); alpha != 1) products = literal(alpha) * products;
    return result(b.pointwise(c.node(), c.shape(), c.dtype(), own + products, {c.operand(0, "self"), p}));
}

Value einsum(Builder& b, const OperatorCall& c) {
    std::string equation = c.text(0, "equation", "");
    std::erase(equation, ' ');
    const std::size_t arrow = equation.find("->");
    if (arrow == std::string::npos || equation.find('.') != std::string::npos)
        c.refuse("an equation without an arrow, or with an ellipsis");
    const std::string output = equation.substr(arrow + 2);
    std::vector<Labelled> terms;
    std::size_t start = 0;
    for (const Operand& o : c.operands(1, "tensors")) {
        const std::size_t end = std::min(equation.find(',', start), arrow);
        terms.push_back({o, equation.substr(start, end - start)});
        start = end + 1;
    }
    const std::vector<std::int64_t> path = c.integers(2, "path");
    for (std::size_t step = 0; terms.size() > 1; ++step) {
        std::size_t i = 0, j = 1;
        if (2 * step + 1 < path.size())
            i = std::size_t(std::min(path[2 * step], path[2 * step + 1])),
            j = std::size_t(std::max(path[2 * step], path[2 * step + 1]));
        if (j >= terms.size() || i == j) c.refuse("a path that does not fit the operands");
        const Labelled x = terms[i], y = terms[j];
        terms.erase(terms.begin() + std::ptrdiff_t(j));
        terms.erase(terms.begin() + std::ptrdiff_t(i));
        std::string kept;
        if (terms.empty())
            kept = output;
        else
            for (char l : x.labels + y.labels) {
                bool needed = output.find(l) != std::string::npos;
                for (const Labelled& t : terms)
                    needed = needed || t.labels.find(l) != std::string::npos;
                if (needed && kept.find(l) == std::string::npos) kept += l;
            }
        terms.push_back(contracted(b, terms.empty() ? c.node() : fmt::format("{}.step{}", c.node(), step + 1),
                                   c.dtype(), {x, y}, kept));
    }
    if (terms.empty()) c.refuse("no operands");
    if (terms[0].labels != output) return result(contracted(b, c.node(), c.dtype(), terms, output).operand);
    return result(terms[0].operand);
}

Value attention(Builder& b, const OperatorCall& c) {
    const Operand q = c.operand(0, "query"), k = c.operand(1, "key"), v = c.operand(2, "value");
    if (c.has(3, "attn_mask") || c.number(4, "dropout_p", 0) != 0 || c.flag(7, "enable_gqa", false))
        c.refuse("a mask that is a tensor, dropout, or shared heads");
    std::vector<int> order(k.shape.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = int(i);
    std::swap(order[order.size() - 2], order[order.size() - 1]);
    const Operand scores = matmul(b, c.node() + ".scores", c.dtype(), q, b.permuted(k, order));
    const double scale = c.number(6, "scale", 1.0 / std::sqrt(double(q.shape.back())));
    Operand scaled =
        b.pointwise(c.node() + ".scaled", scores.shape, c.dtype(), literal(scale) * operandAt(0), {scores});
    if (c.flag(5, "is_causal", false)) {
        Definition d;
        d.reads = {scaled.read};
        d.domain = {Index::axis(scaled.rank() - 2) - Index::axis(scaled.rank() - 1)};
        d.outside = -std::numeric_limits<double>::infinity();
        scaled = b.add(c.node() + ".masked", scaled.shape, c.dtype(), std::move(d));
    }
    const Operand weights = softmax(b, c.node() + ".weights", c.dtype(), scaled, scaled.rank() - 1);
    return result(matmul(b, c.node(), c.dtype(), weights, v));
}

constexpr Entry productEntries[] = {{"matmul", matrixProduct}, {"mm", matrixProduct},
                                    {"bmm", matrixProduct},    {"mv", matrixProduct},
                                    {"dot", matrixProduct},    {"linear", linearOf},
                                    {"addmm", addmm},          {"baddbmm", addmm},
                                    {"einsum", einsum},        {"scaled_dot_product_attention", attention}};

} // namespace

Operand matmul(Builder& b, const std::string& name, DType dtype, Operand x, Operand y) {
    // Labels: i and j of the matrices, k between them, A, B, ... for leading axes counted from the last.
    const auto labels = [](const Operand& o, const std::string& matrix) {
        std::string text;
        for (int a = 0; a + int(matrix.size()) < o.rank(); ++a)
            text += char('A' + (o.rank() - int(matrix.size()) - 1 - a));
        return text + matrix;
    };
    const bool vectorX = x.rank() == 1, vectorY = y.rank() == 1;
    const Labelled a{x, labels(x, vectorX ? "k" : "ik")}, c{y, labels(y, vectorY ? "k" : "kj")};
    const std::string& longer =
        a.labels.size() - (vectorX ? 1 : 2) >= c.labels.size() - (vectorY ? 1 : 2) ? a.labels : c.labels;
    std::string kept;
    for (char l : longer)
        if (l < 'a') kept += l;
    if (!vectorX) kept += 'i';
    if (!vectorY) kept += 'j';
    return contracted(b, name, dtype, {a, c}, kept).operand;
}

Operand linear(Builder& b, const std::string& name, DType dtype, const Operand& x, const Operand& weight,
               const std::optional<Operand>& bias) {
    const std::vector<int> swapped{1, 0};
    const Operand p = matmul(b, bias ? name + ".products" : name, dtype, x, b.permuted(weight, swapped));
    if (!bias) return p;
    return b.pointwise(name, p.shape, dtype, operandAt(0) + operandAt(1), {p, *bias});
}

Family productFamily() {
    return productEntries;
}

} // namespace kernelarium::algebra::lowering
