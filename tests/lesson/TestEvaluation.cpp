// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/CheckBlock.h"
#include "core/lesson/Evaluation.h"
#include "tests/TestRegistry.h"

#include <QtTest>

namespace kernelarium::lesson {
namespace {

Step stepWith(std::string_view statement) {
    Step step;
    applyStatement(step, statement, 1, [](const std::string&) { return std::optional<std::string>("source"); });
    return step;
}

ConditionResult result(std::string_view statement, const StepEvidence& evidence) {
    return evaluate(stepWith(statement), evidence).at(0);
}

void expect(std::string_view statement, const StepEvidence& evidence, ConditionState state) {
    const auto got = result(statement, evidence);
    QVERIFY2(got.state == state, (std::string(statement) + ": " + got.sentence).c_str());
    QVERIFY(!got.text.empty() && !got.sentence.empty());
}

class TestEvaluation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingKnownIsUnknown() {
        for (const char* statement :
             {"verdict = verified", "counter a <= 3", "counter a / b <= 3", "modelled_time < 1 ms on H200 size full",
              "source lacks x", "answer a = 3 within 1% \"How many?\""}) {
            expect(statement, {}, ConditionState::unknown);
            QVERIFY(result(statement, {}).got.empty());
        }
        QVERIFY(!allMet(evaluate(stepWith("verdict = verified"), {})));
    }

    void verdictsAreCompared() {
        StepEvidence evidence;
        evidence.verdict = "compile_error";
        expect("verdict = verified", evidence, ConditionState::unmet);
        expect("verdict = compile_error", evidence, ConditionState::met);
        QVERIFY(result("verdict = verified", evidence).sentence.find("compile error") != std::string::npos);
    }

    void rightAtOneSizeOnlyIsNotEnough() {
        StepEvidence evidence;
        evidence.verdict = "verified";
        evidence.remarks = {"library_calls"};
        expect("verdict = verified", evidence, ConditionState::met);
        evidence.remarks.push_back("shape_specific");
        expect("verdict = verified", evidence, ConditionState::unmet);
        QVERIFY(result("verdict = verified", evidence).sentence.find("left over") != std::string::npos);
        evidence.verdict = "wrong"; // asked for or not, it is wrong
        expect("verdict = wrong", evidence, ConditionState::met);
        QCOMPARE(result("verdict = verified", evidence).got, std::string("wrong"));
        evidence.message = "Write by line 17 and read by line 20.";
        QVERIFY(result("verdict = verified", evidence).sentence.ends_with("required is verified. " + evidence.message));
    }

    void countersAndRatiosAreCompared() {
        StepEvidence evidence;
        evidence.counters = {{"sectors", 320}, {"requests", 10}};
        expect("counter sectors / requests <= 32", evidence, ConditionState::met);
        expect("counter sectors / requests < 32", evidence, ConditionState::unmet);
        expect("counter sectors >= 320", evidence, ConditionState::met);
        expect("counter sectors > 320", evidence, ConditionState::unmet);
        // What was counted and left out is zero; a ratio to nothing says nothing.
        expect("counter atomics = 0", evidence, ConditionState::met);
        expect("counter sectors / atomics <= 1", evidence, ConditionState::unknown);
        const auto got = result("counter sectors / requests <= 4.5 \"sectors per request\"", evidence);
        QCOMPARE(got.text, std::string("sectors per request at most 4.5"));
        QCOMPARE(got.got, std::string("32"));
    }

    void timesNeverMixDevicesSizesOrOrigins() {
        StepEvidence evidence;
        evidence.times = {{true, 2.0, "NVIDIA H200", "full"},
                          {false, 0.5, "NVIDIA H200", "full"},
                          {true, 0.1, "NVIDIA H200", "small"},
                          {true, 0.2, "Tesla T4", "full"}};
        expect("modelled_time <= 1 ms on H200 size full", evidence, ConditionState::unmet);
        expect("measured_time <= 1 ms on h200 size full", evidence, ConditionState::met);
        expect("measured_time <= 1 ms on T4 size full", evidence, ConditionState::unknown);
        expect("modelled_time <= 100 us on h-200 size small", evidence, ConditionState::met);
        evidence.times.push_back({true, 0.9, "NVIDIA H200", "full"}); // the newest counts
        expect("modelled_time <= 1 ms on H200 size full", evidence, ConditionState::met);
    }

    void commentsAreNoCode() {
        StepEvidence evidence;
        evidence.source = "// __shared__ one\n/* __shared__ */ int a; const char* s = \"// not a comment\"; float b;";
        expect("source contains __shared__", evidence, ConditionState::unmet);
        expect("source contains \"float b\"", evidence, ConditionState::met);
        expect("source lacks __shared__", evidence, ConditionState::met);
        evidence.source += "\n__shared__ float t[32];";
        expect("source contains __shared__", evidence, ConditionState::met);
        evidence.source = "/* open to the end __shared__";
        expect("source contains __shared__", evidence, ConditionState::unmet);
    }

    void answersMayBeRounded() {
        StepEvidence evidence;
        const std::string_view statement = "answer a = 341.3 within 1% \"How much?\"";
        for (const double right : {341.3, 344.713, 338.0})
            expect(statement, (evidence.answers = {{"a", right}}, evidence), ConditionState::met);
        for (const double wrong : {345.0, 337.0, -341.3, 0.0})
            expect(statement, (evidence.answers = {{"a", wrong}}, evidence), ConditionState::unmet);
        evidence.answers = {{"a", 400}};
        QVERIFY(result(statement, evidence).sentence.find("too big") != std::string::npos);
        QVERIFY(result(statement, evidence).sentence.find("341") == std::string::npos); // never tells
        evidence.answers = {{"a", 4}};
        expect("answer a = 4 within 0% \"How many?\"", evidence, ConditionState::met);
    }

    void reasonsAreLookedFor() {
        StepEvidence evidence;
        expect("reason = race", evidence, ConditionState::unknown);
        evidence.verdict = "fault";
        evidence.reasons = {"race"};
        evidence.remarks = {"benign_uninitialised_read"};
        evidence.message = "Write by line 17 and read by line 20.";
        expect("reason = race", evidence, ConditionState::met);
        expect("reason lacks race", evidence, ConditionState::unmet);
        expect("reason lacks benign_uninitialised_read", evidence, ConditionState::unmet);
        expect("reason = out_of_bounds", evidence, ConditionState::unmet);
        QVERIFY(result("reason lacks race", evidence).sentence.ends_with(evidence.message));
        QVERIFY(needsOf(stepWith("reason = race")).verdict);
    }

    void figuresAreCompared() {
        StepEvidence evidence;
        expect("figure occupancy >= 50", evidence, ConditionState::unknown);
        evidence.figures = {{"occupancy", 62.5}, {"launches", 2}};
        expect("figure occupancy >= 50", evidence, ConditionState::met);
        expect("figure launches = 1", evidence, ConditionState::unmet);
        expect("figure bank_conflicts <= 1", evidence, ConditionState::unknown); // none is not zero
        QVERIFY(needsOf(stepWith("figure occupancy >= 50")).counters);
    }

    void needsSayWhatToRun() {
        Step step = stepWith("verdict = verified");
        QVERIFY(needsOf(step).verdict && !needsOf(step).counters && needsOf(step).times.empty());
        step.conditions.push_back(stepWith("counter a <= 1").conditions[0]);
        step.conditions.push_back(stepWith("modelled_time < 1 ms on H200 size full").conditions[0]);
        QVERIFY(needsOf(step).counters);
        QCOMPARE(needsOf(step).times.at(0).device, std::string("H200"));
    }
};

} // namespace

KERNELARIUM_TEST(TestEvaluation);

} // namespace kernelarium::lesson

#include "TestEvaluation.moc"
