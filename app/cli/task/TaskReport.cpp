// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/task/TaskReport.h"

#include "core/quantities/Quantities.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

using Json = nlohmann::ordered_json;

std::string intensityText(double flops, double bytes) {
    return bytes > 0 ? quantities::number(flops / bytes) : "-";
}

std::string symbolText(const task::Symbols& symbols) {
    std::vector<std::string> parts;
    for (const auto& [name, value] : symbols)
        parts.push_back(fmt::format("{}={}", name, value));
    return parts.empty() ? "(no symbols)" : fmt::format("{}", fmt::join(parts, " "));
}
std::string shapeText(const std::vector<task::SizeExpression>& shape) {
    std::vector<std::string> parts;
    for (const task::SizeExpression& s : shape)
        parts.push_back(s.text());
    return fmt::format("[{}]", fmt::join(parts, ", "));
}

/// Rows in columns as wide as their widest cell; all but the first column flush right where `right` says so.
std::string table(const std::vector<std::vector<std::string>>& rows, const std::vector<bool>& right) {
    std::vector<std::size_t> widths(right.size(), 0);
    for (const auto& row : rows)
        for (std::size_t c = 0; c < row.size(); ++c)
            widths[c] = std::max(widths[c], row[c].size());
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t c = 0; c < row.size(); ++c)
            line += right[c] ? fmt::format("{:>{}}  ", row[c], widths[c]) : fmt::format("{:<{}}  ", row[c], widths[c]);
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string fillText(const task::Fill& fill) {
    if (fill.kind == task::Fill::Kind::values)
        return fmt::format("{} {:g}", task::name(fill.kind), fmt::join(fill.values, " "));
    return fmt::format("{} {:g} {:g}", task::name(fill.kind), fill.a, fill.b);
}

struct ArgumentText {
    const task::Card& card;
    std::string operator()(std::monostate) const { return "None"; }
    std::string operator()(bool v) const { return v ? "True" : "False"; }
    std::string operator()(const task::SizeExpression& v) const { return v.text(); }
    std::string operator()(double v) const { return fmt::format("{}", v); }
    std::string operator()(const std::string& v) const { return fmt::format("'{}'", v); }
    std::string operator()(tensor::DType v) const { return std::string(tensor::name(v)); }
    std::string operator()(const task::CardTensorRef& v) const {
        return v.index < card.tensors.size() ? card.tensors[v.index].name : "?";
    }
    std::string operator()(const task::NodeRef& v) const { return v.name; }
    std::string operator()(const task::ArgumentList& list) const {
        std::vector<std::string> parts;
        for (const task::Argument& a : list)
            parts.push_back(std::visit(*this, a.kind));
        return fmt::format("[{}]", fmt::join(parts, ", "));
    }
    std::string operator()(const task::ArgumentDict& dict) const {
        std::vector<std::string> parts;
        for (const auto& [key, a] : dict)
            parts.push_back(fmt::format("{}: {}", key, std::visit(*this, a.kind)));
        return fmt::format("{{{}}}", fmt::join(parts, ", "));
    }
};

std::string nodeText(const task::Card& card, const task::Node& node) {
    std::vector<std::string> parts;
    for (const task::Argument& a : node.arguments)
        parts.push_back(std::visit(ArgumentText{card}, a.kind));
    for (const auto& [key, a] : node.keywords)
        parts.push_back(fmt::format("{}={}", key, std::visit(ArgumentText{card}, a.kind)));
    return fmt::format("  {} = {}({})\n", node.name, node.op, fmt::join(parts, ", "));
}

} // namespace

std::string listText(const std::vector<task::Card>& cards) {
    std::vector<std::vector<std::string>> rows{{"task", "family", "small size", "name"}};
    for (const task::Card& card : cards) {
        const auto small = card.size("small");
        rows.push_back({card.key(), card.family, small ? symbolText(*small) : "", card.name});
    }
    return table(rows, {false, false, false, false}) + quantities::counted(double(cards.size()), "task") + "\n";
}

std::string listJson(const std::vector<task::Card>& cards) {
    Json tasks = Json::array();
    for (const task::Card& card : cards) {
        Json sizes = Json::array();
        for (const auto& [name, symbols] : card.sizes)
            sizes.push_back(name);
        tasks.push_back({{"level", card.level},
                         {"task", card.task},
                         {"name", card.name},
                         {"family", card.family},
                         {"summary", card.summary},
                         {"sizes", sizes}});
    }
    return Json{{"tasks", tasks}}.dump(1) + "\n";
}

std::string showText(const task::Card& card) {
    std::string text = fmt::format("{} {}\n{}\n", card.key(), card.name, card.summary);
    for (const std::string& note : card.notes)
        text += fmt::format("Note: {}\n", note);
    if (!card.degenerate.empty()) text += fmt::format("Degenerate: {}\n", card.degenerate);
    if (!card.oddForbidden.empty()) text += fmt::format("Odd size: {}\n", card.oddForbidden);
    text += "\nSizes\n";
    for (const auto& [name, symbols] : card.sizes)
        text += fmt::format("  {:<6} {}\n", name, symbolText(symbols));
    std::vector<std::string> arguments;
    for (const auto& [name, argument] : card.call) {
        const std::string value = std::visit(ArgumentText{card}, argument.kind);
        arguments.push_back(value == name ? name : fmt::format("{}={}", name, value));
    }
    text += fmt::format("\nCall\n  forward({})\n\nTensors\n", fmt::join(arguments, ", "));
    std::vector<std::vector<std::string>> rows;
    for (const task::CardTensor& t : card.tensors)
        rows.push_back({fmt::format("  {}", t.name), t.isParameter ? "parameter" : "input",
                        std::string(tensor::name(t.dtype)), shapeText(t.shape), fillText(t.fill)});
    text += table(rows, std::vector<bool>(5, false)) + "\nOperators\n";
    for (const task::Node& node : card.graph)
        text += nodeText(card, node);
    return text + fmt::format("  return {}\n\nTolerance {:g} (strict), {:g} (legacy)\n",
                              std::visit(ArgumentText{card}, card.output.kind), card.tolerance.strict,
                              card.tolerance.legacy);
}

std::string costText(const task::Card& card, const std::string& size, const task::Symbols& symbols,
                     const task::Cost& cost) {
    std::string text = fmt::format("{} {} at size {} ({})\n\n", card.key(), card.name, size, symbolText(symbols));
    std::vector<std::vector<std::string>> rows{{"node", "operator", "output", "FLOPs", "bytes", "FLOP/B"}};
    for (const task::OperatorCost& c : cost.operators)
        if (!c.isView)
            rows.push_back({c.node, c.op, tensor::toString(c.output), quantities::si(c.flops, "FLOP"),
                            quantities::bytes(c.bytes), intensityText(c.flops, c.bytes)});
    text += table(rows, {false, false, false, true, true, true});
    return text + fmt::format("\nFLOPs              {}  (PyTorch's counter: {})\nbytes, unfused     {}  ({} FLOP/B)\n"
                              "bytes, compulsory  {}  ({} FLOP/B)\n",
                              quantities::si(cost.flops, "FLOP"), quantities::si(cost.torchFlops, "FLOP"),
                              quantities::bytes(cost.unfusedBytes), intensityText(cost.flops, cost.unfusedBytes),
                              quantities::bytes(cost.compulsoryBytes), intensityText(cost.flops, cost.compulsoryBytes));
}

std::string costJson(const task::Card& card, const std::string& size, const task::Symbols& symbols,
                     const task::Cost& cost) {
    Json operators = Json::array(), values = Json::object(), byType = Json::object();
    for (const auto& [type, flops] : cost.flopsByType)
        byType[std::string(tensor::name(type))] = flops;
    for (const auto& [name, value] : symbols)
        values[name] = value;
    for (const task::OperatorCost& c : cost.operators)
        operators.push_back({{"node", c.node},
                             {"operator", c.op},
                             {"output", c.output},
                             {"flops", c.flops},
                             {"precision", std::string(tensor::name(c.type))},
                             {"torch_flops", c.torchFlops},
                             {"bytes", c.bytes},
                             {"intensity", c.intensity()},
                             {"view", c.isView}});
    return Json{{"level", card.level},
                {"task", card.task},
                {"size", size},
                {"symbols", values},
                {"flops", cost.flops},
                {"flops_by_precision", byType},
                {"torch_flops", cost.torchFlops},
                {"compulsory_bytes", cost.compulsoryBytes},
                {"unfused_bytes", cost.unfusedBytes},
                {"fused_intensity", cost.fusedIntensity()},
                {"unfused_intensity", cost.unfusedIntensity()},
                {"operators", operators}}
               .dump(1) +
           "\n";
}

} // namespace kernelarium::cli
