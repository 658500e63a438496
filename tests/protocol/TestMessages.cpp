// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/protocol/TestMessages.h"

#include "gpu/protocol/CompileMessages.h"
#include "gpu/protocol/Messages.h"
#include "gpu/protocol/TimeMessages.h"
#include "tests/TestRegistry.h"

#include <QtTest>

using namespace kernelarium;
using namespace kernelarium::protocol;

void TestMessages::requestsReadBackAsTheyWere() {
    Request request;
    request.id = 12;
    request.generation = 5;
    request.method = "compile";
    request.tag = "editor";
    request.params = {{"source", "line one\nline \"two\"\t\\"}};
    const std::string line = toLine(request);
    QVERIFY(line.find('\n') == std::string::npos);
    const auto again = parseRequest(line);
    QVERIFY(again.ok());
    QCOMPARE(again->id, request.id);
    QCOMPARE(again->generation, request.generation);
    QCOMPARE(again->method, request.method);
    QCOMPARE(again->tag, request.tag);
    QCOMPARE(again->params, request.params);
}

void TestMessages::eventsReadBackAsTheyWere() {
    Event failed;
    failed.kind = EventKind::failed;
    failed.id = 3;
    failed.generation = 9;
    failed.error = {"unsupported", "No such thing.", "Use another.", "log"};
    const auto again = parseEvent(toLine(failed));
    QVERIFY(again.ok());
    QVERIFY(again->isTerminal());
    QCOMPARE(again->id, 3);
    QCOMPARE(again->generation, 9);
    QCOMPARE(again->error.code, failed.error.code);
    QCOMPARE(again->error.action, failed.error.action);
    QCOMPARE(again->error.detail, failed.error.detail);
    Event progress;
    progress.kind = EventKind::progress;
    progress.stage = "run";
    QVERIFY(!parseEvent(toLine(progress))->isTerminal());
    Event partial;
    partial.kind = EventKind::partial;
    partial.id = 4;
    partial.result = {{"diagnostics", nlohmann::json::array()}, {"ok_so_far", true}};
    const auto early = parseEvent(toLine(partial));
    QVERIFY(early.ok() && !early->isTerminal());
    QVERIFY(early->kind == EventKind::partial);
    QCOMPARE(early->id, partial.id);
    QCOMPARE(early->result, partial.result);
}

void TestMessages::brokenLinesAreNamed() {
    QCOMPARE(parseRequest("{\"id\": 1, ").error().code, std::string("bad_json"));
    QCOMPARE(parseRequest("[1, 2]").error().code, std::string("bad_request"));
    QCOMPARE(parseRequest("{\"id\": \"one\", \"method\": \"x\"}").error().code, std::string("bad_request"));
    QCOMPARE(parseRequest("{\"id\": 1}").error().code, std::string("bad_request"));
    QCOMPARE(parseRequest("{\"id\": 1, \"method\": \"x\", \"params\": 3}").error().code, std::string("bad_request"));
    QCOMPARE(parseEvent("{\"event\": \"party\"}").error().code, std::string("bad_request"));
}

/// Copying such a document took the stack.
void TestMessages::deepLinesAreRefused() {
    const std::string deep = std::string(2000000, '[') + std::string(2000000, ']');
    QCOMPARE(parseRequest(R"({"id": 1, "method": "x", "params": {"a": )" + deep + "}}").error().code,
             std::string("bad_json"));
    QCOMPARE(parseEvent(R"({"event": "finished", "id": 1, "result": )" + deep + "}").error().code,
             std::string("bad_json"));
    const std::string text = nlohmann::json(deep).dump(); // brackets in a text are text
    QVERIFY(parseRequest(R"({"id": 1, "method": "x", "params": {"a": )" + text + "}}").ok());
}

void TestMessages::numbersThatNothingHasAreRefused_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("code");
    QTest::newRow("outputs") << "outputs"
                             << "[1, 18446744073709551615]"
                             << "bad_request";
    QTest::newRow("jobs") << "jobs"
                          << "4294967295"
                          << "bad_request";
    QTest::newRow("time limit") << "time_limit_ms"
                                << "9223372036854775807"
                                << "bad_request";
    QTest::newRow("negative time limit") << "time_limit_ms"
                                         << "-1"
                                         << "bad_request";
    QTest::newRow("requests") << "requests"
                              << "18446744073709551615"
                              << "bad_request";
    QTest::newRow("a card's tensor") << "card"
                                     << "%7"
                                     << "bad_card";
}

void TestMessages::numbersThatNothingHasAreRefused() {
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(QString, code);
    TimeParameters good;
    good.run.unit = std::make_shared<const compile::CompiledUnit>();
    good.run.card = std::make_shared<const task::Card>(*task::loadCard(1, 23));
    nlohmann::json sent = toJson(good);
    QVERIFY(timeParametersFromJson(sent).ok());
    if (key == "card")
        sent["card"]["call"][0][1] = value.toStdString();
    else
        sent[key.toStdString()] = nlohmann::json::parse(value.toStdString());
    const auto refused = timeParametersFromJson(sent);
    QVERIFY(!refused.ok());
    QCOMPARE(QString::fromStdString(refused.error().code), code);
}

void TestMessages::unitsOfLessThanNothingAreRefused() {
    compile::CompiledUnit unit;
    unit.kernels.push_back({});
    nlohmann::json sent = unitToJson(unit, {});
    QVERIFY(unitFromJson(sent).ok());
    for (const int registers : {-1, 2000000000}) {
        sent["kernels"][0]["registers"] = registers;
        QVERIFY(!unitFromJson(sent).ok());
    }
}

void TestMessages::bytesThatAreNoTextSurvive() {
    Event event;
    event.kind = EventKind::failed;
    event.error = {"x", std::string("broken \xff\xfe text"), "", ""};
    QVERIFY(parseEvent(toLine(event)).ok());
}

KERNELARIUM_TEST(TestMessages);
