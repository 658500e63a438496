// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/protocol/TestKernelClient.h"

#include "core/task/CardJson.h"
#include "core/verify/VerdictJson.h"
#include "gpu/protocol/KernelClient.h"
#include "gpu/protocol/Trial.h"
#include "gpu/protocol/TrialJudge.h"
#include "tests/TestRegistry.h"
#include "tests/protocol/StatedAnswers.h"

#include <QtTest>

using namespace kernelarium;
using namespace kernelarium::protocol;

namespace {

const std::vector<std::string> statedChild{KERNELARIUM_BIN_DIR "/worker_child"};

CompileParameters sourceOf(const char* text) {
    CompileParameters parameters;
    parameters.source = text;
    return parameters;
}

RunParameters askedFor(bool compiles) {
    RunParameters parameters;
    parameters.unit = std::make_shared<const compile::CompiledUnit>(statedUnit(compiles));
    parameters.seed = 7;
    return parameters;
}

} // namespace

void TestKernelClient::diagnosticsMayComeEarly() {
    KernelClient client(statedChild);
    int heard = 0;
    const auto early = [&heard](const EarlyDiagnostics& first) {
        ++heard;
        QVERIFY(first.okSoFar);
        QCOMPARE(first.diagnostics.size(), std::size_t(1));
        QCOMPARE(first.diagnostics.front().line, 3);
    };
    const auto unit = client.compile(sourceOf("good"), {}, early);
    QVERIFY2(unit.ok(), unit ? "" : unit.error().text().c_str());
    QVERIFY((*unit)->ok);
    QCOMPARE(heard, 1);
    QVERIFY(client.compile(sourceOf("good")).ok()); // nobody listens: it is not asked for
    QCOMPARE(heard, 1);
    const auto sass = client.disassemble(sourceOf("bad"));
    QVERIFY(!sass.ok());
    QCOMPARE(sass.error().code, std::string("compile_error"));
}

/// A child whose partial answers are of other types than agreed.
void TestKernelClient::earlyLiesAreLeftOut() {
    KernelClient client(statedChild);
    int heard = 0;
    const auto unit = client.compile(sourceOf("lies"), {}, [&heard](const EarlyDiagnostics& early) {
        heard += 1;
        QVERIFY(early.diagnostics.empty());
    });
    QVERIFY(unit.ok());
    QCOMPARE(heard, 1);
}

void TestKernelClient::verdictsCarryTheirDocument() {
    KernelClient client(statedChild);
    const auto answer = client.verify(askedFor(true));
    QVERIFY2(answer.ok(), answer ? "" : answer.error().text().c_str());
    QCOMPARE(verify::toJson(answer->verdict), verify::toJson(statedVerdict()));
    QCOMPARE(nlohmann::json::parse(answer->json), verify::toJson(statedVerdict()));
    QVERIFY(answer->json.find('\n') == std::string::npos);
}

/// Not the time that the child takes to start, which the caller could measure.
void TestKernelClient::compileSecondsAreTheCompilersOwn() {
    KernelClient absent({"/nowhere/no such program"}); // nobody is asked about what does not compile
    const auto refused = absent.verify(askedFor(false));
    QVERIFY2(refused.ok(), refused ? "" : refused.error().text().c_str());
    const verify::Verdict& verdict = refused->verdict;
    QVERIFY(verdict.kind == verify::VerdictKind::compile_error);
    QCOMPARE(verdict.stage, std::string("nvrtc"));
    QVERIFY(verdict.message.find("kernel.cu:3:5: error: this is no kernel") != std::string::npos);
    QCOMPARE(verdict.seconds.at("compile"), 0.125);
    QVERIFY(verdict.fastMath);
    QCOMPARE(verdict.seed, std::uint64_t(7));
    QCOMPARE(nlohmann::json::parse(refused->json), verify::toJson(verdict));

    const verify::Verdict late = timeoutVerdict({"timeout", "It hung."}, askedFor(true));
    QVERIFY(late.kind == verify::VerdictKind::timeout);
    QCOMPARE(late.message, std::string("It hung."));
    QCOMPARE(late.seconds.at("compile"), 0.125);
    QVERIFY(late.fastMath);
}

void TestKernelClient::auditsKeepTheCompilersOwnSeconds() {
    TrialJudge::Commands commands;
    commands.compile = commands.run = statedChild;
    TrialJudge judge(commands);
    audit::Candidate kernel;
    kernel.key.level = 1;
    kernel.key.task = 1;
    for (const char* source : {"bad", "good"}) {
        const auto verdict = judge.judge(kernel, source, {}, {});
        QVERIFY2(verdict.ok(), verdict ? "" : verdict.error().text().c_str());
        QCOMPARE(verdict->seconds.at("compile"), 0.125);
    }
    kernel.key.level = 99; // a task without a card
    const auto verdict = judge.judge(kernel, "good", {}, {});
    QVERIFY(verdict.ok());
    QCOMPARE(verdict->reasons, std::vector<std::string>{"no_reference"});
    QCOMPARE(verdict->seconds.at("compile"), 0.125);
    QVERIFY(verdict->fastMath);
}

void TestKernelClient::cardsTravelWhole() {
    for (const task::TaskKey& key : task::builtInCards()) {
        RunParameters sent = askedFor(true);
        sent.card = std::make_shared<const task::Card>(*task::loadCard(key.level, key.task));
        const auto back = runParametersFromJson(nlohmann::json::parse(toJson(sent).dump()));
        QVERIFY2(back.ok(), back ? "" : back.error().text().c_str());
        QVERIFY(back->card);
        QCOMPARE(task::toJson(*back->card), nlohmann::json::parse(task::writeCard(*sent.card)));
    }
    QVERIFY(!runParametersFromJson(toJson(askedFor(true)))->card);
}

void TestKernelClient::cardsThatAreNoneAreRefused() {
    nlohmann::json sent = toJson(askedFor(true));
    sent["card"] = {{"format", 2}};
    const auto refused = runParametersFromJson(sent);
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().code, std::string("bad_card"));
}

void TestKernelClient::childrenOfTheOtherKindRefuse() {
    KernelClient client(statedChild);
    const auto measured = client.measure();
    QVERIFY(!measured.ok());
    QCOMPARE(measured.error().code, std::string("bad_request"));
}

KERNELARIUM_TEST(TestKernelClient);
