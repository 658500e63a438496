// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/schedules/ScheduleMeasurer.h"

#include "core/schedule/Annealing.h"
#include "tests/TestRegistry.h"
#include "tests/schedule/ScheduleFixture.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace kernelarium;
using namespace kernelarium::schedule;

/// Against a child without a GPU, whose races end as the inputs' seed says.
class TestScheduleMeasurer : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        std::string why;
        m_subject = subjectOf(productFile, why);
        if (!m_subject) QSKIP(why.c_str());
    }

    void endsAreToldApart_data() {
        QTest::addColumn<int>("seed");
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QString>("failure");
        QTest::newRow("faster") << 1 << ""
                                << "";
        QTest::newRow("it hangs") << 2 << "did not end (seed 2)"
                                  << "";
        QTest::newRow("it takes its child along") << 3 << "(seed 3)"
                                                  << "";
        QTest::newRow("other bits") << 4 << "output 0 differs"
                                    << "";
        QTest::newRow("no room") << 5 << ""
                                 << "no room";
        QTest::newRow("the original hangs") << 6 << ""
                                            << "timeout";
    }
    void endsAreToldApart() {
        QFETCH(const int, seed);
        QFETCH(const QString, fault);
        QFETCH(const QString, failure);
        protocol::ScheduleMeasurer measurer = made();
        const auto got = measurer.measure(other(), {}, std::uint64_t(seed), {});
        QVERIFY2(got, got ? "" : got.error().text().c_str());
        QCOMPARE(got->fault.empty(), fault.isEmpty());
        QCOMPARE(got->failure.empty(), failure.isEmpty());
        QVERIFY2(got->fault.find(fault.toStdString()) != std::string::npos, got->fault.c_str());
        QVERIFY2(got->failure.find(failure.toStdString()) != std::string::npos, got->failure.c_str());
        if (seed != 1) return;
        QCOMPARE(got->pairs, Race::most);
        QCOMPARE(got->samples.size(), 2 * Race::most);
        QVERIFY(std::abs(got->energy - 98) < 0.01 && got->low <= got->energy && got->high >= got->energy);
    }

    /// After a fault the next one has a child of its own.
    void faultsCostTheirOwnChildOnly() {
        protocol::ScheduleMeasurer measurer = made();
        QVERIFY(!measurer.measure(other(), {}, 3, {})->fault.empty());
        QVERIFY(measurer.measure(other(), {}, 1, {})->fault.empty());
        QCOMPARE(measurer.measure(m_subject->original, {}, 3, {})->energy, 100.0);
    }

    void stopsAreErrors() {
        protocol::ScheduleMeasurer measurer = made();
        std::stop_source stop;
        stop.request_stop();
        const auto got = measurer.measure(other(), {}, 1, stop.get_token());
        QVERIFY(!got && got.error().code == "cancelled");
    }

    void finalFigures() {
        protocol::ScheduleMeasurer measurer = made();
        const auto figure = measurer.confirm("hash", other(), "hot", {});
        QVERIFY(figure && figure->isFaster());
        QCOMPARE(figure->pairs, FinalFigure::wantedPairs);
        QCOMPARE(figure->mode, std::string("hot"));
        const auto control = measurer.confirm("hash", m_subject->original, "cold", {});
        QVERIFY(control && !control->isFaster() && !control->isSlower());
        protocol::ScheduleMeasurer broken = made(4);
        const auto none = broken.confirm("hash", other(), "cold", {});
        QVERIFY(none && !none->isTimed() && none->reason.find("differs") != std::string::npos);
        QVERIFY(none->isFaulted && !control->isFaulted);
        QVERIFY(finalFigureFrom(toJson(*none))->isFaulted);
        QVERIFY(finalWords(*none).find("FAULTED") != std::string::npos);
        protocol::ScheduleMeasurer full = made(5);
        const auto untimed = full.confirm("hash", other(), "cold", {});
        QVERIFY(untimed && !untimed->isTimed() && !untimed->isFaulted);
    }

    /// A GPU that is lost is nobody's fault: the search ends, and nothing of that is kept.
    void lostOriginalsAreErrors() {
        protocol::ScheduleMeasurer measurer = made(7);
        const auto got = measurer.measure(other(), {}, 7, {});
        QVERIFY(!got && got.error().code == "original_failed");
        QVERIFY(!measurer.confirm("hash", other(), "cold", {}));
        const auto own = measurer.measure(m_subject->original, {}, 7, {});
        QVERIFY(own && !own->failure.empty() && own->fault.empty());
    }

    /// A whole search through the child: a hanging candidate and a crashing one cost their own step.
    void searchesThroughTheChild_data() {
        QTest::addColumn<int>("seed");
        QTest::newRow("they hang") << 2;
        QTest::newRow("they take their child along") << 3;
    }
    void searchesThroughTheChild() {
        QFETCH(const int, seed);
        const QTemporaryDir folder;
        Settings settings;
        settings.mode = Mode::measured;
        settings.steps = 12;
        settings.seed = std::uint64_t(seed); // of the inputs of so few steps
        auto store = openScheduleStore(folder.filePath("a").toStdString(), *m_subject, settings);
        QVERIFY(store);
        protocol::ScheduleMeasurer measurer = made();
        const auto end = runScheduleSearch(*m_subject, settings, measurer, *store);
        QVERIFY2(end, end ? "" : end.error().text().c_str());
        QCOMPARE(end->why, ScheduleEnd::Why::faults);
        const auto history = readScheduleHistory(folder.filePath("a").toStdString());
        QVERIFY(history);
        QCOMPARE(history->byFate.at("faulted"), 3);
    }

private:
    [[nodiscard]] protocol::ScheduleMeasurer made(std::uint64_t seed = 1) const {
        auto unit = std::make_shared<compile::CompiledUnit>();
        unit->ok = true;
        unit->arch = "sm_90";
        unit->ptx = "text";
        unit->cubin = m_subject->original.bytes();
        protocol::RunParameters original;
        original.unit = unit;
        original.backend = "cuda";
        original.arguments = {"float32[4]"};
        original.seed = seed;
        return {original, "cold", [] {
                    return std::make_unique<protocol::WorkerClient>(
                        std::vector<std::string>{KERNELARIUM_BIN_DIR "/worker_child"});
                }};
    }
    /// A schedule that is not the original.
    [[nodiscard]] sass::Cubin other() const {
        Settings settings;
        settings.worsen = 3;
        return m_subject->with(Annealing(*m_subject, settings).startWords());
    }
    std::optional<Subject> m_subject;
};

KERNELARIUM_TEST(TestScheduleMeasurer);

#include "TestScheduleMeasurer.moc"
