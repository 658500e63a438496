// SPDX-License-Identifier: GPL-3.0-or-later
#include "Cards.h"
#include "core/task/Binding.h"
#include "core/task/Cost.h"
#include "core/task/Evaluator.h"
#include "tests/TestRegistry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <thread>

namespace kernelarium {
namespace {

using namespace task;

bool isPrime(std::int64_t n) {
    if (n < 2) return false;
    for (std::int64_t k = 2; k * k <= n; ++k)
        if (n % k == 0) return false;
    return true;
}

bool isOdd(const Shape& shape) {
    return std::all_of(shape.begin(), shape.end(), [](std::int64_t extent) { return extent % 2 != 0; });
}

/// Odd primes; 1 where it is 1 at the published size too.
bool isOddAndPrime(const Shape& shape, const Shape& published) {
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (shape[d] % 2 == 0 || !(isPrime(shape[d]) || (shape[d] == 1 && published[d] == 1))) return false;
    return true;
}

std::vector<Tensor> tensorsOf(const Value& value) {
    std::vector<Tensor> tensors;
    collectTensors(value, tensors);
    return tensors;
}

std::string textOf(const std::vector<Shape>& shapes) {
    std::vector<std::string> texts;
    for (const Shape& shape : shapes)
        texts.push_back(fmt::format("{}", fmt::join(shape, " x ")));
    return fmt::format("{}", fmt::join(texts, ", "));
}

/// The size that no block, vector or tile divides: of every card, or the reason why it has none.
class TestOddSizes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCardHasOneOrSaysWhyNot_data() {
        QTest::addColumn<int>("level");
        QTest::addColumn<int>("task");
        for (const TaskKey& key : builtInCards())
            QTest::newRow(fmt::format("{}/{}", key.level, key.task).c_str()) << key.level << key.task;
    }

    void everyCardHasOneOrSaysWhyNot() {
        QFETCH(int, level);
        QFETCH(int, task);
        const Card card = load(level, task);
        const auto odd = card.size("odd");
        if (!odd) {
            QVERIFY2(!card.oddForbidden.empty(), "no odd size, and nothing forbids one");
            qInfo("%s", fmt::format("{}: none. {}", card.key(), card.oddForbidden).c_str());
            return;
        }
        const auto shapes = tensorShapes(card, *odd), published = tensorShapes(card, *card.size("full"));
        QVERIFY2(bool(shapes), shapes ? "" : shapes.error().message.c_str());
        std::vector<Shape> inputs;
        bool othersAreOdd = true;
        for (std::size_t i = 0; i < shapes->size(); ++i) {
            if (card.tensors[i].isParameter) continue;
            const bool good = isOddAndPrime((*shapes)[i], (*published)[i]);
            QVERIFY2(good || !inputs.empty(), textOf({(*shapes)[i]}).c_str()); // the first one without exception
            inputs.push_back((*shapes)[i]);
            othersAreOdd &= good;
        }
        QVERIFY(!inputs.empty());

        EvaluationOptions options;
        options.threads = std::thread::hardware_concurrency();
        const auto result = evaluate(card, *odd, drawn(card, *odd), options);
        QVERIFY2(bool(result), result ? "" : result.error().message.c_str());
        std::vector<Shape> outputs;
        bool outputIsOdd = true;
        for (const Tensor& t : tensorsOf(*result)) {
            outputs.push_back(t.shape());
            outputIsOdd &= isOdd(t.shape());
            QVERIFY2(t.count() > 0, "the output is empty");
            for (std::int64_t i = 0; i < t.count(); ++i)
                QVERIFY2(std::isfinite(t.at(i)), "the output is not finite");
        }
        // What is even has a reason, and what is not has none.
        QVERIFY2((othersAreOdd && outputIsOdd) == card.oddForbidden.empty(),
                 fmt::format("{} -> {}: {}", textOf(inputs), textOf(outputs), card.oddForbidden).c_str());
        const std::string why = card.oddForbidden.empty() ? "" : ". " + card.oddForbidden;
        qInfo("%s", fmt::format("{}: {} -> {}{}", card.key(), textOf(inputs), textOf(outputs), why).c_str());
        m_odd += 1;
    }

    void atLeastTwoHundredHaveOne() { QVERIFY2(m_odd >= 200, std::to_string(m_odd).c_str()); }

    /// It is run at every verification.
    void itIsCheaperThanTheSmallSize() {
        std::vector<double> shares;
        for (const TaskKey& key : builtInCards()) {
            const Card card = load(key.level, key.task);
            const auto odd = card.size("odd");
            if (!odd) continue;
            const auto here = costOf(card, *odd), small = costOf(card, *card.size("small"));
            QVERIFY2(here && small, card.key().c_str());
            const double share = (here->flops + 4 * here->unfusedBytes) / (small->flops + 4 * small->unfusedBytes);
            QVERIFY2(share <= 1.6, fmt::format("{}: {} of the small size's work", card.key(), share).c_str());
            shares.push_back(share);
        }
        std::sort(shares.begin(), shares.end());
        QVERIFY2(shares[shares.size() / 2] <= 0.4, std::to_string(shares[shares.size() / 2]).c_str());
    }

    /// A number of the module that is an extent follows it.
    void numbersOfTheCallFollow() {
        const Card card = load(3, 38);
        const Symbols odd = *card.size("odd");
        const auto shapes = tensorShapes(card, odd);
        const auto values = callArguments(card, odd, drawn(card, odd));
        QVERIFY(shapes && values);
        for (std::size_t i = 0; i < card.call.size(); ++i)
            if (card.call[i].first == "hidden_size") QCOMPARE(*values->at(i).as<std::int64_t>(), (*shapes)[1][2]);
    }

private:
    int m_odd = 0;
};

} // namespace
} // namespace kernelarium

KERNELARIUM_TEST(kernelarium::TestOddSizes);

#include "TestOddSizes.moc"
