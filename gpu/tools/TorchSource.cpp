// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/tools/TorchSource.h"

#include "core/task/Liveness.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace kernelarium::tools {

namespace {

/// A text that is a literal in Python as it is in JSON, in ASCII.
std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::string numberText(double value) {
    if (std::isnan(value)) return "float('nan')";
    if (std::isinf(value)) return value > 0 ? "float('inf')" : "float('-inf')";
    std::string text = fmt::format("{}", value);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

bool isWord(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

class SourceWriter {
public:
    SourceWriter(const task::Card& card, const task::Symbols& symbols)
        : m_card(card)
        , m_symbols(symbols) {
        for (std::size_t i = 0; i < card.graph.size(); ++i)
            m_places.emplace(card.graph[i].name, i);
    }

    std::string text() {
        std::string parameters;
        for (std::size_t i = 0; i < m_card.tensors.size(); ++i)
            parameters += fmt::format("{}t{}", i ? ", " : "", i);
        std::string out = fmt::format("def forward({}):\n", parameters);
        std::vector<std::vector<std::size_t>> dropped(m_card.graph.size() + 1);
        for (const auto& [name, use] : task::lastUses(m_card).nodes)
            if (const auto place = m_places.find(name); place != m_places.end())
                dropped.at(use).push_back(place->second);
        for (std::size_t i = 0; i < m_card.graph.size(); ++i) {
            out += fmt::format("    n{} = {}\n", i, callText(m_card.graph[i]));
            std::sort(dropped[i].begin(), dropped[i].end());
            for (const std::size_t value : dropped[i])
                out += fmt::format("    del n{}\n", value);
        }
        return out + "    return " + argumentText(m_card.output) + "\n";
    }

private:
    std::string callText(const task::Node& node) {
        std::string arguments;
        const auto add = [&](const std::string& one) { arguments += (arguments.empty() ? "" : ", ") + one; };
        for (const task::Argument& a : node.arguments)
            add(argumentText(a));
        if (node.op == "<built-in function getitem>")
            return argumentText(node.arguments.at(0)) + "[" + argumentText(node.arguments.at(1)) + "]";
        const std::size_t first = node.op.find('.'), second = node.op.rfind('.');
        const bool plain = node.op.starts_with("aten.") && second > first &&
                           isWord(node.op.substr(first + 1, second - first - 1)) && isWord(node.op.substr(second + 1));
        if (!plain) throw std::runtime_error("the operator " + node.op + " is none of PyTorch's");
        for (const auto& [key, a] : node.keywords) {
            if (!isWord(key)) throw std::runtime_error("the keyword " + key + " is no name");
            add(key + "=" + argumentText(a));
        }
        return "torch.ops." + node.op + "(" + arguments + ")";
    }

    std::string argumentText(const task::Argument& argument) {
        struct Visitor {
            SourceWriter& writer;
            std::string operator()(std::monostate) const { return "None"; }
            std::string operator()(bool v) const { return v ? "True" : "False"; }
            std::string operator()(double v) const { return numberText(v); }
            std::string operator()(const std::string& v) const { return quoted(v); }
            std::string operator()(const task::SizeExpression& v) const {
                const Result<std::int64_t> size = v.evaluate(writer.m_symbols);
                if (!size) throw std::runtime_error(size.error().message);
                return std::to_string(*size);
            }
            std::string operator()(tensor::DType v) const { return "torch." + std::string(tensor::name(v)); }
            std::string operator()(const task::TensorRef& v) const { return fmt::format("t{}", v.index); }
            std::string operator()(const task::NodeRef& v) const {
                return fmt::format("n{}", writer.m_places.at(v.name));
            }
            std::string operator()(const task::ArgumentList& list) const {
                std::string out = "[";
                for (const task::Argument& a : list)
                    out += writer.argumentText(a) + ", ";
                return out + "]";
            }
            std::string operator()(const task::ArgumentDict& dict) const {
                std::string out = "{";
                for (const auto& [key, a] : dict)
                    out += quoted(key) + ": " + writer.argumentText(a) + ", ";
                return out + "}";
            }
        };
        return std::visit(Visitor{*this}, argument.kind);
    }

    const task::Card& m_card;
    const task::Symbols& m_symbols;
    std::map<std::string, std::size_t> m_places; ///< of a node in the graph, by name
};

} // namespace

Result<std::string> torchSource(const task::Card& card, const task::Symbols& symbols) {
    try {
        return SourceWriter(card, symbols).text();
    } catch (const std::exception& problem) {
        return Error{"bad_card",
                     fmt::format("Task {} cannot be written as PyTorch code: {}.", card.key(), problem.what())};
    }
}

} // namespace kernelarium::tools
