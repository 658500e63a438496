// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/lowering/Lowering.h"
#include "core/algebra/rewrite/Rule.h"
#include "core/proof/DerivationProof.h"
#include "core/proof/Shrink.h"
#include "tests/TestRegistry.h"
#include "tests/proof/Planted.h"

#include <fmt/format.h>

namespace kernelarium::proof {
namespace {

class TestRules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Every rule of the algebra, wherever it is offered on the cards of level 2 at their tiny sizes: none is refused.
    void noRuleIsRefused() {
        constexpr int level = 2;
        std::map<std::string, std::array<std::size_t, 2>> counts; // by rule: passed, not decided
        double seconds = 0;
        std::string undecided;
        for (const task::TaskKey& key : task::builtInCards()) {
            if (key.level != level) continue;
            const task::Card card = *test::cardOf(fmt::format("{}/{}", key.level, key.task));
            const Result<task::Symbols> tiny = tinySize(card);
            if (!tiny) continue; // has no formulas
            const Result<algebra::Graph> graph = algebra::lower(card, *tiny);
            QVERIFY(graph.ok());
            const std::vector<InputKind> kinds = inputKinds(card, *tiny);
            Options options;
            options.draws = 16;
            options.mostFieldWork = 1e6;
            for (const auto* rules : {&algebra::tidyingRules(), &algebra::searchedRules()})
                for (const algebra::Rule& rule : *rules)
                    for (algebra::TensorId id = 0; id < graph->tensors.size(); ++id)
                        for (algebra::Edit& edit : rule.edits(*graph, id)) {
                            const std::string detail = edit.detail;
                            const algebra::Graph rewritten = algebra::edited(*graph, std::move(edit));
                            const auto rungs = proveAlgebraically(*graph, rewritten, kinds, options);
                            QVERIFY2(rungs.ok(), rungs.ok() ? "" : rungs.error().message.c_str());
                            bool passed = false;
                            for (const Evidence& e : *rungs) {
                                passed = passed || e.outcome == Outcome::passed;
                                seconds += e.seconds;
                            }
                            const Evidence& last = rungs->back();
                            QVERIFY2(last.outcome != Outcome::failed,
                                     fmt::format("{}: {} ({}) is refused by {}: {}", card.key(), rule.name, detail,
                                                 name(last.rung), last.reason)
                                         .c_str());
                            ++counts[std::string(rule.name)][passed ? 0 : 1];
                            if (!passed)
                                undecided +=
                                    fmt::format("\n    {} {} ({}): {}", card.key(), rule.name, detail, last.reason);
                        }
        }
        std::string text;
        std::size_t all = 0;
        for (const auto& [rule, n] : counts) {
            text += fmt::format("\n  {}: {} pass, {} not decided", rule, n[0], n[1]);
            all += n[0];
        }
        qInfo("%.1f s in the rungs%s%s", seconds, text.c_str(), undecided.c_str());
        QVERIFY(all > 100);
    }

    /// The stages of what `superopt explain` does with a task are equal, one by one.
    void derivationsAreProved_data() {
        QTest::addColumn<QString>("task");
        for (const char* task : {"1/12", "2/2", "2/50", "2/38", "2/44", "2/14", "2/51"})
            QTest::newRow(task) << task;
    }
    void derivationsAreProved() {
        QFETCH(const QString, task);
        const task::Card card = *test::cardOf(task.toStdString());
        const perf::DeviceSpec* device = perf::findDeviceSpec("h200");
        QVERIFY(device);
        const Result<algebra::Graph> graph = algebra::lower(card, *card.size("full"));
        QVERIFY(graph.ok());
        const Result<algebra::Derivation> d = algebra::derive(*graph, *device);
        QVERIFY(d.ok());
        Options options;
        options.mostFloat64Work = 1e7;
        const Result<std::vector<Stage>> stages = proveDerivation(card, *d, *device, {}, options);
        QVERIFY2(stages.ok(), stages.ok() ? "" : stages.error().message.c_str());
        for (const Stage& s : *stages)
            QVERIFY2(s.proof.verdict == Verdict::equal, s.proof.summary().c_str());
    }
};

KERNELARIUM_TEST(TestRules);

} // namespace
} // namespace kernelarium::proof

#include "TestRules.moc"
