// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/SessionStore.h"

namespace kernelarium::session {

/// A search as it was typed, under a name of the user's.
struct SavedSearch {
    std::string name = {};
    std::string text = {}; ///< the language of archive::parseSearch
    bool literal = false;  ///< the text is one, fields are not read
    bool regex = false;
    bool matchCase = false;
    bool foldDuplicates = false;
    std::string sort = {}; ///< a word of archive::sortColumns; empty: as stored
    bool descending = false;
    bool namesOnly = false; ///< the code is left out

    bool operator==(const SavedSearch&) const = default;
};

/// By name. The errors of SessionStore.
Result<std::vector<SavedSearch>> savedSearches(SessionStore& store);
/// Takes the place of one of the same name. Error "bad_input" without a name.
Result<void> saveSearch(SessionStore& store, const SavedSearch& search);
/// Error "bad_input" when there is none of that name, when the other has none, and when another has it.
Result<void> renameSearch(SessionStore& store, std::string_view name, const std::string& other);
/// Error "bad_input" when there is none of that name.
Result<void> removeSearch(SessionStore& store, std::string_view name);

} // namespace kernelarium::session
