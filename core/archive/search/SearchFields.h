// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::archive {

/// A field of the search language, for those who explain it or complete what is typed.
struct SearchField {
    std::string_view name;
    std::string_view example;
    std::string_view meaning;
    bool isMeasure = false;                    ///< takes > < >= <= = as well as :
    std::vector<std::string_view> values = {}; ///< all that it takes, where they can be listed
    bool isList = false;                       ///< takes several values, commas between them: any of these
};

[[nodiscard]] std::span<const SearchField> searchFields();
/// Null where there is none of this name.
[[nodiscard]] const SearchField* searchField(std::string_view name);
/// The field whose name is most like a mistyped one, by letters that are wrong, missing, too many or exchanged; null
/// where none is much like it.
[[nodiscard]] const SearchField* nearestSearchField(std::string_view mistyped);
/// "There is no field foo; ...", with the nearest, all fields, and how the text itself is looked for.
[[nodiscard]] std::string unknownFieldText(std::string_view name, std::string_view typed);

/// `value` as parseSearch reads it back: in quotes where it has to be.
[[nodiscard]] std::string quotedSearchValue(std::string_view value);

} // namespace kernelarium::archive
