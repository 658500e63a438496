// SPDX-License-Identifier: GPL-3.0-or-later
#include "Sayings.h"
#include "core/mugraph/target/ProblemOf.h"
#include "core/mugraph/target/Reading.h"
#include "core/mugraph/terms/PartOf.h"
#include "tests/TestRegistry.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <QTest>
#include <fmt/format.h>

namespace kernelarium::mugraph::test {
namespace {

std::string operatorsOf(const Closure& c) {
    std::string text;
    const std::vector<std::pair<bool, const char*>> all{
        {c.multiply, "multiply"}, {c.add, "add"}, {c.subtract, "subtract"}, {c.divide, "divide"}, {c.square, "square"},
        {c.sqrt, "sqrt"},         {c.exp, "exp"}};
    for (const auto& [has, name] : all)
        if (has) text += (text.empty() ? "" : " ") + std::string(name);
    return text;
}

/// What is wrong with a problem, whatever its task; empty where nothing is.
std::string unsound(const Problem& p) {
    const auto check = [&](const Problem::Tensor& t) {
        if (t.axes.size() != t.extents.size()) return false;
        for (std::size_t k = 0; k < t.axes.size(); ++k)
            if (t.axes[k] < 0 ? t.extents[k] != 1
                              : t.axes[k] >= mostAxes || p.extents.at(std::size_t(t.axes[k])) != t.extents[k])
                return false;
        return true;
    };
    for (const Problem::Tensor& t : p.inputs)
        if (!check(t)) return "axes of " + t.name;
    if (!check(p.output)) return "axes of the output";
    if (p.axisNames.size() != p.extents.size()) return "names of axes";
    const int constants = int(p.constants.size());
    std::set<int> used(p.literals.begin(), p.literals.end());
    if (int(used.size()) != constants || (constants > 0 && *used.rbegin() != constants - 1)) return "constants";
    for (const std::set<int>* some : {&p.closure.scales, &p.closure.offsets})
        for (int number : *some)
            if (!used.contains(number)) return "a scale or an offset";
    return {};
}

/// What a problem says otherwise than `said`; empty where nothing is.
std::string misread(const task::Card& card, const task::Symbols& symbols, const Said& said) {
    const Result<Problem> read = problemOf(card, symbols);
    if (!read) return read.error().text();
    const Problem& p = *read;
    if (std::string what = unsound(p); !what.empty()) return what;
    const std::vector<tensor::Shape> shapes = *task::tensorShapes(card, symbols);
    std::map<char, int> axes;
    std::map<int, char> letters;
    const auto agrees = [&](const Problem::Tensor& t, const std::string& names) {
        if (t.axes.size() != names.size()) return false;
        for (std::size_t k = 0; k < names.size(); ++k) {
            if (axes.emplace(names[k], t.axes[k]).first->second != t.axes[k]) return false;
            if (t.axes[k] >= 0 && letters.emplace(t.axes[k], names[k]).first->second != names[k]) return false;
        }
        return true;
    };
    std::set<std::string> met;
    for (const Problem::Tensor& t : p.inputs) {
        const task::CardTensor& own = card.tensors.at(t.cardTensor);
        const tensor::Shape& shape = shapes.at(t.cardTensor);
        if (t.name != own.name || t.dtype != own.dtype || !met.insert(t.name).second) return "input " + t.name;
        if (!std::equal(shape.begin(), shape.end(), t.extents.begin(), t.extents.end())) return "shape of " + t.name;
        if (!said.inputs.contains(t.name) || !agrees(t, said.inputs.at(t.name))) return "axes of " + t.name;
    }
    if (met.size() != said.inputs.size()) return "inputs";
    if (!agrees(p.output, said.output)) return "axes of the output";
    if (letters.size() != p.extents.size()) return "number of axes";
    const auto setOf = [&](const std::string& names) {
        AxisSet set = 0;
        for (char c : names)
            if (axes.at(c) >= 0) set |= axisBit(axes.at(c));
        return set;
    };
    if (p.closure.products != setOf(said.products)) return "axes of products";
    if (p.closure.sums != setOf(said.sums)) return "axes of sums";
    if (operatorsOf(p.closure) != said.operators) return "operators: " + operatorsOf(p.closure);
    if (p.constants.size() != said.constants) return "number of constants";
    Terms terms;
    const TermId target = targetTerm(terms, p);
    if (target == noTerm) return "no target";
    PartOf parts(terms, target);
    const std::vector<Formula> steps = said.steps(Writing(terms, p, axes));
    if (steps.back().id != target)
        return fmt::format("target {} instead of {}", terms.toString(target), terms.toString(steps.back().id));
    for (const Formula& step : steps)
        if (!parts.isPart(step.id)) return terms.toString(step.id) + " is no part of the target";
    return {};
}

Result<task::Card> cardIn(const std::filesystem::path& path) {
    std::ifstream file(path);
    return task::parseCard(std::string(std::istreambuf_iterator<char>(file), {}));
}

class TestProblemOf : public QObject {
    Q_OBJECT
private slots:
    void whatMiragesCardsSay() {
        const std::filesystem::path folder = KERNELARIUM_SHARED_DIR "/superopt/cards";
        if (!std::filesystem::exists(folder)) QSKIP("shared/superopt/cards is not here");
        std::size_t cards = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            const Result<task::Card> card = cardIn(entry.path());
            QVERIFY2(card.ok(), entry.path().c_str());
            readAtEverySize(*card);
            ++cards;
        }
        QCOMPARE(cards, std::size_t(6));
    }

    void whatTasksSay() {
        for (const int task : {1, 23, 36})
            readAtEverySize(*task::loadCard(1, task));
    }

    void whatHasNoOperatorIsNamed_data() {
        QTest::addColumn<int>("level");
        QTest::addColumn<int>("task");
        QTest::addColumn<QString>("what");
        QTest::newRow("a window") << 1 << 41 << "an index that is not one axis (in `max_pool1d`)";
        QTest::newRow("a convolution") << 1 << 67 << "an index that is not one axis";
        QTest::newRow("a scan") << 1 << 89 << "a sum over a part of its points (in `cumsum`)";
        QTest::newRow("a maximum") << 1 << 49 << "a maximum that is no softmax's shift";
        QTest::newRow("a minimum") << 1 << 53 << "the reduction min";
        QTest::newRow("the place of one") << 1 << 51 << "the reduction argmax";
        QTest::newRow("1 - x") << 1 << 97 << "a difference of a tensor and a literal";
    }
    void whatHasNoOperatorIsNamed() {
        QFETCH(int, level);
        QFETCH(int, task);
        QFETCH(QString, what);
        const task::Card card = *task::loadCard(level, task);
        const Result<Problem> problem = problemOf(card, *card.size("small"));
        QVERIFY(!problem.ok());
        QCOMPARE(problem.error().code, std::string("unsupported"));
        QVERIFY2(problem.error().text().find(what.toStdString()) != std::string::npos, problem.error().text().c_str());
    }

    /// Of all tasks: read or refused by name, and what is read is sound.
    void everyTaskIsReadOrRefused() {
        std::size_t read = 0, refused = 0;
        for (const task::TaskKey& key : task::builtInCards()) {
            if (key.level > 2) continue;
            const task::Card card = *task::loadCard(key.level, key.task);
            const Result<Problem> p = problemOf(card, *card.size("small"));
            if (!p) {
                QCOMPARE(p.error().code, std::string("unsupported"));
                ++refused;
                continue;
            }
            ++read;
            QVERIFY2(unsound(*p).empty(), (card.key() + ": " + unsound(*p)).c_str());
            Terms terms;
            const TermId target = targetTerm(terms, *p);
            QVERIFY2(target != noTerm, card.key().c_str());
            PartOf parts(terms, target);
            QVERIFY2(parts.isFactor(target), card.key().c_str());
            for (std::size_t k = 0; k < p->inputs.size(); ++k)
                QVERIFY2(parts.isPart(terms.variable(std::uint32_t(k))),
                         (card.key() + " " + p->inputs[k].name).c_str());
        }
        qInfo("%zu read, %zu refused", read, refused);
        QVERIFY(read >= 40);
    }

private:
    static void readAtEverySize(const task::Card& card) {
        QVERIFY2(sayings().contains(card.name), card.name.c_str());
        for (const auto& [size, symbols] : card.sizes) {
            const std::string wrong = misread(card, symbols, sayings().at(card.name));
            QVERIFY2(wrong.empty(), fmt::format("{} {}: {}", card.name, size, wrong).c_str());
        }
    }
};

KERNELARIUM_TEST(TestProblemOf);

} // namespace
} // namespace kernelarium::mugraph::test

#include "TestProblemOf.moc"
