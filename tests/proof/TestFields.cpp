// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/Shrink.h"
#include "core/proof/fields/Fields.h"
#include "tests/TestRegistry.h"
#include "tests/proof/Planted.h"

#include "core/algebra/lowering/Lowering.h"

#include <nlohmann/json.hpp>

namespace kernelarium::proof {
namespace {

class TestFields : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void productsAreThoseOfWideNumbers() {
        std::uint64_t word = 1;
        for (int i = 0; i < 2000; ++i) {
            const std::uint64_t a = mixed(word++, 7), b = mixed(word++, 7);
            const std::uint64_t x = a % Mersenne61::prime, y = b % Mersenne61::prime;
            QCOMPARE(Mersenne61::mul(x, y), std::uint64_t(Wide(x) * y % Mersenne61::prime));
            const std::uint64_t s = a % PrimeOverQ::prime, t = b % PrimeOverQ::prime;
            QCOMPARE(PrimeOverQ::mul(PrimeOverQ::of(s), PrimeOverQ::of(t)),
                     PrimeOverQ::of(std::uint64_t(Wide(s) * t % PrimeOverQ::prime)));
            QCOMPARE(Mersenne31::mul(x % Mersenne31::prime, y % Mersenne31::prime),
                     (x % Mersenne31::prime) * (y % Mersenne31::prime) % Mersenne31::prime);
        }
    }

    void exponentialsAddTheirArguments() {
        const ExpField::Keys keys = ExpField::keysOf(5), others = ExpField::keysOf(6);
        const auto one = ExpField::integer(1);
        for (std::uint64_t i = 0; i < 500; ++i) {
            const auto x = ExpField::random(mixed(i, 1), mixed(i, 2)), y = ExpField::random(mixed(i, 3), mixed(i, 4));
            const auto sum = *ExpField::exp(keys, ExpField::add(x, y));
            QVERIFY(ExpField::same(sum, ExpField::mul(*ExpField::exp(keys, x), *ExpField::exp(keys, y))));
            QVERIFY(!ExpField::same(sum, *ExpField::exp(others, ExpField::add(x, y))));
            QVERIFY(ExpField::same(ExpField::mul(x, *ExpField::inverse(x)), one));
            // Of order q: its q-th power is 1, and it is not.
            QCOMPARE(power<PrimeOverQ>(sum.a, Mersenne31::prime, one.a), one.a);
        }
        QVERIFY(!ExpField::exp(keys, *ExpField::exp(keys, one)));
        QVERIFY(!ExpField::inverse(ExpField::integer(0)));
    }

    void literalsAreTheNumbersTheyStandFor() {
        const auto is = [](double value, std::int64_t numerator, std::int64_t denominator) {
            const Rational r = rationalOf(value);
            return r.numerator == numerator && r.denominator == denominator && r.exponent == 0 && !r.isRounded;
        };
        QVERIFY(is(1.0 / 27, 1, 27));
        QVERIFY(is(1.0 / 27 * 3, 1, 9));
        QVERIFY(is(0.1 * 3, 3, 10));
        QVERIFY(is(-2.5, -5, 2));
        QVERIFY(is(1e-5, 1, 100000));
        QVERIFY(is(1e-12, 1, 1000000000000));
        QVERIFY(is(1.0 / 1048583, 1, 1048583));
        QVERIFY(is(10000019, 10000019, 1));
        const Rational root = rationalOf(std::sqrt(2.0));
        QVERIFY(root.isRounded);
        QCOMPARE(std::ldexp(double(root.numerator), root.exponent), std::sqrt(2.0));
    }

    /// Cards are smaller than their smallest size, keep their formulas, and no two symbols are taken for each other.
    void tinySizesKeepTheFormulas() {
        for (const char* key : {"1/1", "1/46", "1/61", "2/15", "2/22", "2/50", "2/72", "2/78"}) {
            const task::Card card = *test::cardOf(key);
            const Result<task::Symbols> tiny = tinySize(card);
            QVERIFY(tiny.ok());
            const Result<algebra::Graph> graph = algebra::lower(card, *tiny),
                                         small = algebra::lower(card, *card.size("small"));
            QVERIFY(graph.ok() && small.ok());
            QCOMPARE(graph->tensors.size(), small->tensors.size());
            std::set<std::int64_t> values;
            for (const auto& [symbol, value] : *tiny)
                values.insert(value);
            QCOMPARE(values.size(), tiny->size());
            for (const algebra::Tensor& t : graph->tensors)
                for (std::int64_t e : t.extents)
                    QVERIFY2(e <= 27, key);
        }
    }

    /// The verdict says how many exponentials there were, how many draws the theorem asks for, and what is not covered.
    void evidenceStatesWhatItIsWorth() {
        const task::Card card = *test::cardOf("own:attention");
        const Result<Proof> proof = prove(card, test::rewritingTo(card, ""));
        QVERIFY(proof.ok());
        const nlohmann::json j = toJson(*proof);
        QCOMPARE(j.at("verdict").get<std::string>(), std::string("equal"));
        const nlohmann::json& keyed = j.at("rungs").at(1);
        QCOMPARE(keyed.at("rung").get<std::string>(), std::string("keyed"));
        QCOMPARE(keyed.at("exponentials").get<std::size_t>(), std::size_t(tinySize(card)->at(1).second)); // a row
        QVERIFY(keyed.at("degree").get<double>() >= 2);
        QVERIFY(keyed.at("error_bound").get<double>() > 0 && keyed.at("error_bound").get<double>() < 1e-6);
        QVERIFY(keyed.at("leaves_out").get<std::string>().find("full rows") != std::string::npos);
        QVERIFY(proof->summary().find("roved") == std::string::npos);
        QCOMPARE(j.at("rungs").at(0).at("outcome").get<std::string>(), std::string("does_not_apply"));
    }

    void otherOutputsAreNoPair() {
        const task::Card card = *test::cardOf("own:pair");
        const Result<Proof> proof =
            prove(card, test::rewritingTo(card, R"(["o", "aten.sum.dim_IntList", ["%0", [1]]])"));
        QVERIFY(!proof.ok());
        QCOMPARE(proof.error().code, std::string("bad_graph"));
    }

    /// A variance as the difference of two means is equal in the reals, and loses what it loses.
    void cancellationIsSaid() {
        const std::string meanOf = R"(["m", "aten.mean.dim", ["%0", [1], true]], ["q", "aten.mul.Tensor", ["%0", "%0"]],
            ["n", "aten.mean.dim", ["@q", [1], true]], ["p", "aten.mul.Tensor", ["@m", "@m"]],
            ["o", "aten.sub.Tensor", ["@n", "@p"]])";
        const task::Card own = *test::cardOf("own:pair");
        const task::Card card = test::withNodes(own, R"(["o", "aten.var.dim", ["%0", [1], false, true]])");
        const Result<Proof> proof = prove(card, test::rewritingTo(own, meanOf));
        QVERIFY(proof.ok());
        QVERIFY2(proof->verdict == Verdict::equal, proof->summary().c_str());
        bool said = false;
        for (const std::string& remark : proof->find(Rung::range)->remarks)
            said = said || remark.find("small difference of large numbers") != std::string::npos;
        QVERIFY(said);
    }
};

KERNELARIUM_TEST(TestFields);

} // namespace
} // namespace kernelarium::proof

#include "TestFields.moc"
