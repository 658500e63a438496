// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/verify/TestInputs.h"

#include "core/verify/Poison.h"
#include "core/verify/ProfileRequest.h"
#include "core/verify/TensorHash.h"
#include "core/verify/inputs/DrawnInputs.h"
#include "core/verify/inputs/InputPlan.h"
#include "core/verify/inputs/NormalDraws.h"
#include "core/verify/inputs/Philox.h"
#include "core/verify/inputs/TensorStructure.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <bit>
#include <cmath>
#include <set>

using namespace kernelarium;
using namespace kernelarium::verify;
using tensor::DType;
using tensor::Tensor;

void TestInputs::everyRunBeginsWithTheFirstPoison() {
    QCOMPARE(RunRequest{}.poison, firstPoison);
    QCOMPARE(profileRequest(InputPlan{}, 1, {}).poison, firstPoison);
    // A NaN in the narrow types, too: what is read by mistake shows.
    for (const std::uint32_t pattern : {firstPoison, secondPoison}) {
        QVERIFY(std::isnan(tensor::halfToFloat(std::uint16_t(pattern))));
        QVERIFY(std::isnan(tensor::halfToFloat(std::uint16_t(pattern >> 16))));
        QVERIFY(std::isnan(tensor::bfloatToFloat(std::uint16_t(pattern))));
    }
}

void TestInputs::philoxMatchesThePublishedVectors() {
    // From the known-answer file of the authors' Random123.
    using Words = std::array<std::uint32_t, 4>;
    QCOMPARE(Philox(0)({0, 0, 0, 0}), (Words{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
    const std::uint32_t ones = 0xffffffffu;
    QCOMPARE(Philox(~0ull)({ones, ones, ones, ones}), (Words{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}));
    QCOMPARE(Philox(0x299f31d0a4093822ull)({0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}),
             (Words{0xd16cfe09u, 0x94fdcceb, 0x5001e420u, 0x24126ea1u}));
}

void TestInputs::theSameSeedDrawsTheSameBits() {
    const TensorPlan plan{"x", DType::Float32, {33, 7}, {}};
    QCOMPARE(hashOf(drawTensor(plan, 0, 5)), hashOf(drawTensor(plan, 0, 5)));
    QVERIFY(hashOf(drawTensor(plan, 0, 5)) != hashOf(drawTensor(plan, 0, 6)));
    QVERIFY(hashOf(drawTensor(plan, 0, 5)) != hashOf(drawTensor(plan, 1, 5)));
    // The numbers themselves, so that a change of the generator or another machine shows.
    const Tensor t = drawTensor(plan, 0, 1);
    const auto pair = normalPair(Philox(1)({0, 0, 0, 0}));
    QCOMPARE(t.data<float>()[0], float(pair[0]));
    QCOMPARE(t.data<float>()[1], float(pair[1]));
}

void TestInputs::wideTensorsAreDrawnAsNarrowOnes() {
    const Tensor wide = drawTensor({"x", DType::Float32, {1 << 20}, {}}, 2, 9);
    const Philox generator(9);
    for (const std::int64_t pair :
         {std::int64_t(0), std::int64_t(131071), std::int64_t(262144), std::int64_t(524287)}) {
        const auto expected = normalPair(generator({std::uint32_t(pair), 0, 2, 0}));
        QCOMPARE(wide.data<float>()[2 * pair], float(expected[0]));
        QCOMPARE(wide.data<float>()[2 * pair + 1], float(expected[1]));
    }
}

void TestInputs::batchesHoldTheBitsOfSingleDraws() {
    for (const std::uint64_t seed : {1ull, 0x123456789abcdefull})
        for (const std::uint64_t first : {0ull, 12345ull, 0xffffffc0ull}) { // the last one crosses 2^32
            DrawnPairs normals, units;
            drawNormals(Philox(seed), first, 3, 1, normals);
            drawUnits(Philox(seed), first, 3, 1, units);
            for (std::size_t i = 0; i < pairsAtATime; ++i) {
                const std::uint64_t pair = first + i;
                const auto words = Philox(seed)({std::uint32_t(pair), std::uint32_t(pair >> 32), 3, 1});
                const auto normal = normalPair(words);
                for (const std::size_t k : {0u, 1u}) {
                    QCOMPARE(std::bit_cast<std::uint64_t>(normals[2 * i + k]), std::bit_cast<std::uint64_t>(normal[k]));
                    QCOMPARE(units[2 * i + k], unitInterval(words[2 * k], words[2 * k + 1]));
                }
            }
        }
}

void TestInputs::rampsWeighEveryDimension() {
    TensorPlan plan{"x", DType::Float32, {3, 5, 7}, {}};
    const Tensor plain = drawTensor(plan, 0, 1);
    plan.distribution.ramp = {0.5, 0.25, 2, Signs::positive};
    const Tensor ramped = drawTensor(plan, 0, 1);
    std::int64_t i = 0;
    const auto fourth = [](std::int64_t at, std::int64_t size) {
        const double u = double(at + 1) / double(size), square = u * u;
        return square * square;
    };
    for (std::int64_t a = 0; a < 3; ++a)
        for (std::int64_t b = 0; b < 5; ++b)
            for (std::int64_t c = 0; c < 7; ++c, ++i) {
                const double along = (fourth(c, 7) + fourth(b, 5) + fourth(a, 3)) / 3;
                const double value = (0.25 + 1.75 * along) * (double(plain.data<float>()[i]) + 0.5);
                QCOMPARE(ramped.data<float>()[i], float(std::abs(value)));
            }
}

void TestInputs::normalNumbersAreNormal() {
    const Tensor t = drawTensor({"x", DType::Float64, {400000}, {Distribution::Kind::normal, 2, 3}}, 0, 1);
    double mean = 0;
    double square = 0;
    int within = 0;
    for (std::int64_t i = 0; i < t.count(); ++i) {
        const double z = (t.at(i) - 2) / 3;
        mean += z;
        square += z * z;
        within += std::abs(z) < 1.0;
    }
    const double n = double(t.count());
    QVERIFY(std::abs(mean / n) < 0.01);
    QVERIFY(std::abs(square / n - 1) < 0.01);
    QVERIFY(std::abs(within / n - 0.6827) < 0.005);
    // The library's own functions agree to the last bits that a double has room for.
    const auto words = Philox(3)({8, 0, 0, 0});
    const double radius = std::sqrt(-2 * std::log(1 - unitInterval(words[0], words[1])));
    const double angle = 2 * M_PI * unitInterval(words[2], words[3]);
    QVERIFY(std::abs(normalPair(words)[0] - radius * std::cos(angle)) < 1e-13);
    QVERIFY(std::abs(normalPair(words)[1] - radius * std::sin(angle)) < 1e-13);
}

void TestInputs::wholeNumbersCoverTheirRange() {
    const Tensor t = drawTensor({"labels", DType::Int64, {5000}, {Distribution::Kind::integer, 3, 12}}, 0, 1);
    std::set<std::int64_t> seen(t.data<std::int64_t>(), t.data<std::int64_t>() + t.count());
    QCOMPARE(seen.size(), std::size_t(10));
    QCOMPARE(*seen.begin(), 3);
    QCOMPARE(*seen.rbegin(), 12);
}

void TestInputs::anotherStreamMovesEveryDistribution() {
    using Kind = Distribution::Kind;
    for (const Distribution& d :
         {Distribution{Kind::normal, 0, 1}, Distribution{Kind::uniform, 0, 1}, Distribution{Kind::integer, 0, 9},
          Distribution{Kind::constant, 0, 0}, Distribution{Kind::constant, 1, 0}, Distribution{Kind::boolean, 0.5, 0},
          Distribution{Kind::sign, 0, 0}, Distribution{Kind::probabilities, 0, 1}}) {
        const TensorPlan plan{"x", DType::Float32, {64}, d};
        QVERIFY2(hashOf(drawTensor(plan, 0, 1, 0)) != hashOf(drawTensor(plan, 0, 1, 1)),
                 std::to_string(int(d.kind)).c_str());
    }
    const Tensor variance = drawTensor({"v", DType::Float32, {64}, {Kind::constant, 1, 0}}, 0, 1, 1);
    for (std::int64_t i = 0; i < 64; ++i)
        QVERIFY(variance.at(i) >= 1.0 && variance.at(i) < 1.25);
}

void TestInputs::structureIsThere() {
    using Kind = Distribution::Kind;
    const auto draw = [](Kind kind) { return drawTensor({"m", DType::Float32, {2, 5, 5}, {kind, 1, 2}}, 0, 1); };
    const Tensor upper = draw(Kind::upperTriangular);
    const Tensor lower = draw(Kind::lowerTriangular);
    const Tensor symmetric = draw(Kind::symmetric);
    const Tensor mask = draw(Kind::causalMask);
    for (std::int64_t b = 0; b < 2; ++b)
        for (std::int64_t i = 0; i < 5; ++i)
            for (std::int64_t j = 0; j < 5; ++j) {
                const std::int64_t at = (b * 5 + i) * 5 + j;
                QCOMPARE(upper.at(at) != 0, j >= i);
                QCOMPARE(lower.at(at) != 0, j <= i);
                QCOMPARE(mask.at(at), j <= i ? 1.0 : 0.0);
                QCOMPARE(symmetric.at(at), symmetric.at((b * 5 + j) * 5 + i));
            }
    const Tensor p = drawTensor({"p", DType::Float64, {4, 100}, {Kind::probabilities, 0, 1}}, 0, 1);
    for (std::int64_t row = 0; row < 4; ++row) {
        double sum = 0;
        for (std::int64_t i = 0; i < 100; ++i) {
            QVERIFY(p.at(row * 100 + i) > 0);
            sum += p.at(row * 100 + i);
        }
        QVERIFY(std::abs(sum - 1) < 1e-12);
    }
}

void TestInputs::theOwnExponentialIsRight() {
    for (double x = -40; x <= 40; x += 0.37)
        QVERIFY(std::abs(exponential(x) / std::exp(x) - 1) < 1e-14);
}

void TestInputs::argumentsKeepOrderAndNesting() {
    InputPlan plan;
    plan.tensors = {{"x", DType::Float32, {2}, {}}, {"w", DType::Float32, {3}, {}}, {"b", DType::Float32, {4}, {}}};
    using List = ArgumentPlan::List;
    using Index = ArgumentPlan::Tensor;
    plan.arguments = {{Index{0}}, {List{{{Index{2}}, {Index{1}}}}}, {tensor::Value(3)}, {tensor::Value(true)}};
    const auto arguments = argumentsOf(plan, drawTensors(plan, 1));
    QCOMPARE(arguments.size(), std::size_t(4));
    QCOMPARE(arguments[0].as<Tensor>()->count(), 2);
    const tensor::List& list = *arguments[1].as<tensor::List>();
    QCOMPARE(list[0].as<Tensor>()->count(), 4);
    QCOMPARE(list[1].as<Tensor>()->count(), 3);
    QCOMPARE(*arguments[2].as<std::int64_t>(), 3);
    QCOMPARE(*arguments[3].as<bool>(), true);
}

void TestInputs::whatWasDrawnIsKept() {
    DrawnInputs inputs(1 << 20);
    InputPlan plan;
    plan.tensors = {{"x", DType::Float32, {100}, {}}, {"n", DType::Int64, {10}, {Distribution::Kind::integer, 0, 9}}};
    const std::vector<Tensor> first = inputs.draw(plan, 1), fresh = drawTensors(plan, 1);
    for (std::size_t i = 0; i < fresh.size(); ++i)
        QCOMPARE(hashOf(first[i]), hashOf(fresh[i]));
    plan.tensors[0].name = "another name";
    QVERIFY(inputs.draw(plan, 1)[0].sharesElements(first[0]));
    QVERIFY(!inputs.draw(plan, 2)[0].sharesElements(first[0]));
    QVERIFY(inputs.draw(plan, 1)[0].sharesElements(first[0]));
    InputPlan other = plan;
    other.tensors[0].distribution.b = 2;
    QCOMPARE(hashOf(inputs.draw(other, 1)[0]), hashOf(drawTensors(other, 1)[0]));
    other = plan;
    other.tensors[0].shape = {10, 10};
    QCOMPARE(inputs.draw(other, 1)[0].shape(), other.tensors[0].shape);
    other = plan;
    other.tensors.pop_back();
    QCOMPARE(inputs.draw(other, 1).size(), std::size_t(1));
}

void TestInputs::noMoreIsKeptThanAsked() {
    DrawnInputs inputs(1000);
    const auto planOf = [](std::int64_t count) {
        InputPlan plan;
        plan.tensors = {{"x", DType::Float32, {count}, {}}};
        return plan;
    };
    const Tensor first = inputs.draw(planOf(100), 1)[0];
    QCOMPARE(inputs.bytesKept(), std::uint64_t(400));
    (void)inputs.draw(planOf(150), 1);
    QCOMPARE(inputs.bytesKept(), std::uint64_t(1000));
    QVERIFY(inputs.draw(planOf(100), 1)[0].sharesElements(first)); // now used last
    (void)inputs.draw(planOf(100), 2);
    QCOMPARE(inputs.bytesKept(), std::uint64_t(800));
    QVERIFY(inputs.draw(planOf(100), 1)[0].sharesElements(first));
    QCOMPARE(inputs.draw(planOf(251), 1)[0].count(), 251);
    QCOMPARE(inputs.bytesKept(), std::uint64_t(0));
}

KERNELARIUM_TEST(TestInputs);
