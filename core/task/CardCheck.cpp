// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/CardCheck.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <stdexcept>
#include <string_view>
#include <unordered_set>

namespace kernelarium::task {

namespace {

// The largest published task has 523 tensors, 804 nodes, 9 symbols, 5 dimensions, and expressions of 41 characters.
constexpr std::size_t mostTensors = 10'000;
constexpr std::size_t mostNodes = 10'000;
constexpr std::size_t mostArguments = 1'000'000; ///< of all nodes, with what their lists hold
constexpr std::size_t mostDimensions = 64;       ///< as many as PyTorch has
constexpr std::size_t mostSizes = 100;
constexpr std::size_t mostSymbols = 1000;
constexpr std::size_t longestExpression = 1000;
constexpr int deepestArgument = 50;
constexpr double largestInteger = 9007199254740992; ///< 2^53: doubles beyond it skip some

[[noreturn]] void refuse(std::string why) {
    throw std::invalid_argument(std::move(why));
}

void atMost(std::size_t count, std::size_t most, std::string_view what) {
    if (count > most) refuse(fmt::format("it has {} {}; {} are the most", count, what, most));
}

void checkExpression(const SizeExpression& size) {
    if (size.text().size() > longestExpression) refuse("it has a size that is longer than any expression");
}

class ArgumentCheck {
public:
    explicit ArgumentCheck(const Card& card)
        : m_card(card) {}

    /// In the call no node may be named; in the graph, those before.
    void mayNameNodes() { m_namesNodes = true; }
    void add(const Node& node) {
        if (!m_nodes.insert(node.name).second) refuse(fmt::format("two nodes are called {}", node.name));
    }

    void operator()(const Argument& argument, int depth = 0) {
        if (++m_count > mostArguments) refuse(fmt::format("it has more than {} arguments", mostArguments));
        if (depth > deepestArgument) refuse("its arguments nest too deeply");
        if (const auto* tensor = std::get_if<CardTensorRef>(&argument.kind)) {
            if (tensor->index >= m_card.tensors.size()) refuse(fmt::format("There is no tensor {}", tensor->index));
        } else if (const auto* node = std::get_if<NodeRef>(&argument.kind)) {
            if (!m_namesNodes) refuse("The call refers to a node of the graph");
            if (!m_nodes.contains(node->name)) refuse(fmt::format("there is no node {} before it", node->name));
        } else if (const auto* size = std::get_if<SizeExpression>(&argument.kind)) {
            checkExpression(*size);
        } else if (const auto* list = std::get_if<ArgumentList>(&argument.kind)) {
            for (const Argument& item : *list)
                (*this)(item, depth + 1);
        } else if (const auto* dict = std::get_if<ArgumentDict>(&argument.kind)) {
            for (const auto& [key, item] : *dict)
                (*this)(item, depth + 1);
        }
    }

private:
    const Card& m_card;
    bool m_namesNodes = false;
    std::unordered_set<std::string_view> m_nodes;
    std::size_t m_count = 0;
};

void checkTensor(const CardTensor& t) {
    atMost(t.shape.size(), mostDimensions, fmt::format("dimensions in tensor {}", t.name));
    std::for_each(t.shape.begin(), t.shape.end(), checkExpression);
    const Fill& fill = t.fill;
    const bool numbers = std::isfinite(fill.a) && std::isfinite(fill.b) &&
                         std::all_of(fill.values.begin(), fill.values.end(), [](double v) { return std::isfinite(v); });
    const bool drawn = fill.kind != Fill::Kind::integers ||
                       (fill.a <= fill.b && std::abs(fill.a) <= largestInteger && std::abs(fill.b) <= largestInteger);
    if (!numbers || !drawn) refuse(fmt::format("tensor {} cannot be filled as it says", t.name));
}

void checkSizes(const Card& card) {
    atMost(card.sizes.size(), mostSizes, "sizes");
    std::set<std::string_view> names;
    for (const auto& [name, symbols] : card.sizes) {
        if (!names.insert(name).second) refuse(fmt::format("two sizes are called {}", name));
        atMost(symbols.size(), mostSymbols, "symbols");
        std::set<std::string_view> seen;
        for (const auto& [symbol, value] : symbols)
            if (!seen.insert(symbol).second) refuse(fmt::format("size {} has two values of {}", name, symbol));
    }
}

void checkWhole(const Card& card) {
    checkSizes(card);
    atMost(card.tensors.size(), mostTensors, "tensors");
    atMost(card.graph.size(), mostNodes, "nodes");
    std::for_each(card.tensors.begin(), card.tensors.end(), checkTensor);
    ArgumentCheck check(card);
    for (const auto& [name, argument] : card.call)
        check(argument);
    check.mayNameNodes();
    for (const Node& node : card.graph) {
        for (const Argument& argument : node.arguments)
            check(argument);
        for (const auto& [key, argument] : node.keywords)
            check(argument);
        check.add(node);
    }
    check(card.output);
    for (const double tolerance : {card.tolerance.strict, card.tolerance.legacy})
        if (!std::isfinite(tolerance) || tolerance < 0)
            refuse("a tolerance is no number that errors can be held against");
}

} // namespace

Result<void> checkSoundness(const Card& card) {
    try {
        checkWhole(card);
        return {};
    } catch (const std::invalid_argument& problem) {
        return Error{"bad_card", fmt::format("The task card cannot be used: {}.", problem.what()),
                     "Export it again, or choose another card."};
    }
}

} // namespace kernelarium::task
