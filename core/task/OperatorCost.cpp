// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/OperatorCost.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

namespace kernelarium::task {

using tensor::Shape;
using tensor::Tensor;

namespace {

/// Null where there is no tensor, or one of fewer dimensions: a card from elsewhere may hold anything.
const Shape* shapeAt(const std::vector<tensor::Value>& values, std::size_t index, std::size_t dimensions = 0) {
    const Tensor* t = index < values.size() ? values[index].as<Tensor>() : nullptr;
    return t && t->shape().size() >= dimensions ? &t->shape() : nullptr;
}
double countAt(const std::vector<tensor::Value>& values, std::size_t index) {
    const Shape* shape = shapeAt(values, index);
    return shape ? double(tensor::elementCount(*shape)) : 0.0;
}
/// Elements of all dimensions from `first` on.
double volumeFrom(const Shape& shape, std::size_t first) {
    double v = 1;
    for (std::size_t d = first; d < shape.size(); ++d)
        v *= double(shape[d]);
    return v;
}

/// "conv2d" of "aten.conv2d.default".
std::string_view baseName(std::string_view op) {
    if (!op.starts_with("aten.")) return op;
    op.remove_prefix(5);
    return op.substr(0, op.find('.'));
}

double matmulFlops(const NodeShape& s) {
    const Shape* a = shapeAt(s.arguments, 0);
    const Shape* b = shapeAt(s.arguments, 1);
    if (!a || !b || a->size() < 2 || b->size() < 2) return 0;
    return 2.0 * countAt(s.results, 0) * double(a->back());
}

/// Every pairwise step as a batched product over all labels of its two operands, in the order of `path`.
double einsumFlops(const NodeShape& s) {
    const auto* equation = s.arguments.empty() ? nullptr : s.arguments[0].as<std::string>();
    const auto* operands = s.arguments.size() > 1 ? s.arguments[1].as<tensor::List>() : nullptr;
    if (!equation || !operands) return 0;
    std::map<char, double> sizes;
    std::vector<std::string> terms(1);
    const std::string left = equation->substr(0, equation->find("->"));
    for (char c : left)
        if (c == ',')
            terms.emplace_back();
        else if (c != ' ')
            terms.back() += c;
    const std::size_t arrow = equation->find("->");
    const std::string output = arrow == std::string::npos ? "" : equation->substr(arrow + 2);
    for (std::size_t i = 0; i < terms.size() && i < operands->size(); ++i)
        if (const Shape* shape = shapeAt(*operands, i))
            for (std::size_t d = 0; d < terms[i].size() && d < shape->size(); ++d)
                sizes[terms[i][d]] = double((*shape)[d]);

    std::vector<std::size_t> path;
    for (const auto& [key, value] : s.keywords)
        if (const auto* list = value.as<tensor::List>(); key == "path" && list)
            for (const tensor::Value& v : *list)
                if (const auto* i = v.as<std::int64_t>()) path.push_back(std::size_t(*i));
    double flops = 0;
    for (std::size_t step = 0; terms.size() > 1; ++step) {
        std::size_t i = 0, j = 1;
        if (2 * step + 1 < path.size()) i = path[2 * step], j = path[2 * step + 1];
        if (i == j || std::max(i, j) >= terms.size()) return 0;
        const std::string a = terms.at(std::min(i, j)), b = terms.at(std::max(i, j));
        terms.erase(terms.begin() + std::ptrdiff_t(std::max(i, j)));
        terms.erase(terms.begin() + std::ptrdiff_t(std::min(i, j)));
        std::string rest = output;
        for (const std::string& t : terms)
            rest += t;
        std::set<char> all(a.begin(), a.end());
        all.insert(b.begin(), b.end());
        double product = 1;
        std::string kept;
        bool contracts = false; // without a shared index to sum over, PyTorch multiplies element by element
        for (char c : all) {
            const bool inA = a.find(c) != std::string::npos, inB = b.find(c) != std::string::npos;
            const bool needed = rest.find(c) != std::string::npos;
            if (needed || (inA && inB)) product *= sizes[c]; // what only one has and nobody needs is summed before
            contracts |= inA && inB && !needed;
            if (needed) kept += c;
        }
        if (contracts) flops += 2.0 * product;
        terms.push_back(kept);
    }
    return flops;
}

double attentionFlops(const NodeShape& s) {
    const Shape* q = shapeAt(s.arguments, 0, 2);
    const Shape* k = shapeAt(s.arguments, 1, 2);
    const Shape* v = shapeAt(s.arguments, 2, 2);
    if (!q || !k || !v || q->back() == 0) return 0;
    const double scores = countAt(s.arguments, 0) / double(q->back()) * double((*k)[k->size() - 2]);
    return 2.0 * scores * double(q->back()) + 2.0 * scores * double(v->back());
}

/// Products of a recurrent layer: every weight matrix once per time step and sample.
double recurrentProducts(const NodeShape& s) {
    const Shape* x = shapeAt(s.arguments, 0);
    const auto* weights = s.arguments.size() > 2 ? s.arguments[2].as<tensor::List>() : nullptr;
    if (!x || !weights || x->empty() || x->back() == 0) return 0;
    double flops = 0;
    for (std::size_t i = 0; i < weights->size(); ++i)
        if (const Shape* w = shapeAt(*weights, i); w && w->size() == 2)
            flops += 2.0 * double(tensor::elementCount(*w)) * double(tensor::elementCount(*x)) / double(x->back());
    return flops;
}

struct Rate {
    std::string_view op;
    double perElement;
};
/// Operations per element of the result; a function such as exp, tanh or sqrt counts as one.
constexpr Rate perResult[] = {
    {"add", 1},        {"sub", 1},           {"rsub", 1},       {"mul", 1},         {"multiply", 1},  {"div", 1},
    {"pow", 1},        {"exp", 1},           {"log", 1},        {"sqrt", 1},        {"abs", 1},       {"neg", 1},
    {"tanh", 1},       {"relu", 1},          {"clamp_min", 1},  {"clamp_max", 1},   {"maximum", 1},   {"minimum", 1},
    {"relu6", 2},      {"clamp", 2},         {"hardtanh", 2},   {"leaky_relu", 2},  {"softsign", 3},  {"sigmoid", 3},
    {"silu", 4},       {"elu", 3},           {"selu", 4},       {"hardsigmoid", 4}, {"hardswish", 5}, {"softplus", 3},
    {"mish", 5},       {"gelu", 5},          {"softmax", 5},    {"log_softmax", 5}, {"cumsum", 1},    {"cumprod", 1},
    {"batch_norm", 8}, {"instance_norm", 8}, {"group_norm", 8}, {"layer_norm", 8},  {"addmm", 2},     {"rms_norm", 6},
};
/// Operations per element of the first operand.
constexpr Rate perOperand[] = {
    {"sum", 1},
    {"mean", 1},
    {"prod", 1},
    {"max", 1},
    {"min", 1},
    {"amax", 1},
    {"amin", 1},
    {"argmax", 1},
    {"argmin", 1},
    {"var", 4},
    {"std", 4},
    {"logsumexp", 4},
    {"mse_loss", 3},
    {"smooth_l1_loss", 4},
    {"l1_loss", 2},
    {"huber_loss", 4},
    {"kl_div", 4},
    {"cross_entropy_loss", 5},
    {"linalg_vector_norm", 2},
    {"norm", 2},
    {"cosine_similarity", 6},
    {"triplet_margin_loss", 6},
    {"adaptive_avg_pool1d", 1},
    {"adaptive_avg_pool2d", 1},
    {"adaptive_avg_pool3d", 1},
};
template <std::size_t n> double rateOf(const Rate (&rates)[n], std::string_view op) {
    if (op.ends_with('_')) op.remove_suffix(1);
    for (const Rate& r : rates)
        if (r.op == op) return r.perElement;
    return 0;
}

/// Elements of a pooling window, from its second argument; `op` is "max_pool2d" or the like.
double windowOf(const NodeShape& s, std::string_view op) {
    constexpr std::size_t digit = std::string_view("max_pool").size();
    const auto* list = s.arguments.size() > 1 ? s.arguments[1].as<tensor::List>() : nullptr;
    if (!list || list->empty() || op.size() <= digit || op[digit] < '1' || op[digit] > '3') return 0;
    const auto dimensions = std::size_t(op[digit] - '0');
    double volume = 1;
    for (std::size_t d = 0; d < dimensions; ++d)
        if (const auto* size = (*list)[std::min(d, list->size() - 1)].as<std::int64_t>()) volume *= double(*size);
    return volume;
}

} // namespace

double torchFlopsOf(const Node& node, const NodeShape& s) {
    const std::string_view op = baseName(node.op);
    const Shape* weight = shapeAt(s.arguments, 1, 1);
    if (op.starts_with("conv_transpose")) {
        const Shape* x = shapeAt(s.arguments, 0, 2);
        return x && weight ? 2.0 * double((*x)[0]) * volumeFrom(*x, 2) * double(tensor::elementCount(*weight)) : 0;
    }
    if (op.starts_with("conv")) {
        const Shape* out = shapeAt(s.results, 0, 2);
        return out && weight ? 2.0 * double((*out)[0]) * volumeFrom(*out, 2) * double(tensor::elementCount(*weight))
                             : 0;
    }
    if (op == "linear") return weight ? 2.0 * countAt(s.results, 0) * double(weight->back()) : 0;
    if (op == "matmul" || op == "mm" || op == "bmm") return matmulFlops(s);
    if (op == "addmm" || op == "baddbmm") return weight ? 2.0 * countAt(s.results, 0) * double(weight->back()) : 0;
    if (op == "einsum") return einsumFlops(s);
    if (op == "scaled_dot_product_attention") return attentionFlops(s);
    return 0;
}

double flopsOf(const Node& node, const NodeShape& s) {
    const std::string_view op = baseName(node.op);
    const double products = torchFlopsOf(node, s), results = countAt(s.results, 0);
    if (op == "lstm" || op == "gru" || op.starts_with("rnn_")) return recurrentProducts(s);
    const bool bias = shapeAt(s.arguments, 2) != nullptr;
    if (op.starts_with("conv") || op == "linear") return products + (bias ? results : 0.0);
    if (op.starts_with("max_pool") || op.starts_with("avg_pool")) return results * windowOf(s, op);
    return products + results * rateOf(perResult, op) + countAt(s.arguments, 0) * rateOf(perOperand, op);
}

double flopsPerElement(std::string_view op) {
    return rateOf(perResult, op);
}

bool isView(const Node& node, const NodeShape& s) {
    constexpr std::array<std::string_view, 28> views{"<built-in function getitem>",
                                                     "view",
                                                     "_unsafe_view",
                                                     "reshape",
                                                     "flatten",
                                                     "unflatten",
                                                     "unsqueeze",
                                                     "squeeze",
                                                     "transpose",
                                                     "t",
                                                     "numpy_T",
                                                     "mT",
                                                     "permute",
                                                     "movedim",
                                                     "expand",
                                                     "expand_as",
                                                     "broadcast_to",
                                                     "broadcast_tensors",
                                                     "slice",
                                                     "select",
                                                     "narrow",
                                                     "split",
                                                     "unfold",
                                                     "split_with_sizes",
                                                     "chunk",
                                                     "unbind",
                                                     "alias",
                                                     "detach"};
    const std::string_view op = baseName(node.op);
    if (std::find(views.begin(), views.end(), op) != views.end()) return true;
    if (op != "dropout") return false;
    const auto* p = s.arguments.size() > 1 ? s.arguments[1].as<double>() : nullptr;
    const auto* training = s.arguments.size() > 2 ? s.arguments[2].as<bool>() : nullptr;
    return (p && *p == 0.0) || (training && !*training);
}

} // namespace kernelarium::task
