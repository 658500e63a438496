// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/verify/TestHostFindings.h"

#include "core/verify/Verifier.h"
#include "tests/TestRegistry.h"
#include "tests/verify/FakeRunner.h"

#include <QtTest>
#include <algorithm>

using namespace kernelarium;
using namespace kernelarium::verify;
using tensor::DType;
using tensor::Tensor;

namespace {

constexpr std::int64_t rowWidth = 64;

InputPlan rowInputs() {
    using Index = ArgumentPlan::Tensor;
    InputPlan plan;
    for (const char* name : {"x", "w", "b"})
        plan.tensors.push_back({name, DType::Float32, {rowWidth}, {}});
    plan.arguments = {{Index{0}}, {Index{1}}, {Index{2}}};
    return plan;
}

float* rowOutput(RunResult& result) {
    return result.output.as<Tensor>()->data<float>();
}

/// A right kernel with something changed afterwards.
FakeRunner::Forward rowBut(std::function<void(const RunRequest&, std::vector<Tensor>&, RunResult&)> change) {
    return [change](const RunRequest& request, std::vector<Tensor>& in, RunResult& result) {
        result.output = FakeRunner::poisoned({rowWidth}, request.poison);
        for (std::int64_t i = 0; i < rowWidth && !request.skipLaunches; ++i)
            rowOutput(result)[i] = in[0].data<float>()[i] * in[1].data<float>()[i] + in[2].data<float>()[i];
        result.firstUnwritten = {request.skipLaunches ? std::optional<std::int64_t>(0) : std::nullopt};
        change(request, in, result);
    };
}

Verdict verdictOn(const FakeRunner::Forward& forward) {
    FakeRunner runner(forward);
    RowReference reference;
    return verify::verify(runner, &reference, rowInputs(), VerifyOptions{}).value();
}

bool isAmong(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

void TestHostFindings::earlierResultsHaveToStay() {
    bool changed = true;
    const auto reuses = rowBut([&](const RunRequest& request, auto&, RunResult& result) {
        if (!request.earlierCalls.empty()) result.reusedOutputs = {{2, 0, false}, {3, 0, changed}};
    });
    const Verdict overwrites = verdictOn(reuses);
    QCOMPARE(overwrites.kind, VerdictKind::suspicious);
    QCOMPARE(overwrites.reasons, std::vector<std::string>{"overwrites_result"});
    QVERIFY(overwrites.message.find("call 3") != std::string::npos);
    changed = false;
    const Verdict keeps = verdictOn(reuses);
    QCOMPARE(keeps.kind, VerdictKind::verified);
    QCOMPARE(keeps.remarks, std::vector<std::string>{"returns_kept_result"});
}

void TestHostFindings::hostWorkIsNamed_data() {
    QTest::addColumn<int>("instructions");
    QTest::addColumn<int>("bytes");
    QTest::addColumn<int>("deviceInstructions");
    QTest::addColumn<int>("kind");
    QTest::addColumn<bool>("named");
    QTest::newRow("all") << 1'000'000 << 100'000 << 500'000 << int(VerdictKind::suspicious) << true;
    QTest::newRow("part") << 100'000 << 100'000 << 2'000'000 << int(VerdictKind::verified) << true;
    QTest::newRow("little") << 100'000 << 100'000 << 200'000'000 << int(VerdictKind::verified) << false;
    QTest::newRow("reads nothing") << 1'000'000 << 0 << 500'000 << int(VerdictKind::verified) << false;
    QTest::newRow("one number") << 1'000'000 << 8 << 500'000 << int(VerdictKind::verified) << false;
    QTest::newRow("only reads") << 3'000 << 100'000 << 500'000 << int(VerdictKind::verified) << false;
    QTest::newRow("device not counted") << 1'000'000 << 100'000 << 0 << int(VerdictKind::suspicious) << true;
}

void TestHostFindings::hostWorkIsNamed() {
    QFETCH(int, instructions);
    QFETCH(int, bytes);
    QFETCH(int, deviceInstructions);
    QFETCH(int, kind);
    QFETCH(bool, named);
    const Verdict v = verdictOn(rowBut([&](auto&, auto&, RunResult& result) {
        result.host.instructions = std::uint64_t(instructions);
        result.host.bytesRead = std::uint64_t(bytes);
        result.launches.front().threadInstructions = std::uint64_t(deviceInstructions);
    }));
    QCOMPARE(int(v.kind), kind);
    QCOMPARE(isAmong(v.kind == VerdictKind::verified ? v.remarks : v.reasons, "host_work"), named);
}

void TestHostFindings::lateCopiesChangeNothing() {
    bool copies = true, reads = true;
    int late = 0;
    const FakeRunner::Forward forward = rowBut([&](const RunRequest& request, auto&, RunResult& result) {
        result.host.asynchronousCopies = copies ? 1 : 0;
        late += request.lateCopies;
        if (request.lateCopies && reads) rowOutput(result)[0] += 1;
    });
    const auto verdict = [&] {
        FakeRunner runner(forward);
        runner.reorders = true;
        RowReference reference;
        return verify::verify(runner, &reference, rowInputs(), VerifyOptions{}).value();
    };
    const Verdict early = verdict();
    QCOMPARE(early.kind, VerdictKind::fault);
    QCOMPARE(early.reasons, std::vector<std::string>{"early_host_read"});
    reads = false;
    QCOMPARE(verdict().kind, VerdictKind::verified);
    QCOMPARE(late, 2);
    copies = false; // no run of its own then
    QCOMPARE(verdict().kind, VerdictKind::verified);
    QCOMPARE(late, 2);
}

void TestHostFindings::otherStatisticsAreARemark() {
    /// The task leaves the double in its weights.
    struct Doubling : RowReference {
        Result<std::vector<tensor::Tensor>> updated(const CallInputs& inputs, std::stop_token) override {
            std::vector<tensor::Tensor> after(inputs.tensors.size());
            after[1] = inputs.tensors[1].to(DType::Float64);
            for (std::int64_t i = 0; i < after[1].count(); ++i)
                after[1].set(i, 2 * after[1].at(i));
            return after;
        }
    };
    InputPlan plan = rowInputs();
    plan.tensors[1].updatedByTask = true;
    const auto remarks = [&plan](float factor) {
        FakeRunner runner(rowBut([factor](auto&, std::vector<Tensor>& in, auto&) {
            for (std::int64_t i = 0; i < rowWidth; ++i)
                in[1].data<float>()[i] *= factor;
        }));
        Doubling reference;
        return verify::verify(runner, &reference, plan, VerifyOptions{}).value().remarks;
    };
    QCOMPARE(remarks(2), std::vector<std::string>{"updates_statistics"});
    QCOMPARE(remarks(-7), (std::vector<std::string>{"updates_statistics", "running_statistics"}));
    QCOMPARE(remarks(1), std::vector<std::string>()); // untouched, as by many a kernel that only infers
}

KERNELARIUM_TEST(TestHostFindings);
