// SPDX-License-Identifier: GPL-3.0-or-later
#include "Planted.h"

namespace kernelarium::proof::test {

namespace {

void addNorms(std::vector<Planted>& all) {
    const std::string meanSquare =
        R"(["q", "aten.mul.Tensor", ["%0", "%0"]], ["m", "aten.mean.dim", ["@q", [1], true]],)";
    all.push_back(
        {"epsilon forgotten", "1/36", Rung::ordered, "",
         meanSquare + R"(["a", "aten.add.Tensor", ["@m", 1e-05]], ["r", "aten.pow.Tensor_Scalar", ["@a", -0.5]],
                                   ["o", "aten.mul.Tensor", ["%0", "@r"]])",
         meanSquare + R"(["r", "aten.pow.Tensor_Scalar", ["@m", -0.5]], ["o", "aten.mul.Tensor", ["%0", "@r"]])"});
    all.push_back({"epsilon outside of the root", "1/36", Rung::ordered, "",
                   meanSquare + R"(["a", "aten.add.Tensor", [1e-05, "@m"]], ["r", "aten.sqrt.default", ["@a"]],
                                   ["i", "aten.pow.Tensor_Scalar", ["@r", -1]], ["o", "aten.mul.Tensor", ["%0", "@i"]])",
                   meanSquare + R"(["r", "aten.sqrt.default", ["@m"]], ["a", "aten.add.Tensor", ["@r", 1e-05]],
                                   ["o", "aten.div.Tensor", ["%0", "@a"]])"});
    const std::string instance =
        R"(["m", "aten.mean.dim", ["%0", [2, 3], true]], ["d", "aten.sub.Tensor", ["%0", "@m"]],)";
    const std::string instanceEnd = R"(["e", "aten.add.Tensor", ["@v", 1e-05]], ["r", "aten.sqrt.default", ["@e"]],
        ["n", "aten.div.Tensor", ["@d", "@r"]], ["w", "aten.view.default", ["%1", [1, "=C", 1, 1]]],
        ["b", "aten.view.default", ["%2", [1, "=C", 1, 1]]], ["s", "aten.mul.Tensor", ["@n", "@w"]],
        ["o", "aten.add.Tensor", ["@s", "@b"]])";
    all.push_back({"a mean over n - 1", "1/34", Rung::ordered, "",
                   instance +
                       R"(["q", "aten.mul.Tensor", ["@d", "@d"]], ["v", "aten.mean.dim", ["@q", [2, 3], true]],)" +
                       instanceEnd,
                   instance + R"(["v", "aten.var.dim", ["%0", [2, 3], true, true]],)" + instanceEnd});
    const std::string layer =
        R"(["m", "aten.mean.dim", ["%0", [1, 2, 3], true]], ["d", "aten.sub.Tensor", ["%0", "@m"]],
        ["q", "aten.mul.Tensor", ["%0", "%0"]], ["s", "aten.sum.dim_IntList", ["@q", [1, 2, 3], true]],)";
    const std::string layerEnd = R"(["u", "aten.mul.Tensor", ["@m", "@m"]], ["v", "aten.sub.Tensor", ["@t", "@u"]],
        ["e", "aten.add.Tensor", ["@v", 1e-05]], ["r", "aten.sqrt.default", ["@e"]], ["n", "aten.div.Tensor", ["@d", "@r"]],
        ["w", "aten.mul.Tensor", ["@n", "%1"]], ["o", "aten.add.Tensor", ["@w", "%2"]])";
    all.push_back({"a variance with the count of other axes", "1/40", Rung::ordered, "",
                   layer + R"(["t", "aten.div.Tensor", ["@s", "=C*H*H"]],)" + layerEnd,
                   layer + R"(["t", "aten.div.Tensor", ["@s", "=H*H"]],)" + layerEnd});
    const std::string convolved = R"(["c", "aten.conv_transpose3d.input", ["%0", "%1", "%2", [2, 2, 2], [1, 1, 1]]],)";
    const std::string centred =
        R"(["m", "aten.mean.dim", ["@n", [2, 3, 4], true]], ["o", "aten.sub.Tensor", ["@n", "@m"]])";
    all.push_back(
        {"the weight of a norm dropped with its bias", "2/15", Rung::ordered, "",
         convolved + R"(["n", "aten.batch_norm.default", ["@c", "%3", null, "%5", "%6", true, 0.1, 1e-05, false]],)" +
             centred,
         convolved + R"(["n", "aten.batch_norm.default", ["@c", null, null, "%5", "%6", true, 0.1, 1e-05, false]],)" +
             centred});
}

void addLosses(std::vector<Planted>& all) {
    const std::string squares = R"(["p", "aten.mul.Tensor", ["%0", "%0"]], ["q", "aten.mul.Tensor", ["%1", "%1"]],
        ["x", "aten.mul.Tensor", ["%0", "%1"]], ["y", "aten.mul.Tensor", ["@x", 2]], ["s", "aten.add.Tensor", ["@p", "@q"]],)";
    all.push_back({"the mixed term of a square with the wrong factor", "1/94", Rung::field, "",
                   squares + R"(["d", "aten.sub.Tensor", ["@s", "@y"]], ["o", "aten.mean.default", ["@d"]])",
                   squares + R"(["d", "aten.sub.Tensor", ["@s", "@x"]], ["o", "aten.mean.default", ["@d"]])"});
    const std::string halves = R"(["m", "aten.mul.Tensor", ["%0", "%1"]],)";
    all.push_back({"a hinge on the other side", "1/100", Rung::ordered, "",
                   halves + R"(["n", "aten.neg.default", ["@m"]], ["a", "aten.add.Tensor", ["@n", 1]],
                               ["r", "aten.relu.default", ["@a"]], ["o", "aten.mean.default", ["@r"]])",
                   halves + R"(["a", "aten.add.Tensor", ["@m", 1]], ["r", "aten.relu.default", ["@a"]],
                               ["o", "aten.mean.default", ["@r"]])"});
    all.push_back(
        {"positive and negative swapped", "1/99", Rung::ordered, "",
         R"(["n", "aten.neg.default", ["%0"]], ["p", "aten.neg.default", ["%1"]], ["q", "aten.neg.default", ["%2"]],
                      ["t", "aten.triplet_margin_loss.default", ["%0", "%1", "%2"]], ["o", "aten.mul.Tensor", ["@t", 1.0]])",
         R"(["o", "aten.triplet_margin_loss.default", ["%0", "%2", "%1"]])"});
    all.push_back(
        {"the maximum added twice", "2/22", Rung::ordered,
         R"(["l", "aten.linear.default", ["%0", "%1", "%2"]], ["o", "aten.logsumexp.default", ["@l", [1], true]])",
         R"(["l", "aten.linear.default", ["%0", "%1", "%2"]], ["m", "aten.amax.default", ["@l", [1], true]],
                      ["d", "aten.sub.Tensor", ["@l", "@m"]], ["e", "aten.exp.default", ["@d"]],
                      ["s", "aten.sum.dim_IntList", ["@e", [1], true]], ["g", "aten.log.default", ["@s"]],
                      ["o", "aten.add.Tensor", ["@m", "@g"]])",
         R"(["l", "aten.linear.default", ["%0", "%1", "%2"]], ["m", "aten.amax.default", ["@l", [1], true]],
                      ["e", "aten.exp.default", ["@l"]], ["s", "aten.sum.dim_IntList", ["@e", [1], true]],
                      ["g", "aten.log.default", ["@s"]], ["o", "aten.add.Tensor", ["@m", "@g"]])"});
}

void addProducts(std::vector<Planted>& all) {
    all.push_back({"a diagonal on the other side", "1/12", Rung::field, "",
                   R"(["a", "aten.unsqueeze.default", ["%0", 1]], ["o", "aten.mul.Tensor", ["@a", "%1"]])",
                   R"(["a", "aten.unsqueeze.default", ["%0", 0]], ["o", "aten.mul.Tensor", ["@a", "%1"]])"});
    all.push_back({"a triangle without its diagonal", "1/15", Rung::field, "",
                   R"(["o", "aten.matmul.default", ["%0", "%1"]])",
                   R"(["m", "aten.matmul.default", ["%0", "%1"]], ["o", "aten.tril.default", ["@m", -1]])"});
    all.push_back({"a prefix sum without its own element", "1/89", Rung::field, "",
                   R"(["n", "aten.ones.default", [["=N", "=N"]]], ["t", "aten.triu.default", ["@n"]],
                      ["o", "aten.matmul.default", ["%0", "@t"]])",
                   R"(["n", "aten.ones.default", [["=N", "=N"]]], ["t", "aten.triu.default", ["@n", 1]],
                      ["o", "aten.matmul.default", ["%0", "@t"]])"});
    const std::string summedWeights = R"(["w", "aten.sum.dim_IntList", ["%1", [0], false]],
        ["p", "aten.mul.Tensor", ["%0", "@w"]], ["s", "aten.sum.dim_IntList", ["@p", [1], true]],)";
    const std::string sumOfLinear =
        R"(["l", "aten.linear.default", ["%0", "%1", "%2"]], ["s", "aten.sum.dim_IntList", ["@l", [1], true]])";
    all.push_back({"a bias not scaled by the sum", "2/18", Rung::field, sumOfLinear,
                   summedWeights + R"(["b", "aten.sum.default", ["%2"]], ["o", "aten.add.Tensor", ["@s", "@b"]])",
                   summedWeights + R"(["b", "aten.mean.default", ["%2"]], ["o", "aten.add.Tensor", ["@s", "@b"]])"});
    all.push_back(
        {"sums of rows for a product", "2/14", Rung::field,
         R"(["t", "aten.numpy_T.default", ["%1"]], ["o", "aten.matmul.default", ["%0", "@t"]])",
         R"(["t", "aten.numpy_T.default", ["%0"]], ["m", "aten.matmul.default", ["%1", "@t"]],
                      ["o", "aten.numpy_T.default", ["@m"]])",
         R"(["x", "aten.sum.dim_IntList", ["%0", [1], true]], ["w", "aten.sum.dim_IntList", ["%1", [1], false]],
                      ["o", "aten.mul.Tensor", ["@x", "@w"]])"});
    all.push_back({"a transposed operand", "own:pair", Rung::field, R"(["o", "aten.matmul.default", ["%0", "%2"]])",
                   R"(["w", "aten.numpy_T.default", ["%2"]], ["x", "aten.numpy_T.default", ["%0"]],
                      ["m", "aten.matmul.default", ["@w", "@x"]], ["o", "aten.numpy_T.default", ["@m"]])",
                   R"(["w", "aten.numpy_T.default", ["%2"]], ["o", "aten.matmul.default", ["%0", "@w"]])"});
    all.push_back(
        {"a slice dropped that is not dead", "own:pair", Rung::field,
         R"(["c", "aten.cat.default", [["%0", "%1"], 1]], ["l", "aten.slice.Tensor", ["@c", 1, 1, "=N+1"]],
                      ["o", "aten.sum.dim_IntList", ["@l", [1], true]])",
         R"(["a", "aten.slice.Tensor", ["%0", 1, 1, "=N"]], ["s", "aten.sum.dim_IntList", ["@a", [1], true]],
                      ["b", "aten.slice.Tensor", ["%1", 1, 0, 1]], ["o", "aten.add.Tensor", ["@s", "@b"]])",
         R"(["a", "aten.slice.Tensor", ["%0", 1, 1, "=N"]], ["o", "aten.sum.dim_IntList", ["@a", [1], true]])"});
}

} // namespace

std::vector<Planted> plantedReductions() {
    std::vector<Planted> all;
    addNorms(all);
    addLosses(all);
    addProducts(all);
    return all;
}

} // namespace kernelarium::proof::test
