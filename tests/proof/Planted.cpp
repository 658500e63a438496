// SPDX-License-Identifier: GPL-3.0-or-later
#include "Planted.h"

#include "core/algebra/lowering/Lowering.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace kernelarium::proof::test {

using nlohmann::json;

namespace {

/// Cards of our own, small ones of what the tasks do.
std::string ownCard(const std::string& name) {
    const std::string head =
        R"({"format": 1, "level": 99, "task": 1, "name": "1_Own", "family": "own", "summary": "Own.",
        "tolerance": {"strict": 1e-4, "legacy": 1e-2}, )";
    const auto tensor = [](const char* tensorName, const char* shape, const char* fill, const char* type = "float32") {
        return std::string(R"({"name": ")") + tensorName + R"(", "role": "input", "dtype": ")" + type +
               R"(", "shape": )" + shape + R"(, "fill": )" + fill + "}";
    };
    if (name == "attention")
        return head + R"("sizes": {"full": {"B": 4, "T": 64, "D": 16}, "small": {"B": 2, "T": 16, "D": 8},
            "odd": {"B": 3, "T": 13, "D": 7}}, "tensors": [)" +
               tensor("q", R"(["B", "T", "D"])", R"(["normal", 0.0, 0.5])") + "," +
               tensor("k", R"(["B", "D", "T"])", R"(["normal", 0.0, 1.0])") + "," +
               tensor("v", R"(["B", "T", "D"])", R"(["varied", 0.0, 1.0])") +
               R"(], "call": [["q", "%0"], ["k", "%1"], ["v", "%2"]], "graph": [
            ["scores", "aten.matmul.default", ["%0", "%1"]], ["ones", "aten.ones.default", [["=T", "=T"]], {"dtype": "#bool"}],
            ["tril", "aten.tril.default", ["@ones"]], ["not", "aten.bitwise_not.default", ["@tril"]],
            ["masked", "aten.masked_fill.Scalar", ["@scores", "@not", {"float": "-inf"}]],
            ["softmax", "aten.softmax.int", ["@masked", -1]], ["out", "aten.matmul.default", ["@softmax", "%2"]]],
            "output": "@out"})";
    if (name == "qknorm") // what Mirage's benchmark computes, over a head of 16
        return head + R"("sizes": {"full": {"M": 64, "S": 256}, "small": {"M": 32, "S": 64}, "odd": {"M": 24, "S": 36}},
            "tensors": [)" +
               tensor("q", R"([2, "M", 16])", R"(["varied", 0.0, 1.0])", "float16") + "," +
               tensor("k", R"([2, 16, "S"])", R"(["normal", 0.0, 0.75])", "float16") + "," +
               tensor("v", R"([2, "S", 16])", R"(["varied", 0.0, 1.0])", "float16") +
               R"(], "call": [["q", "%0"], ["k", "%1"], ["v", "%2"]], "graph": [
            ["q_norm", "aten.rms_norm.default", ["%0", [16], null, 0.0]],
            ["v_norm", "aten.rms_norm.default", ["%2", [16], null, 0.0]],
            ["scores", "aten.matmul.default", ["@q_norm", "%1"]], ["softmax", "aten.softmax.int", ["@scores", -1]],
            ["out", "aten.matmul.default", ["@softmax", "@v_norm"]]], "output": "@out"})";
    if (name == "pair")
        return head + R"("sizes": {"full": {"B": 8, "N": 64}, "small": {"B": 4, "N": 32}, "odd": {"B": 3, "N": 17}},
            "tensors": [)" +
               tensor("a", R"(["B", "N"])", R"(["normal", 0.0, 1.0])") + "," +
               tensor("b", R"(["B", "N"])", R"(["normal", 0.5, 1.0])") + "," +
               tensor("w", R"(["N", "N"])", R"(["normal", 0.0, 0.5])") +
               R"(], "call": [["a", "%0"], ["b", "%1"], ["w", "%2"]], "graph": [["out", "aten.add.Tensor", ["%0", "%1"]]],
            "output": "@out"})";
    throw std::runtime_error("No card of our own is called " + name);
}

} // namespace

std::optional<task::Card> cardOf(const std::string& source) {
    const auto read = [](const std::string& text) {
        Result<task::Card> card = task::parseCard(text);
        if (!card) throw std::runtime_error(card.error().text());
        return *std::move(card);
    };
    if (source.starts_with("own:")) return read(ownCard(source.substr(4)));
    if (source.starts_with("shared:")) {
        const char* folder = std::getenv("KERNELARIUM_SHARED");
        std::ifstream file(std::string(folder ? folder : KERNELARIUM_SHARED_DIR) + "/superopt/cards/" +
                           source.substr(7));
        if (!file) return std::nullopt;
        std::stringstream text;
        text << file.rdbuf();
        return read(text.str());
    }
    const Result<task::TaskKey> key = task::parseTaskKey(source);
    Result<task::Card> card = task::loadCard(key->level, key->task);
    if (!card) throw std::runtime_error(card.error().text());
    return *std::move(card);
}

task::Card withNodes(const task::Card& card, const std::string& nodes) {
    json j = json::parse(task::writeCard(card));
    j["graph"] = json::parse("[" + nodes + "]");
    j["output"] = "@" + j["graph"].back()[0].get<std::string>();
    Result<task::Card> made = task::parseCard(j.dump());
    if (!made) throw std::runtime_error(made.error().text());
    return *std::move(made);
}

Rewriting rewritingTo(const task::Card& card, const std::string& nodes, std::function<void(algebra::Graph&)> spoil) {
    return [made = nodes.empty() ? card : withNodes(card, nodes),
            spoil = std::move(spoil)](const algebra::Graph&, const task::Symbols& symbols) {
        Result<algebra::Graph> graph = algebra::lower(made, symbols);
        if (graph && spoil) spoil(*graph);
        return graph;
    };
}

algebra::Tensor& named(algebra::Graph& graph, const std::string& name) {
    for (algebra::Tensor& t : graph.tensors)
        if (t.name == name) return t;
    throw std::runtime_error("The graph has no tensor " + name);
}

} // namespace kernelarium::proof::test
