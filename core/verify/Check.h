// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Evidence.h"
#include "core/verify/Verdict.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::verify {

/// Something that speaks against a kernel, or a remark.
struct Finding {
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
    [[nodiscard]] const std::vector<Finding>& findings() const { return m_findings; }

private:
    void say(CheckState state, std::string detail);
    std::optional<CheckState> m_state;
    std::string m_detail;
    std::vector<Finding> m_findings;
};

/// One way of doubting a kernel.
class Check {
public:
    virtual ~Check() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;
    /// Runs that a check makes of its own; the others look at runs made already and cost next to nothing.
    [[nodiscard]] virtual bool runsKernel() const { return false; }
    virtual void run(Evidence& evidence, CheckNotes& notes) = 0;
};

/// Every check in the order in which they are made: cheap and decisive ones first.
[[nodiscard]] std::vector<std::unique_ptr<Check>> standardChecks();

/// Notes how a run ended, if it did not finish. True when it finished.
bool noteEnd(const RunResult& run, CheckNotes& notes);
/// Notes what a case's comparison found against the kernel: structure, NaN, values beyond the legacy tolerance (a
/// remark when the task is ill-conditioned). True when it is right.
bool noteComparison(const Case& c, CheckNotes& notes);
/// Whether two runs with the same inputs gave results beyond the strict tolerance of each other.
[[nodiscard]] bool resultsDiffer(const Evidence& evidence, const Case& base, const Case& again);
[[nodiscard]] std::string describe(const Mismatch& mismatch);

// The makers of the checks, one file each in checks/.
std::unique_ptr<Check> makeFinishesCheck();        ///< forward returned
std::unique_ptr<Check> makeUnwrittenCheck();       ///< row 1: every output element was written
std::unique_ptr<Check> makeValuesCheck();          ///< equal to the reference within tolerance
std::unique_ptr<Check> makeInputsUnchangedCheck(); ///< row 4
std::unique_ptr<Check> makeGuardBandsCheck();      ///< row 7
std::unique_ptr<Check> makeMemoryFaultsCheck();    ///< row 7
std::unique_ptr<Check> makeRacesCheck();           ///< row 7
std::unique_ptr<Check> makeLibraryShareCheck();    ///< row 11
std::unique_ptr<Check> makeTrivialAnswersCheck();  ///< row 2
std::unique_ptr<Check> makeStrongerInputsCheck();  ///< row 2: inputs under which the task is not weak
std::unique_ptr<Check> makeUnevenInputsCheck();    ///< row 2: inputs whose statistics are not those of the tested ones
std::unique_ptr<Check> makeSideStreamsCheck();     ///< row 5
std::unique_ptr<Check> makeStreamOrderCheck();     ///< row 5: streams that nothing orders
std::unique_ptr<Check> makePhysicalFloorCheck();   ///< row 12
std::unique_ptr<Check> makePrecisionCheck();       ///< row 9
std::unique_ptr<Check> makeSecondSeedCheck();      ///< row 10: other inputs, other poison, other addresses
std::unique_ptr<Check> makePoisonCheck();          ///< row 1: same inputs, other poison and addresses
std::unique_ptr<Check> makePerturbationCheck();    ///< row 3
std::unique_ptr<Check> makeOtherShapeCheck();      ///< row 10: a size that no block size divides
std::unique_ptr<Check> makeCachedResultCheck();    ///< row 6
std::unique_ptr<Check> makeIdleKernelsCheck();     ///< row 13

} // namespace kernelarium::verify
