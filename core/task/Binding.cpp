// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/Binding.h"

#include <stdexcept>

#include <fmt/format.h>

namespace kernelarium::task {

using tensor::Value;

Value Binding::operator()(const Argument& argument) const {
    struct Visitor {
        const Binding& binding;
        Value operator()(std::monostate) const { return {}; }
        Value operator()(bool v) const { return v; }
        Value operator()(double v) const { return v; }
        Value operator()(const std::string& v) const { return v; }
        Value operator()(const SizeExpression& v) const {
            const Result<std::int64_t> size = v.evaluate(binding.symbols);
            if (!size) throw std::runtime_error(size.error().message);
            return *size;
        }
        Value operator()(tensor::DType v) const { return binding.floatType && isFloating(v) ? *binding.floatType : v; }
        Value operator()(const CardTensorRef& v) const {
            if (v.index >= binding.tensors.size())
                throw std::runtime_error(fmt::format("There is no tensor {}.", v.index));
            return binding.tensors[v.index];
        }
        Value operator()(const NodeRef& v) const {
            if (!binding.node) throw std::runtime_error("The call refers to a node of the graph.");
            return binding.node(v.name);
        }
        Value operator()(const ArgumentList& list) const {
            tensor::List out;
            for (const Argument& a : list)
                out.push_back(binding(a));
            return out;
        }
        Value operator()(const ArgumentDict& dict) const {
            tensor::Dict out;
            for (const auto& [key, a] : dict)
                out.emplace_back(key, binding(a));
            return out;
        }
    };
    return std::visit(Visitor{*this}, argument.kind);
}

void forNodes(const Argument& argument, const std::function<void(const std::string&)>& f) {
    if (const auto* node = std::get_if<NodeRef>(&argument.kind)) f(node->name);
    if (const auto* list = std::get_if<ArgumentList>(&argument.kind))
        for (const Argument& a : *list)
            forNodes(a, f);
    if (const auto* dict = std::get_if<ArgumentDict>(&argument.kind))
        for (const auto& [key, a] : *dict)
            forNodes(a, f);
}

Result<std::vector<tensor::Value>> callArguments(const Card& card, const Symbols& symbols,
                                                 std::span<const tensor::Tensor> tensors) {
    if (tensors.size() != card.tensors.size())
        return Error{"bad_argument",
                     fmt::format("Task {} takes {} tensors, not {}.", card.key(), card.tensors.size(), tensors.size())};
    try {
        const Binding bind{symbols, tensors, {}, {}};
        std::vector<tensor::Value> values;
        for (const auto& [name, argument] : card.call)
            values.push_back(bind(argument));
        return values;
    } catch (const std::exception& e) {
        return Error{"bad_card", e.what()};
    }
}

} // namespace kernelarium::task
