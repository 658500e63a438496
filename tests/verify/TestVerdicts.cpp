// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/verify/TestVerdicts.h"

#include "core/perf/DeviceSpec.h"
#include "tests/TestRegistry.h"
#include "tests/verify/RowKernel.h"

#include <QFile>
#include <QtTest>

using namespace kernelarium;
using namespace kernelarium::verify;
using namespace kernelarium::verify::row;

void TestVerdicts::honestKernelIsVerified() {
    const Verdict v = judge(honest);
    QCOMPARE(v.kind, VerdictKind::verified);
    QVERIFY(v.reasons.empty());
    QVERIFY2(v.remarks.empty(), v.remarks.empty() ? "" : v.remarks[0].c_str());
    QCOMPARE(v.checks.size(), standardChecks().size());
    for (const CheckReport& check : v.checks)
        QVERIFY2(check.state == CheckState::passed || check.name == "other_shape" || check.name == "physical_floor",
                 (check.name + ": " + check.detail).c_str());
    QCOMPARE(v.launches.size(), std::size_t(1));
    QVERIFY(*v.maxAbsoluteError < 1e-6);
}

void TestVerdicts::checksTellOfThemselves() {
    const std::vector<std::unique_ptr<Check>> checks = standardChecks();
    QCOMPARE(checks.front()->name(), "finishes");
    QFile page(QStringLiteral(KERNELARIUM_SOURCE_DIR "/core/verify/VERIFIER.md"));
    QVERIFY(page.open(QIODevice::ReadOnly));
    const std::string said = page.readAll().toStdString();
    for (const std::unique_ptr<Check>& check : checks) {
        const std::string name = "`" + std::string(check->name()) + "`";
        QVERIFY2(said.find(name) != std::string::npos, (name + " is not in VERIFIER.md").c_str());
        QVERIFY(!check->explanation().empty());
        QCOMPARE(explanationOf(check->name()), check->explanation());
        QVERIFY(check->runsKernel() || !check->alwaysRuns());
    }
    QCOMPARE(explanationOf("no such check"), std::string_view());
    // A name means the same wherever it stands, if words are given for it.
    const std::vector<Reason> all = everyReason();
    for (const Reason& one : all)
        for (const Reason& other : all)
            QVERIFY2(one.name != other.name || one.meaning.empty() || other.meaning.empty() ||
                         one.meaning == other.meaning,
                     std::string(one.name).c_str());
}

void TestVerdicts::endsOfARunBecomeVerdicts_data() {
    QTest::addColumn<int>("end");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("reason");
    QTest::newRow("launch") << int(RunEnd::launch_refused) << int(VerdictKind::launch_error) << "launch";
    QTest::newRow("import") << int(RunEnd::import_error) << int(VerdictKind::compile_error) << "import";
    QTest::newRow("unsupported") << int(RunEnd::unsupported) << int(VerdictKind::unsupported) << "unsupported";
    QTest::newRow("out of memory") << int(RunEnd::out_of_memory) << int(VerdictKind::unsupported) << "unsupported";
    QTest::newRow("timeout") << int(RunEnd::timeout) << int(VerdictKind::timeout) << "timeout";
    QTest::newRow("exception") << int(RunEnd::host_exception) << int(VerdictKind::wrong) << "host_exception";
    QTest::newRow("crash") << int(RunEnd::crashed) << int(VerdictKind::fault) << "crashed";
}

void TestVerdicts::endsOfARunBecomeVerdicts() {
    QFETCH(int, end);
    QFETCH(int, kind);
    QFETCH(QString, reason);
    const Verdict v = judge([&](const RunRequest&, std::vector<Tensor>&, RunResult& result) {
        result.end = RunEnd(end);
        result.reason = "because of that";
    });
    QCOMPARE(int(v.kind), kind);
    QCOMPARE(v.reasons, std::vector<std::string>{reason.toStdString()});
    QVERIFY(v.message.find("because of that") != std::string::npos);
    QVERIFY(!v.maxAbsoluteError);
    QCOMPARE(stateOf(v, "values"), CheckState::skipped);
}

void TestVerdicts::unwrittenOutputIsWrong() {
    const Verdict v = judge(honestBut([](auto&, auto&, RunResult& result) { result.firstUnwritten = {17}; }));
    QCOMPARE(v.kind, VerdictKind::wrong);
    QCOMPARE(v.reasons, std::vector<std::string>{"unwritten_output"});
    QVERIFY(v.message.find("17") != std::string::npos);
}

void TestVerdicts::recycledMemoryIsWrong() {
    const Verdict v = judge([](const RunRequest& request, std::vector<Tensor>&, RunResult& result) {
        result.output = FakeRunner::poisoned({width}, request.poison);
    });
    QCOMPARE(v.kind, VerdictKind::wrong);
    QVERIFY(has(v.reasons, "nan"));
}

void TestVerdicts::wrongValuesEndEarly() {
    FakeRunner runner(honestBut([](auto&, auto&, RunResult& result) { outputOf(result)[5] += 3; }));
    RowReference reference;
    const Verdict v = verify::verify(runner, &reference, rowPlan(), VerifyOptions{}).value();
    QCOMPARE(v.kind, VerdictKind::wrong);
    QCOMPARE(v.reasons, std::vector<std::string>{"values"});
    QCOMPARE(v.firstMismatch->index, tensor::Shape{5});
    QVERIFY(std::abs(v.firstMismatch->got - v.firstMismatch->expected - 3) < 1e-5);
    QCOMPARE(*v.mismatchShare, 1.0 / width);
    QVERIFY(v.errorMap && v.errorMap->columns == width);
    QVERIFY(v.errorMap->at(0, 5) > 1 && v.errorMap->at(0, 4) < 1);
    QCOMPARE(runner.runs, 1);
    QCOMPARE(stateOf(v, "second_seed"), CheckState::skipped);
}

void TestVerdicts::looseResultIsVerifiedWithARemark() {
    const Verdict v = judge(honestBut([](auto&, auto&, RunResult& result) { outputOf(result)[5] += 3e-3f; }));
    QCOMPARE(v.kind, VerdictKind::verified);
    QVERIFY(has(v.remarks, "legacy_tolerance_only"));
    QCOMPARE(v.firstMismatch->index, tensor::Shape{5});
}

void TestVerdicts::aHalfPrecisionTaskIsRounded() {
    struct HalfReference : RowReference {
        std::vector<tensor::DType> outputTypes() const override { return {DType::Float16}; }
    } reference;
    const auto judgeRounded = [&](float (*rounded)(float)) {
        FakeRunner runner(honestBut([rounded](auto&, auto&, RunResult& result) {
            for (std::int64_t i = 0; i < width; ++i)
                outputOf(result)[i] = rounded(outputOf(result)[i]);
        }));
        return verify::verify(runner, &reference, rowPlan(), VerifyOptions{}).value();
    };
    const Verdict half = judgeRounded([](float x) { return tensor::halfToFloat(tensor::floatToHalf(x)); });
    QCOMPARE(half.kind, VerdictKind::verified);
    QVERIFY(!has(half.remarks, "lower_precision"));
    const Verdict rougher = judgeRounded([](float x) { return tensor::bfloatToFloat(tensor::floatToBfloat(x)); });
    QVERIFY(has(rougher.remarks, "lower_precision"));
}

void TestVerdicts::whatFloat32DoesNotFeelNobodyHasToFeel() {
    // The bias, which the kernel leaves out, is lost in a plain float32 evaluation as well.
    struct DeafReference : RowReference {
        Result<std::optional<tensor::Value>> evaluateFloat32(const CallInputs& inputs, std::stop_token) override {
            const auto& x = *inputs.arguments[0].as<Tensor>();
            const auto& w = *inputs.arguments[1].as<Tensor>();
            Tensor y(DType::Float32, x.shape());
            for (std::int64_t i = 0; i < x.count(); ++i)
                y.set(i, x.at(i) * w.at(i));
            return std::optional(tensor::Value(y));
        }
    } reference;
    FakeRunner runner([](const RunRequest& request, std::vector<Tensor>& in, RunResult& result) {
        honest(request, in, result);
        for (std::int64_t i = 0; i < width && !request.skipLaunches; ++i)
            outputOf(result)[i] = in[0].data<float>()[i] * in[1].data<float>()[i];
    });
    const Verdict v = verify::verify(runner, &reference, rowPlan(1e-3), VerifyOptions{}).value();
    QCOMPARE(v.kind, VerdictKind::verified);
}

void TestVerdicts::halfPrecisionIsARemark() {
    const Verdict v = judge(honestBut([](auto&, auto&, RunResult& result) {
        for (std::int64_t i = 0; i < width; ++i)
            outputOf(result)[i] = tensor::bfloatToFloat(tensor::floatToBfloat(outputOf(result)[i]));
    }));
    QCOMPARE(v.kind, VerdictKind::verified);
    QVERIFY(has(v.remarks, "lower_precision"));
    QVERIFY(has(v.remarks, "legacy_tolerance_only"));
}

void TestVerdicts::changedInputIsSuspicious() {
    const Verdict v = judge(honestBut([](auto&, std::vector<Tensor>& in, auto&) { in[1].data<float>()[3] = 0; }));
    QCOMPARE(v.kind, VerdictKind::suspicious);
    QCOMPARE(v.reasons, std::vector<std::string>{"changes_input"});
    QVERIFY(v.message.find("(w)") != std::string::npos);
}

void TestVerdicts::damagedGuardBandIsAFault() {
    const Verdict v = judge(honestBut([](auto&, auto&, RunResult& result) {
        result.guardViolations = {"The guard band after argument x was overwritten."};
    }));
    QCOMPARE(v.kind, VerdictKind::fault);
    QCOMPARE(v.reasons, std::vector<std::string>{"guard_band"});
}

/// The headline of wrong values names what brought them about.
void TestVerdicts::wrongValuesNameTheirFault() {
    Fault race;
    race.kind = "race";
    race.message = "Lines 17 and 20 race for shared memory.";
    race.line = 17;
    const Verdict v = judge([&](auto&, auto& inputs, RunResult& result) {
        result.output = inputs[0].clone();
        result.faults = {race};
    });
    QCOMPARE(v.kind, VerdictKind::wrong);
    const auto cause = v.message.find("Lines 17 and 20 race");
    QVERIFY2(cause != std::string::npos && cause > 0, v.message.c_str());
    QVERIFY2(v.message.substr(0, cause).ends_with("A race may be the cause: "), v.message.c_str());
}

void TestVerdicts::faultsLeavingAnAllocationAreFaults() {
    Fault fault;
    fault.kind = "out_of_bounds";
    fault.message = "Read of 4 bytes after argument x.";
    fault.line = 12;
    for (const bool leaves : {true, false}) {
        fault.leavesAllocation = leaves;
        const Verdict v = judge(honestBut([&](auto&, auto&, RunResult& result) { result.faults = {fault}; }));
        QCOMPARE(v.kind, leaves ? VerdictKind::fault : VerdictKind::verified);
        QVERIFY(has(leaves ? v.reasons : v.remarks, "out_of_bounds"));
        QCOMPARE(v.faults.size(), std::size_t(1));
    }
}

void TestVerdicts::ignoredInputIsSuspicious() {
    // A bias of 1e-3 is below the tolerance: only moving it alone shows that nobody reads it.
    const Verdict v = judge(
        [](const RunRequest& request, std::vector<Tensor>& in, RunResult& result) {
            honest(request, in, result);
            for (std::int64_t i = 0; i < width && !request.skipLaunches; ++i)
                outputOf(result)[i] = in[0].data<float>()[i] * in[1].data<float>()[i];
        },
        rowPlan(1e-3));
    QCOMPARE(v.kind, VerdictKind::suspicious);
    QCOMPARE(v.reasons, std::vector<std::string>{"ignores_input"});
    QVERIFY(v.message.find(" b") != std::string::npos);
}

void TestVerdicts::anIllConditionedTaskIsARemark() {
    // A reference whose own float32 evaluation is off by 5%: a kernel that is off by as much is no worse.
    struct Shaky : RowReference {
        Result<std::optional<tensor::Value>> evaluateFloat32(const CallInputs& inputs, std::stop_token stop) override {
            tensor::Tensor y = evaluate(inputs, stop)->as<Tensor>()->to(DType::Float32);
            for (std::int64_t i = 0; i < y.count(); ++i)
                y.data<float>()[i] *= 1.05f;
            return std::optional(tensor::Value(y));
        }
    };
    const auto off = [](float factor) {
        return honestBut([factor](auto&, auto&, RunResult& result) {
            for (std::int64_t i = 0; i < width; ++i)
                outputOf(result)[i] *= factor;
        });
    };
    Shaky reference;
    FakeRunner close(off(1.06f));
    const Verdict v = verify::verify(close, &reference, rowPlan(), VerifyOptions{}).value();
    QCOMPARE(v.kind, VerdictKind::verified);
    QVERIFY(has(v.remarks, "ill_conditioned"));
    FakeRunner far(off(2.0f));
    QCOMPARE(verify::verify(far, &reference, rowPlan(), VerifyOptions{}).value().kind, VerdictKind::wrong);
    QCOMPARE(judge(off(1.06f)).kind, VerdictKind::wrong); // where float32 is good enough, so must the kernel be
}

void TestVerdicts::statisticsMayBeUpdated() {
    InputPlan plan = rowPlan();
    plan.tensors[1].updatedByTask = true;
    const auto touch = honestBut([](auto&, std::vector<Tensor>& in, auto&) { in[1].data<float>()[3] = 0; });
    const Verdict v = judge(touch, plan);
    QCOMPARE(v.kind, VerdictKind::verified);
    QCOMPARE(v.remarks, std::vector<std::string>{"updates_statistics"});
}

void TestVerdicts::weakTaskIsARemark() {
    InputPlan plan = rowPlan();
    plan.tensors[1].distribution = {Distribution::Kind::constant, 1, 0};
    plan.tensors[2].distribution = {Distribution::Kind::constant, 0, 0};
    const Verdict v = judge(honest, plan); // y = x: a copy of x passes
    QCOMPARE(v.kind, VerdictKind::verified);
    QCOMPARE(v.remarks, std::vector<std::string>{"weak_task"});
}

void TestVerdicts::libraryWorkIsARemark() {
    const auto calls = [](bool launches) {
        return honestBut([launches](auto&, auto&, RunResult& result) {
            result.libraryCalls = {"aten.empty_like.default", "aten.addcmul.default"};
            if (!launches) result.launches.clear();
        });
    };
    QCOMPARE(judge(calls(true)).remarks, std::vector<std::string>{"library_calls"});
    QCOMPARE(judge(calls(false)).remarks, std::vector<std::string>{"only_library_calls"});
    QCOMPARE(judge(calls(false)).kind, VerdictKind::verified);
}

void TestVerdicts::withoutReferenceItIsUnverifiable() {
    FakeRunner runner(honest);
    const Verdict v = verify::verify(runner, nullptr, rowPlan(), VerifyOptions{}).value();
    QCOMPARE(v.kind, VerdictKind::unverifiable);
    QCOMPARE(v.reasons, std::vector<std::string>{"no_reference"});
}

void TestVerdicts::wrongGoesBeforeFault() {
    const Verdict v = judge(honestBut([](auto&, auto&, RunResult& result) {
        outputOf(result)[0] += 5;
        result.guardViolations = {"damaged"};
    }));
    QCOMPARE(v.kind, VerdictKind::wrong);
    QVERIFY(has(v.remarks, "guard_band"));
}

void TestVerdicts::aContradictedClaimIsToldWithTheCallThatFailed() {
    VerifyOptions options;
    options.claim = ClaimedTime{0.445e-3, *perf::findDeviceSpec("h100-sxm"), "the archive"};
    RowReference reference;
    const auto refusing = [](RunEnd end) {
        return honestBut([end](const RunRequest&, std::vector<Tensor>&, RunResult& result) {
            result.refusedCalls = {"cudaMemcpyAsync: invalid argument"};
            result.end = end;
        });
    };
    FakeRunner ending(refusing(RunEnd::host_exception));
    const Verdict wrong = verify::verify(ending, &reference, rowPlan(), options).value();
    QVERIFY(wrong.kind != VerdictKind::verified);
    QCOMPARE(wrong.notes.size(), std::size_t(2));
    QVERIFY2(wrong.notes[0].find("cudaMemcpyAsync: invalid argument") != std::string::npos, wrong.notes[0].c_str());
    QVERIFY2(wrong.notes[1].find("445 µs") != std::string::npos, wrong.notes[1].c_str());
    FakeRunner right(refusing(RunEnd::finished));
    const Verdict verified = verify::verify(right, &reference, rowPlan(), options).value();
    QCOMPARE(verified.kind, VerdictKind::verified);
    QVERIFY(verified.notes.empty());
}

void TestVerdicts::cancelIsAnError() {
    std::stop_source stop;
    stop.request_stop();
    VerifyOptions options;
    options.stop = stop.get_token();
    FakeRunner runner(honest);
    RowReference reference;
    const auto v = verify::verify(runner, &reference, rowPlan(), options);
    QVERIFY(!v);
    QCOMPARE(v.error().code, std::string("cancelled"));
}

void TestVerdicts::kernelAsReference() {
    FakeRunner runner(honest);
    KernelReference reference(std::make_shared<FakeRunner>(honest), "other.cu", std::chrono::seconds(10));
    QCOMPARE(verify::verify(runner, &reference, rowPlan(), VerifyOptions{}).value().kind, VerdictKind::verified);
    KernelReference broken(
        std::make_shared<FakeRunner>(honestBut([](auto&, auto&, RunResult& result) { result.firstUnwritten = {3}; })),
        "broken.cu", std::chrono::seconds(10));
    const Verdict v = verify::verify(runner, &broken, rowPlan(), VerifyOptions{}).value();
    QCOMPARE(v.kind, VerdictKind::unverifiable);
    QVERIFY(v.message.find("broken.cu") != std::string::npos);
}

KERNELARIUM_TEST(TestVerdicts);
