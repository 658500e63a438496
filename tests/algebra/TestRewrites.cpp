// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/graph/Interpreter.h"
#include "core/algebra/lowering/Lowering.h"
#include "core/algebra/rewrite/Search.h"
#include "core/perf/DeviceSpec.h"
#include "tests/TestRegistry.h"
#include "tests/algebra/CardsAtWork.h"

#include <chrono>

#include <fmt/format.h>

namespace kernelarium::algebra {
namespace {

using test::atWork;
using test::distance;

const perf::DeviceSpec& h200() {
    return *perf::findDeviceSpec("h200");
}

class TestRewrites : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Rewritten graphs give what the cards' own give, at small and odd sizes.
    void rewrittenGraphsGiveTheSame() {
        constexpr double mostWork = 3e7;
        std::string skipped, wrong, table;
        std::size_t compared = 0;
        for (const task::TaskKey& key : task::builtInCards()) {
            const auto card = task::loadCard(key.level, key.task);
            for (const auto& [size, symbols] : card->sizes) {
                const Result<Graph> graph = lower(*card, symbols);
                if (!graph) continue;
                const auto start = std::chrono::steady_clock::now();
                const Result<Derivation> d = derive(*graph, h200());
                QVERIFY(d.ok());
                const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
                const Result<void> sound = checkGraph(d->rewritten);
                QVERIFY2(sound.ok(), sound.ok() ? "" : (card->key() + " " + sound.error().message).c_str());
                const Bound a = boundOf(d->before, h200()), b = boundOf(d->after, h200());
                if (size == "full")
                    table += fmt::format(
                        "{:5} {:34.34} flops {:9.3g} -> {:9.3g} ({:7.2f}) bytes {:9.3g} -> {:9.3g} bound {:8.4f} -> {:8.4f} ms ({:6.2f}) {} steps {} variants {:.2f} s {}{}\n",
                        card->key(), card->name, d->before.flops, d->after.flops,
                        d->before.flops / std::max(d->after.flops, 1.0), d->before.bytes(), d->after.bytes(),
                        a.seconds * 1e3, b.seconds * 1e3, a.seconds / std::max(b.seconds, 1e-12), d->steps.size(),
                        d->variants, seconds, d->isComplete ? "" : "limit ",
                        isConstant(d->rewritten) ? "CONSTANT" : "");
                else {
                    if (evaluationWork(*graph) > mostWork || evaluationWork(d->rewritten) > mostWork) {
                        skipped += fmt::format(" {}({})", card->key(), size);
                        continue;
                    }
                    const auto reference = atWork(*card, size);
                    QVERIFY(reference.ok());
                    const auto own = evaluate(*graph, reference->inputs),
                               got = evaluate(d->rewritten, reference->inputs);
                    if (!own && own.error().code == "unsupported") continue; // dropout in training
                    QVERIFY2(own.ok() && got.ok(), card->key().c_str());
                    const double apart = distance(*own, *got);
                    ++compared;
                    if (!(apart <= test::allowed(*graph, reference->inputs, *own, apart))) {
                        wrong += fmt::format("  {} at {}: {:.3g} apart;", card->key(), size, apart);
                        for (const Step& s : d->steps)
                            wrong += fmt::format(" {}", s.rule->name);
                        wrong += "\n";
                    }
                }
            }
        }
        std::fputs(table.c_str(), stdout);
        qInfo("%zu compared; too much work:%s", compared, skipped.c_str());
        QVERIFY2(wrong.empty(), wrong.c_str());
    }
};

KERNELARIUM_TEST(TestRewrites);

} // namespace
} // namespace kernelarium::algebra

#include "TestRewrites.moc"
