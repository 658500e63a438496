// SPDX-License-Identifier: GPL-3.0-or-later
// Every card is either strong, so that a kernel which does not do the work is seen, or says why it cannot be.
#include "CardStrength.h"
#include "tests/AffordableCard.h"
#include "tests/TestRegistry.h"

#include <QTest>

namespace kernelarium {

class TestCardStrength : public QObject {
    Q_OBJECT
private slots:
    void everyCardIsStrongOrSaysWhy_data();
    void everyCardIsStrongOrSaysWhy();
    void findsWeakCards();
};

void TestCardStrength::everyCardIsStrongOrSaysWhy_data() {
    QTest::addColumn<int>("level");
    QTest::addColumn<int>("task");
    for (const task::TaskKey& key : task::builtInCards())
        QTest::addRow("%d/%d", key.level, key.task) << key.level << key.task;
}

void TestCardStrength::everyCardIsStrongOrSaysWhy() {
    QFETCH(int, level);
    QFETCH(int, task);
    const task::Card card = test::affordableCard(level, task);
    const auto passing = passingTrivialAnswers(card);
    if (!passing) QFAIL(passing.error().message.c_str());
    std::string names;
    for (const std::string& name : *passing)
        names += " " + name + ";";
    QVERIFY2(passing->empty() || !card.degenerate.empty(), ("lets pass:" + names).c_str());
    QVERIFY2(!passing->empty() || card.degenerate.empty(), "calls itself degenerate, but nothing trivial passes");
}

void TestCardStrength::findsWeakCards() {
    auto card = task::loadCard(1, 19); // ReLU
    QVERIFY(bool(card));
    QVERIFY(passingTrivialAnswers(*card)->empty());
    card->tensors[0].fill = {task::Fill::Kind::uniform, 1, 2};
    QCOMPARE(*passingTrivialAnswers(*card), std::vector<std::string>{"a copy of " + card->tensors[0].name});
    card->tensors[0].fill = {task::Fill::Kind::uniform, -2, -1};
    QVERIFY(passingTrivialAnswers(*card)->front() == "zeros");
    card->tensors[0].fill = {task::Fill::Kind::uniform, 1, 1.001};
    QCOMPARE(passingTrivialAnswers(*card)->front(), std::string("its mean"));
}

} // namespace kernelarium

KERNELARIUM_TEST(kernelarium::TestCardStrength);
#include "TestCardStrength.moc"
