// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/KernelTable.h"
#include "core/archive/store/OwnVerdicts.h"
#include "core/archive/store/Query.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::archive {

struct Condition; ///< an expression: core/archive/search/Condition.h
using ConditionPointer = std::shared_ptr<const Condition>;

/// Kernels whose CUDA code or names contain `text`, of any length, taken literally or as a regular expression. Of
/// `kernels`, filter and sort hold for the search; its limit is that of the hits and its offset skips hits. Without a
/// text every kernel is found that the filter and `uses` let through.
struct SearchQuery {
    std::string text;
    bool eachWord = false;  ///< not the text as a whole: every word of it, taken literally, in any order
    bool regex = false;     ///< RE2's syntax, time linear in the text; ^ and $ are the ends of a line
    bool matchCase = false; ///< otherwise ASCII letters match in either case
    bool inCode = true;
    bool inNames = true;           ///< the kernel's and the operator's name
    std::vector<std::string> uses; ///< words that all stand in the code, not as a part of a longer one; case matters
    std::size_t urgentHits = SIZE_MAX; ///< behind this many, a search leaves one core to whoever shows them
    bool foldDuplicates = false;       ///< kernels whose code is the same but for comments and white space are one hit
    KernelQuery kernels;
    ConditionPointer condition = {};  ///< has to hold as well; null: there is none
    OwnVerdictsPointer verdicts = {}; ///< what a condition and an order by verdict mean; null: there are none

    /// Whether more than the table of kernels and the verdicts is needed to answer it.
    [[nodiscard]] bool looksIntoTexts() const;
    [[nodiscard]] bool asksForVerdicts() const;
};

/// Where the text stands in a kernel.
struct SearchPlace {
    bool inName = false;
    bool inCode = false;
    std::int64_t line = 0;    ///< of the first match in the code, from 1; 0 when it is in a name only
    std::int64_t column = 0;  ///< in bytes, from 1
    std::string lineText;     ///< that line without its indentation, shortened
    std::int64_t matches = 0; ///< in the code, not overlapping
};

struct SearchHit : SearchPlace {
    KernelSummary kernel;
    std::int64_t folded = 0; ///< further hits with the same code, with foldDuplicates
};

/// A hit by its row of Archive::sharedTable().
struct FoundRow : SearchPlace {
    std::uint32_t row = 0;
    std::optional<std::uint32_t> sameAs; ///< with foldDuplicates: the row of the earlier hit that has the same code
};

/// Takes the next hits of a search; false: enough.
using FoundRows = std::function<bool(std::vector<FoundRow>&& hits)>;

struct SearchResult {
    std::vector<SearchHit> hits;
    bool complete = true;          ///< false: the limit was reached and there may be more
    std::int64_t textsScanned = 0; ///< that had to be decompressed
};

} // namespace kernelarium::archive
