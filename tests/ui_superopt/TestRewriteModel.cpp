// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "ui/superopt/FormulaGraph.h"
#include "ui/superopt/RewriteModel.h"

#include <QAbstractItemModelTester>
#include <QtTest>

namespace kernelarium::ui {

namespace {

TaskExplanationPointer explainedTask(int level, int task) {
    const auto card = task::loadCard(level, task);
    if (!card) return nullptr;
    TaskExplanation answer;
    answer.question.task = {level, task};
    answer.card = std::make_shared<const task::Card>(*card);
    answer.size = "full";
    auto explanation = algebra::explain(*card, "full", *perf::findDeviceSpec("h200"));
    if (!explanation) return nullptr;
    answer.explanation = std::move(*explanation);
    return std::make_shared<const TaskExplanation>(std::move(answer));
}

} // namespace

class TestRewriteModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rowsAreTheWholeAndItsSteps() {
        Theme theme;
        RewriteModel model(theme);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        QVERIFY(model.words(0).isEmpty());
        const auto diagonal = explainedTask(1, 12);
        QVERIFY(diagonal);
        model.show(diagonal);
        const auto& steps = diagonal->explanation->derivation.steps;
        QVERIFY(!steps.empty());
        QCOMPARE(model.rowCount(), int(steps.size()) + 1);
        QCOMPARE(model.index(0, RewriteModel::rewrite).data().toString(), QStringLiteral("All together"));
        QVERIFY(model.index(0, RewriteModel::flops).data().toString().contains(QStringLiteral("→")));
        QVERIFY(model.index(0, RewriteModel::bound).data().toString().contains(QStringLiteral("→")));
        QVERIFY(model.index(1, RewriteModel::rewrite).data().toString().startsWith(QStringLiteral("1. ")));
        QVERIFY(!model.index(1, RewriteModel::exactness).data().toString().isEmpty());
        QVERIFY2(model.words(1).contains(
                     QString::fromUtf8(steps[0].rule->statement.data(), qsizetype(steps[0].rule->statement.size()))),
                 qPrintable(model.words(1)));
        QVERIFY(model.words(1).contains(QStringLiteral("Why: ")));
        QVERIFY(model.words(0).startsWith(QStringLiteral("The bound is of this algorithm")));
        model.show({});
        QCOMPARE(model.rowCount(), 0);
        QVERIFY(!model.index(0, 0).isValid());
    }

    /// The graphs of the steps are those of the way that the search went: from the task's own to the last.
    void stepsLeadFromTheTaskToTheEnd() {
        Theme theme;
        for (const auto& [level, task] : {std::pair{1, 12}, {2, 50}, {2, 13}, {1, 14}}) {
            const auto answer = explainedTask(level, task);
            QVERIFY(answer);
            RewriteModel model(theme);
            model.show(answer);
            const algebra::Derivation& d = answer->explanation->derivation;
            QVERIFY(model.rowCount() > 1);
            QCOMPARE(algebra::formulas(model.before(1)), algebra::formulas(d.original));
            QCOMPARE(algebra::formulas(model.before(0)), algebra::formulas(d.original));
            QCOMPARE(algebra::formulas(model.after(0)), algebra::formulas(d.rewritten));
            for (int row = 1; row < model.rowCount(); ++row) {
                const algebra::Rewrite& step = *model.step(row);
                QCOMPARE(algebra::workOf(model.before(row)).flops, step.before.flops);
                QCOMPARE(algebra::workOf(model.after(row)).flops, step.after.flops);
                QVERIFY(algebra::formulas(model.before(row)) != algebra::formulas(model.after(row)));
            }
            QCOMPARE(algebra::workOf(model.after(model.rowCount() - 1)).flops, d.after.flops);
        }
    }

    void formulasThatTheOtherSideLacksAreMarked() {
        const auto answer = explainedTask(1, 12);
        QVERIFY(answer);
        const algebra::Derivation& d = answer->explanation->derivation;
        const auto before = formulaLines(d.original, d.rewritten), after = formulaLines(d.rewritten, d.original);
        const auto isChanged = [](const FormulaLine& line) { return line.isChanged; };
        QVERIFY(std::any_of(before.begin(), before.end(), isChanged));
        QVERIFY(std::any_of(after.begin(), after.end(), isChanged));
        QVERIFY(!std::all_of(before.begin(), before.end(), isChanged)); // the inputs stay
        const auto same = formulaLines(d.original, d.original);
        QVERIFY(std::none_of(same.begin(), same.end(), isChanged));
        const OperatorGraph drawing = formulaGraph(d.original, d.rewritten);
        QCOMPARE(drawing.nodes.size(), d.original.tensors.size() + 1); // and the output
        QCOMPARE(drawing.nodes.back().kind, GraphNode::Kind::output);
        for (std::size_t i = 0; i < before.size(); ++i)
            QCOMPARE(drawing.nodes[i].isChanged, before[i].isChanged);
        for (const GraphEdge& edge : drawing.edges)
            QVERIFY(edge.from < edge.to && edge.to < int(drawing.nodes.size()));
    }
};

KERNELARIUM_TEST(TestRewriteModel);

} // namespace kernelarium::ui

#include "TestRewriteModel.moc"
