// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/verify/TestVerdicts.h"

#include "core/verify/Check.h"
#include "core/verify/Explanation.h"
#include "core/verify/Verifier.h"
#include "tests/TestRegistry.h"
#include "tests/verify/FakeRunner.h"

#include <QtTest>
#include <algorithm>
#include <optional>

using namespace kernelarium;
using namespace kernelarium::verify;
using tensor::DType;
using tensor::Tensor;

namespace {

constexpr std::int64_t width = 64;

InputPlan rowPlan(double biasSpread = 1) {
    using Kind = Distribution::Kind;
    InputPlan plan;
    plan.tensors = {{"x", DType::Float32, {width}, {}},
                    {"w", DType::Float32, {width}, {}},
                    {"b", DType::Float32, {width}, {Kind::normal, 0, biasSpread}}};
    using Index = ArgumentPlan::Tensor;
    plan.arguments = {{Index{0}}, {Index{1}}, {Index{2}}};
    return plan;
}

/// What an honest kernel does.
void honest(const RunRequest& request, std::vector<Tensor>& in, RunResult& result) {
    Tensor y = FakeRunner::poisoned({width}, request.poison);
    if (!request.skipLaunches)
        for (std::int64_t i = 0; i < width; ++i)
            y.data<float>()[i] = in[0].data<float>()[i] * in[1].data<float>()[i] + in[2].data<float>()[i];
    result.output = y;
    result.firstUnwritten = {request.skipLaunches ? std::optional<std::int64_t>(0) : std::nullopt};
}

/// An honest kernel with something changed afterwards.
FakeRunner::Forward honestBut(std::function<void(const RunRequest&, std::vector<Tensor>&, RunResult&)> change) {
    return [change](const RunRequest& request, std::vector<Tensor>& in, RunResult& result) {
        honest(request, in, result);
        change(request, in, result);
    };
}

/// Whether a check says that it gives such a reason to verdicts of this kind.
bool isTold(VerdictKind kind, const std::string& name) {
    const std::vector<Reason> all = everyReason();
    return std::any_of(all.begin(), all.end(),
                       [&](const Reason& reason) { return reason.kind == kind && reason.name == name; });
}
/// A remark may also be what speaks for another kind of verdict.
bool isTold(const std::string& name) {
    const std::vector<Reason> all = everyReason();
    return std::any_of(all.begin(), all.end(), [&](const Reason& reason) { return reason.name == name; });
}

Verdict judge(const FakeRunner::Forward& forward, const InputPlan& plan = rowPlan()) {
    FakeRunner runner(forward);
    RowReference reference;
    Verdict verdict = verify::verify(runner, &reference, plan, VerifyOptions{}).value();
    for (const std::string& reason : verdict.reasons)
        if (!isTold(verdict.kind, reason)) qFatal("no check tells of the reason %s", reason.c_str());
    for (const std::string& remark : verdict.remarks)
        if (!isTold(remark)) qFatal("no check tells of the remark %s", remark.c_str());
    return verdict;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

CheckState stateOf(const Verdict& verdict, const std::string& check) {
    for (const CheckReport& report : verdict.checks)
        if (report.name == check) return report.state;
    qFatal("no check of that name");
    return CheckState::skipped;
}

float* outputOf(RunResult& result) {
    return result.output.as<Tensor>()->data<float>();
}

} // namespace

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
    for (const std::unique_ptr<Check>& check : checks) {
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
    QTest::newRow("launch") << int(RunEnd::launch_refused) << int(VerdictKind::compile_error) << "launch";
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

void TestVerdicts::uninitialisedReadCountsWhenItShows() {
    const Verdict v = judge(honestBut([](const RunRequest& request, auto&, RunResult& result) {
        Fault fault;
        fault.kind = "uninitialised_read";
        result.faults = {fault};
        outputOf(result)[0] += request.poison == firstPoison ? 0.0f : 4e-3f; // within the legacy tolerance
    }));
    QCOMPARE(v.kind, VerdictKind::fault);
    QCOMPARE(v.reasons, std::vector<std::string>{"uninitialised_read"});
}

void TestVerdicts::harmlessUninitialisedReadIsARemark() {
    const Verdict v = judge(honestBut([](auto&, auto&, RunResult& result) {
        Fault fault;
        fault.kind = "uninitialised_read";
        fault.message = "A read of shared memory that nothing wrote.";
        result.faults = {fault};
    }));
    QCOMPARE(v.kind, VerdictKind::verified);
    QCOMPARE(v.remarks, std::vector<std::string>{"benign_uninitialised_read"});
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

void TestVerdicts::hardCodedSeedIsWrong() {
    std::optional<std::vector<float>> first;
    const Verdict v = judge(honestBut([&](auto&, auto&, RunResult& result) {
        if (!first) first = std::vector<float>(outputOf(result), outputOf(result) + width);
        std::copy(first->begin(), first->end(), outputOf(result));
    }));
    QCOMPARE(v.kind, VerdictKind::wrong);
    QCOMPARE(stateOf(v, "second_seed"), CheckState::failed);
}

void TestVerdicts::cachedResultIsSuspicious() {
    std::optional<std::vector<float>> cache;
    const Verdict v = judge(honestBut([&](const RunRequest& request, auto&, RunResult& result) {
        if (request.earlierCalls.empty()) return; // fresh process state
        if (!cache) cache = std::vector<float>(outputOf(result), outputOf(result) + width);
        std::copy(cache->begin(), cache->end(), outputOf(result));
    }));
    QCOMPARE(v.kind, VerdictKind::suspicious);
    QCOMPARE(v.reasons, std::vector<std::string>{"cached_result"});
}

void TestVerdicts::callsAreAsManyAsMemoryHolds_data() {
    QTest::addColumn<int>("sets"); // of tensors that the device's memory holds
    QTest::addColumn<bool>("cheats");
    QTest::addColumn<int>("end"); // of a run that needs more
    QTest::addColumn<int>("state");
    const int memory = int(RunEnd::out_of_memory);
    QTest::newRow("two") << 2 << false << memory << int(CheckState::passed);
    QTest::newRow("two, and a result is kept") << 2 << true << memory << int(CheckState::failed);
    QTest::newRow("one") << 1 << false << memory << int(CheckState::passed);
    QTest::newRow("one, and a result is kept") << 1 << true << memory << int(CheckState::failed);
    QTest::newRow("hardly one") << 0 << false << memory << int(CheckState::skipped);
    // What a second call does that the first did not is no matter of memory, and hides nothing.
    QTest::newRow("another reason") << 0 << false << int(RunEnd::unsupported) << int(CheckState::failed);
}

/// What does not fit is tried with less, and said.
void TestVerdicts::callsAreAsManyAsMemoryHolds() {
    QFETCH(int, sets);
    QFETCH(bool, cheats);
    QFETCH(int, end);
    QFETCH(int, state);
    std::optional<std::vector<float>> cache;
    const Verdict v = judge(honestBut([&](const RunRequest& request, auto&, RunResult& result) {
        if (request.earlierCalls.empty()) return;
        const int needed = request.sameAddresses ? 1 : int(request.earlierCalls.size()) + 1;
        if (needed > sets) {
            result.end = RunEnd(end);
            result.reason = "more device memory";
            return;
        }
        if (!cache) cache = std::vector<float>(outputOf(result), outputOf(result) + width);
        if (cheats) std::copy(cache->begin(), cache->end(), outputOf(result));
    }));
    QCOMPARE(int(stateOf(v, "cached_result")), state);
    const VerdictKind otherwise = RunEnd(end) == RunEnd::unsupported ? VerdictKind::unsupported : VerdictKind::verified;
    QCOMPARE(v.kind, cheats ? VerdictKind::suspicious : otherwise);
}

void TestVerdicts::idleKernelsAreSuspicious() {
    const Verdict v = judge([](const RunRequest& request, std::vector<Tensor>& in, RunResult& result) {
        RunRequest other = request;
        other.skipLaunches = false;
        honest(other, in, result);
    });
    QCOMPARE(v.kind, VerdictKind::suspicious);
    QCOMPARE(v.reasons, std::vector<std::string>{"idle_kernels"});
}

void TestVerdicts::anotherShapeIsTried() {
    // `honest` writes 64 elements whatever it is given: at another width it does not fit.
    OtherShape odd{"odd", rowPlan(), std::make_unique<RowReference>()};
    for (TensorPlan& t : odd.plan.tensors)
        t.shape = {width + 3};
    VerifyOptions options;
    options.otherShape = &odd;
    RowReference reference;
    FakeRunner fixed(honest);
    const Verdict v = verify::verify(fixed, &reference, rowPlan(), options).value();
    QCOMPARE(v.kind, VerdictKind::verified);
    QCOMPARE(v.remarks, std::vector<std::string>{"shape_specific"});
    FakeRunner refusing([](const RunRequest& request, std::vector<Tensor>& in, RunResult& result) {
        honest(request, in, result);
        if (in[0].count() == width) return;
        result.end = RunEnd::host_exception;
        result.reason = "only 64 elements";
    });
    const Verdict polite = verify::verify(refusing, &reference, rowPlan(), options).value();
    QVERIFY(polite.remarks.empty());
    QCOMPARE(stateOf(polite, "other_shape"), CheckState::passed);
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

void TestVerdicts::lostUpdatesAreFaultsWhetherLostOrNot() {
    for (const bool lost : {false, true}) {
        const Verdict v = judge(honestBut([lost](const RunRequest&, std::vector<Tensor>&, RunResult& result) {
            Fault race;
            race.kind = "race";
            race.line = 3;
            race.other = FaultParty{{1, 0, 0}, {0, 0, 0}, 3};
            race.effect = RaceEffect::lost_update;
            result.faults = {race};
            if (lost) outputOf(result)[2] += 1;
        }));
        QCOMPARE(v.kind, VerdictKind::fault);
        QCOMPARE(v.reasons, std::vector<std::string>{"race"});
    }
}

void TestVerdicts::otherOrdersAreTriedWhereTheyMatter_data() {
    QTest::addColumn<bool>("turns");
    QTest::addColumn<RaceEffect>("effect"); ///< of a race; undefined_winner: there is none
    QTest::addColumn<int>("orders");
    QTest::newRow("nothing tells") << false << RaceEffect::undefined_winner << 0;
    QTest::newRow("lanes take turns") << true << RaceEffect::undefined_winner << 1;
    QTest::newRow("a race") << false << RaceEffect::order << 2;
    QTest::newRow("a race, and turns") << true << RaceEffect::order << 3;
    QTest::newRow("an atomic decides") << false << RaceEffect::guarded << 2;
}

void TestVerdicts::otherOrdersAreTriedWhereTheyMatter() {
    QFETCH(bool, turns);
    QFETCH(RaceEffect, effect);
    QFETCH(int, orders);
    for (const bool depends : {false, true}) {
        int tried = 0;
        FakeRunner runner(honestBut([&](const RunRequest& request, std::vector<Tensor>&, RunResult& result) {
            result.lanesTookTurns = turns;
            if (effect != RaceEffect::undefined_winner) {
                Fault race;
                race.kind = "race";
                race.effect = effect;
                result.faults = {race};
            }
            const bool another = request.schedule != 0 || request.contraryLanes;
            tried += another;
            if (another && depends) outputOf(result)[2] += 1;
        }));
        runner.schedules = true;
        RowReference reference;
        const Verdict v = verify::verify(runner, &reference, rowPlan(), VerifyOptions{}).value();
        QCOMPARE(tried, depends ? std::min(orders, 1) : orders);
        QCOMPARE(v.kind, depends && orders ? VerdictKind::fault : VerdictKind::verified);
        if (depends && orders == 1) QVERIFY2(v.message.find("branch") != std::string::npos, v.message.c_str());
        QCOMPARE(has(v.remarks, "race"), !depends && effect == RaceEffect::order);
    }
}

void TestVerdicts::wrongGoesBeforeFault() {
    const Verdict v = judge(honestBut([](auto&, auto&, RunResult& result) {
        outputOf(result)[0] += 5;
        result.guardViolations = {"damaged"};
    }));
    QCOMPARE(v.kind, VerdictKind::wrong);
    QVERIFY(has(v.remarks, "guard_band"));
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
