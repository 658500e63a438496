// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/graph/Interpreter.h"
#include "core/algebra/lowering/Lowering.h"
#include "core/algebra/rewrite/Search.h"
#include "core/perf/DeviceSpec.h"
#include "tests/TestRegistry.h"
#include "tests/algebra/CardsAtWork.h"

#include <set>

#include <fmt/format.h>

namespace kernelarium::algebra {
namespace {

/// Points of their spaces that a card's formulas may have to be evaluated: about a second.
constexpr double mostWork = 2e7;

/// Makes the batch one of two samples (statistics over one would be over too few); whether it was larger.
bool shrinkBatch(task::Symbols& symbols) {
    for (auto& [name, value] : symbols)
        if (name == "B" && value > 2) {
            value = 2;
            return true;
        }
    return false;
}

class TestLowering : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Every card has formulas at its published size, or is refused with its operator.
    void cardsHaveFormulas() {
        std::set<std::string> refused;
        std::string reasons;
        std::size_t cards = 0;
        for (const task::TaskKey& key : task::builtInCards()) {
            const auto card = task::loadCard(key.level, key.task);
            const Result<Graph> graph = lower(*card, *card->size("full"));
            ++cards;
            if (graph) continue;
            QCOMPARE(graph.error().code, std::string("unsupported"));
            QVERIFY2(graph.error().message.find("aten.") != std::string::npos, graph.error().message.c_str());
            refused.insert(card->key());
            reasons += fmt::format("  {}: {}\n", card->key(), graph.error().message);
        }
        qInfo("%zu of %zu cards have formulas; refused:\n%s", cards - refused.size(), cards, reasons.c_str());
        QVERIFY(refused.size() <= 15);
    }

    /// At small and odd sizes the formulas give what the evaluator gives, and the rewritten ones what these give.
    void formulasGiveWhatTheEvaluatorGives() {
        std::size_t compared = 0;
        std::string skipped, wrong;
        SearchLimits limits;
        limits.variants = 200;
        for (const task::TaskKey& key : task::builtInCards()) {
            auto card = task::loadCard(key.level, key.task);
            for (auto& [size, symbols] : card->sizes) {
                Result<Graph> graph = size == "full" ? Error{} : lower(*card, symbols);
                if (!graph) continue;
                if (evaluationWork(*graph) > mostWork && shrinkBatch(symbols)) graph = lower(*card, symbols);
                const Result<Derivation> derived = derive(*graph, *perf::findDeviceSpec("h200"), limits);
                VERIFY_OK(derived);
                VERIFY_OK(checkGraph(derived->rewritten));
                if (evaluationWork(*graph) > mostWork || evaluationWork(derived->rewritten) > mostWork) {
                    skipped += fmt::format(" {}({})", card->key(), size);
                    continue;
                }
                const auto reference = test::atWork(*card, size);
                VERIFY_OK(reference);
                const auto own = evaluate(*graph, reference->inputs);
                if (!own && own.error().code == "unsupported") continue; // dropout in training draws its own mask
                VERIFY_OK(own);
                const auto rewritten = evaluate(derived->rewritten, reference->inputs);
                VERIFY_OK(rewritten);
                const auto hold = [&](const auto& expected, const auto& got, const char* what) {
                    const double apart = test::distance(expected, got);
                    if (apart <= test::allowed(*graph, reference->inputs, *own, apart)) return;
                    wrong += fmt::format("  {} at {}: {} {:.3g} apart;", card->key(), size, what, apart);
                    for (const Rewrite& s : derived->steps)
                        wrong += fmt::format(" {}", s.rule->name);
                    wrong += "\n";
                };
                hold(reference->outputs, *own, "formulas");
                hold(*own, *rewritten, "rewritten formulas");
                ++compared;
            }
        }
        qInfo("%zu cards and sizes compared; too much work:%s", compared, skipped.c_str());
        QVERIFY2(wrong.empty(), wrong.c_str());
        QVERIFY(compared >= 350);
    }
};

KERNELARIUM_TEST(TestLowering);

} // namespace
} // namespace kernelarium::algebra

#include "TestLowering.moc"
