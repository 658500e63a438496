// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/Changes.h"
#include "core/lesson/CheckBlock.h"
#include "core/lesson/LessonLibrary.h"
#include "core/quantities/Quantities.h"
#include "tests/TestRegistry.h"

#include <QFile>
#include <QtTest>
#include <algorithm>

namespace kernelarium::lesson {
namespace {

Step stepWith(std::initializer_list<const char*> statements) {
    Step step;
    for (const char* statement : statements)
        applyStatement(step, statement, 1, [](const std::string&) { return std::optional<std::string>("source"); });
    return step;
}

class TestChanges : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsKnownOfBothIsTold() {
        const Step step = stepWith({"task 1/1", "starter s.cu", "starter_verdict = fault out_of_bounds",
                                    "counter global_load_sectors / global_load_requests <= 4 \"sectors per request\"",
                                    "figure device_bytes <= 10", "figure occupancy >= 50"});
        StepEvidence starter;
        StepEvidence reader;
        reader.verdict = "verified";
        auto changes = changesOf(step, starter, reader, nullptr);
        QCOMPARE(changes.size(), std::size_t(1)); // nothing was counted
        QCOMPARE(changes[0].before, std::string("fault (out of bounds)"));
        QCOMPARE(changes[0].after, std::string("verified"));
        starter.counters = {{"global_load_sectors", 64}, {"global_load_requests", 2}};
        starter.figures = {{"device_bytes", 2e6}};
        starter.times = {{true, 2, "NVIDIA H200", "full"}};
        reader.counters = {{"global_load_sectors", 8}, {"global_load_requests", 2}};
        reader.figures = {{"device_bytes", 1e6}, {"occupancy", 75}};
        reader.times = {{true, 1, "NVIDIA H200", "full"}, {true, 3, "NVIDIA H100", "full"}};
        StepTimes measured;
        measured.measuredOn = "NVIDIA H200";
        measured.measured = {4e-6, 3e-6};
        changes = changesOf(step, starter, reader, &measured);
        QStringList rows;
        for (const auto& change : changes)
            rows << QString::fromStdString(change.what + ": " + change.before + ", " + change.after);
        QCOMPARE(rows,
                 (QStringList{"verdict: fault (out of bounds), verified", "time, modelled on NVIDIA H200: 2 ms, 1 ms",
                              "time of our solution, measured on NVIDIA H200: 4 µs, 3 µs",
                              "bytes to and from device memory, modelled: 2 MB, 1 MB", "sectors per request: 32, 4"}));
        QVERIFY(changesOf(stepWith({"answer a = 1 within 0% \"q\""}), {}, {}, nullptr).empty());
    }

    /// Of the very texts of today; the model and the hardware prefer the same one of two, or one of them neither.
    void everyTimeWasMeasured() {
        const auto lessons = builtInLessons();
        QVERIFY(lessons.ok());
        const auto steps = stepsWithTimes(*lessons);
        QVERIFY(steps.size() >= 15);
        for (StepTimes times : steps) {
            const std::string name = times.lesson + "/" + times.step;
            takeRecorded(times, recordedTimes());
            QVERIFY2(times.recorded && times.measured.gain(), name.c_str());
            const auto recorded =
                std::find_if(recordedTimes().begin(), recordedTimes().end(), [&](const StepTimes& each) {
                    return each.lesson == times.lesson && each.step == times.step;
                });
            QVERIFY2(recorded != recordedTimes().end(), name.c_str());
            QVERIFY2(agreement(*recorded) != "differ", name.c_str());
        }
        for (const auto& lesson : *lessons)
            for (const auto& step : lesson.steps)
                QVERIFY((recordedFor(step) != nullptr) || needsOf(step).times.empty());
    }

    void theHelpPageHasTheRecordedTimes() {
        QFile page(QStringLiteral(KERNELARIUM_SOURCE_DIR "/resources/help/teaching.md"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(page.readAll());
        const auto seconds = [](const std::optional<double>& value) {
            return QString::fromStdString(quantities::seconds(value.value_or(0)));
        };
        for (const StepTimes& times : recordedTimes()) {
            const QString row = QStringLiteral("| %1: %2 | %3 | %4 | %5 | %6 | %7 |")
                                    .arg(QString::fromStdString(times.lesson),
                                         QString::fromStdString(times.step).replace(QLatin1Char('-'), QLatin1Char(' ')),
                                         seconds(times.modelled.starter), seconds(times.modelled.solution),
                                         seconds(times.measured.starter), seconds(times.measured.solution),
                                         QString::fromStdString(std::string(agreement(times))));
            QVERIFY2(text.contains(row), qPrintable(row));
        }
    }
};

} // namespace

KERNELARIUM_TEST(TestChanges);

} // namespace kernelarium::lesson

#include "TestChanges.moc"
