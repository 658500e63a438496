// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_statistics/StatisticsRoom.h"
#include "ui/frame/Actions.h"
#include "ui/frame/NoticeBar.h"
#include "ui/frame/StatusLine.h"
#include "ui/hgemm/HeatPlot.h"
#include "ui/hgemm/HgemmPage.h"
#include "ui/hgemm/PublishedView.h"
#include "ui/statistics/FigureView.h"
#include "ui/widgets/EmptyState.h"

#include <QCheckBox>
#include <QComboBox>
#include <QMimeData>
#include <QSlider>
#include <QtTest>
#include <cmath>

namespace kernelarium::ui {

namespace {

const std::string smallName = "set_h100_F32F16F16F32_speedup_offline.csv";
const std::string smallText =
    "mnk,torch.matmul,cuBLAS-max\n"
    "64_64_64,2.0,0.5\n128_64_64,8,\n64_128_64,0.25,4\n64_64_256,1.5,1.5\n128_128_256,1.25,0.8\n";

std::filesystem::path publishedFolder() {
    const char* named = std::getenv("KERNELARIUM_SHARED_DIR");
    const std::filesystem::path folder =
        std::filesystem::path(named != nullptr ? named : KERNELARIUM_SHARED_DIR) / "facts/cuda_l2";
    return std::filesystem::exists(folder) ? folder : std::filesystem::path();
}

/// "M_N_K" to the first baseline's value, read by hand.
std::map<std::string, double> plainlyRead(const std::string& text) {
    std::map<std::string, double> values;
    const QStringList lines = QString::fromStdString(text).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (const QString& line : lines.mid(1)) {
        const QStringList cells = line.trimmed().split(QLatin1Char(','));
        if (!cells[1].isEmpty()) values[cells[0].toStdString()] = cells[1].toDouble();
    }
    return values;
}

bool waitForTables(HgemmPage& page, std::size_t count) {
    return QTest::qWaitFor(
        [&] { return page.desk().stage() == Stage::finished && page.desk().results().size() == count; }, longWait);
}

void drop(QWidget& window, const QStringList& files) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& file : files)
        urls << QUrl::fromLocalFile(file);
    data.setUrls(urls);
    QDragEnterEvent enter(window.rect().center(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event(QPointF(window.rect().center()), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &event);
}

class TestHgemmPage : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void cutsTheCubeIntoMaps() {
        const auto table = hgemm::parseHgemmTable(smallText, smallName).value();
        const HeatSlices slices(table);
        const auto read = plainlyRead(smallText);
        for (const auto plane : {HeatSlices::Plane::mn, HeatSlices::Plane::mk, HeatSlices::Plane::nk}) {
            const HeatData every = slices.data(plane, 0, -1);
            QCOMPARE(every.panels.size(), slices.third(plane).size());
            int values = 0, mark = 0;
            for (const auto& panel : every.panels)
                for (const double value : panel.values) {
                    const hgemm::Shape shape = slices.shapeOf(plane, -1, mark);
                    QCOMPARE(slices.cellOf(plane, -1, shape), std::optional<int>(mark));
                    ++mark;
                    const auto found = read.find(std::to_string(shape.m) + "_" + std::to_string(shape.n) + "_" +
                                                 std::to_string(shape.k));
                    QCOMPARE(std::isnan(value), found == read.end());
                    QCOMPARE(slices.rowOf(shape) >= 0, found != read.end());
                    if (found == read.end()) continue;
                    QCOMPARE(value, found->second);
                    ++values;
                }
            QCOMPARE(values, 5);
            const HeatData one = slices.data(plane, 0, 1);
            QCOMPARE(one.panels.size(), 1U);
            QCOMPARE(one.panels[0].title, every.panels[1].title);
        }
        QVERIFY(slices.data(HeatSlices::Plane::mn, 0, 0).xTitle.startsWith(QStringLiteral("M")));
        QVERIFY(!slices.cellOf(HeatSlices::Plane::mn, 0, {64, 64, 256}));
        QVERIFY(!slices.cellOf(HeatSlices::Plane::mn, -1, {32, 64, 64}));
    }

    void coloursTellFasterFromSlower() {
        for (const Palette& palette : {lightPalette(), darkPalette()}) {
            QVERIFY(HeatCanvas::colour(4, palette) != HeatCanvas::colour(0.25, palette));
            QCOMPARE(HeatCanvas::colour(4, palette), HeatCanvas::colour(9, palette)); // the scale says so
            QVERIFY(HeatCanvas::colour(2, palette).blueF() > HeatCanvas::colour(0.5, palette).blueF());
        }
    }

    void startsEmptyAndSaysHow() {
        StatisticsRoom room;
        QVERIFY(room.start());
        QTest::keyClick(room.window.get(), Qt::Key_M, Qt::AltModifier);
        HgemmPage& page = room.window->hgemm();
        QVERIFY(page.isVisible());
        WAIT_COMPARE(page.desk().stage(), Stage::finished);
        QVERIFY(page.published().emptyState().isVisible() && page.published().emptyState().button()->isVisible());
        QVERIFY(!QFile::exists(room.file("hgemm.sqlite"))); // looking makes no file
        room.keepPicture(QStringLiteral("hgemm-none"));
    }

    void droppedTablesAreShownAndKept() {
        StatisticsRoom room;
        QVERIFY(room.start());
        room.fixture.write(smallName, smallText);
        room.fixture.write("set_h100_F32F16F16F32_speedup_server.csv", smallText);
        drop(*room.window, {room.file(smallName), room.file("set_h100_F32F16F16F32_speedup_server.csv")});
        HgemmPage* page = &room.window->hgemm();
        QVERIFY(waitForTables(*page, 2));
        QVERIFY(page->isVisible());
        WAIT_COMPARE(page->published().table().count(), 2);
        QCOMPARE(page->published().baseline().count(), 2);
        const double mean = std::pow(2.0 * 8 * 0.25 * 1.5 * 1.25, 1.0 / 5);
        QVERIFY2(page->headline().contains(QString::number(mean, 'f', 3)), qPrintable(page->headline()));
        QVERIFY(page->headline().contains(QStringLiteral("20%")) &&
                page->headline().contains(QStringLiteral("M 64 · N 128 · K 64")));
        QCOMPARE(page->published().summaries().model()->rowCount(), 4);
        // By keyboard: the axes, the third size, all at once.
        QCOMPARE(page->published().map().plot().data().panels.size(), 1U);
        page->published().third().setFocus();
        QTest::keyClick(&page->published().third(), Qt::Key_Home);
        QCOMPARE(page->published().map().plot().data().panels[0].title, QStringLiteral("K = 64"));
        QTest::keyClick(&page->published().third(), Qt::Key_Right);
        QCOMPARE(page->published().map().plot().data().panels[0].title, QStringLiteral("K = 256"));
        page->published().every().setFocus();
        QTest::keyClick(&page->published().every(), Qt::Key_Space);
        QCOMPARE(page->published().map().plot().data().panels.size(), 2U);
        QVERIFY(!page->published().third().isEnabled());
        page->published().plane().setCurrentIndex(2);
        QCOMPARE(page->published().map().plot().data().panels[0].title, QStringLiteral("M = 64"));
        // A row of the means goes to its worst shape.
        FigureView& means = page->published().summaries();
        means.setFocus();
        means.setCurrentIndex(means.model()->index(0, 0));
        QTest::keyClick(&means, Qt::Key_Down); // over cuBLAS-max
        QCOMPARE(page->published().baseline().currentText(), QStringLiteral("cuBLAS-max"));
        QVERIFY(page->published().map().plot().data().chosen.has_value());
        QCOMPARE(page->published().map().plot().value(*page->published().map().plot().data().chosen), 0.5);
        // Another start has them.
        room.window->close();
        QVERIFY(room.start());
        page = &room.window->hgemm();
        room.window->actions().action(QStringLiteral("go.hgemm"))->trigger();
        QVERIFY(waitForTables(*page, 2));
        QCOMPARE(page->published().baseline().currentText(), QStringLiteral("cuBLAS-max"));
        QVERIFY(page->published().every().isChecked());
    }

    void escapeStopsAnImport() {
        StatisticsRoom room;
        QVERIFY(room.start());
        room.fixture.write(smallName, smallText);
        HgemmDesk& desk = room.window->hgemm().desk();
        QString told;
        connect(&desk, &HgemmDesk::progressed, room.window.get(), [&](const QString& what) { told = what; });
        desk.import(QStringList(50000, room.file(smallName)));
        WAIT_VERIFY(!told.isEmpty());
        QVERIFY2(told.contains(QString::fromStdString(smallName)) && told.endsWith(QStringLiteral("0 of 50000")),
                 qPrintable(told));
        QVERIFY2(room.window->status().workText().contains(QStringLiteral("HGEMM tables")),
                 qPrintable(room.window->status().workText()));
        QTest::keyClick(room.window.get(), Qt::Key_Escape);
        WAIT_COMPARE(desk.stage(), Stage::cancelled);
        QVERIFY(room.window->status().workText().isEmpty());
        QVERIFY(desk.results().empty());
        QVERIFY(!QFile::exists(room.file("hgemm.sqlite")));
        desk.import({room.file(smallName)}); // and the next one goes through
        QVERIFY(waitForTables(room.window->hgemm(), 1));
        QVERIFY(room.window->status().workText().isEmpty());
    }

    void hoverTellsTheRecordAndFilesHaveIt() {
        StatisticsRoom room;
        QVERIFY(room.start());
        room.fixture.write(smallName, smallText);
        room.window->openPath(room.file(smallName));
        HgemmPage& page = room.window->hgemm();
        QVERIFY(waitForTables(page, 1));
        page.published().third().setValue(0);
        HeatCanvas& canvas = page.published().map().plot();
        QVERIFY(QTest::qWaitFor([&] { return canvas.isVisible() && canvas.width() > 200; }, longWait));
        const auto cell = HeatSlices(page.desk().results()[0].table).cellOf(HeatSlices::Plane::mn, 0, {128, 64, 64});
        QVERIFY(cell.has_value());
        const QPoint inside = canvas.markPosition(*cell).toPoint() + QPoint(14, 0); // not only the middle
        QCOMPARE(canvas.markAt(inside), *cell);
        QTest::mouseMove(&canvas, inside);
        WAIT_VERIFY(page.published().map().card().isVisible());
        QVERIFY2(page.published().map().card().text().contains(QStringLiteral("M 128 · N 64 · K 64")) &&
                     page.published().map().card().text().contains(QStringLiteral("torch.matmul: 8.000×")) &&
                     page.published().map().card().text().contains(QStringLiteral("cuBLAS-max: no value")),
                 qPrintable(page.published().map().card().text()));
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, inside);
        QCOMPARE(canvas.data().chosen, cell);
        page.published().every().setChecked(true);
        QVERIFY(page.published().map().saveTo(room.file("map.csv")).ok());
        const std::string csv = readAll(room.fixture.path("map.csv"));
        QCOMPARE(QString::fromStdString(csv).split(QLatin1Char('\n'), Qt::SkipEmptyParts).size(), 6);
        QVERIFY(csv.starts_with("M,N,K,torch.matmul,cuBLAS-max\n") && csv.find("128,64,64,8,\n") != std::string::npos);
        QVERIFY(page.published().map().saveTo(room.file("map.svg")).ok() &&
                page.published().map().saveTo(room.file("map.png")).ok());
        QVERIFY(readAll(room.fixture.path("map.svg")).find("K = 256") != std::string::npos);
        QVERIFY(page.published().summaries().saveTo(room.file("means.csv")).ok());
        QVERIFY(readAll(room.fixture.path("means.csv")).find("h100,F32F16F16F32,offline,torch.matmul,5,") !=
                std::string::npos);
    }

    void badFilesChangeNothing_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("text");
        const QString good = QString::fromStdString(smallName);
        QTest::newRow("empty") << good << QByteArray();
        QTest::newRow("no table") << good << QByteArray("hello\nworld\n");
        QTest::newRow("bad line") << good << QByteArray("mnk,a\n64_64_64,fast\n");
        QTest::newRow("binary") << good << QByteArray("\x89PNG\r\n\x1a\n\0\0\0", 11);
        QTest::newRow("name") << QStringLiteral("table.csv") << QByteArray::fromStdString(smallText);
        QTest::newRow("absent") << QStringLiteral("absent_a100_F16_speedup_server.csv") << QByteArray("-");
    }

    void badFilesChangeNothing() {
        QFETCH(QString, name);
        QFETCH(QByteArray, text);
        StatisticsRoom room;
        QVERIFY(room.start());
        room.fixture.write("set_a100_F16F16F16F16_speedup_offline.csv", smallText);
        HgemmPage& page = room.window->hgemm();
        if (text != "-") room.fixture.write(name.toStdString(), text.toStdString());
        room.window->openPath(room.file(name.toStdString()));
        WAIT_COMPARE(page.desk().stage(), Stage::failed);
        QVERIFY(page.published().emptyState().isVisible()); // said in place
        QVERIFY2(page.published().emptyState().accessibleDescription().contains(name),
                 qPrintable(page.published().emptyState().accessibleDescription()));
        room.window->openPath(room.file("set_a100_F16F16F16F16_speedup_offline.csv"));
        QVERIFY(waitForTables(page, 1));
        page.import(
            {room.file("set_a100_F16F16F16F16_speedup_offline.csv"), room.file(name.toStdString())}); // all or none
        WAIT_COMPARE(page.desk().stage(), Stage::failed);
        QCOMPARE(page.desk().results().size(), 1U);
        WAIT_VERIFY(room.window->notices().text().contains(name));
        QVERIFY(!page.published().map().isEmpty());
    }

    /// The published tables: the page's means are those of a plain computation.
    void publishedTables() {
        const auto folder = publishedFolder();
        if (folder.empty()) QSKIP("the shared facts/cuda_l2 is absent");
        StatisticsRoom room(Theme::Choice::dark);
        QVERIFY(room.start());
        QStringList files;
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.path().extension() == ".csv") files << QString::fromStdString(entry.path().string());
        drop(*room.window, files);
        HgemmPage& page = room.window->hgemm();
        QVERIFY(waitForTables(page, std::size_t(files.size())));
        WAIT_COMPARE(page.published().table().count(), int(files.size()));
        for (const HgemmResult& result : page.desk().results()) {
            const auto read = plainlyRead(readAll(folder / result.table.origin));
            double logarithms = 0, worst = INFINITY;
            int slower = 0;
            for (const auto& [shape, value] : read) {
                logarithms += std::log(value);
                worst = std::min(worst, value);
                slower += value < 1;
            }
            const auto& summary = result.summaries[0];
            QCOMPARE(summary.shapes, std::int64_t(read.size()));
            QVERIFY(std::abs(summary.geometricMean - std::exp(logarithms / double(read.size()))) < 1e-9);
            QCOMPARE(summary.shareSlower, double(slower) / double(read.size()));
            QCOMPARE(summary.worst, worst);
        }
        page.published().table().setCurrentIndex(1);
        room.keepPicture(QStringLiteral("hgemm-dark-one"));
        page.published().every().setChecked(true);
        room.keepPicture(QStringLiteral("hgemm-dark-every"));
        room.theme.setChoice(Theme::Choice::light);
        room.window->resize(1280, 720);
        room.keepPicture(QStringLiteral("hgemm-light-every"));
        page.published().every().setChecked(false);
        room.keepPicture(QStringLiteral("hgemm-light-one"));
    }
};

} // namespace

KERNELARIUM_TEST(TestHgemmPage);

} // namespace kernelarium::ui

#include "TestHgemmPage.moc"
