// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lesson/Lesson.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::lesson {

/// A word of the field and what it means.
struct Term {
    std::string name; ///< "shared memory", in the singular
    std::string meaning;
};

/// Reads the lines "- **name**: meaning" of a Markdown text, in their order.
[[nodiscard]] std::vector<Term> parseGlossary(std::string_view markdown);
/// That of resources/help/glossary.md, compiled into the program.
[[nodiscard]] const std::vector<Term>& glossary();

/// Where a term stands first in a prose, as a word of its own, small or capital, singular or plural.
[[nodiscard]] std::optional<std::size_t> findTerm(std::string_view prose, std::string_view name);

/// What a reader of the lesson reads, in order: introduction and steps without code and check blocks.
[[nodiscard]] std::string prose(const Lesson& lesson);

/// The terms that the lesson uses and does not explain at once: where one first occurs, it is not in bold.
[[nodiscard]] std::vector<Term> presupposed(const Lesson& lesson, const std::vector<Term>& terms);

} // namespace kernelarium::lesson
