// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/Sha256.h"
#include "core/mugraph/graph/MuGraph.h"

#include <array>
#include <bit>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::mugraph {

namespace {

constexpr std::array<std::string_view, 14> operatorNames{"product", "multiply", "add",        "subtract", "divide",
                                                         "square",  "sqrt",     "exp",        "scale",    "offset",
                                                         "apply",   "sum",      "accumulate", "gather"};

/// What a step's parameter says, by the name of its member.
const char* parameterOf(Operator op) {
    switch (op) {
    case Operator::product:
    case Operator::sum: return "over";
    case Operator::scale:
    case Operator::offset: return "constant";
    case Operator::apply: return "function";
    default: return nullptr;
    }
}
bool hasAxes(Operator op) {
    return op == Operator::product || op == Operator::sum;
}

std::vector<int> listed(AxisSet axes) {
    std::vector<int> all;
    for (; axes != 0; axes &= axes - 1)
        all.push_back(std::countr_zero(axes));
    return all;
}

std::optional<Operator> operatorOf(std::string_view word) {
    for (std::size_t i = 0; i < operatorNames.size(); ++i)
        if (operatorNames[i] == word) return Operator(i);
    return std::nullopt;
}

Error badInput(const std::string& what) {
    return {"bad_input", fmt::format("This is no text of a µGraph: {}.", what)};
}

/// Takes a number from the front.
std::optional<std::uint32_t> number(std::string_view& text) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(std::size_t(end - text.data()));
    return value;
}
bool take(std::string_view& text, char c) {
    if (!text.starts_with(c)) return false;
    text.remove_prefix(1);
    return true;
}
std::optional<int> axisAt(std::string_view& text) {
    if (take(text, '-')) return -1;
    const auto value = number(text);
    return value && *value < std::uint32_t(mostAxes) ? std::optional(int(*value)) : std::nullopt;
}

/// "product(0,1|2)"
std::optional<Step> stepAt(std::string_view& text) {
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos) return std::nullopt;
    const std::optional<Operator> op = operatorOf(text.substr(0, open));
    text.remove_prefix(open + 1);
    const auto first = number(text);
    if (!op || !first || *first >= Step::none) return std::nullopt;
    Step step{std::uint8_t(*first), Step::none, *op, false, 0};
    if (take(text, ',')) {
        const auto second = number(text);
        if (!isBinary(*op) || !second || *second >= Step::none) return std::nullopt;
        step.b = std::uint8_t(*second);
        if (step.b > step.a) {
            std::swap(step.a, step.b);
            step.turned = *op == Operator::subtract || *op == Operator::divide;
        }
    } else if (isBinary(*op)) {
        return std::nullopt;
    }
    if (parameterOf(*op)) {
        if (!take(text, '|')) return std::nullopt;
        do {
            const auto value = number(text);
            if (!value || (hasAxes(*op) && *value >= std::uint32_t(mostAxes))) return std::nullopt;
            step.parameter = hasAxes(*op) ? step.parameter | axisBit(int(*value)) : *value;
        } while (hasAxes(*op) && take(text, '+'));
    }
    return take(text, ')') ? std::optional(step) : std::nullopt;
}

std::string textOf(const Step& s) {
    std::string text = fmt::format("{}({}", name(s.op), s.b != Step::none && s.turned ? s.b : s.a);
    if (s.b != Step::none) text += fmt::format(",{}", s.turned ? s.a : s.b);
    if (hasAxes(s.op))
        text += fmt::format("|{}", fmt::join(listed(s.parameter), "+"));
    else if (parameterOf(s.op))
        text += fmt::format("|{}", s.parameter);
    return text + ")";
}

} // namespace

std::string_view name(Operator op) {
    return operatorNames[std::size_t(op)];
}

std::string keyOf(const MuGraph& graph) {
    const auto axis = [](int a) { return a < 0 ? std::string("-") : std::to_string(a); };
    std::string key = axis(graph.roles.loop) + ":" + axis(graph.roles.split) + "/";
    for (std::size_t i = 0; i < graph.steps.size(); ++i)
        key += (i ? ";" : "") + textOf(graph.steps[i]);
    return key;
}

Result<MuGraph> graphFromKey(std::string_view key) {
    MuGraph graph;
    std::string_view rest = key;
    const auto loop = axisAt(rest);
    const bool colon = take(rest, ':');
    const auto split = colon ? axisAt(rest) : std::nullopt;
    if (!loop || !split || !take(rest, '/')) return badInput(fmt::format("\"{}\"", key.substr(0, 100)));
    graph.roles = {*loop, *split};
    while (!rest.empty()) {
        const std::optional<Step> step = stepAt(rest);
        if (!step || (!rest.empty() && (!take(rest, ';') || rest.empty())) || graph.steps.size() > 250)
            return badInput(fmt::format("step {} of \"{}\"", graph.steps.size() + 1, key.substr(0, 100)));
        graph.steps.push_back(*step);
    }
    return graph;
}

nlohmann::json toJson(const Problem& problem, const MuGraph& graph) {
    using nlohmann::json;
    const auto axis = [](int a) { return a < 0 ? json(nullptr) : json(a); };
    json inputs = json::array(), steps = json::array();
    for (const Problem::Tensor& t : problem.inputs)
        inputs.push_back({{"tensor", t.name}, {"axes", t.axes}});
    for (const Step& s : graph.steps) {
        json one{{"operator", name(s.op)}};
        if (s.b == Step::none)
            one["of"] = json::array({s.a});
        else
            one["of"] = s.turned ? json::array({s.b, s.a}) : json::array({s.a, s.b});
        if (hasAxes(s.op))
            one["over"] = listed(s.parameter);
        else if (const char* what = parameterOf(s.op))
            one[what] = s.parameter;
        steps.push_back(std::move(one));
    }
    return {{"loop", axis(graph.roles.loop)},
            {"split", axis(graph.roles.split)},
            {"inputs", std::move(inputs)},
            {"steps", std::move(steps)}};
}

Result<MuGraph> muGraphFrom(const Problem& problem, const nlohmann::json& json) {
    // Read as a key is, so that there is one reader.
    std::string key;
    try {
        const auto axis = [&](const char* member) {
            const nlohmann::json& a = json.at(member);
            return a.is_null() ? std::string("-") : std::to_string(a.get<std::uint32_t>());
        };
        key = axis("loop") + ":" + axis("split") + "/";
        const nlohmann::json& inputs = json.at("inputs");
        if (inputs.size() != problem.inputs.size()) return badInput("it has other inputs than the task");
        for (std::size_t k = 0; k < inputs.size(); ++k)
            if (inputs[k].at("tensor") != problem.inputs[k].name ||
                inputs[k].at("axes").get<std::vector<int>>() != problem.inputs[k].axes)
                return badInput(fmt::format("its input {} is not the task's", k));
        bool isFirst = true;
        for (const nlohmann::json& s : json.at("steps")) {
            const auto word = s.at("operator").get<std::string>();
            const std::optional<Operator> op = operatorOf(word);
            if (!op) return badInput(fmt::format("there is no operator {}", word.substr(0, 50)));
            key += (isFirst ? "" : ";") +
                   fmt::format("{}({}", word, fmt::join(s.at("of").get<std::vector<std::uint32_t>>(), ","));
            if (hasAxes(*op))
                key += fmt::format("|{}", fmt::join(s.at("over").get<std::vector<std::uint32_t>>(), "+"));
            else if (const char* what = parameterOf(*op))
                key += fmt::format("|{}", s.at(what).get<std::uint32_t>());
            key += ")";
            isFirst = false;
        }
    } catch (const nlohmann::json::exception&) {
        return badInput("a member is missing or of another kind");
    }
    Result<MuGraph> graph = graphFromKey(key);
    if (!graph) return graph;
    if (Result<void> sound = checkGraph(problem, *graph); !sound) return sound.error();
    return graph;
}

std::string hashOf(const Problem& problem, const MuGraph& graph) {
    std::string text = keyOf(canonical(problem, graph));
    for (const Problem::Tensor& t : problem.inputs)
        text += fmt::format("/{}", fmt::join(t.axes, ","));
    return files::toHex(files::sha256(text), 32);
}

std::string toText(const Problem& problem, const MuGraph& graph) {
    const Result<std::vector<Tile>> tiles = tilesOf(problem, graph);
    if (!tiles) return tiles.error().message;
    std::string text;
    const auto axisName = [&](int axis) { return axis < 0 ? "nothing" : problem.axisNames[std::size_t(axis)]; };
    text += fmt::format("loop over {}, split over {}\n", axisName(graph.roles.loop), axisName(graph.roles.split));
    for (std::size_t i = 0; i < tiles->size(); ++i) {
        const Tile& t = (*tiles)[i];
        const std::size_t inputs = problem.inputs.size();
        std::string names;
        for (int axis : listed(t.axes))
            names += (names.empty() ? "" : " ") + axisName(axis);
        text += fmt::format("{:>3} = {}   [{}]{}{}{}\n", i,
                            i < inputs ? "load " + problem.inputs[i].name : textOf(graph.steps[i - inputs]), names,
                            t.looped ? " in each step" : "", t.partial ? " of each part" : "",
                            t.gathered ? " in the second launch" : "");
    }
    return text;
}

} // namespace kernelarium::mugraph
