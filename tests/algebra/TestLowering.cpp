// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/graph/Interpreter.h"
#include "core/algebra/lowering/Lowering.h"
#include "tests/TestRegistry.h"
#include "tests/algebra/CardsAtWork.h"

#include <fmt/format.h>

namespace kernelarium::algebra {
namespace {

using test::atWork;
using test::distance;

/// Points of the space that one card may take: some seconds.
constexpr double mostWork = 6e7;

class TestLowering : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Every card, at its small and odd sizes, gives by its formulas what the evaluator gives, or is refused by name.
    void formulasGiveWhatTheEvaluatorGives() {
        std::size_t lowered = 0, compared = 0;
        std::string refused, skipped, wrong;
        for (const task::TaskKey& key : task::builtInCards()) {
            const auto card = task::loadCard(key.level, key.task);
            QVERIFY(card.ok());
            bool isLowered = false;
            for (const auto& [size, symbols] : card->sizes) {
                const Result<Graph> graph = lower(*card, symbols);
                if (!graph) {
                    QCOMPARE(graph.error().code, std::string("unsupported"));
                    refused += fmt::format("  {} {}: {}\n", card->key(), size, graph.error().message);
                    continue;
                }
                isLowered = true;
                if (size == "full") continue;
                const double work = evaluationWork(*graph);
                if (work > mostWork) {
                    skipped += fmt::format(" {}({},{:.2g})", card->key(), size, work);
                    continue;
                }
                const auto reference = atWork(*card, size);
                QVERIFY2(reference.ok(), reference.ok() ? "" : reference.error().message.c_str());
                const auto got = evaluate(*graph, reference->inputs);
                if (!got && got.error().code == "unsupported") continue; // dropout in training
                QVERIFY2(got.ok(), got.ok() ? "" : got.error().message.c_str());
                const double apart = distance(reference->outputs, *got);
                if (!(apart <= test::allowed(*graph, reference->inputs, *got, apart)))
                    wrong += fmt::format("  {} at {}: {:.3g} apart\n", card->key(), size, apart);
                ++compared;
            }
            lowered += isLowered;
        }
        qInfo("%zu cards have formulas, %zu sizes compared; too much work:%s\nRefused:\n%s", lowered, compared,
              skipped.c_str(), refused.c_str());
        QVERIFY2(wrong.empty(), wrong.c_str());
        QVERIFY(lowered >= 235);
    }
};

KERNELARIUM_TEST(TestLowering);

} // namespace
} // namespace kernelarium::algebra

#include "TestLowering.moc"
