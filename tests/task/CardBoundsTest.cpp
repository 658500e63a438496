// SPDX-License-Identifier: GPL-3.0-or-later
#include "CardBoundsTest.h"

#include "Cards.h"
#include "core/task/Cost.h"
#include "core/task/Evaluator.h"
#include "core/task/MemoryNeed.h"
#include "core/task/ShapeInference.h"
#include "tests/TestRegistry.h"

#include <QStringList>
#include <QTest>

#include <chrono>
#include <limits>
#include <thread>

namespace kernelarium {

using namespace task;

void CardBoundsTest::smallSizesKeepTheirBounds() {
    // Verification at small size, all checks, two cores: of 106 tasks with a kernel, all within these bounds took at
    // most 3.2 s of processor time beside compiling (1.3 s but for two; 208 MFLOP and 26 MB took 3.2, 253 MFLOP and
    // 40 MB took 7.2), so that a task without one ends in 5 seconds too.
    constexpr double mostFlops = 2.1e8, mostBytes = 5e7;
    QStringList beyond;
    for (const TaskKey& key : builtInCards()) {
        const Card card = load(key.level, key.task);
        const auto cost = costOf(card, *card.size("small"));
        QVERIFY(bool(cost));
        if (cost->flops <= mostFlops && cost->compulsoryBytes <= mostBytes) continue;
        beyond << QString::fromStdString(card.key());
        QVERIFY2(key.level == 3, card.key().c_str()); // whole networks: their parameters leave no smaller size
    }
    qInfo("beyond the bounds: %s", qPrintable(beyond.join(' ')));
    QVERIFY2(beyond.size() <= 12, qPrintable(beyond.join(' ')));
}

void CardBoundsTest::smallSizesKeepWhatDividesTheFullOnes() {
    // Kernels vectorise by four and tile by warps: a batch or length of which that divides the full size keeps being
    // divided, except by what it cannot afford.
    for (const TaskKey& key : builtInCards()) {
        const Card card = load(key.level, key.task);
        const Symbols full = *card.size("full"), small = *card.size("small");
        QCOMPARE(small.size(), full.size());
        for (std::size_t i = 0; i < full.size(); ++i) {
            QVERIFY2(small[i].second <= full[i].second, card.key().c_str());
            if (full[i].second % 4 == 0 && small[i].second > 4)
                QVERIFY2(small[i].second % 4 == 0, (card.key() + " " + small[i].first).c_str());
            if (full[i].second % 32 == 0 && small[i].second > 32)
                QVERIFY2(small[i].second % 16 == 0, (card.key() + " " + small[i].first).c_str());
        }
    }
}

void CardBoundsTest::freesWhatIsNoLongerUsed() {
    // A chain of one-to-one operators holds two results and a copy at a time, however long it is.
    const auto chainOf = [](int length) {
        Card card;
        card.sizes = {{"full", {{"N", 1 << 20}}}};
        card.tensors.push_back({"x", false, DType::Float32, {SizeExpression("N")}, {}});
        for (int i = 0; i < length; ++i)
            card.graph.push_back({"n" + std::to_string(i),
                                  "aten.relu.default",
                                  {i ? Argument{NodeRef{"n" + std::to_string(i - 1)}} : Argument{CardTensorRef{0}}},
                                  {}});
        card.output = {NodeRef{"n" + std::to_string(length - 1)}};
        return card;
    };
    const Symbols size{{"N", 1 << 20}};
    const auto some = memoryNeeded(chainOf(3), size, DType::Float64);
    const auto many = memoryNeeded(chainOf(40), size, DType::Float64);
    QVERIFY(some && many);
    QCOMPARE(*many, *some);
    // A tensor is converted when it is first taken: forty of them that are added one by one are not held together.
    const auto sumOf = [&](int count) {
        Card card = chainOf(count);
        for (int i = 1; i < count; ++i) {
            card.tensors.push_back({"w" + std::to_string(i), true, DType::Float32, {SizeExpression("N")}, {}});
            card.graph[std::size_t(i)].op = "aten.add.Tensor";
            card.graph[std::size_t(i)].arguments.push_back({CardTensorRef{std::size_t(i)}});
        }
        return card;
    };
    const auto few = memoryNeeded(sumOf(3), size, DType::Float64),
               added = memoryNeeded(sumOf(40), size, DType::Float64);
    QVERIFY(few && added);
    QCOMPARE(*added, *few);
    const Symbols tiny{{"N", 5}};
    std::vector<Tensor> tensors;
    double expected = 0;
    for (int i = 0; i < 40; ++i) {
        tensors.push_back(noise({5}, std::uint64_t(i) + 1, DType::Float32));
        const double first = tensors.back().data<float>()[3];
        expected += i ? first : std::max(first, 0.0); // the first goes through relu
    }
    const auto sum = evaluate(sumOf(40), tiny, tensors, {});
    QVERIFY(bool(sum));
    QCOMPARE(std::get<Tensor>(sum->kind).data<double>()[3], expected);
    // More than any machine has is refused before anything is allocated, and without a limit of the caller's.
    QVERIFY(availableMemory() && *availableMemory() > 0);
    const Card outer = load(1, 9);
    const Symbols huge{{"M", 1 << 20}, {"N", 1}};
    const auto refused = evaluate(
        outer, huge,
        std::vector<Tensor>{noise({1 << 20, 1}, 1, DType::Float32), noise({1, 1 << 20}, 2, DType::Float32)}, {});
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, std::string("out_of_memory"));
    QVERIFY2(refused.error().message.find(" 17.6 TB") != std::string::npos, refused.error().message.c_str());
}

void CardBoundsTest::hostileSizesAreRefused() {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    // A size, an attribute, and what one makes of large sizes.
    Card card = load(1, 19);
    const auto size = card.sizes.front().second;
    Symbols huge = size;
    for (auto& [name, value] : huge)
        value = most;
    auto shapes = inferShapes(card, huge, std::nullopt);
    QVERIFY(!shapes);
    QCOMPARE(shapes.error().code, std::string("bad_card"));
    QVERIFY2(shapes.error().message.find("(2147483647 is the most)") != std::string::npos,
             shapes.error().message.c_str());

    Card transposed;
    const std::vector<SizeExpression> one{SizeExpression("1"), SizeExpression("1"), SizeExpression("N"),
                                          SizeExpression("1")};
    transposed.tensors.push_back({"x", false, DType::Float32, one, {}});
    transposed.tensors.push_back({"w",
                                  true,
                                  DType::Float32,
                                  {SizeExpression("1"), SizeExpression("1"), SizeExpression("1"), SizeExpression("1")},
                                  {}});
    const auto withStride = [&](std::int64_t stride) {
        Card made = transposed;
        made.graph.push_back({"y",
                              "aten.conv_transpose2d.input",
                              {Argument{CardTensorRef{0}}, Argument{CardTensorRef{1}}, Argument{}, Argument{stride}},
                              {}});
        made.output = {NodeRef{"y"}};
        return made;
    };
    shapes = inferShapes(withStride(most), {{"N", 64}}, std::nullopt);
    QVERIFY(!shapes);
    QVERIFY2(shapes.error().message.find("'stride' is 9223372036854775807") != std::string::npos,
             shapes.error().message.c_str());
    shapes = inferShapes(withStride(2147483647), {{"N", 2147483647}}, std::nullopt);
    QVERIFY(!shapes);
    QVERIFY2(shapes.error().message.find("the result would have a dimension of") != std::string::npos,
             shapes.error().message.c_str());
    transposed.tensors[0].shape.assign(4, SizeExpression("N"));
    shapes = inferShapes(withStride(1), {{"N", 1 << 20}}, std::nullopt);
    QVERIFY(!shapes);
    QVERIFY2(shapes.error().message.find("more than 281474976710656 elements") != std::string::npos,
             shapes.error().message.c_str());

    // Sizes that are not 64-bit numbers are read and written as the texts that they are.
    for (const char* size : {"99999999999999999999", "-"}) {
        transposed.tensors[0].shape.assign(4, SizeExpression(size));
        QVERIFY(writeCard(transposed).find(size) != std::string::npos);
        QVERIFY(!inferShapes(withStride(1), {{"N", 1}}, std::nullopt));
    }
}

void CardBoundsTest::stopsWithinAnOperator() {
    const Card card = load(1, 1);
    const Symbols size{{"N", 4096}}; // 137 GFLOP in one operator
    const std::vector<Tensor> tensors{noise({4096, 4096}, 1, DType::Float64), noise({4096, 4096}, 2, DType::Float64)};
    std::stop_source source;
    EvaluationOptions options;
    options.stop = source.get_token();
    std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        source.request_stop();
    });
    const auto result = evaluate(card, size, tensors, options);
    QVERIFY(!result);
    QCOMPARE(result.error().code, std::string("cancelled"));
}

void CardBoundsTest::threadsGiveTheSame() {
    // Depthwise, transposed, grouped in three dimensions, and a network of them.
    for (const TaskKey key : {TaskKey{1, 84}, TaskKey{1, 57}, TaskKey{1, 72}, TaskKey{1, 60}, TaskKey{3, 20}}) {
        const Card card = load(key.level, key.task);
        const Symbols symbols = *card.size("small");
        const std::vector<Tensor> tensors = drawn(card, symbols);
        EvaluationOptions one, three;
        three.threads = 3;
        const auto a = evaluate(card, symbols, tensors, one), b = evaluate(card, symbols, tensors, three);
        QVERIFY(a && b);
        QVERIFY2(distance(*a->as<Tensor>(), *b->as<Tensor>()) < 1e-10, card.key().c_str());
    }
}

} // namespace kernelarium

KERNELARIUM_TEST(kernelarium::CardBoundsTest);
