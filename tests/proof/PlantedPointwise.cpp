// SPDX-License-Identifier: GPL-3.0-or-later
#include "Planted.h"

namespace kernelarium::proof::test {

std::vector<Planted> plantedPointwise() {
    const std::string linear2 = R"(["l", "aten.linear.default", ["%0", "%1", "%2"]],)";
    std::vector<Planted> all;
    const std::string transposed =
        R"(["t", "aten.conv_transpose2d.input", ["%0", "%1", "%2", [2, 2], [1, 1], [1, 1]]], ["a", "aten.add.Tensor", ["@t", "%3"]],)";
    all.push_back({"clamps folded to the wrong limit", "2/2", Rung::ordered, "",
                   transposed + R"(["c", "aten.clamp.default", ["@a", 0.0, 0.5]])",
                   transposed + R"(["c", "aten.clamp.default", ["@a", 0.0, 1.0]])"});
    all.push_back({"relu moved past a subtraction", "2/9", Rung::ordered, "",
                   linear2 + R"(["s", "aten.sub.Tensor", ["@l", 2.0]], ["r", "aten.relu.default", ["@s"]],
                                ["m", "aten.mul.Tensor", ["@r", 1.5]])",
                   linear2 + R"(["r", "aten.relu.default", ["@l"]], ["s", "aten.sub.Tensor", ["@r", 2.0]],
                                ["m", "aten.mul.Tensor", ["@s", 1.5]])"});
    all.push_back({"maximum moved past a negative scale", "2/55", Rung::ordered,
                   linear2 + R"(["m", "aten.mul.Tensor", ["@l", -0.5]], ["x", "aten.amax.default", ["@m", [1]]])",
                   linear2 + R"(["x", "aten.amin.default", ["@l", [1]]], ["m", "aten.mul.Tensor", ["@x", -0.5]])",
                   linear2 + R"(["x", "aten.amax.default", ["@l", [1]]], ["m", "aten.mul.Tensor", ["@x", -0.5]])"});
    all.push_back(
        {"leaky relu with a scaled slope", "2/12", Rung::ordered, "",
         linear2 + R"(["r", "aten.leaky_relu.default", ["@l", 0.1]], ["m", "aten.mul.Tensor", ["@r", 2.0]])",
         linear2 + R"(["r", "aten.leaky_relu.default", ["@l", 0.2]], ["m", "aten.mul.Tensor", ["@r", 2.0]])"});
    all.push_back({"the clamp that matters dropped", "2/81", Rung::ordered, "",
                   linear2 + R"(["g", "aten.silu.default", ["@l"]], ["d", "aten.mul.Tensor", ["@g", 0.5]],
                                ["c", "aten.clamp.default", ["@d", -1.0, 1.0]], ["t", "aten.tanh.default", ["@c"]])",
                   linear2 + R"(["g", "aten.silu.default", ["@l"]], ["d", "aten.mul.Tensor", ["@g", 0.5]],
                                ["t", "aten.tanh.default", ["@d"]], ["c", "aten.clamp.default", ["@t", -1.0, 1.0]])"});
    all.push_back({"a sum distributed over a maximum", "own:pair", Rung::ordered,
                   R"(["s", "aten.add.Tensor", ["%0", "%1"]], ["x", "aten.amax.default", ["@s", [1]]])",
                   R"(["n", "aten.neg.default", ["%0"]], ["s", "aten.sub.Tensor", ["@n", "%1"]],
                      ["x", "aten.amin.default", ["@s", [1]]], ["o", "aten.neg.default", ["@x"]])",
                   R"(["x", "aten.amax.default", ["%0", [1]]], ["y", "aten.amax.default", ["%1", [1]]],
                      ["s", "aten.add.Tensor", ["@x", "@y"]])"});
    all.push_back({"operands of a difference swapped", "own:pair", Rung::field,
                   R"(["s", "aten.sub.Tensor", ["%0", "%1"]], ["m", "aten.mul.Tensor", ["@s", "%1"]])",
                   R"(["s", "aten.sub.Tensor", ["%1", "%0"]], ["n", "aten.neg.default", ["@s"]],
                      ["m", "aten.mul.Tensor", ["%1", "@n"]])",
                   R"(["s", "aten.sub.Tensor", ["%1", "%0"]], ["m", "aten.mul.Tensor", ["@s", "%1"]])"});
    all.push_back({"operands of a quotient swapped", "own:pair", Rung::field,
                   R"(["q", "aten.mul.Tensor", ["%1", "%1"]], ["s", "aten.add.Tensor", ["@q", 1.0]],
                      ["d", "aten.div.Tensor", ["%0", "@s"]])",
                   R"(["q", "aten.mul.Tensor", ["%1", "%1"]], ["s", "aten.add.Tensor", ["@q", 1.0]],
                      ["i", "aten.pow.Tensor_Scalar", ["@s", -1]], ["d", "aten.mul.Tensor", ["@i", "%0"]])",
                   R"(["q", "aten.mul.Tensor", ["%0", "%0"]], ["s", "aten.add.Tensor", ["@q", 1.0]],
                      ["d", "aten.div.Tensor", ["%1", "@s"]])"});
    all.push_back({"a mean moved past gelu", "2/51", Rung::ordered,
                   linear2 + R"(["g", "aten.gelu.default", ["@l"]], ["m", "aten.mean.dim", ["@g", [1], true]])",
                   linear2 + R"(["g", "aten.gelu.default", ["@l"]], ["s", "aten.sum.dim_IntList", ["@g", [1], true]],
                                ["m", "aten.div.Tensor", ["@s", "=O"]])",
                   linear2 + R"(["m", "aten.mean.dim", ["@l", [1], true]], ["g", "aten.gelu.default", ["@m"]])"});
    all.push_back({"the other operand of a gate activated", "own:pair", Rung::ordered,
                   R"(["g", "aten.silu.default", ["%0"]], ["o", "aten.mul.Tensor", ["@g", "%1"]])",
                   R"(["g", "aten.sigmoid.default", ["%0"]], ["m", "aten.mul.Tensor", ["%1", "%0"]],
                      ["o", "aten.mul.Tensor", ["@m", "@g"]])",
                   R"(["g", "aten.silu.default", ["%1"]], ["o", "aten.mul.Tensor", ["@g", "%0"]])"});
    // At the tiny size nothing is beyond the eighth column: the first three rungs cannot see it.
    all.push_back({"the ragged edge of a tile forgotten", "2/63", Rung::float64, "",
                   linear2 + R"(["d", "aten.mul.Tensor", ["@l", 0.5]], ["r", "aten.relu.default", ["@d"]])", "",
                   [](algebra::Graph& g) {
                       algebra::Tensor& r = named(g, "r");
                       r.definition()->domain.push_back(algebra::Index::axis(1, -1, 7));
                   }});
    return all;
}

} // namespace kernelarium::proof::test
