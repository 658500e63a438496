// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Graph.h"
#include "core/task/Card.h"
#include "core/task/GraphWalk.h"

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kernelarium::algebra::lowering {

using tensor::DType;

/// Thrown where an operator has no form, and turned into an Error by lower().
struct Refusal {
    std::string what;
};

/// What an operator is given and gives: a tensor of the graph through a view of it. `read` is over the axes of `shape`.
struct Operand {
    Read read;
    Extents shape;
    DType dtype = DType::Float32;
    [[nodiscard]] int rank() const { return int(shape.size()); }
};

struct Value;
using Values = std::vector<Value>;
/// An argument or result: a literal of the card (task's own), an operand, or a list of these.
struct Value {
    std::variant<std::monostate, tensor::Value, Operand, Values> kind;
    [[nodiscard]] const Operand* operand() const { return std::get_if<Operand>(&kind); }
    [[nodiscard]] const Values* list() const { return std::get_if<Values>(&kind); }
};

/// One operator with its arguments, each read by its place or name in ATen's schema, and the shapes of its results.
class OperatorCall {
public:
    OperatorCall(const task::Node& node, const task::NodeShape& shape, Values arguments,
                 std::map<std::string, Value> keywords);

    [[nodiscard]] const std::string& node() const { return m_node.name; }
    [[nodiscard]] std::string_view op() const { return m_node.op; }

    [[nodiscard]] bool has(std::size_t index, const std::string& key) const { return find(index, key) != nullptr; }
    [[nodiscard]] Operand operand(std::size_t index, const std::string& key) const;
    [[nodiscard]] std::optional<Operand> optional(std::size_t index, const std::string& key) const;
    [[nodiscard]] std::vector<Operand> operands(std::size_t index, const std::string& key) const;
    [[nodiscard]] bool isOperand(std::size_t index, const std::string& key) const;
    [[nodiscard]] std::int64_t integer(std::size_t index, const std::string& key, std::int64_t missing) const;
    [[nodiscard]] double number(std::size_t index, const std::string& key, double missing) const;
    [[nodiscard]] bool flag(std::size_t index, const std::string& key, bool missing) const;
    [[nodiscard]] std::string text(std::size_t index, const std::string& key, std::string missing) const;
    /// Empty where missing; one integer is a list of one.
    [[nodiscard]] std::vector<std::int64_t> integers(std::size_t index, const std::string& key) const;
    /// Exactly n: one given stands for all, `missing` where there is none.
    [[nodiscard]] std::vector<std::int64_t> integers(std::size_t index, const std::string& key, std::size_t n,
                                                     std::int64_t missing) const;
    /// Dimensions wrapped and ascending; all of `rank` where none is named.
    [[nodiscard]] std::vector<int> dimensions(std::size_t index, const std::string& key, int rank) const;
    [[nodiscard]] int dimension(std::size_t index, const std::string& key, int rank, int missing) const;

    /// Shape and type of the result's n-th tensor.
    [[nodiscard]] Extents shape(std::size_t result = 0) const;
    [[nodiscard]] DType dtype(std::size_t result = 0) const;
    [[nodiscard]] std::size_t resultCount() const { return m_results.size(); }

    /// The element that getitem takes out of what an operator gave.
    [[nodiscard]] Value item() const;

    [[noreturn]] void refuse(const std::string& why) const;

private:
    [[nodiscard]] const Value* find(std::size_t index, const std::string& key) const;
    [[nodiscard]] const tensor::Value* literal(std::size_t index, const std::string& key) const;

    const task::Node& m_node;
    Values m_arguments;
    std::map<std::string, Value> m_keywords;
    std::vector<tensor::Tensor> m_results;
};

} // namespace kernelarium::algebra::lowering
