// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/Pictures.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/graph/OperatorGraphView.h"
#include "ui/superopt/CandidatesView.h"
#include "ui/superopt/FoundModel.h"
#include "ui/superopt/GraphSearchView.h"
#include "ui/superopt/SuperoptBar.h"
#include "ui/superopt/SuperoptPage.h"
#include "ui/tour/Keys.h"
#include "ui/widgets/EmptyState.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>

namespace kernelarium::ui {

namespace {

CandidateQuestion searchQuestion(int level, int task, const char* size) {
    auto card = task::loadCard(level, task);
    return {std::make_shared<const task::Card>(std::move(*card)), size, perf::findDeviceSpec("h200")};
}

bool isLooked(GraphSearchView& view) {
    const Stage stage = view.desk().lookState().stage;
    return stage == Stage::finished || stage == Stage::failed;
}

} // namespace

class TestGraphSearch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void searchesFromTheEmptyPage() {
        GraphSearchView view(m_folder->path(), m_theme);
        const QAbstractItemModelTester tester(&view.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        view.resize(900, 600);
        view.show();
        QVERIFY(!view.startButton().isEnabled());
        view.operators().setValue(8);
        view.setQuestion(searchQuestion(4, 3, "small"));
        WAIT_VERIFY(isLooked(view) && view.desk().subject());
        // Nothing runs unasked, and the page says what to do.
        QVERIFY(!view.desk().isRunning());
        QVERIFY(view.emptyState().isVisible() && view.emptyState().button()->isVisible());
        QCOMPARE(view.emptyState().button()->text(), QStringLiteral("Start"));
        QVERIFY(!view.cancelButton().isVisible());
        QTest::mouseClick(view.emptyState().button(), Qt::LeftButton);
        QVERIFY(view.desk().isRunning());
        WAIT_VERIFY(view.desk().state().stage == Stage::finished);
        WAIT_VERIFY(view.desk().openUnits() == 0);
        QCOMPARE(view.startButton().text(), QStringLiteral("Searched"));
        QVERIFY(!view.startButton().isEnabled() && !view.cancelButton().isVisible());
        QVERIFY(view.table().isVisible() && view.model().rowCount() > 0);
        const QString account = view.account().toPlainText();
        for (const char* part : {"States looked at", "Pruned, by reason", "no part of what the task computes",
                                 "Frontier: 0 units open", "Best so far"})
            QVERIFY2(account.contains(QLatin1String(part)), qPrintable(account));
        // Rows by their verdict; what a rung refused says so, and is never among the best.
        auto last = superopt::FoundCandidate::Verdict::right;
        for (int row = 0; row < view.model().rowCount(); ++row) {
            const superopt::FoundCandidate& found = *view.model().candidate(row);
            QVERIFY(last <= found.verdict);
            last = found.verdict;
            const QString checked = view.model().index(row, FoundModel::checked).data().toString();
            if (found.verdict != superopt::FoundCandidate::Verdict::right)
                QVERIFY2(!checked.contains(QLatin1String("right")), qPrintable(checked));
        }
        for (const superopt::FoundCandidate& step : view.desk().table().bestSoFar())
            QCOMPARE(step.verdict, superopt::FoundCandidate::Verdict::right);
        QVERIFY(view.evidence().toPlainText().contains(QLatin1String("steps")));
        test::keepPicture(view, QStringLiteral("superopt-search"));
        const QString first = view.evidence().toPlainText();
        view.table().setFocus();
        pressKey(view.table(), Qt::Key_Down);
        QVERIFY(view.model().rowCount() == 1 || view.evidence().toPlainText() != first);

        // Return writes the chosen graph's kernel and puts it on the bench; its levels are a picture.
        std::vector<NewCandidate> put;
        connect(&view, &GraphSearchView::putRequested, this, [&](const NewCandidate& one) { put.push_back(one); });
        pressKey(view.table(), Qt::Key_Home);
        pressKey(view.table(), Qt::Key_Return);
        WAIT_VERIFY(view.desk().fileState().stage == Stage::finished);
        QCOMPARE(put.size(), std::size_t(1));
        const NewCandidate candidate = put.front();
        QCOMPARE(candidate.card->key(), std::string("4/3"));
        const std::string hash = view.model().candidate(view.table().currentIndex().row())->hash;
        QVERIFY(candidate.text.find("// Graph:   " + hash) != std::string::npos);
        view.views().setCurrentWidget(&view.text());
        QCOMPARE(view.text().toPlainText().toStdString(), candidate.text);
        view.views().setCurrentWidget(&view.levels());
        QVERIFY(!view.levels().graph().nodes.empty());
        test::keepPicture(view, QStringLiteral("superopt-search-levels"));
        // The context menu copies the text, the button puts it on the bench as well.
        QCOMPARE(view.table().actions().value(1)->text(), QStringLiteral("Copy the file's text"));
        view.table().actions().value(1)->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text().toStdString(), candidate.text);
        QTest::mouseClick(&view.putButton(), Qt::LeftButton);
        QCOMPARE(put.size(), std::size_t(2));
        view.views().setCurrentIndex(0);

        // Another window finds it done.
        GraphSearchView again(m_folder->path(), m_theme);
        again.operators().setValue(8);
        again.show();
        again.setQuestion(searchQuestion(4, 3, "small"));
        WAIT_VERIFY(isLooked(again) && again.desk().subject());
        QCOMPARE(again.model().rowCount(), view.model().rowCount());
        QCOMPARE(again.startButton().text(), QStringLiteral("Searched"));
        // More operators are another search, whose store is another.
        again.operators().setValue(9);
        WAIT_VERIFY(isLooked(again) && again.desk().subject() && again.desk().openUnits() > 0);
        QCOMPARE(again.startButton().text(), QStringLiteral("Start"));
    }

    void thePageHasASearch() {
        Room room;
        QVERIFY(room.start());
        room.press(Qt::Key_Z, Qt::AltModifier);
        auto& page = *room.window->findChild<SuperoptPage*>();
        QComboBox& tasks = page.bar().tasks();
        tasks.setCurrentIndex(tasks.findData(QPoint(4, 4)));
        WAIT_VERIFY(page.isSettled() && page.parts().isVisible());
        QVERIFY(!page.search().desk().subject()); // nobody looks yet
        QTabBar& tabs = *page.parts().tabBar();
        QTest::mouseClick(&tabs, Qt::LeftButton, {}, tabs.tabRect(2).center());
        GraphSearchView& view = page.search();
        WAIT_VERIFY(isLooked(view) && view.desk().subject());
        QCOMPARE(view.desk().subject()->search.card.key(), std::string("4/4"));
        QVERIFY(!view.desk().isRunning() && view.emptyState().isVisible());
        room.keepPicture(QStringLiteral("superopt-search-empty"));
        tasks.setCurrentIndex(tasks.findData(QPoint(4, 1)));
        WAIT_VERIFY(isLooked(view) && view.desk().subject() && view.desk().subject()->search.card.key() == "4/1");
    }

    void pausesGoesOnAndIsCancelled() {
        GraphSearchView view(m_folder->path(), m_theme);
        view.show();
        view.operators().setValue(10);
        view.threads().setValue(1);
        view.setQuestion(searchQuestion(4, 6, "small")); // many units
        WAIT_VERIFY(isLooked(view) && view.desk().subject());
        QTest::mouseClick(view.emptyState().button(), Qt::LeftButton);
        QCOMPARE(view.startButton().text(), QStringLiteral("Pause"));
        QTest::mouseClick(&view.startButton(), Qt::LeftButton);
        QCOMPARE(view.startButton().text(), QStringLiteral("Go on"));
        QVERIFY2(view.said().contains(QStringLiteral("paused")), qPrintable(view.said()));
        WAIT_VERIFY(view.desk().state().progress.units.paused);
        QVERIFY(view.desk().isRunning());
        QVERIFY(!view.operators().isEnabled());
        QTest::mouseClick(&view.startButton(), Qt::LeftButton);
        QCOMPARE(view.startButton().text(), QStringLiteral("Pause"));
        WAIT_VERIFY(view.desk().table().counts().units > 0);
        QTest::mouseClick(&view.cancelButton(), Qt::LeftButton);
        WAIT_VERIFY(!view.desk().isRunning());
        QCOMPARE(view.desk().state().stage, Stage::cancelled);
        QCOMPARE(view.startButton().text(), QStringLiteral("Resume"));
        QVERIFY(view.startButton().isEnabled() && view.desk().openUnits() > 0);
        // What was found stays.
        auto kept = superopt::FoundTable::read(view.desk().subject()->store);
        QVERIFY(kept.ok());
        QCOMPARE(kept->counts().units, view.desk().table().counts().units);
        QTest::mouseClick(&view.startButton(), Qt::LeftButton);
        QVERIFY(view.desk().isRunning());
        view.setQuestion({}); // another task ends it
        WAIT_VERIFY(!view.desk().isRunning() && !view.desk().subject());
        QVERIFY(!view.startButton().isEnabled());
    }

    void saysWhatCannotBeSearched() {
        GraphSearchView view(m_folder->path(), m_theme);
        view.show();
        view.setQuestion(searchQuestion(1, 60, "small")); // a convolution
        WAIT_VERIFY(isLooked(view));
        QVERIFY(!view.desk().subject() && !view.startButton().isEnabled());
        QCOMPARE(view.desk().lookState().error.code, std::string("unsupported"));
        QVERIFY(view.emptyState().isVisible() && !view.emptyState().button()->isVisible());
        view.operators().setValue(3);
        view.setQuestion(searchQuestion(4, 3, "small")); // too few
        WAIT_VERIFY(isLooked(view) && view.desk().subject());
        QCOMPARE(view.desk().subject()->units, std::size_t(0));
        QVERIFY(!view.startButton().isEnabled());
    }

private:
    Theme m_theme;
    std::unique_ptr<QTemporaryDir> m_folder;
};

KERNELARIUM_TEST(TestGraphSearch);

} // namespace kernelarium::ui

#include "TestGraphSearch.moc"
