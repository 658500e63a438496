// SPDX-License-Identifier: GPL-3.0-or-later
#include "OperatorTest.h"

#include "Making.h"
#include "tests/TestRegistry.h"

#include <QTest>

#include <limits>

namespace kernelarium {

namespace {
constexpr double inf = std::numeric_limits<double>::infinity();
const double nan = std::nan("");
} // namespace

void OperatorTest::promotesAsPyTorch() {
    const Tensor ints32 = make({2}, {1, 2}, DType::Int32), floats = make({2}, {1, 2}, DType::Float32);
    QCOMPARE(call("aten.add.Tensor", {ints32, 1}).dtype(), DType::Int32);
    QCOMPARE(call("aten.add.Tensor", {ints32, 1.5}).dtype(), DType::Float32);
    QCOMPARE(call("aten.add.Tensor", {floats, make({}, {3}, DType::Float64)}).dtype(), DType::Float32);
    QCOMPARE(call("aten.add.Tensor", {floats, make({2}, {3, 4}, DType::Float64)}).dtype(), DType::Float64);
    QCOMPARE(call("aten.div.Tensor", {ints32, 2}).dtype(), DType::Float32);
    QCOMPARE(call("aten.mul.Tensor", {make({1}, {1}, DType::Bool), make({1}, {1}, DType::UInt8)}).dtype(),
             DType::UInt8);
    QCOMPARE(call("aten.add.Tensor", {make({1}, {1}, DType::UInt8), make({1}, {1}, DType::Int8)}).dtype(),
             DType::Int16);
    QCOMPARE(call("aten.sum.default", {ints32}).dtype(), DType::Int64);
    QCOMPARE(call("aten.sigmoid.default", {ints32}).dtype(), DType::Float32);
    QCOMPARE(call("aten.eq.Scalar", {floats, 1}).dtype(), DType::Bool);
}

void OperatorTest::broadcastsBinaryOperators() {
    const Tensor a = noise({4, 1, 5}, 1), b = noise({3, 1}, 2);
    const Tensor sum = call("aten.sub.Tensor", {a, b, 2.0});
    QCOMPARE(sum.shape(), Shape({4, 3, 5}));
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 5; ++k)
                QVERIFY(std::abs(sum.at((i * 3 + j) * 5 + k) - (a.at(i * 5 + k) - 2 * b.at(j))) < 1e-15);
    QCOMPARE(distance(call("aten.rsub.Scalar", {make({2}, {1, 4}), 1}), make({2}, {0, -3})), 0.0);
    QCOMPARE(distance(call("aten.pow.Tensor_Scalar", {make({3}, {2, -3, 4}), 3.0}), make({3}, {8, -27, 64})), 0.0);
    QCOMPARE(distance(call("aten.floor_divide.default", {make({2}, {-7, 7}, DType::Int64), 2}), make({2}, {-4, 3})),
             0.0);
    QCOMPARE(
        distance(call("aten.clamp.default", {make({4}, {-2, 0.5, 3, nan}), -1.0, 1.0}), make({4}, {-1, 0.5, 1, nan})),
        0.0);
    QCOMPARE(distance(call("aten.maximum.default", {make({2}, {nan, 1}), make({2}, {0, nan})}), make({2}, {nan, nan})),
             0.0);
    // Longer than one piece of work, so that rows are split.
    const Tensor large = noise({3, 100000}, 3), column = noise({3, 1}, 4);
    const Tensor product = call("aten.mul.Tensor", {large, column});
    for (std::int64_t i : {0ll, 65535ll, 65536ll, 99999ll, 100000ll, 299999ll})
        QCOMPARE(product.at(i), large.at(i) * column.at(i / 100000));
}

void OperatorTest::refusesWhatDoesNotBroadcast() {
    const auto result =
        task::evaluateOperator("aten.add.Tensor", std::vector<Value>{noise({2, 3}, 1), noise({2}, 2)}, {}, {});
    QVERIFY(!result);
    QCOMPARE(result.error().code, std::string("bad_argument"));
    QVERIFY(result.error().message.find("3") != std::string::npos);
    QCOMPARE(errorCode("aten.mm.default", {noise({2, 3}, 1), noise({2, 3}, 2)}), std::string("bad_argument"));
    QCOMPARE(errorCode("aten.view.default", {noise({2, 3}, 1), ints({4, -1})}), std::string("bad_argument"));
    QCOMPARE(errorCode("aten.sum.dim_IntList", {noise({2, 3}, 1), ints({2})}), std::string("bad_argument"));
    QCOMPARE(errorCode("aten.cat.default", {List{noise({2, 3}, 1), noise({2, 2}, 1)}, 0}), std::string("bad_argument"));
    QCOMPARE(errorCode("aten.relu.default", {}), std::string("bad_argument"));
}

void OperatorTest::refusesViewsInItsWords_data() {
    QTest::addColumn<std::string>("op");
    QTest::addColumn<std::vector<Value>>("arguments");
    QTest::addColumn<std::string>("message");
    const Tensor x = noise({2, 3}, 1), scalar = noise({}, 2);
    const auto row = [](const char* name, std::string op, std::vector<Value> arguments, std::string message) {
        QTest::newRow(name) << op << std::move(arguments) << message;
    };
    row("dimension", "aten.sum.dim_IntList", {x, ints({2})},
        "Dimension out of range (expected to be in range of [-2, 1], but got 2).");
    row("two open sizes", "aten.view.default", {x, ints({-1, -1})}, "aten.view.default: invalid shape [-1, -1].");
    row("negative size", "aten.reshape.default", {x, ints({-2, 3})}, "aten.reshape.default: invalid shape [-2, 3].");
    row("another count", "aten.view.default", {x, ints({4, -1})}, "shape '[4, -1]' is invalid for input of size 6.");
    row("too many elements", "aten.view.default", {x, ints({2147483647, 2147483647, 2147483647})},
        "aten.view.default: no tensor has the shape [2147483647, 2147483647, 2147483647].");
    row("flattened backwards", "aten.flatten.using_ints", {x, 1, 0},
        "flatten() has invalid args: start_dim cannot come after end_dim.");
    row("scalar unflattened", "aten.unflatten.int", {scalar, 0, ints({1})}, "unflatten: sizes must be non-empty.");
    row("order's length", "aten.permute.default", {x, ints({0})},
        "permute: the number of dimensions does not match the tensor's.");
    row("order's doubles", "aten.permute.default", {x, ints({0, -2})}, "permute(): duplicate dims are not allowed.");
    row("moved lengths", "aten.movedim.intlist", {x, ints({0}), ints({0, 1})},
        "movedim: source and destination need the same number of dimensions.");
    row("moved to one place", "aten.movedim.intlist", {x, ints({0, 1}), ints({0, 0})},
        "movedim: repeated dim in `destination`.");
    row("moved twice", "aten.movedim.intlist", {x, ints({0, 0}), ints({0, 1})}, "movedim: repeated dim in `source`.");
    row("fewer sizes", "aten.expand.default", {x, ints({3})},
        "expand: the number of sizes must be at least the tensor's dimensions.");
    row("expanded size", "aten.expand.default", {x, ints({2, 4})},
        "The expanded size of the tensor (4) must match the existing size (3) at non-singleton dimension 1.");
    row("size of a new dimension", "aten.expand.default", {x, ints({-1, 2, 3})},
        "aten.expand.default: the result would have the negative size [-1, 2, 3].");
    row("window", "aten.unfold.default", {x, 1, 4, 1}, "maximum size for tensor at dimension 1 is 3 but size is 4.");
    row("window's step", "aten.unfold.default", {x, 1, 2, 0}, "unfold: size must be at least 0 and step at least 1.");
    row("scalar's window", "aten.unfold.default", {scalar, 0, 1, 1},
        "unfold: size must be at least 0 and step at least 1.");
    row("slice's step", "aten.slice.Tensor", {x, 0, 0, 1, 0}, "slice step must be positive.");
    row("scalar selected", "aten.select.int", {scalar, 0, 0}, "select() cannot be applied to a 0-dim tensor.");
    row("position", "aten.select.int", {x, -1, 3},
        "select(): index 3 out of range for tensor of size [2, 3] at dimension 1.");
    row("narrowed", "aten.narrow.default", {x, 1, -1, 2}, "start (2) + length (2) exceeds dimension size (3).");
    row("narrowed before", "aten.narrow.default", {x, 1, -5, 2}, "start (-2) + length (2) exceeds dimension size (3).");
    row("scalar narrowed", "aten.narrow.default", {scalar, 0, 0, 0},
        "start (0) + length (0) exceeds dimension size (0).");
    row("lengths' sum", "aten.split_with_sizes.default", {x, ints({1, 1}), 1},
        "split_with_sizes expects split_sizes to sum exactly to 3, but they sum to 2.");
    row("negative part", "aten.split_with_sizes.default", {x, ints({5, -2}), 1},
        "aten.split_with_sizes.default: the result would have the negative size [2, -2].");
    row("parts of nothing", "aten.split.Tensor", {x, 0}, "split expects split_size to be positive.");
    row("scalar split", "aten.split.Tensor", {scalar, 1}, "split expects at least a 1-dimensional tensor.");
    row("no chunks", "aten.chunk.default", {x, 0}, "chunk expects `chunks` to be greater than 0.");
    row("negative repetition", "aten.repeat.default", {x, ints({-1, 1})},
        "aten.repeat.default: the result would have the negative size [-1, 2, 1, 3].");
    row("too few repetitions", "aten.repeat.default", {x, ints({2})},
        "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor.");
    row("broadcast", "aten.add.Tensor", {x, noise({2}, 3)},
        "aten.add.Tensor: the size 3 must match the size 2 at dimension 1 to broadcast.");
}

void OperatorTest::refusesViewsInItsWords() {
    QFETCH(std::string, op);
    QFETCH(std::vector<Value>, arguments);
    QFETCH(std::string, message);
    const auto result = task::evaluateOperator(op, arguments, {}, {});
    QVERIFY(!result);
    QCOMPARE(result.error().code, std::string("bad_argument"));
    QCOMPARE(result.error().message, message);
}

void OperatorTest::unfoldsWindows() {
    const Tensor x = make({2, 5}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    const Tensor y = call("aten.unfold.default", {x, 1, 3, 2});
    QCOMPARE(y.shape(), Shape({2, 2, 3}));
    QCOMPARE(distance(y, make({2, 2, 3}, {0, 1, 2, 2, 3, 4, 5, 6, 7, 7, 8, 9})), 0.0);
    const Tensor columns = call("aten.unfold.default", {x, 0, 2, 1});
    QCOMPARE(distance(columns, make({1, 5, 2}, {0, 5, 1, 6, 2, 7, 3, 8, 4, 9})), 0.0);
    QCOMPARE(errorCode("aten.unfold.default", {x, 1, 6, 1}), std::string("bad_argument"));
    QCOMPARE(errorCode("aten.unfold.default", {x, 1, 2, 0}), std::string("bad_argument"));
}

void OperatorTest::namesUnknownOperators() {
    QVERIFY(!task::knowsOperator("aten.no_such_thing.default"));
    QVERIFY(task::knowsOperator("aten.conv2d.default"));
    QVERIFY(task::knowsOperator("aten.relu_.default"));
    const auto result = task::evaluateOperator("aten.no_such_thing.default", {}, {}, {});
    QVERIFY(!result);
    QCOMPARE(result.error().code, std::string("unsupported"));
    QVERIFY(result.error().message.find("no_such_thing") != std::string::npos);
    QVERIFY(task::operatorNames().size() > 250);
}

void OperatorTest::evaluatesInPlaceForms() {
    const Tensor x = make({3}, {-1, 2, -3}, DType::Float32);
    QCOMPARE(distance(call("aten.relu_.default", {x}), make({3}, {0, 2, 0})), 0.0);
    QCOMPARE(x.at(0), -1.0);
    QCOMPARE(call("aten.add_.Tensor", {x, make({3}, {1, 1, 1}, DType::Float64)}).dtype(), DType::Float32);
    QCOMPARE(errorCode("aten.add_.Tensor", {x, make({2, 3}, {1, 1, 1, 1, 1, 1})}), std::string("bad_argument"));
    QCOMPARE(errorCode("aten.add_.Tensor", {make({1}, {1}, DType::Int64), 0.5}), std::string("bad_argument"));
    QCOMPARE(distance(call("aten.copy_.default", {x, make({1}, {7})}), make({3}, {7, 7, 7})), 0.0);
    QCOMPARE(distance(call("aten.fill_.Scalar", {x, 2.0}), make({3}, {2, 2, 2})), 0.0);
    QCOMPARE(distance(call("aten.zero_.default", {x}), make({3}, {0, 0, 0})), 0.0);
}

void OperatorTest::roundsHalfOnce() {
    const Tensor a = make({2}, {1.0, 2048.0}, DType::Float16);
    const Tensor sum = call("aten.add.Tensor", {a, a});
    QCOMPARE(sum.dtype(), DType::Float16);
    QCOMPARE(sum.at(1), 4096.0);
    // 2048 + 1 is not a half; the exact sum rounds to even.
    QCOMPARE(call("aten.add.Tensor", {a, make({2}, {0, 1}, DType::Float16)}).at(1), 2048.0);
    QCOMPARE(call("aten.add.Tensor", {a, noise({2}, 1, DType::Float32)}).dtype(), DType::Float32);
    QCOMPARE(call("aten.transpose.int", {make({2, 2}, {1, 2, 3, 4}, DType::BFloat16), 0, 1}).dtype(), DType::BFloat16);
    const Tensor many = call("aten.ones.default", {ints({4096})}, {{"dtype", DType::Float16}});
    QCOMPARE(call("aten.sum.default", {many}).at(0), 4096.0); // would stop at 2048 if every step were rounded
}

void OperatorTest::evaluatesActivations() {
    const std::vector<double> xs{-4, -3, -1.5, -0.5, 0, 0.25, 1, 3, 6, 25};
    const Tensor x = make({10}, xs);
    const auto check = [&](const char* op, const std::vector<Value>& rest, double (*f)(double)) {
        std::vector<Value> arguments{x};
        arguments.insert(arguments.end(), rest.begin(), rest.end());
        const Tensor y = call(op, arguments);
        for (std::size_t i = 0; i < xs.size(); ++i)
            if (std::abs(y.at(std::int64_t(i)) - f(xs[i])) > 1e-14 * std::max(1.0, std::abs(f(xs[i])))) return false;
        return true;
    };
    QVERIFY(check("aten.relu.default", {}, [](double v) { return v > 0 ? v : 0.0; }));
    QVERIFY(check("aten.leaky_relu.default", {0.2}, [](double v) { return v > 0 ? v : 0.2 * v; }));
    QVERIFY(check("aten.sigmoid.default", {}, [](double v) { return 1 / (1 + std::exp(-v)); }));
    QVERIFY(check("aten.silu.default", {}, [](double v) { return v / (1 + std::exp(-v)); }));
    QVERIFY(check("aten.elu.default", {0.5}, [](double v) { return v > 0 ? v : 0.5 * (std::exp(v) - 1); }));
    QVERIFY(check("aten.softplus.default", {}, [](double v) { return v > 20 ? v : std::log(1 + std::exp(v)); }));
    QVERIFY(check("aten.mish.default", {}, [](double v) { return v * std::tanh(std::log(1 + std::exp(v))); }));
    QVERIFY(check("aten.gelu.default", {}, [](double v) { return v / 2 * (1 + std::erf(v / std::sqrt(2.0))); }));
    QVERIFY(check("aten.hardswish.default", {}, [](double v) { return v * std::min(std::max(v + 3, 0.0), 6.0) / 6; }));
    QVERIFY(check("aten.hardsigmoid.default", {}, [](double v) { return std::min(std::max(v + 3, 0.0), 6.0) / 6; }));
    QVERIFY(check("aten.hardtanh.default", {-2.0, 2.0}, [](double v) { return std::min(std::max(v, -2.0), 2.0); }));
    QVERIFY(check("aten.softsign.default", {}, [](double v) { return v / (1 + std::abs(v)); }));
    const Tensor tanhForm = call("aten.gelu.default", {x}, {{"approximate", "tanh"}});
    const double inner = std::sqrt(2 / M_PI) * (1 + 0.044715);
    QVERIFY(std::abs(tanhForm.at(6) - 0.5 * (1 + std::tanh(inner))) < 1e-15);
    QCOMPARE(errorCode("aten.gelu.default", {x, "wrong"}), std::string("bad_argument"));
}

void OperatorTest::reducesOverAnyDimensions() {
    const Tensor x = noise({3, 4, 5, 6}, 7);
    const auto at = [&](int a, int b, int c, int d) { return x.at(((a * 4 + b) * 5 + c) * 6 + d); };
    const Tensor middle = call("aten.sum.dim_IntList", {x, ints({1, 2}), true});
    QCOMPARE(middle.shape(), Shape({3, 1, 1, 6}));
    double expected = 0;
    for (int b = 0; b < 4; ++b)
        for (int c = 0; c < 5; ++c)
            expected += at(2, b, c, 3);
    QVERIFY(std::abs(middle.at(2 * 6 + 3) - expected) < 1e-14);
    const Tensor split = call("aten.mean.dim", {x, ints({0, 2})}); // not neighbours
    QCOMPARE(split.shape(), Shape({4, 6}));
    expected = 0;
    for (int a = 0; a < 3; ++a)
        for (int c = 0; c < 5; ++c)
            expected += at(a, 1, c, 4) / 15;
    QVERIFY(std::abs(split.at(6 + 4) - expected) < 1e-14);
    QVERIFY(std::abs(call("aten.sum.default", {make({3}, {1, 2, 3}, DType::Float32)}).at(0) - 6) == 0);
    QVERIFY(std::abs(call("aten.var.dim", {make({4}, {1, 2, 3, 4}), ints({0}), true}).at(0) - 5.0 / 3) < 1e-15);
    QVERIFY(std::abs(call("aten.var.dim", {make({4}, {1, 2, 3, 4}), ints({0}), false}).at(0) - 1.25) < 1e-15);
    QCOMPARE(call("aten.prod.dim_int", {make({2, 2}, {1, 2, 3, 4}), 1}).at(1), 12.0);
    QCOMPARE(call("aten.linalg_vector_norm.default", {make({2}, {3, -4})}).at(0), 5.0);
    QCOMPARE(call("aten.linalg_vector_norm.default", {make({2}, {3, -4}), 1.0}).at(0), 7.0);
    QCOMPARE(call("aten.linalg_vector_norm.default", {make({2}, {3, -4}), inf}).at(0), 4.0);
    QCOMPARE(call("aten.any.default", {make({2}, {0, 2})}).at(0), 1.0);
    QCOMPARE(errorCode("aten.mean.default", {make({2}, {1, 2}, DType::Int64)}), std::string("bad_argument"));
}

void OperatorTest::findsExtremaWithNaNAndTies() {
    const auto both = callAll("aten.max.dim", {make({2, 3}, {1, 5, 5, 2, nan, 9}), 1});
    QCOMPARE(distance(*both[0].as<Tensor>(), make({2}, {5, nan})), 0.0);
    QCOMPARE(distance(*both[1].as<Tensor>(), make({2}, {1, 1})), 0.0);
    QCOMPARE(both[1].as<Tensor>()->dtype(), DType::Int64);
    QCOMPARE(distance(call("aten.argmin.default", {make({3, 2}, {4, 1, 2, 1, 2, 0}), 0}), make({2}, {1, 2})), 0.0);
    QCOMPARE(call("aten.argmax.default", {make({2, 2}, {0, 1, 7, 2})}).at(0), 2.0);
    QCOMPARE(call("aten.min.default", {make({2}, {-inf, 3})}).at(0), -inf);
}

void OperatorTest::scansAlongADimension() {
    const Tensor x = make({2, 3}, {1, 2, 3, 4, 5, 6});
    QCOMPARE(distance(call("aten.cumsum.default", {x, 1}), make({2, 3}, {1, 3, 6, 4, 9, 15})), 0.0);
    QCOMPARE(distance(call("aten.cumsum.default", {x, 0}), make({2, 3}, {1, 2, 3, 5, 7, 9})), 0.0);
    QCOMPARE(distance(call("aten.cumprod.default", {x, -1}), make({2, 3}, {1, 2, 6, 4, 20, 120})), 0.0);
    QCOMPARE(call("aten.cumsum.default", {make({2}, {1, 1}, DType::Bool), 0}).dtype(), DType::Int64);
}

void OperatorTest::softmaxSurvivesLargeNumbers() {
    const Tensor y = call("aten.softmax.int", {make({2, 2}, {1000, 1001, -inf, 3}), 1});
    QVERIFY(std::abs(y.at(0) - 1 / (1 + std::exp(1.0))) < 1e-15);
    QCOMPARE(y.at(2), 0.0);
    QVERIFY(std::isnan(call("aten.softmax.int", {make({1, 2}, {-inf, -inf}), 1}).at(0)));
    QVERIFY(std::abs(call("aten.log_softmax.int", {make({2}, {800, 800}), 0}).at(1) + std::log(2.0)) < 1e-12);
    QVERIFY(std::abs(call("aten.logsumexp.default", {make({1, 3}, {900, 900, -inf}), ints({1})}).at(0) - 900 -
                     std::log(2.0)) < 1e-12);
}

void OperatorTest::movesElements() {
    const Tensor x = make({2, 3}, {1, 2, 3, 4, 5, 6}, DType::Int32);
    QCOMPARE(distance(call("aten.transpose.int", {x, 0, 1}), make({3, 2}, {1, 4, 2, 5, 3, 6})), 0.0);
    QCOMPARE(distance(call("aten.flip.default", {x, ints({1})}), make({2, 3}, {3, 2, 1, 6, 5, 4})), 0.0);
    QCOMPARE(distance(call("aten.roll.default", {x, ints({1}), ints({1})}), make({2, 3}, {3, 1, 2, 6, 4, 5})), 0.0);
    QCOMPARE(distance(call("aten.slice.Tensor", {x, 1, -2, std::int64_t(9223372036854775807ll)}),
                      make({2, 2}, {2, 3, 5, 6})),
             0.0);
    QCOMPARE(distance(call("aten.slice.Tensor", {x, 1, 0, 3, 2}), make({2, 2}, {1, 3, 4, 6})), 0.0);
    QCOMPARE(distance(call("aten.slice_scatter.default", {x, make({1, 3}, {7, 8, 9}, DType::Int32), 0, 1, 2}),
                      make({2, 3}, {1, 2, 3, 7, 8, 9})),
             0.0);
    QCOMPARE(distance(call("aten.select.int", {x, 0, -1}), make({3}, {4, 5, 6})), 0.0);
    QCOMPARE(distance(call("aten.cat.default", {List{x, x}, 1}), make({2, 6}, {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6})),
             0.0);
    QCOMPARE(call("aten.stack.default", {List{x, x}, -1}).shape(), Shape({2, 3, 2}));
    QCOMPARE(distance(call("aten.repeat.default", {make({2}, {1, 2}), ints({2, 2})}),
                      make({2, 4}, {1, 2, 1, 2, 1, 2, 1, 2})),
             0.0);
    QCOMPARE(distance(call("aten.tril.default", {make({2, 2}, {1, 2, 3, 4})}), make({2, 2}, {1, 0, 3, 4})), 0.0);
    QCOMPARE(distance(call("aten.triu.default", {make({2, 2}, {1, 2, 3, 4}), 1}), make({2, 2}, {0, 2, 0, 0})), 0.0);
    QCOMPARE(distance(call("aten.diag.default", {make({2}, {1, 2})}), make({2, 2}, {1, 0, 0, 2})), 0.0);
    QCOMPARE(distance(call("aten.pad.default", {make({1, 3}, {1, 2, 3}), ints({2, 1}), "reflect"}),
                      make({1, 6}, {3, 2, 1, 2, 3, 2})),
             0.0);
    QCOMPARE(distance(call("aten.constant_pad_nd.default", {make({3}, {1, 2, 3}), ints({-1, 1}), 9.0}),
                      make({3}, {2, 3, 9})),
             0.0);
    QCOMPARE(call("aten.flatten.using_ints", {noise({2, 3, 4}, 1), 1}).shape(), Shape({2, 12}));
    const Value parts = callAll("aten.split.Tensor", {make({5}, {1, 2, 3, 4, 5}), 2})[0];
    QCOMPARE(parts.as<List>()->size(), std::size_t(3));
    QCOMPARE(distance(call("<built-in function getitem>", {parts, -1}), make({1}, {5})), 0.0);
    QCOMPARE(callAll("aten.chunk.default", {noise({7}, 1), 3})[0].as<List>()->size(), std::size_t(3));
}

void OperatorTest::indexesLikePyTorch() {
    const Tensor x = make({2, 3, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    const Tensor i = make({2}, {1, -1}, DType::Int64), j = make({2, 1}, {0, 2}, DType::Int64);
    // Neighbouring indices stand in place; x[:, i] has the shape [2, 2, 2].
    const Tensor middle = call("aten.index.Tensor", {x, List{Value(), i}});
    QCOMPARE(distance(middle, make({2, 2, 2}, {2, 3, 4, 5, 8, 9, 10, 11})), 0.0);
    // x[i, j]: the index shapes broadcast to [2, 2].
    QCOMPARE(distance(call("aten.index.Tensor", {x, List{i, j}}), make({2, 2, 2}, {6, 7, 6, 7, 10, 11, 10, 11})), 0.0);
    // Separated indices come first.
    const Tensor apart =
        call("aten.index.Tensor", {x, List{make({2}, {0, 1}, DType::Int64), Value(), make({2}, {1, 0}, DType::Int64)}});
    QCOMPARE(distance(apart, make({2, 3}, {1, 3, 5, 6, 8, 10})), 0.0);
    QCOMPARE(distance(call("aten.index.Tensor", {make({3}, {5, 6, 7}), List{make({3}, {1, 0, 1}, DType::Bool)}}),
                      make({2}, {5, 7})),
             0.0);
    QCOMPARE(errorCode("aten.index.Tensor", {x, List{make({1}, {2}, DType::Int64)}}), std::string("bad_argument"));
    QCOMPARE(distance(call("aten.gather.default", {make({2, 2}, {1, 2, 3, 4}), 1, make({2, 1}, {1, 0}, DType::Int64)}),
                      make({2, 1}, {2, 3})),
             0.0);
    QCOMPARE(distance(call("aten.embedding.default", {make({2, 2}, {1, 2, 3, 4}), make({2}, {1, 0}, DType::Int64)}),
                      make({2, 2}, {3, 4, 1, 2})),
             0.0);
    QCOMPARE(distance(call("aten.masked_fill.Scalar", {make({2}, {1, 2}), make({2}, {0, 1}, DType::Bool), -inf}),
                      make({2}, {1, -inf})),
             0.0);
    QCOMPARE(distance(call("aten.where.self", {make({2}, {1, 0}, DType::Bool), make({2}, {1, 2}), make({1}, {9})}),
                      make({2}, {1, 9})),
             0.0);
}

void OperatorTest::multipliesMatrices() {
    const Tensor a = noise({2, 1, 3, 4}, 1), b = noise({5, 4, 6}, 2);
    const Tensor c = call("aten.matmul.default", {a, b});
    QCOMPARE(c.shape(), Shape({2, 5, 3, 6}));
    for (int n = 0; n < 2; ++n)
        for (int m = 0; m < 5; ++m)
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 6; ++j) {
                    double sum = 0;
                    for (int k = 0; k < 4; ++k)
                        sum += a.at((n * 3 + i) * 4 + k) * b.at((m * 4 + k) * 6 + j);
                    QVERIFY(std::abs(c.at(((n * 5 + m) * 3 + i) * 6 + j) - sum) < 1e-14);
                }
    QCOMPARE(call("aten.matmul.default", {make({2}, {1, 2}), make({2}, {3, 4})}).shape(), Shape{});
    QCOMPARE(call("aten.matmul.default", {make({2}, {1, 2}), make({2}, {3, 4})}).at(0), 11.0);
    const Tensor linear =
        call("aten.linear.default", {make({1, 2}, {1, 2}), make({3, 2}, {1, 0, 0, 1, 1, 1}), make({3}, {10, 20, 30})});
    QCOMPARE(distance(linear, make({1, 3}, {11, 22, 33})), 0.0);
    const Tensor addmm = call("aten.addmm.default", {make({2}, {nan, nan}), make({1, 1}, {2}), make({1, 2}, {3, 4})},
                              {{"beta", 0}, {"alpha", 2.0}});
    QCOMPARE(distance(addmm, make({1, 2}, {12, 16})), 0.0);
    QCOMPARE(errorCode("aten.mm.default", {noise({1, 1}, 1, DType::Float32), noise({1, 1}, 1)}),
             std::string("bad_argument"));
}

void OperatorTest::productsDoNotDependOnThreads() {
    using Shape = std::vector<std::int64_t>;
    for (const auto& [left, right] : {std::pair(Shape{520, 300}, Shape{300, 1500}),
                                      {{1, 5000}, {5000, 9000}},
                                      {{9000, 5000}, {5000, 1}},
                                      {{33, 70000}, {70000, 31}}}) {
        const Tensor a = noise(left, 5), b = noise(right, 6);
        std::optional<Tensor> alone;
        for (const unsigned threads : {1u, 2u, 3u, 7u}) {
            task::OperatorContext context;
            context.threads = threads;
            const auto result = task::evaluateOperator("aten.matmul.default", std::vector<Value>{a, b}, {}, context);
            QVERIFY(bool(result));
            const Tensor& product = *result->at(0).as<Tensor>();
            if (!alone) alone = product;
            QCOMPARE(distance(product, *alone), 0.0);
        }
    }
}

void OperatorTest::contractsByEinsum() {
    const Tensor a = noise({2, 3, 4}, 1), b = noise({4, 3, 5}, 2);
    const Tensor c = call("aten.einsum.default", {"nij,jik->kn", List{a, b}});
    QCOMPARE(c.shape(), Shape({5, 2}));
    for (int k = 0; k < 5; ++k)
        for (int n = 0; n < 2; ++n) {
            double sum = 0;
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 4; ++j)
                    sum += a.at((n * 3 + i) * 4 + j) * b.at((j * 3 + i) * 5 + k);
            QVERIFY(std::abs(c.at(k * 2 + n) - sum) < 1e-14);
        }
    QCOMPARE(call("aten.einsum.default", {"ii", List{make({2, 2}, {1, 2, 3, 4})}}).at(0), 5.0);
    QCOMPARE(distance(call("aten.einsum.default", {"ij->ji", List{make({1, 2}, {1, 2})}}), make({2, 1}, {1, 2})), 0.0);
    QCOMPARE(distance(call("aten.einsum.default", {"...i,i->...", List{make({2, 2}, {1, 2, 3, 4}), make({2}, {1, 1})}}),
                      make({2}, {3, 7})),
             0.0);
    const Tensor three = call("aten.einsum.default",
                              {"ab,bc,cd->ad", List{make({1, 2}, {1, 2}), make({2, 1}, {3, 4}), make({1, 1}, {5})}});
    QCOMPARE(three.at(0), 55.0);
    QCOMPARE(errorCode("aten.einsum.default", {"ij,jk->ik", List{noise({2, 3}, 1), noise({4, 2}, 1)}}),
             std::string("bad_argument"));
}

void OperatorTest::stopsAndBoundsMemory() {
    task::OperatorContext bounded;
    bounded.memoryLimit = 1000;
    auto result = task::evaluateOperator("aten.zeros.default", std::vector<Value>{ints({1000})}, {}, bounded);
    QVERIFY(!result);
    QCOMPARE(result.error().code, std::string("out_of_memory"));
    QVERIFY(result.error().message.find("4000") != std::string::npos);
    std::stop_source source;
    task::OperatorContext stopped;
    stopped.stop = source.get_token();
    source.request_stop();
    result = task::evaluateOperator("aten.zeros.default", std::vector<Value>{ints({4})}, {}, stopped);
    QVERIFY(!result);
    QCOMPARE(result.error().code, std::string("cancelled"));
    task::OperatorContext threads;
    threads.threads = 4;
    const Tensor x = noise({300000}, 5);
    result = task::evaluateOperator("aten.exp.default", std::vector<Value>{x}, {}, threads);
    QVERIFY(bool(result));
    QCOMPARE(distance(*result->at(0).as<Tensor>(), call("aten.exp.default", {x})), 0.0);
}

void OperatorTest::infersShapesWithoutElements() {
    task::OperatorContext context;
    context.shapesOnly = true;
    const Tensor x = Tensor::shapeOnly(DType::Float32, {16, 3, 1000, 1000}),
                 w = Tensor::shapeOnly(DType::Float32, {8, 3, 3, 3});
    auto result =
        task::evaluateOperator("aten.conv2d.default", std::vector<Value>{x, w, Value(), ints({2, 2})}, {}, context);
    QVERIFY(bool(result));
    QCOMPARE(result->at(0).as<Tensor>()->shape(), Shape({16, 8, 499, 499}));
    QVERIFY(result->at(0).as<Tensor>()->isShapeOnly());
    QCOMPARE(errorCode("aten.conv2d.default", {x, w}),
             std::string("bad_argument")); // elements are missing otherwise
}

} // namespace kernelarium

KERNELARIUM_TEST(kernelarium::OperatorTest);
