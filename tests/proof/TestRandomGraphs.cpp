// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/graph/Interpreter.h"
#include "core/proof/Proof.h"
#include "core/proof/fields/Keyed.h"
#include "tests/TestRegistry.h"

#include <fmt/format.h>

namespace kernelarium::proof {
namespace {

using algebra::Combine;
using algebra::Definition;
using algebra::Expression;
using algebra::Function;
using algebra::Graph;
using algebra::Index;
using algebra::Read;

class Chance {
public:
    explicit Chance(std::uint64_t seed)
        : m_seed(seed) {}
    std::size_t below(std::size_t n) { return std::size_t(mixed(m_seed, m_next++) % n); }
    double number() { return double(below(4001)) / 1000 - 2; }

private:
    std::uint64_t m_seed, m_next = 0;
};

constexpr std::size_t operands = 4;

Expression randomTree(Chance& c, int depth, bool ordered) {
    if (depth == 0 || c.below(6) == 0)
        return c.below(5) == 0 ? Expression::number(double(c.below(7)) / 4 - 0.5) : Expression::read(c.below(operands));
    const Function rational[] = {Function::add, Function::mul, Function::sub, Function::add, Function::mul};
    const Function any[] = {Function::add, Function::mul, Function::sub, Function::max, Function::min, Function::relu};
    const Function f = ordered ? any[c.below(6)] : rational[c.below(5)];
    std::vector<Expression> arguments{randomTree(c, depth - 1, ordered)};
    if (f != Function::relu) arguments.push_back(randomTree(c, depth - 1, ordered));
    return Expression::of(f, std::move(arguments));
}

/// One law at one place, where it fits.
void rewriteAt(Expression& e, Chance& c) {
    if (e.kind != Expression::Kind::apply) return;
    if (c.below(3) != 0) return rewriteAt(e.arguments[c.below(e.arguments.size())], c);
    if (algebra::isAssociative(e.function) && c.below(2) == 0) {
        std::swap(e.arguments[0], e.arguments[1]);
    } else if (algebra::isAssociative(e.function) && e.arguments[1].is(e.function)) { // a (b c) = (a b) c
        Expression inner = e.arguments[1];
        e = Expression::of(e.function,
                           {Expression::of(e.function, {e.arguments[0], inner.arguments[0]}), inner.arguments[1]});
    } else if (e.is(Function::mul) && (e.arguments[1].is(Function::add) || e.arguments[1].is(Function::sub))) {
        const Expression inner = e.arguments[1];
        e = Expression::of(inner.function, {Expression::of(Function::mul, {e.arguments[0], inner.arguments[0]}),
                                            Expression::of(Function::mul, {e.arguments[0], inner.arguments[1]})});
    } else if (e.is(Function::sub)) { // a - b = a + (-1) b
        e = Expression::of(Function::add,
                           {e.arguments[0], Expression::of(Function::mul, {Expression::number(-1), e.arguments[1]})});
    } else if (e.is(Function::max) && c.below(2) == 0) { // idempotent
        e = Expression::of(Function::max, {e, e.arguments[0]});
    }
}

void mutate(Expression& e, Chance& c) {
    if (e.kind == Expression::Kind::apply && c.below(3) != 0)
        return mutate(e.arguments[c.below(e.arguments.size())], c);
    if (e.isLiteral())
        e.literal += 0.25;
    else if (e.isRead())
        e.operand = (e.operand + 1 + c.below(operands - 1)) % operands;
    else if (e.is(Function::relu))
        e = Expression(e.arguments[0]);
    else
        e.function = e.is(Function::add)   ? Function::sub
                     : e.is(Function::sub) ? Function::add
                     : e.is(Function::mul) ? Function::add
                     : e.is(Function::max) ? Function::min
                                           : Function::max;
}

/// out[i] = sum over r of body(x[i, r], y[i, r], x[i, 4 - r], w[r]), the body in a tensor of its own or within the sum.
Graph graphOf(const Expression& body, bool inOne) {
    Graph g;
    const auto input = [&g](const char* name, algebra::Extents extents) {
        algebra::Input in;
        in.cardTensor = g.tensors.size();
        g.tensors.push_back({name, std::move(extents), tensor::DType::Float32, in});
    };
    input("x", {3, 5});
    input("y", {3, 5});
    input("w", {5});
    Definition d;
    d.reads = {Read{0, {Index::axis(0), Index::axis(1)}, {}, 0}, Read{1, {Index::axis(0), Index::axis(1)}, {}, 0},
               Read{0, {Index::axis(0), Index::axis(1, -1, 4)}, {}, 0}, Read{2, {Index::axis(1)}, {}, 0}};
    d.body = body;
    if (!inOne) {
        g.tensors.push_back({"t", {3, 5}, tensor::DType::Float32, d});
        d.reads = {Read{3, {Index::axis(0), Index::axis(1)}, {}, 0}};
        d.body = Expression::read(0);
    }
    d.reduction = {5};
    d.combine = Combine::sum;
    g.tensors.push_back({"out", {3}, tensor::DType::Float32, d});
    g.outputs = {g.tensors.size() - 1};
    return g;
}

/// Whether float64 finds them apart at one of many points.
bool differ(const Graph& a, const Graph& b, std::uint64_t seed) {
    Chance c(seed);
    for (int i = 0; i < 60; ++i) {
        std::vector<std::vector<double>> inputs{std::vector<double>(15), std::vector<double>(15),
                                                std::vector<double>(5)};
        for (auto& tensor : inputs)
            for (double& v : tensor)
                v = c.number();
        const auto x = algebra::evaluate(a, inputs), y = algebra::evaluate(b, inputs);
        for (std::size_t k = 0; k < 3; ++k)
            if (std::abs(x->at(0)[k] - y->at(0)[k]) > 1e-9 * (1 + std::abs(x->at(0)[k]))) return true;
    }
    return false;
}

bool failed(const std::vector<Evidence>& rungs) {
    return rungs.back().outcome == Outcome::failed;
}
bool passed(const std::vector<Evidence>& rungs) {
    return !failed(rungs) &&
           std::any_of(rungs.begin(), rungs.end(), [](const Evidence& e) { return e.outcome == Outcome::passed; });
}

class TestRandomGraphs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lawsPassAndMutationsFail() {
        std::size_t refused = 0, harmless = 0;
        for (std::uint64_t seed = 1; seed <= 400; ++seed) {
            Chance c(seed);
            const bool ordered = seed % 2 == 0;
            const Expression body = randomTree(c, 4, ordered);
            Expression rewritten = body;
            for (int i = 0; i < 12; ++i)
                rewriteAt(rewritten, c);
            const Graph original = graphOf(body, false);
            const auto twin = proveAlgebraically(original, graphOf(rewritten, true), {}, {});
            QVERIFY(twin.ok());
            QVERIFY2(passed(*twin), fmt::format("seed {}: {}", seed, twin->back().reason).c_str());

            Expression wrong = rewritten;
            mutate(wrong, c);
            const Graph mutant = graphOf(wrong, true);
            const auto found = proveAlgebraically(original, mutant, {}, {});
            QVERIFY(found.ok());
            const bool apart = differ(original, mutant, seed);
            // What float64 sees has to be refused, and what is refused has to show in float64.
            QVERIFY2(failed(*found) == apart,
                     fmt::format("seed {}: {} in float64, {}", seed, apart ? "apart" : "equal", found->back().reason)
                         .c_str());
            QVERIFY(apart || passed(*found));
            apart ? ++refused : ++harmless;
        }
        qInfo("%zu mutations refused, %zu harmless", refused, harmless);
        QVERIFY(refused > 250);
    }
};

KERNELARIUM_TEST(TestRandomGraphs);

} // namespace
} // namespace kernelarium::proof

#include "TestRandomGraphs.moc"
