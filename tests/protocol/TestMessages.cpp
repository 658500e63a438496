// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/protocol/TestMessages.h"

#include "gpu/protocol/Messages.h"
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

void TestMessages::bytesThatAreNoTextSurvive() {
    Event event;
    event.kind = EventKind::failed;
    event.error = {"x", std::string("broken \xff\xfe text"), "", ""};
    QVERIFY(parseEvent(toLine(event)).ok());
}

KERNELARIUM_TEST(TestMessages);
