// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/NcuSource.h"
#include "tests/TestRegistry.h"
#include "tests/stalls/SourceTable.h"

#include <QtTest>

using namespace kernelarium::profile;

class TestNcuSource : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void linesOfEachLaunch() {
        const auto parts = parseNcuSource(sourceTable);
        QVERIFY2(parts.ok(), parts.ok() ? "" : parts.error().text().c_str());
        QCOMPARE(parts->size(), std::size_t(4));
        const SourceStalls& first = parts->front();
        QCOMPARE(first.file, std::string("/tmp/k/kernel.cu"));
        QCOMPARE(first.function, std::string("stencil(const float *, float *, int)"));
        QCOMPARE(first.lines.size(), std::size_t(2)); // one without a sample, and instructions, are left out
        QCOMPARE(first.lines[0].line, 5);
        QCOMPARE(first.lines[0].samples, 1117.0);
        QCOMPARE(first.lines[0].notIssued, 83.0);
        QCOMPARE(first.lines[0].reasons.size(), std::size_t(3));
        QCOMPARE(first.lines[0].reasons[0].reason, std::string("long_sb"));
        QCOMPARE(first.lines[0].reasons[0].samples, 1000.0);
        QCOMPARE(parts->back().lines.front().reasons.front().reason, std::string("drain"));
    }

    void launchesTogether() {
        const auto lines = mergedStalls(*parseNcuSource(sourceTable), "kernel.cu");
        QCOMPARE(lines.size(), std::size_t(3));
        QCOMPARE(lines[0].samples, 1117.0); // the header's line of the same number is not among them
        QCOMPARE(lines[1].line, 6);
        QCOMPARE(lines[1].samples, 50.0);
        QCOMPARE(lines[1].reasons.front().reason, std::string("barrier"));
        QCOMPARE(lines[1].reasons.front().samples, 42.0);
        QCOMPARE(lines[2].line, 10);
        QVERIFY(mergedStalls(*parseNcuSource(sourceTable), "other.cu").empty());
    }

    void linesMayEndOtherwise() {
        std::string text = sourceTable;
        for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2)
            text.insert(at, "\r");
        const auto parts = parseNcuSource(text);
        QVERIFY(parts.ok());
        QCOMPARE(parts->front().lines.front().reasons.front().samples, 1000.0);
    }

    void everyReasonIsExplained() {
        for (const SourceStalls& part : *parseNcuSource(sourceTable))
            for (const LineStalls& line : part.lines)
                for (const StallSamples& reason : line.reasons)
                    QVERIFY2(!aboutStall(reason.reason).empty(), reason.reason.c_str());
        QVERIFY(aboutStall("a reason of the future").empty());
    }

    void hostileTables_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("code");
        const auto row = [](const char* name, const char* text, const char* code) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(code);
        };
        row("nothing", "", "bad_profile");
        row("no columns", "\"Line No\",\"Source\"\n\"1\",\"x\"\n", "bad_profile");
        row("permission", "==ERROR== ERR_NVGPUCTRPERM - no\n", "no_permission");
        row("nothing ran", "==WARNING== No kernels were profiled.\n", "nothing_profiled");
        row("open quote", "\"Line No\",\"Warp Stall", "bad_profile");
        row("rows before a head", "\"5\",\"x\",\"-\",\"-\",\"10\"\n", "bad_profile");
    }
    void hostileTables() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, code);
        const auto parts = parseNcuSource(text.toStdString());
        QVERIFY(!parts.ok());
        QCOMPARE(QByteArray::fromStdString(parts.error().code), code);
    }

    /// Numbers out of range, negative ones, short rows and unknown columns spoil nothing.
    void strangeRowsAreLeftOut() {
        const auto parts = parseNcuSource("\"Line No\",\"Source\",\"Warp Stall Sampling (All Samples)\",\"stall_odd\"\n"
                                          "\"99999999999999\",\"x\",\"5\",\"5\"\n"
                                          "\"-4\",\"x\",\"5\",\"5\"\n"
                                          "\"7\",\"x\",\"-5\",\"5\"\n"
                                          "\"7\",\"x\",\"nan\",\"5\"\n"
                                          "\"7\"\n"
                                          "\"8\",\"x\",\"5\"\n"
                                          "\"9\",\"x\",\"6\",\"1e999\"\n");
        QVERIFY(parts.ok());
        QCOMPARE(parts->front().lines.size(), std::size_t(2));
        QCOMPARE(parts->front().lines[0].line, 8);
        QVERIFY(parts->front().lines[0].reasons.empty() && parts->front().lines[1].reasons.empty());
    }
};

KERNELARIUM_TEST(TestNcuSource);

#include "TestNcuSource.moc"
