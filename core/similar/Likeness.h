// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/OwnVerdicts.h"
#include "core/similar/PieceIndex.h"
#include "core/similar/TaskOperators.h"

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::similar {

/// What is known of a kernel's correctness, the best first.
enum class Standing {
    verified,        ///< by us
    verifiedEarlier, ///< by us, with another version of the program, the card or the checks
    claimed,         ///< the archive calls it correct, and we have not judged it
    unknown,         ///< nobody says, or it could not be judged
    refuted          ///< our verdict is against it; or the archive itself calls it wrong, and we have none
};
[[nodiscard]] std::string_view name(Standing standing); ///< "verified", "verified_earlier", "claimed", ...
[[nodiscard]] Standing standingOf(const archive::KernelTable& table, std::size_t row,
                                  const archive::OwnVerdicts* verdicts);

/// The kernel that others are held against.
struct Subject {
    std::string code;
    std::int64_t kernel = 0;          ///< its number in the archive, which is left out; 0: none
    std::int32_t level = 0, task = 0; ///< 0: of no known task
    std::string opName;               ///< of an archived one: level and task alone are not a task
    Operators operators;              ///< of its task; empty: not known
    double runtime = std::numeric_limits<double>::quiet_NaN(); ///< archived, milliseconds
    double speedup = std::numeric_limits<double>::quiet_NaN(); ///< over PyTorch, archived
};
/// A kernel of the archive as it was archived, but for its operators.
Result<Subject> archivedSubject(archive::Archive& archive, const archive::KernelSummary& kernel);

struct LikeQuery {
    bool byCode = true;
    bool byOperators = true; ///< either will do where both are asked for
    double leastCode = 0.3;  ///< share of pieces; what unrelated kernels have in common by their idioms is below 0.2
    double leastOperators = 0.5;
    bool nearestFirst = false;                 ///< by likeness alone
    std::size_t limit = 100;                   ///< 0: all
    bool otherTasks = false;                   ///< those of the subject's own task are left out
    archive::OwnVerdictsPointer verdicts = {}; ///< null: there are none
};

/// What makes it faster than the subject. Times are compared within one task only.
enum class Measure {
    none,      ///< one of the two has no archived time
    time,      ///< the same task: archived time by archived time
    speedup,   ///< another task: how far each is ahead of PyTorch on its own
    ownSpeedup ///< the subject has no archived time: how far this one is ahead of PyTorch
};

struct Alike {
    std::uint32_t row = 0; ///< of the table
    double code = 0;       ///< share of pieces; NaN: not asked for
    double operators = 0;  ///< share of operators; NaN: not asked for, or its task has no card
    Operators shared;      ///< the operators that both have
    Standing standing = Standing::unknown;
    Measure measure = Measure::none;
    double gain = std::numeric_limits<double>::quiet_NaN(); ///< over 1: faster than the subject, by the measure
    std::vector<std::uint32_t> same; ///< further rows of its task whose code differs in comments and white space only
};

struct LikeResult {
    std::vector<Alike> found;      ///< as asked for: by standing, then gain (unknown ones last), then likeness
    std::size_t more = 0;          ///< that the limit left out
    std::size_t withoutCard = 0;   ///< tasks of the archive whose operators are not known
    bool operatorsUnknown = false; ///< of the subject, where they were asked for
};

/// The archive's kernels that are like one. The index has to be up to date (PieceIndex::update). Errors: those of the
/// index; "bad_input" when neither code nor operators are asked for, or operators alone of a subject that has none;
/// "cancelled".
Result<LikeResult> kernelsLike(archive::Archive& archive, const PieceIndex& index, TaskOperators& tasks,
                               const Subject& subject, const LikeQuery& query, const std::stop_token& stop = {});

} // namespace kernelarium::similar
