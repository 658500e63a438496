// SPDX-License-Identifier: GPL-3.0-or-later
#include "LayerTest.h"

#include "Making.h"
#include "tests/TestRegistry.h"

#include <QTest>

#include <array>

namespace kernelarium {

namespace {

using Three = std::array<int, 3>;
struct Geometry {
    int batch, inChannels, outChannels, groups;
    Three in, kernel, stride, padding, dilation, outputPadding;
};

Three outSize(const Geometry& g) {
    Three out;
    for (std::size_t d = 0; d < 3; ++d)
        out[d] = (g.in[d] + 2 * g.padding[d] - g.dilation[d] * (g.kernel[d] - 1) - 1) / g.stride[d] + 1;
    return out;
}
/// The definition: every output element as a sum over channels and the kernel. Visits f(out, in, weight) of
/// every product.
template <class F> void forProducts(const Geometry& g, const Three& large, const Three& small, F f) {
    const int ic = g.inChannels / g.groups, oc = g.outChannels / g.groups;
    for (int n = 0; n < g.batch; ++n)
        for (int o = 0; o < g.outChannels; ++o)
            for (int c = 0; c < ic; ++c)
                for (int x = 0; x < small[0] * small[1] * small[2]; ++x)
                    for (int k = 0; k < g.kernel[0] * g.kernel[1] * g.kernel[2]; ++k) {
                        const Three s{x / (small[1] * small[2]), x / small[2] % small[1], x % small[2]};
                        const Three t{k / (g.kernel[1] * g.kernel[2]), k / g.kernel[2] % g.kernel[1], k % g.kernel[2]};
                        Three l;
                        bool inside = true;
                        for (std::size_t d = 0; d < 3; ++d) {
                            l[d] = s[d] * g.stride[d] - g.padding[d] + t[d] * g.dilation[d];
                            inside &= l[d] >= 0 && l[d] < large[d];
                        }
                        if (inside) f(n, o, o / oc * ic + c, c, x, (l[0] * large[1] + l[1]) * large[2] + l[2], k);
                    }
}
Value list(const Three& t, int n) {
    Shape shape;
    for (int d = 3 - n; d < 3; ++d)
        shape.push_back(t[std::size_t(d)]);
    return ints(shape);
}
Shape shapeOf(std::int64_t a, std::int64_t b, const Three& t, int n) {
    Shape shape{a, b};
    for (int d = 3 - n; d < 3; ++d)
        shape.push_back(t[std::size_t(d)]);
    return shape;
}

void geometries() {
    QTest::addColumn<int>("dimensions");
    QTest::addColumn<QList<int>>("g"); // batch, in, out, groups, then six times three numbers
    const auto row = [](const char* name, int n, const QList<int>& numbers) { QTest::newRow(name) << n << numbers; };
    row("1d strided dilated", 1, {2, 3, 4, 1, 1, 1, 20, 1, 1, 3, 1, 1, 3, 0, 0, 2, 1, 1, 4, 0, 0, 0});
    row("2d plain", 2, {2, 3, 5, 1, 1, 7, 9, 1, 3, 3, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0});
    row("2d depthwise", 2, {2, 6, 6, 6, 1, 8, 7, 1, 3, 2, 1, 2, 1, 0, 1, 1, 1, 1, 1, 0, 1, 0});
    row("2d pointwise", 2, {2, 5, 7, 1, 1, 6, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0});
    row("2d everything", 2, {3, 4, 6, 2, 1, 11, 13, 1, 3, 5, 1, 2, 3, 0, 2, 4, 1, 2, 2, 0, 1, 2});
    row("3d grouped strided", 3, {2, 4, 8, 4, 5, 6, 7, 2, 3, 3, 2, 1, 2, 1, 0, 1, 1, 2, 1, 1, 0, 1});
}
Geometry geometry() {
    QFETCH(QList<int>, g);
    const auto three = [&](int at) { return Three{g[at], g[at + 1], g[at + 2]}; };
    return {g[0], g[1], g[2], g[3], three(4), three(7), three(10), three(13), three(16), three(19)};
}

} // namespace

void LayerTest::convolvesLikeTheDefinition_data() {
    geometries();
}
void LayerTest::convolvesLikeTheDefinition() {
    const Geometry g = geometry();
    QFETCH(int, dimensions);
    const Three out = outSize(g);
    const int in = g.in[0] * g.in[1] * g.in[2], positions = out[0] * out[1] * out[2],
              taps = g.kernel[0] * g.kernel[1] * g.kernel[2];
    const Tensor x = noise(shapeOf(g.batch, g.inChannels, g.in, dimensions), 1);
    const Tensor w = noise(shapeOf(g.outChannels, g.inChannels / g.groups, g.kernel, dimensions), 2);
    const Tensor bias = noise({g.outChannels}, 3);
    Tensor expected(DType::Float64, shapeOf(g.batch, g.outChannels, out, dimensions));
    for (std::int64_t i = 0; i < expected.count(); ++i)
        expected.set(i, bias.at(i / positions % g.outChannels));
    forProducts(g, g.in, out, [&](int n, int o, int c, int ci, int p, int q, int k) {
        const std::int64_t at = (std::int64_t(n) * g.outChannels + o) * positions + p;
        expected.set(at, expected.at(at) + x.at((n * g.inChannels + c) * in + q) *
                                               w.at((o * (g.inChannels / g.groups) + ci) * taps + k));
    });
    const std::string op = "aten.conv" + std::to_string(dimensions) + "d.default";
    const std::vector<Value> arguments{
        x, w, bias, list(g.stride, dimensions), list(g.padding, dimensions), list(g.dilation, dimensions), g.groups};
    QVERIFY(distance(call(op, arguments), expected) < 1e-13);
    std::vector<Value> narrow = arguments;
    narrow[0] = x.to(DType::Float32), narrow[1] = w.to(DType::Float32), narrow[2] = bias.to(DType::Float32);
    QVERIFY(distance(call(op, narrow), expected) < 1e-5);
}

void LayerTest::transposedConvolutionIsTheAdjoint_data() {
    geometries();
}
void LayerTest::transposedConvolutionIsTheAdjoint() {
    const Geometry g = geometry();
    QFETCH(int, dimensions);
    Three out;
    for (std::size_t d = 0; d < 3; ++d)
        out[d] =
            (g.in[d] - 1) * g.stride[d] - 2 * g.padding[d] + g.dilation[d] * (g.kernel[d] - 1) + g.outputPadding[d] + 1;
    const int in = g.in[0] * g.in[1] * g.in[2], positions = out[0] * out[1] * out[2],
              taps = g.kernel[0] * g.kernel[1] * g.kernel[2];
    const int perGroup = g.outChannels / g.groups;
    const Tensor x = noise(shapeOf(g.batch, g.inChannels, g.in, dimensions), 1);
    const Tensor w = noise(shapeOf(g.inChannels, perGroup, g.kernel, dimensions), 2);
    Tensor expected(DType::Float64, shapeOf(g.batch, g.outChannels, out, dimensions));
    forProducts(g, out, g.in, [&](int n, int o, int c, int, int p, int q, int k) {
        const std::int64_t at = (std::int64_t(n) * g.outChannels + o) * positions + q;
        expected.set(at, expected.at(at) +
                             x.at((n * g.inChannels + c) * in + p) * w.at((c * perGroup + o % perGroup) * taps + k));
    });
    const std::string op =
        "aten.conv_transpose" + std::to_string(dimensions) + (dimensions == 1 ? "d.default" : "d.input");
    const Tensor y = call(op, {x, w, Value(), list(g.stride, dimensions), list(g.padding, dimensions),
                               list(g.outputPadding, dimensions), g.groups, list(g.dilation, dimensions)});
    QVERIFY(distance(y, expected) < 1e-13);
}

void LayerTest::poolsWithPaddingAndCeil() {
    const Tensor x = make({1, 1, 5}, {1, -2, 3, -4, 5});
    QCOMPARE(distance(call("aten.max_pool1d.default", {x, ints({2}), ints({2}), ints({0}), ints({1}), true}),
                      make({1, 1, 3}, {1, 3, 5})),
             0.0);
    QCOMPARE(distance(call("aten.max_pool1d.default", {x, ints({2}), ints({1}), ints({0}), ints({3})}),
                      make({1, 1, 2}, {1, 5})),
             0.0);
    // Padding counts as zeros, unless told otherwise.
    QCOMPARE(distance(call("aten.avg_pool1d.default", {x, ints({3}), ints({2}), ints({1})}),
                      make({1, 1, 3}, {-1.0 / 3, -1, 1.0 / 3})),
             0.0);
    const Tensor without = call("aten.avg_pool1d.default", {x, ints({3}), ints({2}), ints({1}), false, false});
    QCOMPARE(distance(without, make({1, 1, 3}, {-0.5, -1, 0.5})), 0.0);
    // With ceil_mode the last window leaves the padded input; what is outside does not count.
    const Tensor square = make({1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    const Tensor pooled = call("aten.avg_pool2d.default", {square, ints({2, 2}), ints({2, 2}), ints({0, 0}), true});
    QCOMPARE(distance(pooled, make({1, 2, 2}, {3, 4.5, 7.5, 9})), 0.0);
    const auto both = callAll("aten.max_pool2d_with_indices.default", {square, ints({2, 2}), ints({1, 1})});
    QCOMPARE(distance(*both[1].as<Tensor>(), make({1, 2, 2}, {4, 5, 7, 8})), 0.0);
    QCOMPARE(call("aten.max_pool3d.default", {noise({2, 3, 6, 6, 6}, 1), ints({3}), ints({2}), ints({1}), ints({1})})
                 .shape(),
             Shape({2, 3, 3, 3, 3}));
    QCOMPARE(errorCode("aten.max_pool1d.default", {x, ints({2}), ints({2}), ints({2})}), std::string("bad_argument"));
}

void LayerTest::poolsAdaptively() {
    const Tensor x = make({1, 5}, {1, 2, 3, 4, 5});
    QCOMPARE(distance(call("aten.adaptive_avg_pool1d.default", {x, ints({3})}), make({1, 3}, {1.5, 3, 4.5})), 0.0);
    QCOMPARE(distance(call("aten.adaptive_avg_pool2d.default", {noise({2, 3, 4, 4}, 1), ints({1, 1})}),
                      call("aten.mean.dim", {noise({2, 3, 4, 4}, 1), ints({2, 3}), true})) < 1e-15,
             true);
}

void LayerTest::normalisesBatchesAndGroups() {
    const Tensor x = noise({4, 6, 5}, 9), w = noise({6}, 2), b = noise({6}, 3);
    const Tensor batch = call("aten.batch_norm.default", {x, w, b, Value(), Value(), true, 0.1, 1e-5, false});
    const Tensor group = call("aten.group_norm.default", {x, 3, w, b, 1e-5, false});
    const Tensor instance =
        call("aten.instance_norm.default", {x, Value(), Value(), Value(), Value(), true, 0.1, 1e-5, false});
    const auto expected = [&](auto belongs, std::int64_t i, bool affine) {
        double n = 0, mean = 0, var = 0;
        for (std::int64_t k = 0; k < x.count(); ++k)
            if (belongs(k, i)) mean += x.at(k), n += 1;
        mean /= n;
        for (std::int64_t k = 0; k < x.count(); ++k)
            if (belongs(k, i)) var += (x.at(k) - mean) * (x.at(k) - mean) / n;
        const std::int64_t c = i / 5 % 6;
        return (x.at(i) - mean) / std::sqrt(var + 1e-5) * (affine ? w.at(c) : 1) + (affine ? b.at(c) : 0);
    };
    for (std::int64_t i = 0; i < x.count(); i += 7) {
        QVERIFY(std::abs(batch.at(i) - expected([](auto k, auto j) { return k / 5 % 6 == j / 5 % 6; }, i, true)) <
                1e-13);
        QVERIFY(std::abs(group.at(i) - expected([](auto k, auto j) { return k / 10 == j / 10; }, i, true)) < 1e-13);
        QVERIFY(std::abs(instance.at(i) - expected([](auto k, auto j) { return k / 5 == j / 5; }, i, false)) < 1e-13);
    }
    const Tensor layer =
        call("aten.layer_norm.default", {make({1, 2}, {1, 3}), ints({2}), make({2}, {2, 2}), make({2}, {1, 1}), 0.0});
    QCOMPARE(distance(layer, make({1, 2}, {-1, 3})), 0.0);
    const auto running = callAll("aten.batch_norm_update.running",
                                 {make({2, 1}, {1, 3}), Value(), Value(), make({1}, {10}), make({1}, {1}), true, 0.5});
    QCOMPARE(running[0].as<Tensor>()->at(0), 6.0);
    QCOMPARE(running[1].as<Tensor>()->at(0), 1.5);
    // Two samples of one channel, whose means are 2 and 6 and whose unbiased variances are 2 and 8.
    const auto ofSamples =
        callAll("aten.instance_norm_update.running",
                {make({2, 1, 2}, {1, 3, 4, 8}), Value(), Value(), make({1}, {10}), make({1}, {1}), true, 0.5});
    QCOMPARE(ofSamples[0].as<Tensor>()->at(0), 7.0);
    QCOMPARE(ofSamples[1].as<Tensor>()->at(0), 3.0);
    const auto step = callAll("aten.batch_norm_training.running", {make({2, 1}, {1, 3}), Value(), Value(),
                                                                   make({1}, {10}), make({1}, {1}), true, 0.5, 0.0});
    QCOMPARE(distance(*step.at(0).as<Tensor>(), make({2, 1}, {-1, 1})), 0.0);
    QCOMPARE(step.at(1).as<Tensor>()->at(0), 6.0);
    QCOMPARE(step.at(2).as<Tensor>()->at(0), 1.5);
    const Tensor fixed = call("aten.batch_norm.default", {make({1, 1}, {5}), Value(), Value(), make({1}, {3}),
                                                          make({1}, {4}), false, 0.1, 0.0, false});
    QCOMPARE(fixed.at(0), 1.0);
}

void LayerTest::stepsLstmAndGru() {
    const auto sigmoid = [](double v) { return 1 / (1 + std::exp(-v)); };
    // One feature, one hidden unit, two steps: every gate by hand.
    const Tensor x = make({2, 1, 1}, {0.5, -1}), h = make({1, 1, 1}, {0.2}), c = make({1, 1, 1}, {-0.3});
    const std::vector<double> wi{1, 2, 3, 4}, wh{-1, 0.5, 0.25, 2}, bi{0.1, 0.2, 0.3, 0.4}, bh{0, -0.1, 0.1, 0};
    const List parameters{make({4, 1}, wi), make({4, 1}, wh), make({4}, bi), make({4}, bh)};
    const auto lstm = callAll("aten.lstm.input", {x, List{h, c}, parameters, true, 1, 0.0, false, false, false});
    double hs = 0.2, cs = -0.3;
    for (int t = 0; t < 2; ++t) {
        double g[4];
        for (std::size_t k = 0; k < 4; ++k)
            g[k] = wi[k] * x.at(t) + bi[k] + wh[k] * hs + bh[k];
        cs = sigmoid(g[1]) * cs + sigmoid(g[0]) * std::tanh(g[2]);
        hs = sigmoid(g[3]) * std::tanh(cs);
        QVERIFY(std::abs(lstm[0].as<Tensor>()->at(t) - hs) < 1e-15);
    }
    QVERIFY(std::abs(lstm[1].as<Tensor>()->at(0) - hs) < 1e-15 && std::abs(lstm[2].as<Tensor>()->at(0) - cs) < 1e-15);

    const List gruParameters{make({3, 1}, {1, 2, 3}), make({3, 1}, {-1, 0.5, 0.25}), make({3}, {0.1, 0.2, 0.3}),
                             make({3}, {0, -0.1, 0.7})};
    const auto gru = callAll("aten.gru.input", {x, h, gruParameters, true, 1, 0.0, false, false, false});
    hs = 0.2;
    for (int t = 0; t < 2; ++t) {
        const double r = sigmoid(x.at(t) + 0.1 - hs), z = sigmoid(2 * x.at(t) + 0.2 + 0.5 * hs - 0.1);
        const double n = std::tanh(3 * x.at(t) + 0.3 + r * (0.25 * hs + 0.7));
        hs = (1 - z) * n + z * hs;
        QVERIFY(std::abs(gru[0].as<Tensor>()->at(t) - hs) < 1e-15);
    }
    // Two directions: the second is the first of the reversed sequence.
    const List both{parameters[0], parameters[1], parameters[2], parameters[3],
                    parameters[0], parameters[1], parameters[2], parameters[3]};
    const Tensor h2 = make({2, 1, 1}, {0.2, 0.2}), c2 = make({2, 1, 1}, {-0.3, -0.3});
    const auto forth = callAll("aten.lstm.input", {x, List{h2, c2}, both, true, 1, 0.0, false, true, false});
    const auto back = callAll("aten.lstm.input", {call("aten.flip.default", {x, ints({0})}), List{h, c}, parameters,
                                                  true, 1, 0.0, false, false, false});
    QVERIFY(std::abs(forth[0].as<Tensor>()->at(1) - back[0].as<Tensor>()->at(1)) < 1e-15);
    QCOMPARE(errorCode("aten.lstm.input", {x, List{h, c}, List{parameters[0]}, true, 1, 0.0, false, false, false}),
             std::string("unsupported"));
    // States and biases of other sizes, which a card may ask for: nothing is read past their ends.
    const auto refused = [&](const Tensor& hidden, const Tensor& memory, const List& weights) {
        return errorCode("aten.lstm.input", {x, List{hidden, memory}, weights, true, 1, 0.0, false, false, false});
    };
    const std::string bad = "bad_argument";
    QCOMPARE(refused(h, make({1, 1, 2}, {0, 0}), parameters), bad);
    QCOMPARE(refused(h, make({1, 2, 1}, {0, 0}), parameters), bad);
    QCOMPARE(refused(h, make({1}, {0}), parameters), bad);
    QCOMPARE(refused(make({2, 1, 1}, {0, 0}), make({2, 1, 1}, {0, 0}), parameters), bad);
    QCOMPARE(refused(h, c, List{parameters[0], parameters[1], parameters[2], make({1}, {0})}), bad);
    const Tensor cellInput = make({1, 1}, {1}), one = make({1, 1}, {0});
    QCOMPARE(errorCode("aten.lstm_cell.default", {cellInput, List{one, make({1, 3}, {0, 0, 0})}, parameters[0],
                                                  parameters[1], parameters[2], parameters[3]}),
             bad);
}

void LayerTest::computesLosses() {
    const Tensor x = make({2, 2}, {1, 2, 3, 4}), y = make({2, 2}, {1, 0, 3.5, 0});
    QCOMPARE(call("aten.mse_loss.default", {x, y}).at(0), (4 + 0.25 + 16) / 4);
    QCOMPARE(call("aten.smooth_l1_loss.default", {x, y}).at(0), (1.5 + 0.125 + 3.5) / 4);
    QCOMPARE(call("aten.mse_loss.default", {x, y, 2}).at(0), 20.25);
    const Tensor target = make({2}, {1, 0}, DType::Int64);
    const double expected = (std::log(1 + std::exp(-1.0)) + std::log(1 + std::exp(1.0))) / 2;
    QVERIFY(std::abs(call("aten.cross_entropy_loss.default", {x, target}).at(0) - expected) < 1e-15);
    QCOMPARE(errorCode("aten.cross_entropy_loss.default", {x, make({2}, {1, 2}, DType::Int64)}),
             std::string("bad_argument"));
    QCOMPARE(call("aten.kl_div.default", {make({1, 2}, {0, 0}), make({1, 2}, {0, std::exp(1.0)}), 2}).at(0),
             std::exp(1.0));
    const Tensor cosine = call("aten.cosine_similarity.default", {make({1, 2}, {3, 4}), make({1, 2}, {4, 3})});
    QVERIFY(std::abs(cosine.at(0) - 0.96) < 1e-15);
    const Tensor triplet =
        call("aten.triplet_margin_loss.default", {make({1, 1}, {0}), make({1, 1}, {3}), make({1, 1}, {1})});
    QVERIFY(std::abs(triplet.at(0) - 3) < 1e-5);
}

void LayerTest::attends() {
    const Tensor q = noise({2, 3, 4}, 1), k = noise({2, 5, 4}, 2), v = noise({2, 5, 6}, 3);
    const Tensor y = call("aten.scaled_dot_product_attention.default", {q, k, v});
    for (int n = 0; n < 2; ++n)
        for (int i = 0; i < 3; ++i) {
            double weights[5], sum = 0;
            for (int j = 0; j < 5; ++j) {
                double dot = 0;
                for (int d = 0; d < 4; ++d)
                    dot += q.at((n * 3 + i) * 4 + d) * k.at((n * 5 + j) * 4 + d);
                sum += weights[j] = std::exp(dot / 2);
            }
            double first = 0;
            for (int j = 0; j < 5; ++j)
                first += weights[j] / sum * v.at((n * 5 + j) * 6);
            QVERIFY(std::abs(y.at((n * 3 + i) * 6) - first) < 1e-14);
        }
    const Tensor causal = call("aten.scaled_dot_product_attention.default", {q, q, q, Value(), 0.0, true});
    for (int d = 0; d < 4; ++d)
        QVERIFY(std::abs(causal.at(d) - q.at(d)) < 1e-15); // the first row sees itself only
}

} // namespace kernelarium

KERNELARIUM_TEST(kernelarium::LayerTest);
