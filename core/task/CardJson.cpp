// SPDX-License-Identifier: GPL-3.0-or-later
// Cards as JSON. Arguments: numbers, true, false, null and lists stand for themselves; a string is "%3"
// (tensor 3),
// "@name" (a node), "=B*8" (a size), "#float32" (an element type) or "'text"; {"float": "-inf"} and {"dict":
// {...}} are what their names say.
#include "core/task/CardJson.h"

#include "core/task/CardCheck.h"
#include "core/text/UntrustedJson.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::task {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 14> fillNames{"normal",
                                                     "uniform",
                                                     "constant",
                                                     "integers",
                                                     "booleans",
                                                     "signs",
                                                     "probabilities",
                                                     "upper_triangular",
                                                     "lower_triangular",
                                                     "symmetric",
                                                     "causal_mask",
                                                     "varied",
                                                     "varied_probabilities",
                                                     "values"};

Fill readFill(const Json& j) {
    Fill fill;
    const auto text = j.at(0).get<std::string>();
    for (std::size_t i = 0; i < fillNames.size(); ++i)
        if (fillNames[i] == text) {
            fill.kind = Fill::Kind(i);
            if (fill.kind == Fill::Kind::values) {
                fill.values = std::vector<double>(j.begin() + 1, j.end());
                if (fill.values.empty()) throw std::runtime_error("a tensor of fixed values has none");
                return fill;
            }
            fill.a = j.size() > 1 ? j.at(1).get<double>() : 0.0;
            fill.b = j.size() > 2 ? j.at(2).get<double>() : 1.0;
            return fill;
        }
    throw std::runtime_error(fmt::format("unknown distribution '{}'", text));
}
Json writeFill(const Fill& fill) {
    if (fill.kind == Fill::Kind::values) {
        Json out = Json::array({std::string(name(fill.kind))});
        for (double v : fill.values)
            out.push_back(v);
        return out;
    }
    return Json::array({std::string(name(fill.kind)), fill.a, fill.b});
}

SizeExpression readSize(const Json& j) {
    return j.is_string() ? SizeExpression(j.get<std::string>()) : SizeExpression(j.get<std::int64_t>());
}
Json writeSize(const SizeExpression& size) {
    // A number of more than 64 bits stays the text that it is.
    const Result<std::int64_t> number = size.isNumber() ? size.evaluate({}) : Result<std::int64_t>(Error{});
    return number ? Json(*number) : Json(size.text());
}

std::size_t readIndex(const std::string& text) {
    std::size_t index = 0;
    const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), index);
    if (text.empty() || bad != std::errc() || end != text.data() + text.size())
        throw std::runtime_error(fmt::format("'{}' is no number of a tensor", text));
    return index;
}

Argument readText(const std::string& text) {
    if (text.empty()) throw std::runtime_error("an empty argument");
    const std::string rest = text.substr(1);
    switch (text[0]) {
    case '%': return {CardTensorRef{readIndex(rest)}};
    case '@': return {NodeRef{rest}};
    case '=': return {SizeExpression(rest)};
    case '\'': return {rest};
    case '#':
        if (const auto type = tensor::parseDType(rest)) return {*type};
        break;
    default: break;
    }
    throw std::runtime_error(fmt::format("the argument '{}' means nothing", text));
}
Argument readArgument(const Json& j) {
    if (j.is_null()) return {};
    if (j.is_boolean()) return {j.get<bool>()};
    if (j.is_number_integer()) return {SizeExpression(j.get<std::int64_t>())};
    if (j.is_number()) return {j.get<double>()};
    if (j.is_string()) return readText(j.get<std::string>());
    if (j.is_array()) {
        ArgumentList list;
        for (const Json& item : j)
            list.push_back(readArgument(item));
        return {list};
    }
    if (j.contains("float")) return {std::stod(j["float"].get<std::string>())};
    ArgumentDict dict;
    for (const auto& [key, item] : j.at("dict").items())
        dict.push_back({key, readArgument(item)});
    return {dict};
}

struct ArgumentWriter {
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(bool v) const { return v; }
    Json operator()(const SizeExpression& v) const {
        return v.isNumber() ? writeSize(v) : Json(fmt::format("={}", v.text()));
    }
    Json operator()(double v) const {
        if (std::isfinite(v)) return v;
        return {{"float", std::isnan(v) ? "nan" : v > 0 ? "inf" : "-inf"}};
    }
    Json operator()(const std::string& v) const { return fmt::format("'{}", v); }
    Json operator()(tensor::DType v) const { return fmt::format("#{}", tensor::name(v)); }
    Json operator()(const CardTensorRef& v) const { return fmt::format("%{}", v.index); }
    Json operator()(const NodeRef& v) const { return fmt::format("@{}", v.name); }
    Json operator()(const ArgumentList& list) const {
        Json out = Json::array();
        for (const Argument& a : list)
            out.push_back(std::visit(*this, a.kind));
        return out;
    }
    Json operator()(const ArgumentDict& dict) const {
        Json inner = Json::object();
        for (const auto& [key, a] : dict)
            inner[key] = std::visit(*this, a.kind);
        return {{"dict", inner}};
    }
};
Json writeArgument(const Argument& a) {
    return std::visit(ArgumentWriter{}, a.kind);
}

CardTensor readTensor(const Json& j) {
    CardTensor t;
    t.name = j.at("name").get<std::string>();
    t.isParameter = j.value("role", "input") == "parameter";
    const auto type = tensor::parseDType(j.value("dtype", "float32"));
    if (!type) throw std::runtime_error(fmt::format("tensor {} has an unknown element type", t.name));
    t.dtype = *type;
    for (const Json& size : j.at("shape"))
        t.shape.push_back(readSize(size));
    t.fill = readFill(j.at("fill"));
    return t;
}
Json writeTensor(const CardTensor& t) {
    Json shape = Json::array();
    for (const SizeExpression& s : t.shape)
        shape.push_back(writeSize(s));
    return {{"name", t.name},
            {"role", t.isParameter ? "parameter" : "input"},
            {"dtype", std::string(tensor::name(t.dtype))},
            {"shape", shape},
            {"fill", writeFill(t.fill)}};
}

/// [name, op, [arguments]] or [name, op, [arguments], {keywords}]
Node readNode(const Json& j) {
    Node node{j.at(0).get<std::string>(), j.at(1).get<std::string>(), {}, {}};
    for (const Json& a : j.at(2))
        node.arguments.push_back(readArgument(a));
    if (j.size() > 3)
        for (const auto& [key, a] : j.at(3).items())
            node.keywords.push_back({key, readArgument(a)});
    return node;
}
Json writeNode(const Node& node) {
    Json out = Json::array({node.name, node.op, writeArgument({node.arguments})});
    if (node.keywords.empty()) return out;
    Json keywords = Json::object();
    for (const auto& [key, a] : node.keywords)
        keywords[key] = writeArgument(a);
    out.push_back(keywords);
    return out;
}

std::optional<double> optionalNumber(const Json& j, const char* key) {
    return j.contains(key) && j[key].is_number() ? std::optional(j[key].get<double>()) : std::nullopt;
}

Card readCard(const Json& j) {
    if (j.value("format", 0) != 1) throw std::runtime_error("the format is not 1, the only one this program knows");
    Card card;
    card.level = j.at("level").get<int>();
    card.task = j.at("task").get<int>();
    card.name = j.at("name").get<std::string>();
    card.family = j.at("family").get<std::string>();
    card.summary = j.at("summary").get<std::string>();
    card.notes = j.value("notes", std::vector<std::string>{});
    card.degenerate = j.value("degenerate", "");
    card.oddForbidden = j.value("odd_forbidden", "");
    for (const auto& [name, symbols] : j.at("sizes").items()) {
        Symbols values;
        for (const auto& [symbol, value] : symbols.items())
            values.emplace_back(symbol, value.get<std::int64_t>());
        card.sizes.emplace_back(name, values);
    }
    for (const Json& t : j.at("tensors"))
        card.tensors.push_back(readTensor(t));
    for (const Json& argument : j.at("call"))
        card.call.emplace_back(argument.at(0).get<std::string>(), readArgument(argument.at(1)));
    for (const Json& node : j.at("graph"))
        card.graph.push_back(readNode(node));
    card.output = readArgument(j.at("output"));
    card.tolerance = {j.at("tolerance").at("strict").get<double>(), j.at("tolerance").at("legacy").get<double>()};
    card.archivedRms = optionalNumber(j, "archived_rms");
    card.torchFlops = optionalNumber(j, "torch_flops");
    card.h200EagerMs = optionalNumber(j, "h200_eager_ms");
    return card;
}

Result<Card> checked(Card card) {
    if (const Result<void> sound = checkSoundness(card); !sound) return sound.error();
    return card;
}

} // namespace

std::string_view name(Fill::Kind kind) {
    return fillNames[std::size_t(kind)];
}

Result<Card> parseCard(std::string_view json) {
    try {
        if (text::nestsTooDeeply(json)) throw std::runtime_error("it nests deeper than any card");
        return checked(readCard(Json::parse(json)));
    } catch (const std::exception& e) {
        return Error{"bad_card", fmt::format("The task card cannot be read: {}.", e.what())};
    }
}

namespace {

Json jsonOf(const Card& card) {
    Json j{{"format", 1},           {"level", card.level},     {"task", card.task},  {"name", card.name},
           {"family", card.family}, {"summary", card.summary}, {"notes", card.notes}};
    if (!card.degenerate.empty()) j["degenerate"] = card.degenerate;
    if (!card.oddForbidden.empty()) j["odd_forbidden"] = card.oddForbidden;
    j["sizes"] = Json::object();
    for (const auto& [size, symbols] : card.sizes) {
        j["sizes"][size] = Json::object();
        for (const auto& [symbol, value] : symbols)
            j["sizes"][size][symbol] = value;
    }
    j["tolerance"] = {{"strict", card.tolerance.strict}, {"legacy", card.tolerance.legacy}};
    if (card.archivedRms) j["archived_rms"] = *card.archivedRms;
    if (card.torchFlops) j["torch_flops"] = *card.torchFlops;
    if (card.h200EagerMs) j["h200_eager_ms"] = *card.h200EagerMs;
    for (const char* list : {"tensors", "call", "graph"})
        j[list] = Json::array();
    for (const CardTensor& t : card.tensors)
        j["tensors"].push_back(writeTensor(t));
    for (const auto& [argument, value] : card.call)
        j["call"].push_back(Json::array({argument, writeArgument(value)}));
    for (const Node& node : card.graph)
        j["graph"].push_back(writeNode(node));
    j["output"] = writeArgument(card.output);
    return j;
}

Result<Card> cardOf(const Json& json) {
    try {
        return checked(readCard(json));
    } catch (const std::exception& e) {
        return Error{"bad_card", fmt::format("The task card cannot be read: {}.", e.what())};
    }
}

} // namespace

std::string writeCard(const Card& card) {
    return jsonOf(card).dump(1);
}

nlohmann::json toJson(const Card& card) {
    return jsonOf(card);
}

Result<Card> cardFromJson(const nlohmann::json& json) {
    return cardOf(json);
}

} // namespace kernelarium::task
