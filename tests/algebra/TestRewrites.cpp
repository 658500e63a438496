// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/explain/Explanation.h"
#include "core/perf/DeviceSpec.h"
#include "tests/TestRegistry.h"
#include "tests/algebra/CardsAtWork.h"

#include <fmt/format.h>

namespace kernelarium::algebra {
namespace {

class TestRewrites : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// At the published size: what every task needs before and after, printed; at least 235 have a bound, and no
    /// rewrite makes one worse.
    void everyTaskHasItsBound() {
        const perf::DeviceSpec& device = *perf::findDeviceSpec("h200");
        std::string table;
        std::size_t bounded = 0;
        for (const task::TaskKey& key : task::builtInCards()) {
            const auto card = task::loadCard(key.level, key.task);
            const Result<Explanation> e = explain(*card, "full", device);
            if (!e) continue;
            ++bounded;
            const Work &a = e->derivation.before, &b = e->derivation.after;
            table += fmt::format("{:5} flops {:.3g} -> {:.3g}, bytes {:.3g} -> {:.3g}, bound {:.4g} -> {:.4g} ms{}\n",
                                 card->key(), a.flops, b.flops, a.bytes(), b.bytes(), e->before.seconds * 1e3,
                                 e->after.seconds * 1e3, e->collapses ? ", constant" : "");
            QVERIFY2(e->after.seconds <= e->before.seconds * (1 + 1e-9), card->key().c_str());
            QVERIFY2(e->after.seconds > 0 || e->collapses, card->key().c_str());
            VERIFY_OK(checkGraph(e->derivation.rewritten));
        }
        std::fputs(table.c_str(), stdout);
        QVERIFY2(bounded >= 235, std::to_string(bounded).c_str());
    }

    /// The same search gives the same graph.
    void searchingIsDeterministic() {
        const auto card = task::loadCard(2, 72);
        const perf::DeviceSpec& device = *perf::findDeviceSpec("h200");
        const Result<Explanation> first = explain(*card, "full", device), second = explain(*card, "full", device);
        VERIFY_OK(first);
        VERIFY_OK(second);
        QCOMPARE(formulas(first->derivation.rewritten), formulas(second->derivation.rewritten));
    }

    /// Without what the card states of its inputs a triangle stays a square.
    void statedStructureIsAnOption() {
        SearchLimits any;
        any.useStatedStructure = false;
        const perf::DeviceSpec& device = *perf::findDeviceSpec("h200");
        const auto card = task::loadCard(1, 14);
        const Result<Explanation> stated = explain(*card, "full", device),
                                  unstated = explain(*card, "full", device, any);
        VERIFY_OK(stated);
        VERIFY_OK(unstated);
        QCOMPARE(stated->assumptions.size(), std::size_t(2));
        QVERIFY(unstated->assumptions.empty());
        QVERIFY(unstated->derivation.after.flops > 2.9 * stated->derivation.after.flops);
    }
};

KERNELARIUM_TEST(TestRewrites);

} // namespace
} // namespace kernelarium::algebra

#include "TestRewrites.moc"
