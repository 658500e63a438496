// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/verify/TestVerdictJson.h"

#include "core/verify/VerdictJson.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

using namespace kernelarium::verify;
using nlohmann::json;

namespace {
Verdict sample() {
    Verdict v;
    v.kind = VerdictKind::wrong;
    v.message = "2 of 6 elements are beyond the tolerance.";
    v.reasons = {"values"};
    v.remarks = {"weak_task"};
    v.maxAbsoluteError = 0.5;
    v.maxRelativeError = 0.25;
    v.rmsError = 0.1;
    v.mismatchShare = 0.5;
    v.firstMismatch = Mismatch{0, {1, 2}, 3.0, 3.5};
    v.lastWriter = WriterInfo{WriterInfo::Kind::kernel, "matmul", {4, 5, 0}, {6, 7, 0}, 58, ""};
    Fault fault;
    fault.kind = "out_of_bounds";
    fault.block = {1, 2, 3};
    fault.line = 40;
    fault.leavesAllocation = true;
    Fault race;
    race.kind = "race";
    race.line = 12;
    race.sameValue = true;
    race.effect = RaceEffect::lost_update;
    race.other = FaultParty{{0, 1, 0}, {5, 0, 0}, 9};
    v.faults = {fault, race};
    v.checks = {{"finishes", CheckState::passed, "ok", 0.1},
                {"values", CheckState::failed, "no", 0.2},
                {"library_calls", CheckState::remarked, "aten", 0.0},
                {"second_seed", CheckState::skipped, "Already decided.", 0.0}};
    Launch launch;
    launch.kernel = "matmul";
    launch.grid = {8, 8, 1};
    v.launches = {launch};
    v.backend = "emulator";
    v.size = "small";
    v.seed = 7;
    v.seconds = {{"run", 1.5}};
    return v;
}
} // namespace

void TestVerdictJson::everyPromisedFieldIsThere() {
    const json j = toJson(sample());
    const std::vector<std::pair<const char*, json::value_t>> promised = {{"verdict", json::value_t::string},
                                                                         {"reasons", json::value_t::array},
                                                                         {"remarks", json::value_t::array},
                                                                         {"max_abs_error", json::value_t::number_float},
                                                                         {"max_rel_error", json::value_t::number_float},
                                                                         {"first_mismatch", json::value_t::object},
                                                                         {"faults", json::value_t::array},
                                                                         {"checks", json::value_t::array},
                                                                         {"backend", json::value_t::string},
                                                                         {"size", json::value_t::string},
                                                                         {"seconds", json::value_t::object},
                                                                         {"launches", json::value_t::array}};
    for (const auto& [key, type] : promised) {
        QVERIFY2(j.contains(key), key);
        QVERIFY2(j.at(key).type() == type, key);
    }
    QCOMPARE(j["verdict"].get<std::string>(), std::string("wrong"));
    QCOMPARE(j["checks"][0]["passed"], json(true));
    QCOMPARE(j["checks"][1]["passed"], json(false));
    QCOMPARE(j["checks"][2]["passed"], json(true));
    QVERIFY(j["checks"][3]["passed"].is_null());
    for (const json& check : j["checks"])
        QVERIFY(check["name"].is_string() && check["detail"].is_string());
    QCOMPARE(j["first_mismatch"]["index"], json({1, 2}));
    QCOMPARE(j["last_writer"]["kind"], json("kernel"));
    QCOMPARE(j["last_writer"]["thread"], json({6, 7, 0}));
    QCOMPARE(j["last_writer"]["line"], json(58));
    QVERIFY(!j["faults"][0].contains("other"));
    QCOMPARE(j["faults"][1]["same_value"], json(true));
    QCOMPARE(j["faults"][1]["effect"], json("lost_update"));
    QCOMPARE(j["faults"][1]["other"]["thread"], json({5, 0, 0}));
    QCOMPARE(j["faults"][1]["other"]["line"], json(9));
}

void TestVerdictJson::itReadsBackAsItWas() {
    const json j = toJson(sample());
    const auto again = verdictFromJson(json::parse(j.dump()));
    QVERIFY(again.ok());
    QCOMPARE(toJson(*again), j);
    Verdict empty;
    QCOMPARE(toJson(*verdictFromJson(toJson(empty))), toJson(empty));
}

void TestVerdictJson::numbersThatJsonLacksSurvive() {
    Verdict v = sample();
    v.firstMismatch->got = std::numeric_limits<double>::quiet_NaN();
    v.firstMismatch->expected = -std::numeric_limits<double>::infinity();
    const json j = json::parse(toJson(v).dump());
    QCOMPARE(j["first_mismatch"]["got"], json("nan"));
    const auto again = verdictFromJson(j);
    QVERIFY(std::isnan(again->firstMismatch->got));
    QCOMPARE(again->firstMismatch->expected, -std::numeric_limits<double>::infinity());
}

void TestVerdictJson::brokenJsonIsAnError() {
    json j = toJson(sample());
    j["last_writer"]["kind"] = "somebody";
    QVERIFY(!verdictFromJson(j).ok());
    j["last_writer"] = nullptr;
    QVERIFY(verdictFromJson(j).ok() && !verdictFromJson(j)->lastWriter);
    j["verdict"] = "splendid";
    QVERIFY(!verdictFromJson(j).ok());
    j.erase("verdict");
    QVERIFY(!verdictFromJson(j).ok());
    QVERIFY(!verdictFromJson(json::array()).ok());
}

KERNELARIUM_TEST(TestVerdictJson);
