// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/lowering/Operand.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::algebra::lowering {

OperatorCall::OperatorCall(const task::Node& node, const task::NodeShape& shape, Values arguments,
                           std::map<std::string, Value> keywords)
    : m_node(node)
    , m_arguments(std::move(arguments))
    , m_keywords(std::move(keywords)) {
    for (const tensor::Value& v : shape.results)
        tensor::collectTensors(v, m_results);
}

void OperatorCall::refuse(const std::string& why) const {
    throw Refusal{fmt::format("{} ({}): {}", m_node.op, m_node.name, why)};
}

const Value* OperatorCall::find(std::size_t index, const std::string& key) const {
    const Value* v = index < m_arguments.size() ? &m_arguments[index] : nullptr;
    if (const auto it = m_keywords.find(key); it != m_keywords.end()) v = &it->second;
    if (!v || std::holds_alternative<std::monostate>(v->kind)) return nullptr;
    if (const auto* l = std::get_if<tensor::Value>(&v->kind); l && l->isNone()) return nullptr;
    return v;
}

const tensor::Value* OperatorCall::literal(std::size_t index, const std::string& key) const {
    const Value* v = find(index, key);
    return v ? std::get_if<tensor::Value>(&v->kind) : nullptr;
}

bool OperatorCall::isOperand(std::size_t index, const std::string& key) const {
    const Value* v = find(index, key);
    return v && v->operand();
}

Operand OperatorCall::operand(std::size_t index, const std::string& key) const {
    const Value* v = find(index, key);
    if (!v || !v->operand()) refuse("its argument " + key + " is no tensor");
    return *v->operand();
}

std::optional<Operand> OperatorCall::optional(std::size_t index, const std::string& key) const {
    return has(index, key) ? std::optional(operand(index, key)) : std::nullopt;
}

std::vector<Operand> OperatorCall::operands(std::size_t index, const std::string& key) const {
    const Value* v = find(index, key);
    if (!v || !v->list()) refuse("its argument " + key + " is no list of tensors");
    std::vector<Operand> out;
    for (const Value& item : *v->list()) {
        if (!item.operand()) refuse("its argument " + key + " is no list of tensors");
        out.push_back(*item.operand());
    }
    return out;
}

double OperatorCall::number(std::size_t index, const std::string& key, double missing) const {
    const tensor::Value* v = literal(index, key);
    if (!v) {
        if (has(index, key)) refuse("its argument " + key + " is no number");
        return missing;
    }
    if (const auto* d = v->as<double>()) return *d;
    if (const auto* i = v->as<std::int64_t>()) return double(*i);
    if (const auto* b = v->as<bool>()) return *b ? 1 : 0;
    refuse("its argument " + key + " is no number");
}

std::int64_t OperatorCall::integer(std::size_t index, const std::string& key, std::int64_t missing) const {
    const tensor::Value* v = literal(index, key);
    if (v && v->as<std::int64_t>()) return *v->as<std::int64_t>();
    return std::int64_t(number(index, key, double(missing)));
}

bool OperatorCall::flag(std::size_t index, const std::string& key, bool missing) const {
    return number(index, key, missing ? 1 : 0) != 0;
}

std::string OperatorCall::text(std::size_t index, const std::string& key, std::string missing) const {
    const tensor::Value* v = literal(index, key);
    return v && v->as<std::string>() ? *v->as<std::string>() : missing;
}

std::vector<std::int64_t> OperatorCall::integers(std::size_t index, const std::string& key) const {
    const Value* v = find(index, key);
    if (!v) return {};
    std::vector<std::int64_t> out;
    const auto add = [&](const tensor::Value& item) {
        const auto* i = item.as<std::int64_t>();
        if (!i) refuse("its argument " + key + " is no list of whole numbers");
        out.push_back(*i);
    };
    if (const tensor::Value* l = literal(index, key)) {
        if (const auto* items = l->as<tensor::List>())
            for (const tensor::Value& item : *items)
                add(item);
        else
            add(*l);
    } else if (const Values* items = v->list()) {
        for (const Value& item : *items)
            if (const auto* inner = std::get_if<tensor::Value>(&item.kind)) add(*inner);
    }
    return out;
}

std::vector<std::int64_t> OperatorCall::integers(std::size_t index, const std::string& key, std::size_t n,
                                                 std::int64_t missing) const {
    std::vector<std::int64_t> given = integers(index, key);
    if (given.empty()) given.push_back(missing);
    if (given.size() == 1) given.resize(n, given[0]);
    if (given.size() != n) refuse("its argument " + key + " has too few or too many numbers");
    return given;
}

std::vector<int> OperatorCall::dimensions(std::size_t index, const std::string& key, int rank) const {
    std::vector<int> out;
    for (std::int64_t d : integers(index, key))
        out.push_back(int(d < 0 ? d + rank : d));
    if (out.empty())
        for (int d = 0; d < rank; ++d)
            out.push_back(d);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

int OperatorCall::dimension(std::size_t index, const std::string& key, int rank, int missing) const {
    const auto d = int(integer(index, key, missing));
    return d < 0 ? d + rank : d;
}

Value OperatorCall::item() const {
    const Value* v = find(0, "self");
    if (v && v->operand()) return *v; // of an operator with one result
    const auto at = std::size_t(integer(1, "index", 0));
    if (!v || !v->list() || at >= v->list()->size()) refuse("there is no such element");
    return (*v->list())[at];
}

Extents OperatorCall::shape(std::size_t result) const {
    return m_results.at(result).shape();
}

DType OperatorCall::dtype(std::size_t result) const {
    return m_results.at(result).dtype();
}

} // namespace kernelarium::algebra::lowering
