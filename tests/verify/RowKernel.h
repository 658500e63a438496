// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Check.h"
#include "core/verify/Explanation.h"
#include "core/verify/Verifier.h"
#include "tests/verify/FakeRunner.h"

#include <QtGlobal>
#include <algorithm>
#include <optional>

/// A kernel on a row of numbers, for FakeRunner: honest, or with something changed.
namespace kernelarium::verify::row {

using tensor::DType;
using tensor::Tensor;

inline constexpr std::int64_t width = 64;

inline InputPlan rowPlan(double biasSpread = 1) {
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
inline void honest(const RunRequest& request, std::vector<Tensor>& in, RunResult& result) {
    Tensor y = FakeRunner::poisoned({width}, request.poison);
    if (!request.skipLaunches)
        for (std::int64_t i = 0; i < width; ++i)
            y.data<float>()[i] = in[0].data<float>()[i] * in[1].data<float>()[i] + in[2].data<float>()[i];
    result.output = y;
    result.firstUnwritten = {request.skipLaunches ? std::optional<std::int64_t>(0) : std::nullopt};
}

/// An honest kernel with something changed afterwards.
inline FakeRunner::Forward honestBut(std::function<void(const RunRequest&, std::vector<Tensor>&, RunResult&)> change) {
    return [change](const RunRequest& request, std::vector<Tensor>& in, RunResult& result) {
        honest(request, in, result);
        change(request, in, result);
    };
}

/// Whether a check says that it gives such a reason to verdicts of this kind.
inline bool isTold(VerdictKind kind, const std::string& name) {
    const std::vector<Reason> all = everyReason();
    return std::any_of(all.begin(), all.end(),
                       [&](const Reason& reason) { return reason.kind == kind && reason.name == name; });
}
/// A remark may also be what speaks for another kind of verdict.
inline bool isTold(const std::string& name) {
    const std::vector<Reason> all = everyReason();
    return std::any_of(all.begin(), all.end(), [&](const Reason& reason) { return reason.name == name; });
}

inline Verdict judge(const FakeRunner::Forward& forward, const InputPlan& plan = rowPlan()) {
    FakeRunner runner(forward);
    RowReference reference;
    Verdict verdict = verify::verify(runner, &reference, plan, VerifyOptions{}).value();
    for (const std::string& reason : verdict.reasons)
        if (!isTold(verdict.kind, reason)) qFatal("no check tells of the reason %s", reason.c_str());
    for (const std::string& remark : verdict.remarks)
        if (!isTold(remark)) qFatal("no check tells of the remark %s", remark.c_str());
    return verdict;
}

inline bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

inline CheckState stateOf(const Verdict& verdict, const std::string& check) {
    for (const CheckReport& report : verdict.checks)
        if (report.name == check) return report.state;
    qFatal("no check of that name");
    return CheckState::skipped;
}

inline float* outputOf(RunResult& result) {
    return result.output.as<Tensor>()->data<float>();
}

} // namespace kernelarium::verify::row
