// SPDX-License-Identifier: GPL-3.0-or-later
#include "Planted.h"
#include "tests/TestRegistry.h"

#include <fmt/format.h>

Q_DECLARE_METATYPE(kernelarium::proof::test::Planted)

namespace kernelarium::proof {
namespace {

using test::Planted;

class TestPlanted : public QObject {
    Q_OBJECT

private:
    /// One rewrite of a card, right as it was meant and refused as it was spoilt; what it took.
    static void hold(const Planted& p, const task::Card& own) {
        const task::Card card = p.original.empty() ? own : test::withNodes(own, p.original);
        Options options;
        options.mostFloat64Work = 1e7;
        const Result<Proof> right = prove(card, test::rewritingTo(own, p.right), options);
        QVERIFY2(right.ok(), right.ok() ? "" : (p.name + ": " + right.error().text()).c_str());
        const auto explained = [&p](const Proof& proof) {
            std::string text = p.name + ": " + proof.summary();
            for (const Evidence& e : proof.rungs) {
                text += fmt::format("\n  {} {} ({:.3f} s) {} {}", name(e.rung), name(e.outcome), e.seconds, e.drawn,
                                    e.reason);
                if (e.counterexample)
                    text += fmt::format(" expected {}, got {}", e.counterexample->expected, e.counterexample->got);
                for (const std::string& r : e.remarks)
                    text += "\n    " + r;
            }
            return text;
        };
        QVERIFY2(right->verdict == Verdict::equal, ("right twin of " + explained(*right)).c_str());
        const Result<Proof> wrong =
            prove(card, test::rewritingTo(own, p.wrong.empty() ? p.right : p.wrong, p.spoil), options);
        QVERIFY2(wrong.ok(), wrong.ok() ? "" : (p.name + ": " + wrong.error().text()).c_str());
        QVERIFY2(wrong->verdict == Verdict::different, ("not refused: " + explained(*wrong)).c_str());
        QVERIFY2(wrong->failed()->rung == p.refusedBy, ("refused by another rung: " + explained(*wrong)).c_str());
        QVERIFY2(wrong->failed()->counterexample.has_value(), p.name.c_str());
        const auto bound = [](const Evidence* e) {
            return e && e->errorBound ? fmt::format("{:.1g}", *e->errorBound) : "-";
        };
        double algebraic = 0;
        for (Rung r : {Rung::field, Rung::keyed, Rung::ordered})
            if (const Evidence* e = right->find(r)) algebraic += e->seconds;
        qInfo("%s",
              fmt::format("{:50} {:28} {:8} | twin: rungs 1-3 {:.3f} s, all {:.2f} s, missed by field {} keyed {}",
                          p.name, p.card, name(p.refusedBy), algebraic, right->seconds, bound(right->find(Rung::field)),
                          bound(right->find(Rung::keyed)))
                  .c_str());
    }

    static void rows(const std::vector<Planted>& all) {
        QTest::addColumn<Planted>("planted");
        for (const Planted& p : all)
            QTest::newRow(p.name.c_str()) << p;
    }
    static void holdFetched() {
        QFETCH(const Planted, planted);
        const std::optional<task::Card> card = test::cardOf(planted.card);
        if (!card) QSKIP("The shared folder with this card is not here.");
        hold(planted, *card);
    }

private Q_SLOTS:
    void pointwise_data() { rows(test::plantedPointwise()); }
    void pointwise() { holdFetched(); }
    void windows_data() { rows(test::plantedWindows()); }
    void windows() { holdFetched(); }
    void reductions_data() { rows(test::plantedReductions()); }
    void reductions() { holdFetched(); }
    void attention_data() { rows(test::plantedAttention()); }
    void attention() { holdFetched(); }
    void mirage_data() { rows(test::plantedMirage()); }
    void mirage() { holdFetched(); }
};

KERNELARIUM_TEST(TestPlanted);

} // namespace
} // namespace kernelarium::proof

#include "TestPlanted.moc"
