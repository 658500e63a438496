// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

namespace kernelarium::verify {

// The makers of the checks, one file each in checks/; the rows are those of VERIFIER.md.
std::unique_ptr<Check> makeFinishesCheck();        ///< forward came to its end
std::unique_ptr<Check> makeUnwrittenCheck();       ///< row 1: every output element was written
std::unique_ptr<Check> makeValuesCheck();          ///< equal to the reference within tolerance
std::unique_ptr<Check> makeInputsUnchangedCheck(); ///< row 4
std::unique_ptr<Check> makeGuardBandsCheck();      ///< row 7
std::unique_ptr<Check> makeMemoryFaultsCheck();    ///< row 7
std::unique_ptr<Check> makeSideStreamsCheck();     ///< row 5
std::unique_ptr<Check> makeCopyKindsCheck();       ///< what a copy says of its pointers
std::unique_ptr<Check> makeTrivialAnswersCheck();  ///< row 2
std::unique_ptr<Check> makeSecondSeedCheck();      ///< row 10: other inputs, other poison, other addresses
std::unique_ptr<Check> makeStrongerInputsCheck();  ///< row 2: inputs under which the task is not weak
std::unique_ptr<Check> makeUnevenInputsCheck();    ///< row 2: inputs whose statistics are not those of the tested ones
std::unique_ptr<Check> makePrecisionCheck();       ///< row 9
std::unique_ptr<Check> makeRacesCheck();           ///< row 7
std::unique_ptr<Check> makeStreamOrderCheck();     ///< row 5: streams that nothing orders
std::unique_ptr<Check> makePoisonCheck();          ///< row 1: same inputs, other poison and addresses
std::unique_ptr<Check> makePerturbationCheck();    ///< row 3
std::unique_ptr<Check> makeCachedResultCheck();    ///< row 6
std::unique_ptr<Check> makeEarlierResultsCheck();  ///< row 6: of the same runs
std::unique_ptr<Check> makeIdleKernelsCheck();     ///< row 13
std::unique_ptr<Check> makeOtherShapeCheck();      ///< row 10: a size that no block size divides
std::unique_ptr<Check> makeHostWorkCheck();        ///< row 13: what host code computes
std::unique_ptr<Check> makeHostReadsCheck();       ///< row 5: copies that host code does not wait for
std::unique_ptr<Check> makeLibraryShareCheck();    ///< row 11
std::unique_ptr<Check> makePhysicalFloorCheck();   ///< row 12
std::unique_ptr<Check> makeHiddenInputsCheck();    ///< row 6: what no choice of inputs changes

std::vector<std::unique_ptr<Check>> standardChecks() {
    std::vector<std::unique_ptr<Check>> checks;
    // The other shape comes last: a crash there is a remark only, and on a GPU nothing runs in that process after it.
    for (const auto& make :
         {&makeFinishesCheck,       &makeUnwrittenCheck,      &makeValuesCheck,       &makeInputsUnchangedCheck,
          &makeGuardBandsCheck,     &makeMemoryFaultsCheck,   &makeSideStreamsCheck,  &makeCopyKindsCheck,
          &makeHostWorkCheck,       &makeTrivialAnswersCheck, &makeSecondSeedCheck,   &makeStrongerInputsCheck,
          &makeUnevenInputsCheck,   &makePrecisionCheck,      &makeRacesCheck,        &makeStreamOrderCheck,
          &makeHostReadsCheck,      &makePoisonCheck,         &makePerturbationCheck, &makeCachedResultCheck,
          &makeEarlierResultsCheck, &makeIdleKernelsCheck,    &makeLibraryShareCheck, &makePhysicalFloorCheck,
          &makeHiddenInputsCheck,   &makeOtherShapeCheck})
        checks.push_back(make());
    return checks;
}

} // namespace kernelarium::verify
