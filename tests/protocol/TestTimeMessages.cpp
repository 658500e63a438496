// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/protocol/TestTimeMessages.h"

#include "gpu/protocol/schedules/RaceMessages.h"
#include "tests/TestRegistry.h"

#include <QtTest>

using namespace kernelarium;
using namespace kernelarium::protocol;

namespace {

TimeSummary exampleTiming() {
    TimeSummary s;
    s.device = "NVIDIA H200";
    s.driver = "580.1";
    s.mode = "server";
    s.size = "full";
    s.dateMs = 1'700'000'000'000;
    for (int i = 1; i <= 11; ++i)
        s.samples.push_back({i * 1e-3, i == 11 ? 1000.0 : 1980.0}); // the last one was throttled
    s.highestClockMHz = 1980;
    s.summary = perf::summarise(s.samples, s.highestClockMHz);
    s.serviceSeconds = {1e-3, 2e-3};
    s.steps.push_back({"add", true, {4, 1, 1}, {256, 1, 1}, 1e-3});
    s.peakBytes = 12345;
    s.joulesPerCall = 0.25;
    s.comparedElements = 7;
    s.remarks = {"a remark"};
    s.baselines.push_back({"cuBLAS", "13.1.0", "cold", "", {{1e-3, 1980}, {2e-3, 1980}, {3e-3, 1980}}, 1980, {}});
    s.baselines.back().summary = perf::summarise(s.baselines.back().samples, 1980);
    s.baselines.push_back({"PyTorch compile", "", "cold", "no Python", {}, 0, {}});
    s.against = PairedSummary{"other", {}, {{1e-3, 2e-3, true}, {1e-3, 2e-3, false}}};
    s.against->times = perf::comparePairs(s.against->pairs, eventResolution);
    return s;
}

TimeParameters exampleParameters() {
    compile::CompiledUnit unit;
    unit.arch = "sm_90";
    unit.ptx = "text";
    TimeParameters p;
    p.run.unit = std::make_shared<const compile::CompiledUnit>(std::move(unit));
    p.run.backend = "cuda";
    p.run.arguments = {"float32[4]"};
    return p;
}

} // namespace

void TestTimeMessages::summaryComesBack() {
    const TimeSummary sent = exampleTiming();
    const auto back = timeSummaryFromJson(nlohmann::json::parse(toJson(sent).dump()));
    QVERIFY2(back.ok(), back ? "" : back.error().message.c_str());
    QCOMPARE(toJson(*back).dump(), toJson(sent).dump());
    QCOMPARE(back->summary.count, std::size_t(10));
    QCOMPARE(back->summary.dropped, std::size_t(1));
    QCOMPARE(back->summary.median, sent.summary.median);
    QCOMPARE(back->against->times.firstWins, std::size_t(2));
    QCOMPARE(back->joulesPerCall.value_or(0), 0.25);
    QCOMPARE(back->baselines.size(), std::size_t(2));
    QCOMPARE(back->baselines[0].summary.median, 2e-3);
    QCOMPARE(back->baselines[1].remark, std::string("no Python"));
    QVERIFY(toJson(*back)["baselines"][1]["median"].is_null());
}

void TestTimeMessages::oddSummariesAreRefused() {
    nlohmann::json j = toJson(exampleTiming());
    j["clocks_mhz"].erase(0);
    QCOMPARE(timeSummaryFromJson(j).error().code, std::string("protocol"));
    j = toJson(exampleTiming());
    j["baselines"][0]["clocks_mhz"].erase(0);
    QCOMPARE(timeSummaryFromJson(j).error().code, std::string("protocol"));
    QCOMPARE(timeSummaryFromJson(nlohmann::json::object()).error().code, std::string("protocol"));
}

void TestTimeMessages::oddParametersAreRefused_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::newRow("mode") << "mode"
                          << "\"lukewarm\"";
    QTest::newRow("rate") << "rate"
                          << "0";
    QTest::newRow("unit") << "unit"
                          << "3";
    QTest::newRow("baselines") << "baselines"
                               << "\"some\"";
    QTest::newRow("against") << "against"
                             << "3";
}

void TestTimeMessages::oddParametersAreRefused() {
    QFETCH(QString, key);
    QFETCH(QString, value);
    nlohmann::json j = toJson(exampleParameters());
    QVERIFY(timeParametersFromJson(j).ok());
    j[key.toStdString()] = nlohmann::json::parse(value.toStdString());
    QVERIFY(!timeParametersFromJson(j).ok());
}

void TestTimeMessages::racesComeBack() {
    RaceSummary sent;
    sent.end = "timeout";
    sent.reason = "it hangs";
    sent.endedInOriginal = true;
    sent.difference = "output 0";
    sent.pairs = {{1e-3, 2e-3, true}, {1e-3, 2e-3, false}};
    const auto back = raceSummaryFromJson(toJson(sent));
    QVERIFY(back.ok());
    QCOMPARE(toJson(*back).dump(), toJson(sent).dump());
    nlohmann::json odd = toJson(sent);
    odd["pairs"][0][0] = -1;
    QCOMPARE(raceSummaryFromJson(odd).error().code, std::string("protocol"));
    RaceParameters asked{exampleParameters(), schedule::Race{1.02, 0.9}, 30, false, false, {}};
    QVERIFY(!raceParametersFromJson(toJson(asked)).ok()); // against nothing
    asked.time.against = asked.time.run.unit;
    const auto heard = raceParametersFromJson(toJson(asked));
    QVERIFY(heard.ok() && heard->race);
    QCOMPARE(heard->race->best, 0.9);
    QCOMPARE(heard->pairs, std::size_t(30));
    QVERIFY(!heard->bits);
    for (const auto& [key, value] : {std::pair("pairs", "0"), std::pair("race", "{}"), std::pair("bits", "3")}) {
        nlohmann::json j = toJson(asked);
        j[key] = nlohmann::json::parse(value);
        QVERIFY2(!raceParametersFromJson(j).ok(), key);
    }
    asked.apart = true;
    asked.bench = "inputs 3";
    const auto named = raceParametersFromJson(toJson(asked));
    QVERIFY(named.ok() && named->apart);
    QCOMPARE(named->bench, asked.bench);
}

void TestTimeMessages::furtherRacesComeBack() {
    const NextRace sent{"inputs 3", {std::byte(1), std::byte(2)}, "hot", schedule::Race{1.02, 0.9},
                        30,         std::chrono::milliseconds(77)};
    const auto heard = nextRaceFromJson(toJson(sent));
    QVERIFY2(heard.ok(), heard ? "" : heard.error().text().c_str());
    QCOMPARE(toJson(*heard).dump(), toJson(sent).dump());
    QCOMPARE(heard->cubin, sent.cubin);
    for (const auto& [key, value] :
         {std::pair("pairs", "0"), std::pair("race", "{}"), std::pair("cubin", "\"\""), std::pair("cubin", "\"%\""),
          std::pair("mode", "\"server\""), std::pair("time_limit_ms", "0"), std::pair("bench", "3")}) {
        nlohmann::json j = toJson(sent);
        j[key] = nlohmann::json::parse(value);
        QCOMPARE(nextRaceFromJson(j) ? std::string(key) : nextRaceFromJson(j).error().code, std::string("bad_request"));
    }
}

KERNELARIUM_TEST(TestTimeMessages);
