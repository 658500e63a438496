// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/SessionStore.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/archive/ArchivePanel.h"
#include "ui/archive/KernelTableView.h"
#include "ui/archive/SearchField.h"
#include "ui/compare/ComparePage.h"
#include "ui/editor/CodeEditor.h"
#include "ui/editor/DiffView.h"
#include "ui/frame/Actions.h"
#include "ui/plots/LineagePanel.h"
#include "ui/sessions/AttemptModel.h"
#include "ui/similar/LikePanel.h"
#include "ui/source/EditorArea.h"
#include "ui/tour/Keys.h"
#include "ui/widgets/EmptyState.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QTableView>
#include <QtTest>

namespace kernelarium::ui {

namespace {

LikePanel& likePanelOf(Room& room) {
    return *room.window->findChild<LikePanel*>();
}

QStringList likeNames(LikePanel& panel) {
    QStringList names;
    const QAbstractItemModel& model = *panel.table().model();
    for (int row = 0; row < model.rowCount(); ++row)
        names << model.index(row, AlikeModel::kernel).data().toString();
    return names;
}

bool waitForAnswer(Room& room) {
    return QTest::qWaitFor([&] { return !room.workspace->likes().isBusy(); }, longWait) &&
           room.workspace->likes().state().stage == Stage::finished;
}

} // namespace

/// From a kernel to those like it, in the window.
class TestLikePanel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEmptyPanelSaysWhatToDo() {
        Room room;
        QVERIFY(room.start());
        QAction* action = room.window->actions().action(QStringLiteral("like.bench"));
        QVERIFY(!action->isEnabled());
        room.press(Qt::Key_I, Qt::AltModifier);
        LikePanel& panel = likePanelOf(room);
        WAIT_VERIFY(panel.isVisible());
        QVERIFY(panel.emptyState().isVisible());
        QVERIFY(panel.emptyState().button()->isHidden());
        QVERIFY(!panel.by().isEnabled());
        QVERIFY(room.openKernel(1, 23, "online"));
        WAIT_VERIFY(!panel.emptyState().button()->isHidden());
        QVERIFY(action->isEnabled());
        panel.emptyState().button()->click();
        QVERIFY(waitForAnswer(room));
        WAIT_VERIFY(panel.table().isVisible());
    }

    /// By the action: the table gets the focus, verified and faster kernels come first, Return opens one.
    void fromTheBenchToAFasterKernel() {
        Room room;
        QVERIFY(room.start());
        QVERIFY(room.openKernel(1, 23, "online"));
        LikePanel& panel = likePanelOf(room);
        QAbstractItemModelTester tester(&panel.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        room.window->actions().action(QStringLiteral("like.bench"))->trigger();
        QVERIFY(waitForAnswer(room));
        QVERIFY(std::filesystem::exists(room.workspace->archive().path().toStdString() + ".pieces"));
        const QStringList names = likeNames(panel);
        QVERIFY2(names.contains(QStringLiteral("online_tuned")) && names.contains(QStringLiteral("register_resident")),
                 qPrintable(names.join(QLatin1Char(' '))));
        QVERIFY(!names.contains(QStringLiteral("online")));
        QVERIFY2(panel.status().startsWith(QStringLiteral("Like online: ")), qPrintable(panel.status()));
        const QModelIndex first = panel.table().model()->index(0, AlikeModel::kernel);
        QCOMPARE(first.data().toString(), QStringLiteral("register_resident")); // the fastest of its task
        QVERIFY(first.siblingAtColumn(AlikeModel::against).data().toString().endsWith(QChar(0xd7)));
        QCOMPARE(first.siblingAtColumn(AlikeModel::operators).data().toString(), QStringLiteral("100%"));
        WAIT_VERIFY(panel.table().hasFocus());
        QCOMPARE(panel.table().currentIndex().row(), 0);
        QVERIFY(panel.table().selectionModel()->isRowSelected(0));
        room.keepPicture(QStringLiteral("similar"));
        pressKey(panel.table(), Qt::Key_Return);
        WAIT_COMPARE(room.workspace->bench().kernel().title, QStringLiteral("register_resident"));
        QCOMPARE(likeNames(panel), names); // of another kernel, until somebody asks
    }

    void theOrderAndWhatIsAlikeAreChosen() {
        Room room;
        QVERIFY(room.start());
        QVERIFY(room.openKernel(1, 23, "online"));
        LikePanel& panel = likePanelOf(room);
        room.window->actions().action(QStringLiteral("like.bench"))->trigger();
        QVERIFY(waitForAnswer(room));
        panel.order().setCurrentIndex(1);
        Q_EMIT panel.order().activated(1);
        QVERIFY(waitForAnswer(room));
        QCOMPARE(likeNames(panel).first(), QStringLiteral("online_tuned")); // the same text, other numbers
        panel.by().setCurrentIndex(2);
        Q_EMIT panel.by().activated(2);
        QVERIFY(waitForAnswer(room));
        QCOMPARE(panel.model().index(0, AlikeModel::code).data().toString(), QStringLiteral("\u2013"));
        panel.otherTasks().click();
        QVERIFY(waitForAnswer(room));
        QVERIFY(!likeNames(panel).contains(QStringLiteral("online_tuned")));
        if (panel.model().rowCount() == 0) QVERIFY(panel.emptyState().isVisible());
    }

    /// The differences that Lineage opens take changes as well; what is one's own is no second parent.
    void theDifferencesTakeChangesToo() {
        Room room;
        QVERIFY(room.start());
        QVERIFY(room.openKernel(1, 23, "online"));
        Bench& bench = room.workspace->bench();
        const QString before = bench.source();
        const auto& table = *room.workspace->archive().table();
        qint64 own = 0, other = 0;
        for (std::size_t row = 0; row < table.size(); ++row) {
            if (table.task[row] == 23 && table.name[row] == "online") own = table.id[row];
            if (table.task[row] == 23 && table.name[row] == "online_tuned") other = table.id[row];
        }
        EditorArea& area = room.window->editorArea();
        // Said again and again, until the differences are of the newest text.
        const auto takeUntil = [&](auto&& isTaken) {
            if (isTaken()) return true;
            area.diff().nextChange();
            area.diff().revertChange();
            return isTaken();
        };
        area.compareWithArchived(other);
        WAIT_VERIFY(area.isShowingDiff() && area.diff().changes() > 1);
        WAIT_VERIFY(takeUntil([&] { return bench.source() != before; }));
        QCOMPARE(bench.takenFrom().size(), std::size_t(1));
        QCOMPARE(bench.takenFrom().front().kernelTitle, std::string("online_tuned"));
        bench.replaceSource(before + QStringLiteral("\n// mine\n"));
        QVERIFY(bench.takenFrom().empty());
        area.compareWithArchived(own);
        WAIT_VERIFY(area.diff().changes() == 1);
        WAIT_VERIFY(takeUntil([&] { return bench.source() == before; }));
        QVERIFY(bench.takenFrom().empty());
    }

    /// A text that comes back at the next start still has its second parent.
    void aTakenChangeOutlivesTheProgram() {
        Room room;
        QVERIFY(room.start());
        QVERIFY(room.openKernel(1, 23, "online"));
        Bench& bench = room.workspace->bench();
        const HunkSource other{QStringLiteral("file:/other.cu"), QStringLiteral("other.cu"), 4};
        bench.takeHunk(other, bench.source() + QStringLiteral("\n// of another\n"));
        const QString text = bench.source();
        QCOMPARE(bench.takenFrom().size(), std::size_t(1));
        QVERIFY(room.start());
        QVERIFY(room.openKernel(1, 23, "online"));
        WAIT_COMPARE(room.workspace->bench().source(), text);
        const auto parents = room.workspace->bench().takenFrom();
        QCOMPARE(parents.size(), std::size_t(1));
        QCOMPARE(parents.front().kernelTitle, std::string("other.cu"));
        QCOMPARE(parents.front().attempt, 4);
    }

    /// A window of 1024 pixels keeps its width when the panel is shown.
    void aNarrowWindowStaysNarrow() {
        Room room;
        QVERIFY(room.start());
        QVERIFY(room.openKernel(1, 23, "online"));
        room.window->resize(1024, 700);
        room.window->actions().action(QStringLiteral("like.bench"))->trigger();
        QVERIFY(waitForAnswer(room));
        WAIT_VERIFY(likePanelOf(room).table().isVisible());
        QVERIFY2(room.window->width() <= 1024, qPrintable(QString::number(room.window->width())));
        QVERIFY2(likePanelOf(room).minimumSizeHint().width() <= 440,
                 qPrintable(QString::number(likePanelOf(room).minimumSizeHint().width())));
        room.keepPicture(QStringLiteral("similar-narrow"));
    }

    /// What was asked can be cancelled, and asked again.
    void aQuestionIsCancelled() {
        Room room;
        QVERIFY(room.start());
        QVERIFY(room.openKernel(1, 23, "online"));
        LikePanel& panel = likePanelOf(room);
        room.window->actions().action(QStringLiteral("like.bench"))->trigger();
        WAIT_VERIFY(panel.isVisible());
        panel.findLikeBench();
        QVERIFY(room.workspace->likes().isBusy());
        QVERIFY(!panel.cancelButton().isHidden());
        panel.cancelButton().click();
        WAIT_VERIFY(!room.workspace->likes().isBusy());
        QCOMPARE(room.workspace->likes().state().stage, Stage::cancelled);
        QVERIFY(panel.emptyState().isVisible() && !panel.emptyState().button()->isHidden());
        QVERIFY(panel.cancelButton().isHidden());
        panel.emptyState().button()->click();
        QVERIFY(waitForAnswer(room));
        QVERIFY(panel.model().rowCount() > 0);
    }

    /// What goes wrong is said where the kernels would be.
    void anIndexThatCannotBeMadeIsSaid() {
        Room room;
        QVERIFY(room.start());
        QVERIFY(room.openKernel(1, 23, "online"));
        QVERIFY(QDir().mkpath(room.workspace->archive().path() + QStringLiteral(".pieces")));
        LikePanel& panel = likePanelOf(room);
        room.window->actions().action(QStringLiteral("like.bench"))->trigger();
        WAIT_VERIFY(!room.workspace->likes().isBusy());
        QCOMPARE(room.workspace->likes().state().stage, Stage::failed);
        WAIT_VERIFY(panel.emptyState().isVisible());
        QStringList texts;
        for (const auto* label : panel.emptyState().findChildren<QLabel*>())
            texts << label->text();
        QVERIFY2(texts.join(QLatin1Char(' ')).contains(QStringLiteral(".pieces")),
                 qPrintable(texts.join(QLatin1Char(' '))));
    }

    /// From the archive's list by its menu, from Lineage by its signal.
    void fromTheArchiveAndFromLineage() {
        Room room;
        QVERIFY(room.start());
        room.window->archive().filters().field().setText(QStringLiteral("task:1/36"));
        WAIT_COMPARE(room.window->archive().model().rowCount(), 3);
        KernelTableView& table = room.window->archive().table();
        table.setFocus();
        table.setCurrentIndex(table.model()->index(0, KernelTableModel::name));
        const QString name = table.currentIndex().data().toString();
        Q_EMIT table.customContextMenuRequested(table.visualRect(table.currentIndex()).center());
        QAction* like = nullptr;
        for (auto* menu : room.window->archive().findChildren<QMenu*>())
            for (QAction* action : menu->actions())
                if (action->text() == QLatin1String("&Kernels like this one")) like = action;
        QVERIFY(like && like->isEnabled());
        like->trigger();
        QVERIFY(waitForAnswer(room));
        LikePanel& panel = likePanelOf(room);
        QVERIFY2(panel.status().startsWith(QStringLiteral("Like %1: ").arg(name)), qPrintable(panel.status()));
        QVERIFY(panel.model().rowCount() > 0);
        const qint64 other = panel.model().index(0, 0).data(AlikeModel::idRole).toLongLong();
        Q_EMIT room.window->findChild<LineagePanel*>()->likeRequested(other);
        QVERIFY(waitForAnswer(room));
        QCOMPARE(room.workspace->likes().state().answer->question.row, other);
    }

    /// A change of a compared kernel goes into the text, Undo takes it out, and the next attempt names both parents.
    void aTakenChangeGivesTheAttemptASecondParent() {
        Room room;
        QVERIFY(room.start());
        QVERIFY(room.openKernel(1, 23, "online"));
        Bench& bench = room.workspace->bench();
        const QString before = bench.source();
        LikePanel& panel = likePanelOf(room);
        room.window->actions().action(QStringLiteral("like.bench"))->trigger();
        QVERIFY(waitForAnswer(room));
        const int row = int(likeNames(panel).indexOf(QStringLiteral("online_tuned")));
        QVERIFY(row >= 0);
        panel.table().setCurrentIndex(panel.table().model()->index(row, AlikeModel::kernel));
        panel.table().setFocus();
        pressKey(panel.table(), Qt::Key_C);
        ComparePage& page = *room.window->findChild<ComparePage*>();
        WAIT_VERIFY(page.isVisible());
        DiffView& diff = page.diff(ComparePage::texts);
        WAIT_VERIFY(diff.changes() > 1);
        const auto takeFirst = [&] {
            diff.nextChange();
            diff.revertChange();
            return bench.source() != before;
        };
        WAIT_VERIFY(takeFirst());
        QCOMPARE(bench.takenFrom().size(), std::size_t(1));
        QCOMPARE(bench.takenFrom().front().kernelTitle, std::string("online_tuned"));
        const QString taken = bench.source();
        room.window->actions().action(QStringLiteral("go.editor"))->trigger();
        room.window->editorArea().editor().setFocus();
        room.window->actions().action(QStringLiteral("edit.undo"))->trigger();
        WAIT_COMPARE(bench.source(), before);
        QVERIFY(bench.takenFrom().empty());
        room.window->actions().action(QStringLiteral("edit.redo"))->trigger();
        WAIT_COMPARE(bench.source(), taken);
        QCOMPARE(bench.takenFrom().size(), std::size_t(1));

        room.workspace->trials().verify();
        WAIT_VERIFY(!room.workspace->session().attempts()->empty());
        QVERIFY(room.waitUntilIdle());
        const session::AttemptSummary attempt = room.workspace->session().attempts()->back();
        QCOMPARE(attempt.kernelTitle, std::string("online"));
        QCOMPARE(attempt.takenFrom.size(), std::size_t(1));
        QVERIFY(attempt.takenFrom.front().kernelKey.starts_with("archive:L1/T23/online_tuned@"));
        QVERIFY(bench.takenFrom().empty()); // an attempt names it
        auto* attempts = room.window->findChild<AttemptModel*>();
        QCOMPARE(attempts->index(0, AttemptModel::kernel).data().toString(), QStringLiteral("online + online_tuned"));
        QVERIFY(attempts->index(0, AttemptModel::kernel)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("changes taken from online_tuned")));
        LineageCanvas& canvas = room.window->findChild<LineagePanel*>()->plot().plot();
        WAIT_VERIFY(canvas.markCount() == canvas.kernelCount() + 1);
        const LineageEntry& entry = canvas.entry(canvas.markCount() - 1);
        QCOMPARE(entry.name, QStringLiteral("online + online_tuned"));
        QCOMPARE(entry.parentIds.size(), std::size_t(2));
        QVERIFY(room.window->findChild<LineagePanel*>()->plot().numbers().contains(
            QStringLiteral("changes taken from online_tuned")));
        room.window->actions().action(QStringLiteral("go.lineage"))->trigger();
        WAIT_VERIFY(canvas.isVisible());
        room.keepPicture(QStringLiteral("lineage-parents"));
    }
};

KERNELARIUM_TEST(TestLikePanel);

} // namespace kernelarium::ui

#include "TestLikePanel.moc"
