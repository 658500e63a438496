// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/strategies/Random.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/sass/CompiledCubins.h"
#include "tests/schedule/ScheduleFixture.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <cstdio>
#include <filesystem>

namespace kernelarium::schedule {
namespace {

Settings killedSettings() {
    Settings settings;
    settings.mode = Mode::measured;
    settings.steps = 160;
    settings.controlEvery = 20;
    settings.worsen = 10;
    return settings;
}

/// Searches until it is killed or done, and says each step that was kept.
int searchScheduleUntilKilled(int argc, char** argv) {
    if (argc < 3) return 2;
    const auto cubin = test::cubinOf(argv[2]);
    if (!cubin) return 1;
    const Subject subject{*cubin, cubin->kernels().front().name, {}};
    auto store = openScheduleStore(argv[1], subject, killedSettings());
    if (!store) return 1;
    FakeGpu gpu(subject);
    ScheduleWatch watch;
    watch.step = [](const Step& step) {
        std::printf("%d\n", int(step.number));
        std::fflush(stdout);
    };
    return runScheduleSearch(subject, killedSettings(), gpu, *store, watch) ? 0 : 1;
}

KERNELARIUM_TEST_PROGRAM("--search-schedule-until-killed", searchScheduleUntilKilled);

class TestScheduleKilled : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Twenty deaths at any moment, and torn last lines: the same steps, fates and best as in one go.
    void killedSearchesEndTheSame() {
        std::string why;
        const std::optional<Subject> subject = subjectOf(productFile, why);
        if (!subject) QSKIP(why.c_str());
        const QTemporaryDir folder;
        const QString cubin = folder.filePath("a.cubin");
        QFile file(cubin);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(reinterpret_cast<const char*>(subject->original.bytes().data()),
                   qint64(subject->original.bytes().size()));
        file.close();
        const auto run = [&](const QString& store, const std::function<bool(const QByteArray&)>& kills) {
            QProcess child;
            child.start(QCoreApplication::applicationFilePath(), {"--search-schedule-until-killed", store, cubin});
            if (!child.waitForStarted(longWait)) return false;
            QByteArray said;
            while (child.state() != QProcess::NotRunning && !kills(said)) {
                child.waitForReadyRead(20);
                said += child.readAllStandardOutput();
            }
            const bool killed = child.state() != QProcess::NotRunning;
            if (killed) child.kill();
            child.waitForFinished(longWait);
            return killed;
        };
        const QString whole = folder.filePath("whole"), parts = folder.filePath("parts");
        QVERIFY(!run(whole, [](const QByteArray&) { return false; }));
        tuning::Random random(24);
        int killed = 0;
        for (int death = 0; death < 20; ++death) {
            const auto before = std::filesystem::exists(parts.toStdString())
                                    ? qint64(std::filesystem::file_size(parts.toStdString()))
                                    : qint64(0);
            const auto bytes = before + qint64(random.below(6000)); // 0: perhaps before there is a header
            killed += run(parts, [&](const QByteArray&) { return QFileInfo(parts).size() >= bytes; });
            // As if the last write had been cut anywhere.
            if (death % 3 == 2) {
                const auto size = QFileInfo(parts).size();
                QFile store(parts);
                QVERIFY(store.resize(std::max<qint64>(size - qint64(random.below(200)), 0)));
            }
        }
        QVERIFY2(killed >= 15, qPrintable(QString::number(killed)));
        QVERIFY(!run(parts, [](const QByteArray&) { return false; }));
        const std::vector<std::string> expected = accountOf(whole.toStdString());
        QCOMPARE(expected.size(), std::size_t(1 + 160 + 8));
        const std::vector<std::string> got = accountOf(parts.toStdString());
        for (std::size_t i = 0; i < std::min(got.size(), expected.size()); ++i)
            QCOMPARE(QString::fromStdString(got[i]), QString::fromStdString(expected[i]));
        QCOMPARE(got.size(), expected.size());
        QVERIFY(readScheduleHistory(parts.toStdString())->bestWords ==
                readScheduleHistory(whole.toStdString())->bestWords);
    }
};

KERNELARIUM_TEST(TestScheduleKilled);

} // namespace
} // namespace kernelarium::schedule

#include "TestScheduleKilled.moc"
