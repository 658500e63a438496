// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/search/Condition.h"
#include "core/archive/store/Search.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace kernelarium::archive {

/// Where in the typed text something is wrong, in bytes.
struct SearchProblem {
    std::size_t at = 0;
    std::size_t length = 0;
};

/// A field as it was typed.
struct TypedField {
    std::string name; ///< a known one
    std::string sign; ///< ":", ">", ">=", "<", "<=", "="
    std::string value;
    SearchProblem place; ///< of the whole field
};

/// Thrown for what is not understood.
struct BadField {
    std::string message;
    SearchProblem place;
};

/// Sets what a field says, in the filter and the text of a query; what it says of our verdicts is added to the
/// condition. Throws BadField.
void applyField(const TypedField& field, SearchQuery& query);
/// The same as a condition of its own. Throws BadField.
[[nodiscard]] Condition conditionOf(const TypedField& field, bool matchCase);

} // namespace kernelarium::archive
