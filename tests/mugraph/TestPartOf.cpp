// SPDX-License-Identifier: GPL-3.0-or-later
#include "RandomTerms.h"
#include "core/mugraph/terms/PartOf.h"
#include "tests/TestRegistry.h"

#include <QTest>
#include <fmt/format.h>

namespace kernelarium::mugraph::test {
namespace {

class TestPartOf : public QObject {
    Q_OBJECT
private slots:
    void everyOperandIsAPart() {
        Terms terms;
        const Residues model(41);
        RandomTerms random(terms, model, Wealth::cancelsNone, 4);
        std::size_t operands = 0;
        for (int i = 0; i < 2500; ++i) {
            const Written w = random.next(1 + i % 5);
            PartOf parts(terms, w.id);
            QVERIFY(parts.isFactor(w.id));
            for (const TermId o : w.operands)
                QVERIFY2(parts.isPart(o),
                         fmt::format("{} is no part of {}", terms.toString(o), terms.toString(w.id)).c_str());
            operands += w.operands.size();
        }
        qInfo("%zu operands", operands);
        QVERIFY(operands > 15000);
    }

    void whatHoldsAForeignVariableOrSumIsNone() {
        Terms t;
        const Residues model(51);
        RandomTerms random(t, model, Wealth::cancelsNone, 5);
        const TermId foreign = t.variable(99);
        for (int i = 0; i < 1500; ++i) {
            const Written w = random.next(1 + i % 5);
            PartOf parts(t, w.id);
            std::vector<TermId> all = w.operands;
            all.push_back(w.id);
            const TermId a = all[random.below(all.size())];
            for (const TermId id : {foreign, t.add(a, foreign), t.multiply(a, foreign), t.divide(a, foreign),
                                    t.divide(foreign, a), t.exp(t.add(a, foreign)), t.sqrt(t.multiply(a, foreign)),
                                    t.opaque(0, t.subtract(a, foreign)), t.sum(a, 7, Part::tile)})
                QVERIFY2(!parts.isPart(id),
                         fmt::format("{} is a part of {}", t.toString(id), t.toString(w.id)).c_str());
            QVERIFY(!parts.isPart(noTerm));
        }
    }

    void whatIsAndIsNotAPart() {
        Terms t;
        const TermId x = t.variable(0), y = t.variable(1), z = t.variable(2);
        // A softmax times a matrix, as it is written: exp first, divided before or after the product.
        const TermId e = t.exp(t.sumWhole(t.multiply(x, y), 0)), total = t.sumWhole(e, 1);
        PartOf attention(t, t.sumWhole(t.multiply(t.divide(e, total), z), 1));
        QVERIFY(attention.isFactor(e));
        QVERIFY(attention.isFactor(t.divide(e, total)));
        QVERIFY(attention.isFactor(t.sumWhole(t.multiply(e, z), 1)));
        QVERIFY(attention.isFactor(t.sum(t.multiply(e, z), 1, Part::tile)));
        QVERIFY(attention.isInside(total));
        QVERIFY(attention.isInside(t.multiply(x, y)));
        QVERIFY(!attention.isFactor(t.multiply(x, y)));
        QVERIFY(!attention.isPart(t.multiply(x, z)));
        QVERIFY(!attention.isPart(t.multiply(e, e)));
        QVERIFY(!attention.isPart(t.sqrt(e)));
        QVERIFY(!attention.isPart(t.sumWhole(t.sumWhole(t.multiply(e, z), 1), 1)));
        QVERIFY(!attention.isPart(t.sumWhole(z, 0)));
        // Two sums over axis 1 are on the way, one of them in the divisor.
        QVERIFY(!attention.isPart(t.divide(t.whole(1), t.multiply(total, total))));
        // Signs and coefficients.
        PartOf polynomial(t, t.add(t.multiply(t.whole(2), x), t.subtract(y, z)));
        QVERIFY(polynomial.isPart(t.add(x, y)));
        QVERIFY(polynomial.isPart(t.subtract(z, y)));
        QVERIFY(!polynomial.isPart(t.add(y, z)));
        QVERIFY(!polynomial.isPart(t.multiply(t.whole(3), x)));
        // Roots of sums of several that have joined (a cosine's two norms).
        const TermId a = t.add(t.multiply(x, x), t.constant(0)), b = t.add(t.multiply(y, y), t.constant(1));
        PartOf cosine(t, t.divide(z, t.multiply(t.sqrt(a), t.sqrt(b))));
        QVERIFY(cosine.isPart(t.sqrt(a)));
        QVERIFY(cosine.isPart(t.divide(z, t.sqrt(b))));
        QVERIFY(cosine.isPart(t.multiply(a, b)));
        QVERIFY(!cosine.isPart(t.sqrt(t.add(a, b))));
    }
};

KERNELARIUM_TEST(TestPartOf);

} // namespace
} // namespace kernelarium::mugraph::test

#include "TestPartOf.moc"
