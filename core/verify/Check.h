// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Evidence.h"
#include "core/verify/Verdict.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::verify {

/// Something that speaks against a kernel, or a remark.
struct CheckNote {
    std::optional<VerdictKind> kind; ///< empty for a remark
    std::string name;                ///< reason or remark
    std::string sentence;
    std::string stage; ///< of a compile_error
};

/// What a check writes down. Its state is the gravest it was told.
class CheckNotes {
public:
    void pass(std::string detail) { say(CheckState::passed, std::move(detail)); }
    void skip(std::string detail) { say(CheckState::skipped, std::move(detail)); }
    void remark(std::string name, std::string sentence);
    void fail(VerdictKind kind, std::string reason, std::string sentence, std::string stage = {});

    [[nodiscard]] CheckState state() const { return m_state.value_or(CheckState::passed); }
    [[nodiscard]] const std::string& detail() const { return m_detail; }
    [[nodiscard]] const std::vector<CheckNote>& all() const { return m_notes; }

private:
    void say(CheckState state, std::string detail);
    std::optional<CheckState> m_state;
    std::string m_detail;
    std::vector<CheckNote> m_notes;
};

/// One way of doubting a kernel.
class Check {
public:
    virtual ~Check() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;
    /// What it is for, in words for a reader who has not met it: how a kernel gets past others, and what is done here.
    [[nodiscard]] virtual std::string_view explanation() const = 0;
    /// What it may note, besides commonReasons() and the names of other kinds of harmless faults.
    [[nodiscard]] virtual std::span<const Reason> reasons() const { return {}; }
    /// Runs that a check makes of its own; the others look at runs made already and cost next to nothing.
    [[nodiscard]] virtual bool runsKernel() const { return false; }
    /// Made also where checks that run the kernel are switched off, and whatever time is left.
    [[nodiscard]] virtual bool alwaysRuns() const { return false; }
    /// The case whose results it holds against the reference; null for the others, and before there is one.
    [[nodiscard]] virtual const Case* judged(Evidence& /*evidence*/) const { return nullptr; }
    virtual void run(Evidence& evidence, CheckNotes& notes) = 0;
};

/// Every check in the order in which they are made: cheap and decisive ones first.
[[nodiscard]] std::vector<std::unique_ptr<Check>> standardChecks();

/// Of every check whose runs may fail and whose results are compared: what noteEnd() and noteComparison() note.
[[nodiscard]] std::span<const Reason> commonReasons();

/// Notes how a run ended, if it did not finish. True when it finished.
bool noteEnd(const RunResult& run, CheckNotes& notes);
/// Notes what a case's comparison found against the kernel: structure, NaN, values beyond the legacy tolerance (a
/// remark when the task is ill-conditioned). True when it is right.
bool noteComparison(const Case& c, CheckNotes& notes);
/// Whether two runs with the same inputs gave results beyond the strict tolerance of each other.
[[nodiscard]] bool resultsDiffer(const Evidence& evidence, const Case& base, const Case& again);
[[nodiscard]] std::string describe(const Mismatch& mismatch);

} // namespace kernelarium::verify
