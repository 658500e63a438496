// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/OwnVerdicts.h"
#include "core/archive/store/Query.h"
#include "core/archive/store/Search.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::archive {

/// What has to hold of our own verdict on a kernel: all that is set.
struct VerdictTest {
    /// Any of these: ownVerdictWords, "none" (nobody has tried the kernel), "any", "stale".
    std::vector<std::string> verdicts;
    std::vector<std::string> reasons; ///< parts, one of which is in one of its reasons; lower case, '_' between words
    std::vector<std::string> remarks; ///< likewise
    std::optional<double> minChecks, maxChecks;
    std::optional<std::int64_t> from, before; ///< when it was found, milliseconds since 1970

    bool operator==(const VerdictTest&) const = default;
};

/// `verdict` null: there is none.
[[nodiscard]] bool holds(const VerdictTest& test, const OwnVerdict* verdict);

/// An expression over kernels, as NOT, OR and parentheses make it.
struct Condition {
    enum class Kind {
        all,     ///< of the parts
        any,     ///< of the parts
        without, ///< not the one part
        kernels, ///< the filter
        verdict, ///< the test
        text,    ///< in code or names, as the query says where and how
        uses,    ///< a whole word of the code
    };
    Kind kind = Kind::all;
    std::vector<Condition> parts = {};
    KernelFilter filter = {};
    VerdictTest verdict = {};
    std::string text = {};
    bool regex = false; ///< of a text

    /// Whether it asks for something that the table of kernels and the verdicts do not answer.
    [[nodiscard]] bool looksIntoTexts() const;
    [[nodiscard]] bool asksForVerdicts() const;
};

/// Both have to hold; either may be null.
[[nodiscard]] ConditionPointer bothOf(ConditionPointer a, ConditionPointer b);
[[nodiscard]] ConditionPointer verdictCondition(VerdictTest test);

} // namespace kernelarium::archive
