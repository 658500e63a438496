// SPDX-License-Identifier: GPL-3.0-or-later
// The texts have the form of what Nsight Compute 2025.3 prints for `--csv --page raw --print-units base`.
#include "tests/profile/TestNcuCsv.h"

#include "core/profile/NcuCsv.h"
#include "core/profile/NcuNames.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <set>

using namespace kernelarium::profile;

namespace {

const std::string table =
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid "
    "Size\","
    "\"Device\",\"CC\",\"gpu__time_duration.sum\",\"lts__t_sector_hit_rate.pct\",\"smsp__inst_executed.sum\","
    "\"launch__func_cache_config\"\n"
    "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"ns\",\"%\",\"inst\",\"\"\n"
    "\"0\",\"4711\",\"kernelarium-cli\",\"127.0.0.1\",\"void add<float>(const T1 *, \"\"odd\"\")\",\"1\",\"7\",\"(128, "
    "1, 1)\","
    "\"(4096, 1, 1)\",\"0\",\"9.0\",\"12,345\",\"61.25\",\"1,048,576\",\"CachePreferNone\"\n"
    "\"1\",\"4711\",\"kernelarium-cli\",\"127.0.0.1\",\"reduce\",\"1\",\"7\",\"(256, 1, 1)\",\"(1, 1, "
    "1)\",\"0\",\"9.0\",\"2,000\","
    "\"nan\",\"320\",\"CachePreferNone\"\n";

} // namespace

void TestNcuCsv::launchesWithUnits() {
    const auto launches = parseNcuCsv(table);
    QVERIFY2(launches.ok(), launches.ok() ? "" : launches.error().text().c_str());
    QCOMPARE(launches->size(), std::size_t(2));
    const NcuLaunch& first = launches->front();
    QCOMPARE(first.kernel, std::string("void add<float>(const T1 *, \"odd\")"));
    QCOMPARE(first.grid, std::string("(4096, 1, 1)"));
    QCOMPARE(first.block, std::string("(128, 1, 1)"));
    QCOMPARE(first.metrics.size(), std::size_t(3)); // a word is not a figure
    QCOMPARE(first.find("gpu__time_duration.sum")->value.value(), 12345.0);
    QCOMPARE(first.find("gpu__time_duration.sum")->unit, std::string("ns"));
    QCOMPARE(first.find("smsp__inst_executed.sum")->value.value(), 1048576.0);
    QVERIFY(!launches->at(1).find("lts__t_sector_hit_rate.pct")); // nan
}

void TestNcuCsv::whatIsPrintedAroundIsPassedOver() {
    std::string crlf =
        "==WARNING== Note: Running with unmodified GPU clocks. If not controlled otherwise, profiling results may be "
        "inconsistent.\n==PROF== Connected to process 4711 (/usr/bin/kernelarium-cli)\n==WARNING== Unable to access "
        "the "
        "following 2 metrics: ctc__rx.sum, ctc__tx.sum.\n\n{\"end\": \"finished\", \"outputs\": [1,2,3]}\n"
        "==PROF== Disconnected from process 4711\n" +
        table + "a, b\n";
    for (std::size_t at = 0; (at = crlf.find('\n', at)) != std::string::npos; at += 2)
        crlf.insert(at, "\r");
    const auto launches = parseNcuCsv(crlf);
    QVERIFY(launches.ok());
    QCOMPARE(launches->size(), std::size_t(2));
    QCOMPARE(launches->at(1).find("gpu__time_duration.sum")->value.value(), 2000.0);
}

void TestNcuCsv::refusalsAreNamed_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("code");
    QTest::newRow("permission")
        << QStringLiteral("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU "
                          "Performance Counters on the target device 0.")
        << QStringLiteral("no_permission");
    QTest::newRow("no kernel") << QStringLiteral("==WARNING== No kernels were profiled.")
                               << QStringLiteral("nothing_profiled");
    QTest::newRow("no device") << QStringLiteral("==ERROR== Cuda driver is not compatible with Nsight Compute.")
                               << QStringLiteral("no_device");
    QTest::newRow("nothing") << QString() << QStringLiteral("bad_profile");
    QTest::newRow("header alone") << QString::fromStdString(table.substr(0, table.find('\n') + 1))
                                  << QStringLiteral("bad_profile");
    QTest::newRow("open quote") << QStringLiteral("\"ID\",\"Kernel Name") << QStringLiteral("bad_profile");
}

void TestNcuCsv::refusalsAreNamed() {
    QFETCH(const QString, text);
    QFETCH(const QString, code);
    const auto launches = parseNcuCsv(text.toStdString());
    QVERIFY(!launches.ok());
    QCOMPARE(QString::fromStdString(launches.error().code), code);
    QVERIFY(!launches.error().message.empty());
    if (code == QLatin1String("no_permission"))
        QVERIFY(launches.error().action.find("NVreg_RestrictProfilingToAdminUsers=0") != std::string::npos);
}

void TestNcuCsv::bothNamesAreKnown() {
    QCOMPARE(std::string(findNcuName("L2 Hit Rate")->metric), std::string("lts__t_sector_hit_rate.pct"));
    QCOMPARE(findNcuName("lts__t_sector_hit_rate.pct"), findNcuName("L2 Hit Rate"));
    QVERIFY(!findNcuName("No such"));
    std::set<std::string_view> once;
    for (const NcuName& name : ncuNames()) {
        QVERIFY2(once.insert(name.label).second && once.insert(name.metric).second, std::string(name.label).c_str());
        QVERIFY(!name.meaning.empty());
    }
}

KERNELARIUM_TEST(TestNcuCsv);
