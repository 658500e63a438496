// SPDX-License-Identifier: GPL-3.0-or-later
// Every card is either strong, so that a kernel which does not do the work is seen, or says why it cannot be.
#include "CardStrength.h"

#include <QTest>

namespace kernelarium {

class TestCardStrength : public QObject {
    Q_OBJECT
private slots:
    void everyCardIsStrongOrSaysWhy();
    void findsWeakCards();
};

void TestCardStrength::everyCardIsStrongOrSaysWhy() {
    QStringList wrong;
    int degenerate = 0;
    for (const task::TaskKey& key : task::builtInCards()) {
        const auto card = task::loadCard(key.level, key.task);
        QVERIFY(bool(card));
        const auto passing = passingTrivialAnswers(*card);
        if (!passing) QFAIL(passing.error().message.c_str());
        degenerate += !card->degenerate.empty();
        if (!passing->empty() && card->degenerate.empty()) {
            QString line = QString::fromStdString(card->key()) + " lets pass:";
            for (const std::string& name : *passing)
                line += " " + QString::fromStdString(name) + ";";
            wrong << line;
        }
        if (passing->empty() && !card->degenerate.empty())
            wrong << QString::fromStdString(card->key()) + " calls itself degenerate, but nothing trivial passes";
    }
    qInfo("%d of %d cards are degenerate by construction", degenerate, int(task::builtInCards().size()));
    for (const QString& line : wrong) // Qt cuts long messages
        qWarning("%s", qPrintable(line));
    QCOMPARE(wrong.size(), 0);
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

QTEST_GUILESS_MAIN(kernelarium::TestCardStrength)
#include "TestCardStrength.moc"
