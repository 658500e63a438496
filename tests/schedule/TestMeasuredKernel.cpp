// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/schedules/MeasuredKernel.h"

#include "core/schedule/Call.h"
#include "core/schedule/Expectation.h"
#include "core/text/KernelName.h"
#include "tests/TestRegistry.h"
#include "tests/schedule/ScheduleFixture.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace kernelarium;
using namespace kernelarium::schedule;

/// What the command line and the window share, against a child without a GPU.
class TestMeasuredKernel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        std::string why;
        m_subject = subjectOf(productFile, why);
        if (!m_subject) QSKIP(why.c_str());
    }

    void callsAreFields() {
        const Call all{"a.cu", {"-DN=4", "-I/a b"}, true, "1/3", "f", {"float32[4]", "2"}, "full", "hot",
                       "H200", "0123456789abcdef"};
        QVERIFY(callFrom(fieldsOf(all)) == all);
        const Call none;
        QVERIFY(fieldsOf(none).empty() && callFrom({}) == none);
        QCOMPARE(fieldsOf(all).at("timing"), std::string("hot"));
    }

    /// The launch that a run tells of decides how many warps are resident.
    void theOriginalRunsFirst() {
        const auto made = protocol::MeasuredKernel::prepare(*m_subject, run(title()), "hot", "NVIDIA H200", start());
        QVERIFY2(made, made ? "" : made.error().text().c_str());
        QVERIFY((*made)->expectation().warps && *(*made)->expectation().warps >= 1);
        QCOMPARE((*made)->measurer().mode(), Mode::measured);
        const auto figure = (*made)->measurer().measure(m_subject->original, {}, 1, {});
        QVERIFY(figure && figure->pairs > 0);
    }

    void anotherKernelIsRefused_data() {
        QTest::addColumn<QString>("launched");
        QTest::addColumn<QString>("says");
        QTest::newRow("nothing") << ""
                                 << "launches nothing";
        QTest::newRow("another") << "otherKernel"
                                 << "launches otherKernel";
        QTest::newRow("it does not end") << "it ends badly"
                                         << "it did not end";
    }
    void anotherKernelIsRefused() {
        QFETCH(const QString, launched);
        QFETCH(const QString, says);
        const auto made =
            protocol::MeasuredKernel::prepare(*m_subject, run(launched.toStdString()), "cold", "H200", start());
        QVERIFY(!made && made.error().code == "bad_input");
        QVERIFY2(made.error().message.find(says.toStdString()) != std::string::npos, made.error().message.c_str());
    }

    /// A zero is told with what was tried, and there is nothing to confirm.
    void nothingFasterIsAResult() {
        class Slower : public Measurer {
        public:
            explicit Slower(const Subject& subject)
                : m_original(subject.original.bytes()) {}
            [[nodiscard]] Mode mode() const override { return Mode::measured; }
            [[nodiscard]] Result<Measurement> measure(const sass::Cubin& candidate, const Race&, std::uint64_t,
                                                      const std::stop_token&) override {
                Measurement out;
                out.energy = candidate.bytes() == m_original ? 100 : 101;
                out.low = out.energy - 0.25;
                out.high = out.energy + 0.25;
                out.pairs = Race::first;
                return out;
            }

        private:
            std::vector<std::byte> m_original;
        };
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("a").toStdString();
        Settings settings;
        settings.mode = Mode::measured;
        settings.steps = 60;
        auto store = openScheduleStore(path, *m_subject, settings);
        Slower gpu(*m_subject);
        QVERIFY(store && runScheduleSearch(*m_subject, settings, gpu, *store));
        const auto history = readScheduleHistory(path);
        QVERIFY(history && history->bestWords == m_subject->words());
        QVERIFY(history->unconfirmed().empty());
        QCOMPARE(resultWords(*history), std::string("no gain found: none of 60 schedules was faster than the original "
                                                    "(noise 0.25%)"));
    }

    /// Cold and hot, each in a child of its own, once.
    void theBestIsConfirmedOnce() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("a").toStdString();
        Settings settings;
        settings.mode = Mode::measured;
        settings.steps = 200;
        settings.worsen = 20;
        FakeGpu gpu(*m_subject);
        auto store = openScheduleStore(path, *m_subject, settings);
        QVERIFY(store);
        QVERIFY(runScheduleSearch(*m_subject, settings, gpu, *store));
        QCOMPARE(readScheduleHistory(path)->unconfirmed().size(), std::size_t(2));
        int children = 0;
        const auto made =
            protocol::MeasuredKernel::prepare(*m_subject, run(title()), "cold", "NVIDIA H200", start(&children));
        QVERIFY(made);
        const int before = children;
        const Result<void> confirmed = protocol::confirmBest((*made)->measurer(), *store, {});
        QVERIFY2(confirmed, confirmed ? "" : confirmed.error().text().c_str());
        QVERIFY(children - before >= 2);
        const auto history = readScheduleHistory(path);
        QCOMPARE(history->finals.size(), std::size_t(2));
        QVERIFY(history->unconfirmed().empty());
        QVERIFY(history->finals[0].isFaster() && history->finals[0].pairs == FinalFigure::wantedPairs);
        QCOMPARE(history->looked(), std::uint64_t(200));
        const auto size = std::filesystem::file_size(path);
        QVERIFY(protocol::confirmBest((*made)->measurer(), *store, {}));
        QCOMPARE(std::filesystem::file_size(path), size);
    }

private:
    [[nodiscard]] std::string title() const { return text::kernelTitle(m_subject->kernel); }
    [[nodiscard]] protocol::RunParameters run(const std::string& launched) const {
        auto unit = std::make_shared<compile::CompiledUnit>();
        unit->ok = true;
        unit->arch = "sm_90";
        unit->ptx = "text";
        unit->cubin = m_subject->original.bytes();
        compile::KernelResources resources;
        resources.mangled = m_subject->kernel;
        resources.registers = 64;
        unit->kernels = {resources};
        protocol::RunParameters parameters;
        parameters.unit = unit;
        parameters.backend = "cuda";
        parameters.arguments = {"float32[4]"};
        parameters.function = launched;
        return parameters;
    }
    static protocol::MeasuredKernel::Start start(int* count = nullptr) {
        return [count] {
            if (count) ++*count;
            return std::make_unique<protocol::WorkerClient>(
                std::vector<std::string>{KERNELARIUM_BIN_DIR "/worker_child"});
        };
    }
    std::optional<Subject> m_subject;
};

KERNELARIUM_TEST(TestMeasuredKernel);

#include "TestMeasuredKernel.moc"
