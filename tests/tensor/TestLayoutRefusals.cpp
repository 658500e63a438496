// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/tensor/LayoutCases.h"

#include <QtTest>

namespace kernelarium::test {

using tensor::LayoutError;
using Kind = LayoutError::Kind;

/// What no tensor can be seen as: refused, in PyTorch's words.
class TestLayoutRefusals : public QObject {
    Q_OBJECT

    struct Case {
        const char* name;
        std::function<void()> ask;
        Kind kind;
        const char* text;
    };

    static std::vector<Case> cases() {
        static const Layout x(Shape{2, 3, 4}), scalar{Shape{}};
        constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(), least = -most - 1;
        const char *dimension3 = "Dimension out of range (expected to be in range of [-3, 2], but got 3)",
                   *dimension4 = "Dimension out of range (expected to be in range of [-3, 2], but got -4)";
        const auto never = [](auto&&) {};
        return {
            {"dimension", [=] { never(x.selected(3, 0)); }, Kind::index, dimension3},
            {"dimension from the end", [=] { never(x.flipped(-4)); }, Kind::index, dimension4},
            {"dimension of a scalar", [=] { never(scalar.transposed(0, 1)); }, Kind::index,
             "Dimension out of range (expected to be in range of [-1, 0], but got 1)"},
            {"least dimension", [=] { never(x.unsqueezed(least)); }, Kind::index,
             "Dimension out of range (expected to be in range of [-4, 3], but got -9223372036854775808)"},
            {"order's length",
             [=] {
                 never(x.permuted({0, 1}));
             },
             Kind::orderLength,
             "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
             "ordering of dimensions i.e. input.dim() = 3 is not equal to len(dims) = 2"},
            {"order's doubles",
             [=] {
                 never(x.permuted({0, 1, -3}));
             },
             Kind::other, "permute(): duplicate dims are not allowed."},
            {"moved lengths",
             [=] {
                 never(x.moved({0}, {0, 1}));
             },
             Kind::movedLength,
             "movedim: Invalid source or destination dims: source (1 dims) should contain the same number of dims as "
             "destination (2 dims)"},
            {"moved twice",
             [=] {
                 never(x.moved({0, -3}, {1, 2}));
             },
             Kind::other, "movedim: repeated dim in `source`"},
            {"moved to one place",
             [=] {
                 never(x.moved({0, 1}, {1, -2}));
             },
             Kind::other, "movedim: repeated dim in `destination`"},
            {"moved scalar twice",
             [=] {
                 never(scalar.moved({0, 0}, {0, 0}));
             },
             Kind::other, "movedim: repeated dim in `source`"},
            {"scalar selected", [=] { never(scalar.selected(0, 0)); }, Kind::index,
             "select() cannot be applied to a 0-dim tensor."},
            {"position", [=] { never(x.selected(-1, 4)); }, Kind::index,
             "select(): index 4 out of range for tensor of size [2, 3, 4] at dimension 2"},
            {"position from the end", [=] { never(x.selected(0, -3)); }, Kind::index,
             "select(): index -3 out of range for tensor of size [2, 3, 4] at dimension 0"},
            {"position in nothing", [=] { never(Layout(Shape{0}).selected(0, 0)); }, Kind::index,
             "select(): index 0 out of range for tensor of size [0] at dimension 0"},
            {"scalar sliced", [=] { never(scalar.sliced(0, 0, 1, 1)); }, Kind::other,
             "slice() cannot be applied to a 0-dim tensor."},
            {"slice's step", [=] { never(x.sliced(0, 0, 1, 0)); }, Kind::other, "slice step must be positive"},
            {"scalar narrowed", [=] { never(scalar.narrowed(0, 0, 0)); }, Kind::narrowed,
             "narrow() cannot be applied to a 0-dim tensor."},
            {"negative length", [=] { never(x.narrowed(0, 0, -1)); }, Kind::narrowed,
             "narrow(): length must be non-negative."},
            {"start beyond", [=] { never(x.narrowed(1, 4, 0)); }, Kind::narrowedStart,
             "start out of range (expected to be in range of [-3, 3], but got 4)"},
            {"end beyond", [=] { never(x.narrowed(1, -1, 2)); }, Kind::narrowed,
             "start (2) + length (2) exceeds dimension size (3)."},
            {"length beyond all numbers", [=] { never(x.narrowed(1, 1, most)); }, Kind::narrowed,
             "start (1) + length (9223372036854775807) exceeds dimension size (3)."},
            {"scalar split", [=] { never(scalar.splitEvery(1, 0)); }, Kind::other,
             "split expects at least a 1-dimensional tensor"},
            {"lengths' sum",
             [=] {
                 never(x.split({1, 1}, -2));
             },
             Kind::partLengths,
             "split_with_sizes expects split_sizes to sum exactly to 3 (input tensor's size at dimension -2), but got "
             "split_sizes=[1, 1]"},
            {"lengths' sum beyond all numbers",
             [=] {
                 never(x.split({most, most, 5}, 1));
             },
             Kind::partLengths,
             "split_with_sizes expects split_sizes to sum exactly to 3 (input tensor's size at dimension 1), but got "
             "split_sizes=[9223372036854775807, 9223372036854775807, 5]"},
            {"negative part",
             [=] {
                 never(x.split({5, -2}, 1));
             },
             Kind::negativeSize,
             "split_with_sizes expects split_sizes to sum exactly to 3 (input tensor's size at dimension 1), but got "
             "split_sizes=[5, -2]"},
            {"parts of nothing", [=] { never(x.splitEvery(0, 0)); }, Kind::partLength,
             "split expects split_size be non-negative, but got split_size=0"},
            {"no chunks", [=] { never(tensor::chunkLengths(4, 0)); }, Kind::other,
             "chunk expects `chunks` to be greater than 0, got: 0"},
            {"scalar unbound", [=] { never(scalar.unbound(0)); }, Kind::other,
             "unbind expects at least a 1-dimensional tensor"},
            {"diagonal of one dimension", [=] { never(x.diagonal(0, 1, -2)); }, Kind::other,
             "diagonal dimensions cannot be identical 1, -2"},
            {"fewer sizes",
             [=] {
                 never(Layout(Shape{2, 3}).expanded({3}));
             },
             Kind::fewerSizes,
             "expand(torch.FloatTensor{[2, 3]}, size=[3]): the number of sizes provided (1) must be greater or equal "
             "to the number of dimensions in the tensor (2)"},
            {"size of a new dimension",
             [=] {
                 never(Layout(Shape{3}).expanded({-1, 3}));
             },
             Kind::negativeSize,
             "expand: the expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension 0"},
            {"expanded size",
             [=] {
                 never(Layout(Shape{3}).expanded({2, 4}));
             },
             Kind::sizeMismatch,
             "The expanded size of the tensor (4) must match the existing size (3) at non-singleton dimension 1.  "
             "Target sizes: [2, 4].  Tensor sizes: [3]"},
            {"negative expanded size", [=] { never(Layout(Shape{1}).expanded({-2})); }, Kind::negativeSize,
             "Trying to create tensor with negative dimension -2: [-2]"},
            {"negative repetition", [=] { never(Layout(Shape{3}).repeated({-1})); }, Kind::negativeSize,
             "Trying to create tensor with negative dimension -1: [-1, 3]"},
            {"too few repetitions", [=] { never(x.repeated({2})); }, Kind::other,
             "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"},
            {"negative interleaving", [=] { never(x.interleaved(0, -1)); }, Kind::negativeSize,
             "Trying to create tensor with negative dimension -1: [2, -1, 3, 4]"},
            {"window", [=] { never(x.unfolded(1, 4, 1)); }, Kind::other,
             "maximum size for tensor at dimension 1 is 3 but size is 4"},
            {"negative window", [=] { never(x.unfolded(1, -1, 1)); }, Kind::window, "size is -1 but must be >= 0"},
            {"window's step", [=] { never(x.unfolded(1, 2, 0)); }, Kind::window, "step is 0 but must be > 0"},
            {"two open sizes",
             [=] {
                 never(x.viewed({-1, -1}));
             },
             Kind::invalidShape, "only one dimension can be inferred"},
            {"negative size",
             [=] {
                 never(x.viewed({-2, 12}));
             },
             Kind::invalidShape, "invalid shape dimension -2"},
            {"another count",
             [=] {
                 never(x.viewed({5, 5}));
             },
             Kind::countMismatch, "shape '[5, 5]' is invalid for input of size 24"},
            {"no whole size",
             [=] {
                 never(x.viewed({5, -1}));
             },
             Kind::countMismatch, "shape '[5, -1]' is invalid for input of size 24"},
            {"any size",
             [=] {
                 never(tensor::inferredShape({0, -1}, 0));
             },
             Kind::countMismatch,
             "cannot reshape tensor of 0 elements into shape [0, -1] because the unspecified dimension size -1 can be "
             "any value and is ambiguous"},
            {"too many elements",
             [=] {
                 never(tensor::inferredShape({most, 2}, 24));
             },
             Kind::tooMany, "shape '[9223372036854775807, 2]' is invalid for input of size 24"},
            {"flattened backwards",
             [=] {
                 never(tensor::flattenedShape({2, 3}, 1, 0));
             },
             Kind::other, "flatten() has invalid args: start_dim cannot come after end_dim"},
            {"scalar unflattened", [=] { never(tensor::unflattenedShape({}, 0, {1})); }, Kind::other,
             "unflatten: sizes must be non-empty"},
            {"broadcast",
             [=] {
                 never(tensor::broadcastShape(std::array{Shape{2, 3}, Shape{4}}));
             },
             Kind::broadcast,
             "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1"},
        };
    }

private slots:
    void refuses() {
        for (const Case& c : cases()) {
            try {
                c.ask();
                QFAIL(c.name);
            } catch (const LayoutError& error) {
                QVERIFY2(error.kind == c.kind, c.name);
                QCOMPARE(error.what(), c.text);
            }
        }
    }
};

} // namespace kernelarium::test

KERNELARIUM_TEST(kernelarium::test::TestLayoutRefusals);
#include "TestLayoutRefusals.moc"
