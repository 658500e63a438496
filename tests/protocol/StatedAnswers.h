// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Verdict.h"
#include "gpu/protocol/CompileMessages.h"

// What worker_child answers, for its parent to compare with.

/// 0.125 s of compiling, with fast math.
inline kernelarium::compile::CompiledUnit statedUnit(bool ok) {
    kernelarium::compile::CompiledUnit unit;
    unit.ok = ok;
    unit.arch = "sm_90";
    unit.ptx = ok ? "text" : "";
    unit.fastMath = true;
    unit.seconds.total = 0.125;
    if (!ok) {
        unit.failedStage = "nvrtc";
        unit.diagnostics.push_back({"kernel.cu", 3, 5, kernelarium::compile::Severity::error, "this is no kernel"});
    }
    return unit;
}

inline kernelarium::verify::Verdict statedVerdict() {
    kernelarium::verify::Verdict verdict;
    verdict.kind = kernelarium::verify::VerdictKind::wrong;
    verdict.reasons = {"values"};
    verdict.message = "\xc3\xa4";
    verdict.maxAbsoluteError = 0.1;
    verdict.backend = "emulator";
    verdict.seconds["compile"] = 0.125;
    return verdict;
}
