// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_statistics/StatisticsRoom.h"
#include "ui/frame/Actions.h"
#include "ui/frame/StatusLine.h"
#include "ui/statistics/FigureView.h"
#include "ui/statistics/StatisticsSection.h"
#include "ui/tour/BusyMeter.h"

#include <QPushButton>
#include <QtTest>

namespace kernelarium::ui {

namespace {

/// The page on archives as they are met: the sample's profiles, thousands of kernels, one after another.
class TestStatisticsArchives : public QObject {
    Q_OBJECT

    using Page = StatisticsPage;

private Q_SLOTS:
    void profilesOfTheSample() {
        if (sampleFolder().empty()) QSKIP("the shared archive_sample/full_rows.jsonl is absent");
        StatisticsRoom room;
        QVERIFY(importFiles(room.fixture.path("archive.sqlite"), {sampleFolder() / "full_rows.jsonl"}).ok());
        QVERIFY(room.start() && room.open());
        FigureView& metrics = *room.page().table(Page::profiles, 0);
        QVERIFY(metrics.model()->rowCount() > 5);
        QVERIFY(room.page().table(Page::profiles, 1)->model()->rowCount() > 3);
        room.page().showSection(Page::profiles);
        QVERIFY(room.page().section(Page::profiles).sentence().contains(QStringLiteral("clang-tidy")));
        room.keepPicture(QStringLiteral("statistics-profiles"));
        for (int row = 0; row < metrics.model()->rowCount(); ++row) {
            const FigureRow& figures = metrics.figures().row(row);
            QCOMPARE(figures.cells[5].sort.toInt(),
                     int(room.page().desk().source().profiles->archived.metrics[std::size_t(row)].fast));
        }
        FigureView& checks = *room.page().table(Page::profiles, 1);
        const int kernels = checks.figures().row(0).cells[1].sort.toInt();
        clickCell(checks, 0, 1);
        WAIT_COMPARE(room.page().table(Page::kernels)->model()->rowCount(), kernels);
    }

    /// Thousands of profiles: shown where it is, cancelled with Escape, begun again.
    void aLongReadingIsCancelled() {
        if (sampleFolder().empty()) QSKIP("the shared archive_sample/full_rows.jsonl is absent");
        std::vector<nlohmann::json> sample, rows;
        for (const QByteArray& line :
             QByteArray::fromStdString(readAll(sampleFolder() / "full_rows.jsonl")).split('\n'))
            if (!line.isEmpty()) sample.push_back(nlohmann::json::parse(line.toStdString()));
        for (int i = 0; i < 6000; ++i) {
            rows.push_back(sample[std::size_t(i) % sample.size()]);
            rows.back()["Kernel_Name"] = rows.back()["Kernel_Name"].get<std::string>() + "_" + std::to_string(i);
        }
        StatisticsRoom room(rows);
        QVERIFY(room.start());
        room.window->actions().action(QStringLiteral("go.statistics"))->trigger();
        WAIT_VERIFY(room.page().desk().source().findings != nullptr);
        WAIT_VERIFY(room.window->status().workText().contains(QStringLiteral("profiles of")));
        QVERIFY(room.page().desk().progress() > 0 && room.page().desk().progress() < 1);
        QAction* cancel = room.window->actions().action(QStringLiteral("kernel.cancel"));
        QVERIFY(cancel->isEnabled());
        cancel->trigger();
        WAIT_COMPARE(room.page().desk().profileStage(), Stage::cancelled);
        QVERIFY(!room.page().desk().source().profiles);
        QVERIFY(!room.window->status().workText().contains(QStringLiteral("profiles")));
        QVERIFY(room.page().section(Page::profiles).sentence().contains(QStringLiteral("cancelled")));
        QCOMPARE(room.page().table(Page::overview)->figures().row(0).cells[1].sort.toInt(), 6000); // the numbers stay
        auto* again = room.page().findChildren<QPushButton*>().first();
        for (QPushButton* button : room.page().findChildren<QPushButton*>())
            if (button->text().startsWith(QStringLiteral("Compute"))) again = button;
        QVERIFY(again->isVisible());
        QTest::mouseClick(again, Qt::LeftButton);
        QVERIFY(room.page().desk().isBusy());
        // Closing the window in the middle ends the thread.
        WAIT_VERIFY(room.page().desk().profileStage() == Stage::running);
        room.window.reset();
        room.workspace.reset();
    }

    /// As many kernels, tasks and words as were published. What it costs is printed; the promise is 50 ms.
    void aLargeArchiveDoesNotStopTheWindow() {
        constexpr int count = 30615;
        auto rows = rowsOfManyKinds(count);
        for (int i = 0; i < count; ++i) {
            rows[std::size_t(i)]["Task_ID"] = 1 + i % 100;
            rows[std::size_t(i)]["Kernel_Name"] =
                rows[std::size_t(i)]["Kernel_Name"].get<std::string>() + "_idea" + std::to_string(i % 3000);
            rows[std::size_t(i)]["CUDA_Code"] = "// " + std::to_string(i);
        }
        StatisticsRoom room(rows);
        std::size_t judged = 0;
        for (qint64 id = 1; id < count; id += 211, ++judged)
            room.judge(id, id % 2 ? verify::VerdictKind::wrong : verify::VerdictKind::verified);
        QVERIFY(room.start());
        BusyMeter meter;
        meter.start(QStringLiteral("counting"));
        QVERIFY(room.open());
        WAIT_COMPARE(room.page().desk().source().findings->judged.size(), std::size_t(judged));
        QVERIFY(room.waitUntilCounted());
        QCOMPARE(room.page().table(Page::overview)->figures().row(0).cells[1].sort.toInt(), count);
        for (int section = 0; section < Page::sectionCount; ++section) {
            meter.start(room.page().sections().item(section)->text());
            room.page().showSection(Page::Section(section));
            QTest::qWait(60);
        }
        // The longest list there is.
        meter.start(QStringLiteral("list"));
        room.page().showSection(Page::overview);
        QVERIFY(room.page().table(Page::overview)->figures().row(1).isSecond);
        clickCell(*room.page().table(Page::overview), 1, 1);
        WAIT_VERIFY(room.page().table(Page::kernels)->model()->rowCount() > count - 1000);
        QTest::qWait(60);
        meter.pause();
        QVERIFY(room.page().table(Page::tasks)->model()->rowCount() > 300);
        QVERIFY(room.page().table(Page::words)->model()->rowCount() > 2500);
        std::printf("window's thread: worked %.1f ms without a break at most (%s)\n", meter.worked().ms,
                    qUtf8Printable(meter.worked().phase));
        room.page().showSection(Page::words);
        room.keepPicture(QStringLiteral("statistics-large-words"));
        room.page().showSection(Page::speedups);
        room.window->resize(1280, 720);
        room.keepPicture(QStringLiteral("statistics-large-1280"));
        room.page().showSection(Page::overview);
        room.keepPicture(QStringLiteral("statistics-large-1280-overview"));
    }

    void anotherArchiveHasItsOwnNumbers() {
        StatisticsRoom room(rowsOfManyKinds());
        QVERIFY(room.start() && room.open());
        QVERIFY(importFiles(room.fixture.path("other.sqlite"), {room.fixture.writeRows("o.jsonl", rowsOfManyKinds(40))})
                    .ok());
        room.window->openPath(room.file("other.sqlite"));
        WAIT_VERIFY(room.page().desk().source().findings &&
                    room.page().desk().source().findings->archived.rows.size() == 40);
        QVERIFY(room.waitUntilCounted());
        WAIT_COMPARE(room.page().table(Page::overview)->figures().row(0).cells[1].sort.toInt(), 40);
    }
};

} // namespace

KERNELARIUM_TEST(TestStatisticsArchives);

} // namespace kernelarium::ui

#include "TestStatisticsArchives.moc"
