// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/schedules/VariantCounters.h"

#include "core/schedule/Annealing.h"
#include "core/schedule/CountersBeside.h"
#include "core/schedule/StaticCost.h"
#include "core/text/KernelName.h"
#include "tests/TestRegistry.h"
#include "tests/schedule/ScheduleFixture.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace kernelarium;
using namespace kernelarium::schedule;

/// Counters of the original and of a schedule: those of a model, and those of an Nsight Compute that stands in.
class TestVariantCounters : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        std::string why;
        m_subject = subjectOf(productFile, why);
        if (!m_subject) QSKIP(why.c_str());
    }

    /// All that a warp takes is told apart, and nothing twice.
    void modelledCyclesAddUp() {
        const StallCycles uses = stallCyclesOf(m_subject->words(), 90);
        Settings settings;
        settings.worsen = 50;
        const Annealing annealing(*m_subject, settings);
        QCOMPARE(uses.total(), annealing.originalCost());
        const StallCycles worse = stallCyclesOf(annealing.startWords(), 90);
        QCOMPARE(worse.total(), annealing.startCost());
        QVERIFY(uses.of(CycleUse::issue) > 0 && uses.of(CycleUse::fixedLatency) > 0);
        QVERIFY(uses.of(CycleUse::sharedMemory) > 0);
        // The same instructions are issued in another order.
        QCOMPARE(worse.of(CycleUse::issue), uses.of(CycleUse::issue));
        const CountersBeside beside = modelledBeside(*m_subject, annealing.startWords());
        QVERIFY(!beside.isMeasured && beside.rows.size() > 3);
        QCOMPARE(*beside.rows.front().original, uses.total());
        QCOMPARE(*beside.rows.front().best, worse.total());
    }

    /// Each variant runs with its own native code, once; what was measured takes the model's place.
    void nsightComputeIsAskedForBoth() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("a").toStdString();
        Settings settings;
        settings.steps = 200;
        settings.worsen = 20;
        settings.mode = Mode::measured;
        FakeGpu gpu(*m_subject);
        auto store = openScheduleStore(path, *m_subject, settings);
        QVERIFY(store && runScheduleSearch(*m_subject, settings, gpu, *store));
        QVERIFY(!countersBeside(*readScheduleHistory(path)).isMeasured);
        protocol::ToolClient tools({KERNELARIUM_BIN_DIR "/kernelarium-cli", "worker", "tools"});
        protocol::NcuRequest how;
        how.commandLine = "kernelarium-cli";
        how.source = "text";
        how.arguments = {"3"};
        how.tool = ncu(folder, asNvidiaWrites(title()));
        how.gpu = 1;
        const Result<void> counted = protocol::countVariants(tools, how, *store, {});
        QVERIFY2(counted, counted ? "" : counted.error().text().c_str());
        const auto history = readScheduleHistory(path);
        QCOMPARE(history->counters.size(), std::size_t(2));
        const CountersBeside beside = countersBeside(*history);
        QVERIFY(beside.isMeasured && beside.from.find("means of 2 launches") != std::string::npos);
        QCOMPARE(beside.rows.size(), std::size_t(2));
        QCOMPARE(beside.rows[0].original.value(), 3000.0); // of 2,048 and 3,952; another kernel's does not count
        QCOMPARE(beside.rows[1].group, std::string("L2"));
        // Native code of its own for each, and only what was asked for.
        QCOMPARE(bytesIn(folder.filePath("native.1")), bytesOf(m_subject->original));
        QCOMPARE(bytesIn(folder.filePath("native.2")), bytesOf(history->bestCubin()));
        const QByteArray words = bytesIn(folder.filePath("words"));
        QVERIFY(words.contains("--gpu\n1\n")); // the one that was searched on
        QVERIFY(words.contains("--native-code\n") && words.contains("lts__t_sectors.sum"));
        QVERIFY(!words.contains("launch__occupancy_limit_warps"));
        // Nothing is left to ask.
        QVERIFY(protocol::countVariants(tools, how, *store, {}));
        QVERIFY(!QFile::exists(folder.filePath("native.3")));
    }

    void otherKernelsAreNone() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("a").toStdString();
        Settings settings;
        settings.steps = 10;
        settings.mode = Mode::measured;
        FakeGpu gpu(*m_subject);
        auto store = openScheduleStore(path, *m_subject, settings);
        QVERIFY(store && runScheduleSearch(*m_subject, settings, gpu, *store));
        protocol::ToolClient tools({KERNELARIUM_BIN_DIR "/kernelarium-cli", "worker", "tools"});
        protocol::NcuRequest how;
        how.commandLine = "kernelarium-cli";
        how.tool = ncu(folder, "another");
        const Result<void> counted = protocol::countVariants(tools, how, *store, {});
        QVERIFY(!counted && counted.error().code == "nothing_profiled");
        how.tool = protocol::NcuTool{};
        const Result<void> absent = protocol::countVariants(tools, how, *store, {});
        QVERIFY(!absent && absent.error().code == "missing_component");
        QVERIFY(readScheduleHistory(path)->counters.empty());
    }

private:
    [[nodiscard]] std::string title() const { return text::kernelTitle(m_subject->kernel); }
    static std::string asNvidiaWrites(std::string title) {
        for (const auto& [here, there] : {std::pair("<true>", "<(bool)1>"), {"<false>", "<(bool)0>"}})
            if (const auto at = title.find(here); at != std::string::npos)
                title.replace(at, std::string_view(here).size(), there);
        return title;
    }
    static QByteArray bytesIn(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static QByteArray bytesOf(const sass::Cubin& cubin) {
        return {reinterpret_cast<const char*>(cubin.bytes().data()), qsizetype(cubin.bytes().size())};
    }
    /// Logs three launches, two of them of that kernel; keeps the native code of each run and the words.
    static protocol::NcuTool ncu(const QTemporaryDir& folder, const std::string& kernel) {
        const auto row = [](const std::string& of, const char* nanoseconds) {
            return "\"0\",\"1\",\"cli\",\"host\",\"" + of +
                   "\",\"1\",\"7\",\"(128, 1, 1)\",\"(8, 1, 1)\",\"0\",\"9.0\",\"" + nanoseconds + "\",\"50\"\n";
        };
        const std::string log =
            "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block "
            "Size\",\"Grid Size\",\"Device\",\"CC\",\"gpu__time_duration.sum\",\"lts__t_sector_hit_rate.pct\"\n"
            "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"ns\",\"%\"\n" +
            row(kernel + "(const float *, int)", "2,048") + row("other", "9") + row(kernel, "3,952");
        QFile table(folder.filePath("log")), script(folder.filePath("ncu"));
        if (!table.open(QIODevice::WriteOnly) || !script.open(QIODevice::WriteOnly)) return {};
        table.write(log.c_str());
        const std::string here = folder.path().toStdString();
        script.write(("#!/bin/sh\nfor word in \"$@\"; do echo \"$word\" >> '" + here +
                      "/words'; done\nn=1; while [ -e '" + here +
                      "/native.'$n ]; do n=$((n+1)); done\n"
                      "while [ $# -gt 0 ]; do [ \"$1\" = --log-file ] && cp '" +
                      here + "/log' \"$2\"; [ \"$1\" = --native-code ] && cp \"$2\" '" + here +
                      "/native.'$n; shift; done\nexit 0\n")
                         .c_str());
        script.close();
        script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return {script.fileName().toStdString(), {}};
    }
    std::optional<Subject> m_subject;
};

KERNELARIUM_TEST(TestVariantCounters);

#include "TestVariantCounters.moc"
