// SPDX-License-Identifier: GPL-3.0-or-later
#include "Planted.h"

namespace kernelarium::proof::test {

std::vector<Planted> plantedWindows() {
    std::vector<Planted> all;
    const std::string flipped = R"(["w", "aten.transpose.int", ["%1", 0, 1]],)"; // [O, 3, 3, 3]
    all.push_back({"taps of a transposed convolution in the other order", "2/2", Rung::field,
                   R"(["t", "aten.conv_transpose2d.input", ["%0", "%1", null, [1, 1], [1, 1]]])",
                   R"(["f", "aten.flip.default", ["%1", [2, 3]]], ["w", "aten.transpose.int", ["@f", 0, 1]],
                      ["c", "aten.conv2d.default", ["%0", "@w", null, [1, 1], [1, 1]]])",
                   flipped + R"(["c", "aten.conv2d.default", ["%0", "@w", null, [1, 1], [1, 1]]])"});
    all.push_back({"padding off by one", "2/2", Rung::field,
                   flipped + R"(["c", "aten.conv2d.default", ["%0", "@w", null, [1, 1], [1, 1]]])",
                   flipped + R"(["p", "aten.pad.default", ["%0", [1, 1, 1, 1]]],
                                ["c", "aten.conv2d.default", ["@p", "@w", null]])",
                   flipped + R"(["p", "aten.pad.default", ["%0", [2, 0, 2, 0]]],
                                ["c", "aten.conv2d.default", ["@p", "@w", null]])"});
    all.push_back({"dilation off by one", "2/2", Rung::field,
                   flipped + R"(["c", "aten.conv2d.default", ["%0", "@w", null, [1, 1], [2, 2], [2, 2]]])",
                   flipped + R"(["x", "aten.flip.default", ["%0", [2, 3]]], ["v", "aten.flip.default", ["@w", [2, 3]]],
                                ["c", "aten.conv2d.default", ["@x", "@v", null, [1, 1], [2, 2], [2, 2]]],
                                ["o", "aten.flip.default", ["@c", [2, 3]]])",
                   flipped + R"(["c", "aten.conv2d.default", ["%0", "@w", null, [1, 1], [1, 1]]])"});
    const auto strideOne = [](algebra::Graph& g) {
        for (algebra::Index& i : named(g, "c").definition()->reads[0].map)
            for (algebra::Term& t : i.terms)
                if (t.factor == 2) t.factor = 1;
    };
    all.push_back({"stride off by one", "2/2", Rung::field,
                   flipped + R"(["c", "aten.conv2d.default", ["%0", "@w", "%2", [2, 2], [1, 1]]])",
                   flipped + R"(["c", "aten.conv2d.default", ["%0", "@w", null, [2, 2], [1, 1]]],
                                ["b", "aten.view.default", ["%2", [1, "=O", 1, 1]]], ["o", "aten.add.Tensor", ["@b", "@c"]])",
                   "", strideOne});
    all.push_back({"output padding taken for zeros", "2/2", Rung::field,
                   R"(["t", "aten.conv_transpose2d.input", ["%0", "%1", null, [2, 2], [1, 1], [1, 1]]])",
                   R"(["t", "aten.conv_transpose2d.input", ["%0", "%1", null, [2, 2]]],
                      ["s", "aten.slice.Tensor", ["@t", 2, 1, 9223372036854775807]],
                      ["o", "aten.slice.Tensor", ["@s", 3, 1, 9223372036854775807]])",
                   R"(["t", "aten.conv_transpose2d.input", ["%0", "%1", null, [2, 2], [1, 1]]],
                      ["o", "aten.pad.default", ["@t", [0, 1, 0, 1]]])"});
    const std::string both =
        R"(["v", "aten.view.default", ["%2", ["=O", 1, 1]]], ["b", "aten.add.Tensor", ["@v", "%3"]],)";
    all.push_back({"a bias added twice", "2/2", Rung::field,
                   R"(["t", "aten.conv_transpose2d.input", ["%0", "%1", "%2", [2, 2], [1, 1], [1, 1]]],
                      ["o", "aten.add.Tensor", ["@t", "%3"]])",
                   both + R"(["t", "aten.conv_transpose2d.input", ["%0", "%1", null, [2, 2], [1, 1], [1, 1]]],
                             ["o", "aten.add.Tensor", ["@t", "@b"]])",
                   both + R"(["t", "aten.conv_transpose2d.input", ["%0", "%1", "%2", [2, 2], [1, 1], [1, 1]]],
                             ["o", "aten.add.Tensor", ["@t", "@b"]])"});
    const std::string scaled = R"(["c", "aten.conv_transpose3d.input", ["%0", "%1", "%2", [2, 2, 2], [1, 1, 1]]],
        ["p", "aten.avg_pool3d.default", ["@c", [2, 2, 2]]], ["f", "aten.mul.Tensor", ["%3", "%4"]],
        ["m", "aten.mul.Tensor", ["@p", "@f"]],)";
    all.push_back({"a bias not scaled with the rest", "2/50", Rung::field, "",
                   scaled + R"(["b", "aten.mul.Tensor", ["%5", "%4"]], ["o", "aten.add.Tensor", ["@m", "@b"]])",
                   scaled + R"(["o", "aten.add.Tensor", ["@m", "%5"]])"});
    all.push_back({"padding not counted by an average", "1/46", Rung::field, "",
                   R"(["p", "aten.pad.default", ["%0", [1, 1, 1, 1, 1, 1]]],
                      ["o", "aten.avg_pool3d.default", ["@p", [3, 3, 3], [2, 2, 2]]])",
                   R"(["a", "aten.avg_pool3d.default", ["%0", [3, 3, 3], [2, 2, 2], [1, 1, 1]]],
                      ["n", "aten.ones_like.default", ["%0"]],
                      ["c", "aten.avg_pool3d.default", ["@n", [3, 3, 3], [2, 2, 2], [1, 1, 1]]],
                      ["o", "aten.div.Tensor", ["@a", "@c"]])"});
    const std::string normed = R"(["c", "aten.conv_transpose3d.input", ["%0", "%1", "%2", [2, 2, 2], [1, 1, 1]]],
        ["n", "aten.batch_norm.default", ["@c", "%3", "%4", "%5", "%6", true, 0.1, 1e-05, false]],)";
    all.push_back(
        {"two averages as one with the divisor of the first", "2/72", Rung::ordered, "",
         normed + R"(["o", "aten.avg_pool3d.default", ["@n", [4, 4, 4]]])",
         normed + R"(["o", "aten.avg_pool3d.default", ["@n", [4, 4, 4], [4, 4, 4], [0, 0, 0], false, true, 8]])"});
    const std::string pooled = R"(["c", "aten.conv_transpose3d.input", ["%0", "%1", "%2", [2, 2, 2], [1, 1, 1]]],)";
    const std::string summed = R"(["s", "aten.sum.dim_IntList", ["@m", [1], true]])";
    all.push_back({"two maxima as one over too small a window", "2/78", Rung::ordered, "",
                   pooled + R"(["m", "aten.max_pool3d.default", ["@c", [6, 6, 6]]],)" + summed,
                   pooled + R"(["m", "aten.max_pool3d.default", ["@c", [5, 5, 5], [6, 6, 6]]],)" + summed});
    all.push_back({"a maximum padded with 0", "1/46", Rung::ordered,
                   R"(["o", "aten.max_pool3d.default", ["%0", [3, 3, 3], [2, 2, 2], [1, 1, 1]]])",
                   R"(["p", "aten.pad.default", ["%0", [1, 1, 1, 1, 1, 1], "'constant", {"float": "-inf"}]],
                      ["o", "aten.max_pool3d.default", ["@p", [3, 3, 3], [2, 2, 2]]])",
                   R"(["p", "aten.pad.default", ["%0", [1, 1, 1, 1, 1, 1]]],
                      ["o", "aten.max_pool3d.default", ["@p", [3, 3, 3], [2, 2, 2]]])"});
    return all;
}

} // namespace kernelarium::proof::test
