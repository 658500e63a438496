// SPDX-License-Identifier: GPL-3.0-or-later
#include "Planted.h"

namespace kernelarium::proof::test {

namespace {

const std::string scores = R"(["scores", "aten.matmul.default", ["%0", "%1"]],)";

/// Attention over two parts of the keys, joined by what the factors say.
std::string inTwoParts(const std::string& first, const std::string& second) {
    std::string text = scores;
    for (const auto& [n, from, to] : {std::tuple("1", "0", "2"), std::tuple("2", "2", "\"=T\"")}) {
        const std::string i = n;
        text += R"(["x)" + i + R"(", "aten.slice.Tensor", ["@scores", 2, )" + from + ", " + to + "]],";
        text += R"(["v)" + i + R"(", "aten.slice.Tensor", ["%2", 1, )" + from + ", " + to + "]],";
        text += R"(["m)" + i + R"(", "aten.amax.default", ["@x)" + i + R"(", [-1], true]],)";
        text += R"(["d)" + i + R"(", "aten.sub.Tensor", ["@x)" + i + R"(", "@m)" + i + R"("]],)";
        text += R"(["e)" + i + R"(", "aten.exp.default", ["@d)" + i + R"("]],)";
        text += R"(["l)" + i + R"(", "aten.sum.dim_IntList", ["@e)" + i + R"(", [-1], true]],)";
        text += R"(["p)" + i + R"(", "aten.matmul.default", ["@e)" + i + R"(", "@v)" + i + R"("]],)";
    }
    text += R"(["m", "aten.maximum.default", ["@m1", "@m2"]],)" + first + second;
    text += R"(["g1", "aten.exp.default", ["@f1"]], ["g2", "aten.exp.default", ["@f2"]],
        ["q1", "aten.mul.Tensor", ["@p1", "@g1"]], ["q2", "aten.mul.Tensor", ["@p2", "@g2"]], ["q", "aten.add.Tensor", ["@q1", "@q2"]],
        ["k1", "aten.mul.Tensor", ["@l1", "@g1"]], ["k2", "aten.mul.Tensor", ["@l2", "@g2"]], ["k", "aten.add.Tensor", ["@k1", "@k2"]],
        ["o", "aten.div.Tensor", ["@q", "@k"]])";
    return text;
}

} // namespace

std::vector<Planted> plantedAttention() {
    std::vector<Planted> all;
    const auto masked = [](const std::string& diagonal) {
        return scores + R"(["ones", "aten.ones.default", [["=T", "=T"]]], ["t", "aten.tril.default", ["@ones", )" +
               diagonal + R"(]],
            ["m", "aten.amax.default", ["@scores", [-1], true]], ["d", "aten.sub.Tensor", ["@scores", "@m"]],
            ["e", "aten.exp.default", ["@d"]], ["x", "aten.mul.Tensor", ["@e", "@t"]],
            ["s", "aten.sum.dim_IntList", ["@x", [-1], true]], ["p", "aten.matmul.default", ["@x", "%2"]],
            ["o", "aten.div.Tensor", ["@p", "@s"]])";
    };
    all.push_back(
        {"a mask forgotten", "own:attention", Rung::ordered, "", masked("0"),
         scores + R"(["w", "aten.softmax.int", ["@scores", -1]], ["o", "aten.matmul.default", ["@w", "%2"]])"});
    all.push_back({"a causal mask off by one", "own:attention", Rung::ordered, "", masked("0"), masked("1")});
    const std::string attention =
        scores + R"(["w", "aten.softmax.int", ["@scores", -1]], ["o", "aten.matmul.default", ["@w", "%2"]])";
    const std::string powers = scores + R"(["m", "aten.amax.default", ["@scores", [-1], true]],
        ["d", "aten.sub.Tensor", ["@scores", "@m"]], ["e", "aten.exp.default", ["@d"]],
        ["s", "aten.sum.dim_IntList", ["@e", [-1], true]], ["p", "aten.matmul.default", ["@e", "%2"]],)";
    all.push_back(
        {"a delayed division without its sum", "own:attention", Rung::ordered, attention,
         powers + R"(["o", "aten.div.Tensor", ["@p", "@s"]])",
         powers + R"(["c", "aten.amax.default", ["@e", [-1], true]], ["o", "aten.div.Tensor", ["@p", "@c"]])"});
    all.push_back(
        {"online rescaling with the factor the wrong way", "own:attention", Rung::ordered, attention,
         inTwoParts(R"(["f1", "aten.sub.Tensor", ["@m1", "@m"]],)", R"(["f2", "aten.sub.Tensor", ["@m2", "@m"]],)"),
         inTwoParts(R"(["f1", "aten.sub.Tensor", ["@m", "@m1"]],)", R"(["f2", "aten.sub.Tensor", ["@m", "@m2"]],)")});
    all.push_back(
        {"the first part not rescaled", "own:attention", Rung::ordered, attention,
         inTwoParts(R"(["f1", "aten.sub.Tensor", ["@m1", "@m"]],)", R"(["f2", "aten.sub.Tensor", ["@m2", "@m"]],)"),
         inTwoParts(R"(["f1", "aten.sub.Tensor", ["@m1", "@m1"]],)", R"(["f2", "aten.sub.Tensor", ["@m2", "@m"]],)")});
    all.push_back({"softmax over the wrong axis", "1/23", Rung::ordered, "",
                   R"(["m", "aten.amax.default", ["%0", [1], true]], ["d", "aten.sub.Tensor", ["%0", "@m"]],
                      ["e", "aten.exp.default", ["@d"]], ["s", "aten.sum.dim_IntList", ["@e", [1], true]],
                      ["o", "aten.div.Tensor", ["@e", "@s"]])",
                   R"(["o", "aten.softmax.int", ["%0", 0]])"});
    all.push_back({"a softmax whose shift is not in its sum", "1/23", Rung::ordered, "",
                   R"(["e", "aten.exp.default", ["%0"]], ["s", "aten.sum.dim_IntList", ["@e", [1], true]],
                      ["o", "aten.div.Tensor", ["@e", "@s"]])",
                   R"(["m", "aten.amax.default", ["%0", [1], true]], ["d", "aten.sub.Tensor", ["%0", "@m"]],
                      ["e", "aten.exp.default", ["@d"]], ["f", "aten.exp.default", ["%0"]],
                      ["s", "aten.sum.dim_IntList", ["@f", [1], true]], ["o", "aten.div.Tensor", ["@e", "@s"]])"});
    // All 190 graphs that Mirage publishes for this benchmark multiply row i/4 of K by the sum of row i of norm(Q).
    const std::string normed = R"(["q_norm", "aten.rms_norm.default", ["%0", [16], null, 0.0]],
        ["v_norm", "aten.rms_norm.default", ["%2", [16], null, 0.0]], ["scores", "aten.matmul.default", ["@q_norm", "%1"]],)";
    const std::string ended =
        R"(["w", "aten.softmax.int", ["@scores", -1]], ["o", "aten.matmul.default", ["@w", "@v_norm"]])";
    all.push_back({"QKNorm by sums of rows",
                   "own:qknorm",
                   Rung::ordered,
                   "",
                   R"(["s", "aten.mul.Tensor", ["%0", "%0"]], ["m", "aten.mean.dim", ["@s", [-1], true]],
                      ["r", "aten.sqrt.default", ["@m"]], ["i", "aten.pow.Tensor_Scalar", ["@r", -1]],
                      ["v_norm", "aten.rms_norm.default", ["%2", [16], null, 0.0]],
                      ["p", "aten.matmul.default", ["%0", "%1"]], ["scores", "aten.mul.Tensor", ["@p", "@i"]],)" +
                       ended,
                   normed + ended,
                   {}});
    all.back().spoil = [](algebra::Graph& g) {
        algebra::Tensor& t = named(g, "scores");
        for (algebra::Read& r : t.definition()->reads)
            if (g.at(r.source).name == "k")
                r.map[1] = algebra::Index{0, {{1, 1, 4, 0}}, 1}; // row i / 4 instead of the sum's
    };
    all.push_back(
        {"QKNorm's exponentials in float16 without their maximum", "own:qknorm", Rung::range, "",
         normed + R"(["m", "aten.amax.default", ["@scores", [-1], true]], ["d", "aten.sub.Tensor", ["@scores", "@m"]],
                               ["e", "aten.exp.default", ["@d"]], ["s", "aten.sum.dim_IntList", ["@e", [-1], true]],
                               ["p", "aten.matmul.default", ["@e", "@v_norm"]], ["o", "aten.div.Tensor", ["@p", "@s"]])",
         normed + R"(["e", "aten.exp.default", ["@scores"]], ["s", "aten.sum.dim_IntList", ["@e", [-1], true]],
                               ["p", "aten.matmul.default", ["@e", "@v_norm"]], ["o", "aten.div.Tensor", ["@p", "@s"]])"});
    return all;
}

std::vector<Planted> plantedMirage() {
    std::vector<Planted> all;
    all.push_back(
        {"GQA without the sum", "shared:001_mirage_gqa.json", Rung::ordered, "",
         scores + R"(["m", "aten.amax.default", ["@scores", [-1], true]], ["d", "aten.sub.Tensor", ["@scores", "@m"]],
                               ["e", "aten.exp.default", ["@d"]], ["s", "aten.sum.dim_IntList", ["@e", [-1], true]],
                               ["p", "aten.matmul.default", ["@e", "%2"]], ["o", "aten.div.Tensor", ["@p", "@s"]])",
         scores + R"(["m", "aten.amax.default", ["@scores", [-1], true]], ["d", "aten.sub.Tensor", ["@scores", "@m"]],
                               ["e", "aten.exp.default", ["@d"]], ["o", "aten.matmul.default", ["@e", "%2"]])"});
    const std::string qk = R"(["q_norm", "aten.rms_norm.default", ["%0", [64], null, 0.0]],
        ["v_norm", "aten.rms_norm.default", ["%2", [64], null, 0.0]], ["scores", "aten.matmul.default", ["@q_norm", "%1"]],
        ["w", "aten.softmax.int", ["@scores", -1]], ["o", "aten.matmul.default", ["@w", "@v_norm"]])";
    all.push_back({"Mirage's own QKNorm", "shared:002_mirage_qknorm.json", Rung::ordered, "", qk, qk, {}});
    all.back().spoil = [](algebra::Graph& g) {
        for (algebra::Read& r : named(g, "scores").definition()->reads)
            if (g.at(r.source).name == "k") r.map[1] = algebra::Index{0, {{1, 1, 4, 0}}, 1};
    };
    const std::string squares =
        R"(["p", "aten.matmul.default", ["%0", "%1"]], ["q", "aten.mul.Tensor", ["%0", "%0"]],)";
    all.push_back({"a mean of squares that is a sum", "shared:003_mirage_rmsnorm.json", Rung::ordered, "",
                   squares + R"(["m", "aten.mean.dim", ["@q", [1], true]], ["r", "aten.sqrt.default", ["@m"]],
                                ["o", "aten.div.Tensor", ["@p", "@r"]])",
                   squares + R"(["m", "aten.sum.dim_IntList", ["@q", [1], true]], ["r", "aten.sqrt.default", ["@m"]],
                                ["o", "aten.div.Tensor", ["@p", "@r"]])"});
    all.push_back({"LoRA without its adapter", "shared:004_mirage_lora.json", Rung::field, "",
                   R"(["ab", "aten.matmul.default", ["%2", "%3"]], ["s", "aten.add.Tensor", ["%1", "@ab"]],
                      ["o", "aten.matmul.default", ["%0", "@s"]])",
                   R"(["o", "aten.matmul.default", ["%0", "%1"]])"});
    all.push_back({"gate and value swapped", "shared:005_mirage_gatedmlp.json", Rung::ordered, "",
                   R"(["g", "aten.matmul.default", ["%0", "%1"]], ["u", "aten.matmul.default", ["%0", "%2"]],
                      ["s", "aten.sigmoid.default", ["@g"]], ["m", "aten.mul.Tensor", ["@u", "@g"]],
                      ["o", "aten.mul.Tensor", ["@m", "@s"]])",
                   R"(["g", "aten.matmul.default", ["%0", "%1"]], ["u", "aten.matmul.default", ["%0", "%2"]],
                      ["s", "aten.silu.default", ["@u"]], ["o", "aten.mul.Tensor", ["@s", "@g"]])"});
    const std::string hidden = R"(["n", "aten.rms_norm.default", ["%0", ["=N"], null, 0.0]],)";
    const std::string end = R"(["o", "aten.rms_norm.default", ["@y", ["=N"], null, 0.0]])";
    all.push_back(
        {"nTrans with the step that its baseline takes", "shared:006_mirage_ntrans.json", Rung::ordered, "",
         hidden + R"(["a", "aten.mul.Tensor", ["%2", "@n"]], ["b", "aten.mul.Tensor", ["%1", "%2"]],
                               ["s", "aten.add.Tensor", ["@a", "@b"]], ["y", "aten.add.Tensor", ["@s", "%1"]],)" +
             end,
         hidden + R"(["a", "aten.mul.Tensor", ["%2", "%1"]], ["y", "aten.add.Tensor", ["@a", "@n"]],)" + end});
    return all;
}

} // namespace kernelarium::proof::test
