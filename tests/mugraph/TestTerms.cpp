// SPDX-License-Identifier: GPL-3.0-or-later
#include "RandomTerms.h"
#include "tests/TestRegistry.h"

#include <map>
#include <utility>
#include <vector>

#include <QTest>
#include <fmt/format.h>

namespace kernelarium::mugraph::test {
namespace {

bool has(const Terms& terms, TermId id, Atom::Kind kind) {
    for (const Monomial& m : terms.at(id))
        for (const auto& [number, power] : m.atoms)
            if (terms.atom(number).kind == kind) return true;
    return false;
}

/// Two ways to write one term; where one of them is longer than a Terms keeps, they say nothing.
struct Law {
    const char* name;
    TermId left, right;
};

class TestTerms : public QObject {
    Q_OBJECT
private slots:
    void theNormalFormHasTheExpressionsValue() {
        Terms terms;
        const Residues model(11);
        RandomTerms random(terms, model, Wealth::everything, 1);
        std::map<TermId, Value> byId;
        std::size_t again = 0;
        for (int i = 0; i < 6000; ++i) {
            const Written w = random.next(1 + i % 5);
            const auto [at, isNew] = byId.emplace(w.id, w.value);
            again += isNew ? 0 : 1;
            QVERIFY2(at->second == w.value, terms.toString(w.id).c_str());
            if (isNew) QVERIFY2(model.of(terms, w.id) == w.value, terms.toString(w.id).c_str());
        }
        qInfo("%zu expressions, %zu terms", byId.size() + again, byId.size());
        QVERIFY(again > 500 && byId.size() > 1500);
    }

    void equalValuesMeanEqualTerms() {
        Terms terms;
        const Residues first(21), second(22);
        RandomTerms random(terms, first, Wealth::tellsApart, 2);
        std::map<std::pair<Value, Value>, TermId> byValue;
        std::size_t met = 0;
        for (int i = 0; i < 8000; ++i) {
            const Written w = random.next(1 + i % 4);
            const auto [at, isNew] = byValue.emplace(std::pair(w.value, second.of(terms, w.id)), w.id);
            met += isNew ? 0 : 1;
            QVERIFY2(at->second == w.id, (terms.toString(at->second) + " and " + terms.toString(w.id)).c_str());
        }
        qInfo("%zu values, %zu met again", byValue.size(), met);
        QVERIFY(met > 500 && byValue.size() > 1500);
    }

    void theAxiomsHold() {
        Terms t;
        const Residues model(31);
        RandomTerms random(t, model, Wealth::everything, 3);
        std::map<std::string, int> told;
        for (int i = 0; i < 3000; ++i) {
            const TermId a = random.next(i % 4).id, b = random.next(i % 3).id, c = random.next(i % 4).id;
            const int axis = int(random.below(mostAxes));
            const auto part = Part(random.below(3)), other = Part(random.below(3));
            std::vector<Law> laws{
                {"a + b = b + a", t.add(a, b), t.add(b, a)},
                {"a b = b a", t.multiply(a, b), t.multiply(b, a)},
                {"(a + b) + c = a + (b + c)", t.add(t.add(a, b), c), t.add(a, t.add(b, c))},
                {"(a b) c = a (b c)", t.multiply(t.multiply(a, b), c), t.multiply(a, t.multiply(b, c))},
                {"a (b + c) = a b + a c", t.multiply(a, t.add(b, c)), t.add(t.multiply(a, b), t.multiply(a, c))},
                {"a - b = a + (-1) b", t.subtract(a, b), t.add(a, t.multiply(b, t.whole(-1)))},
                {"a/c + b/c = (a + b)/c", t.add(t.divide(a, c), t.divide(b, c)), t.divide(t.add(a, b), c)},
                {"a (b/c) = (a b)/c", t.multiply(a, t.divide(b, c)), t.divide(t.multiply(a, b), c)},
                {"1/(-a) = -(1/a)", t.inverse(t.multiply(a, t.whole(-1))), t.multiply(t.inverse(a), t.whole(-1))},
                {"1/(6 a) = 1/2 1/3 1/a", t.inverse(t.multiply(a, t.whole(6))),
                 t.divide(t.divide(t.inverse(a), t.whole(2)), t.whole(3))},
                {"S (a + b) = S a + S b", t.sum(t.add(a, b), axis, part),
                 t.add(t.sum(a, axis, part), t.sum(b, axis, part))},
                {"S (a b) = (S a) b", t.sum(t.multiply(a, b), axis, part), t.multiply(t.sum(a, axis, part), b)},
                {"S (a/b) = (S a)/b", t.sum(t.divide(a, b), axis, part), t.divide(t.sum(a, axis, part), b)},
                {"a/(S b) = (a/b)/S 1", t.divide(a, t.sum(b, axis, part)),
                 t.divide(t.divide(a, b), t.sum(t.whole(1), axis, part))},
                {"S S' a = S' S a", t.sum(t.sum(a, axis, part), 0, other), t.sum(t.sum(a, 0, other), axis, part)},
                {"S(axis) a = its parts", t.sumWhole(a, axis),
                 t.sum(t.sum(t.sum(a, axis, Part::split), axis, Part::tile), axis, Part::loop)},
                {"exp a exp b = exp(a + b)", t.multiply(t.exp(a), t.exp(b)), t.exp(t.add(a, b))},
                {"c exp a exp b = (c exp a) exp b", t.multiply(c, t.exp(t.add(a, b))),
                 t.multiply(t.multiply(c, t.exp(a)), t.exp(b))},
                {"1/exp a 1/exp b = 1/exp(a + b)", t.multiply(t.inverse(t.exp(a)), t.inverse(t.exp(b))),
                 t.inverse(t.exp(t.add(a, b)))},
                {"sqrt a sqrt b = sqrt(a b)", t.multiply(t.sqrt(a), t.sqrt(b)), t.sqrt(t.multiply(a, b))},
                {"1/sqrt a 1/sqrt b = 1/sqrt(a b)", t.multiply(t.inverse(t.sqrt(a)), t.inverse(t.sqrt(b))),
                 t.inverse(t.sqrt(t.multiply(a, b)))},
            };
            // 1/(1/x 1/y) is 1/(1/(x y)), of which the factors are found as below.
            if (!has(t, a, Atom::Kind::inverse)) laws.push_back({"1/(1/a) = a", t.inverse(t.inverse(a)), a});
            // What divides a sum of several is found where it is written out, not within exponentials and roots that
            // have joined.
            const bool joins = has(t, b, Atom::Kind::exp) || has(t, b, Atom::Kind::sqrt);
            if (t.at(b).size() == 1 && (t.at(c).size() == 1 || !(joins || has(t, b, Atom::Kind::inverse)))) {
                laws.push_back(
                    {"1/(b c) = 1/b 1/c", t.inverse(t.multiply(b, c)), t.multiply(t.inverse(b), t.inverse(c))});
                laws.push_back({"(a/b)/c = a/(b c)", t.divide(t.divide(a, b), c), t.divide(a, t.multiply(b, c))});
            }
            for (const Law& law : laws) {
                if (law.left == noTerm || law.right == noTerm) continue;
                ++told[law.name];
                QVERIFY2(law.left == law.right,
                         fmt::format("{}: {} and {}, of {}, {}, {}", law.name, t.toString(law.left),
                                     t.toString(law.right), t.toString(a), t.toString(b), t.toString(c))
                             .c_str());
            }
        }
        for (const auto& [name, times] : told)
            QVERIFY2(times > 500, fmt::format("{}: {}", name, times).c_str());
        QCOMPARE(told.size(), std::size_t(24));
    }

    void termsThatDifferStayApart() {
        Terms t;
        const TermId x = t.variable(0), y = t.variable(1);
        QVERIFY(t.divide(x, x) != t.whole(1));                       // no cancelling
        QVERIFY(t.multiply(t.sqrt(x), t.sqrt(x)) != x);              // nor here
        QVERIFY(t.sum(x, 0, Part::tile) != t.sum(x, 0, Part::loop)); // a tile is no loop
        QVERIFY(t.sum(x, 0, Part::tile) != t.sum(x, 1, Part::tile)); //
        QVERIFY(t.exp(t.sum(x, 0, Part::tile)) != t.sum(t.exp(x), 0, Part::tile));
        QVERIFY(t.inverse(t.add(x, y)) != t.add(t.inverse(x), t.inverse(y)));
        QVERIFY(t.opaque(0, x) != t.opaque(1, x));
        QVERIFY(t.variable(0) != t.constant(0));
        QCOMPARE(t.subtract(x, x), noTerm);
        QCOMPARE(t.whole(0), noTerm);
        QCOMPARE(t.exp(noTerm), noTerm);
    }

    void whatIsTooLargeIsRefused() {
        Terms t;
        const TermId x = t.variable(0), large = t.whole(std::int64_t(1) << 31);
        QVERIFY(large != noTerm);
        QCOMPARE(t.multiply(large, t.whole(2)), noTerm);
        // exp a exp -a is not written; it must not come back with a part of its coefficient.
        const TermId up = t.exp(x), down = t.exp(t.multiply(x, t.whole(-1)));
        QCOMPARE(t.multiply(t.subtract(up, t.whole(1)), t.add(down, t.whole(1))), noTerm);
        TermId sum = t.variable(0);
        for (std::uint32_t i = 1; i < 64; ++i)
            sum = t.add(sum, t.variable(i));
        QVERIFY(sum != noTerm);
        QCOMPARE(t.add(sum, t.variable(64)), noTerm);
        TermId often = x;
        for (int i = 0; i < 100; ++i)
            often = t.sum(often, 3, Part::loop);
        QVERIFY(often != noTerm);
        QCOMPARE(t.sum(often, 3, Part::loop), noTerm);
    }
};

KERNELARIUM_TEST(TestTerms);

} // namespace
} // namespace kernelarium::mugraph::test

#include "TestTerms.moc"
