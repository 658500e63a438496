// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/space/CodeTokens.h"
#include "ui/names/SourceReader.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kernelarium::ui {

/// The names of one CUDA C++ file, read by the shape of its text: functions and kernels with their parameters, template
/// parameters, types, enumerators, members, variables of every scope, macros. No compiler is asked, nothing is
/// included, and both sides of an #if are read; where a shape has two readings (`a * b;`), the declaration is taken.
/// Any text will do, and costs time in proportion to its length.
class SourceIndex {
public:
    explicit SourceIndex(std::string text);
    SourceIndex(const SourceIndex&) = delete; // its map looks into its text
    SourceIndex& operator=(const SourceIndex&) = delete;

    /// The name at a place or ending there; nothing in comments, texts, keywords and the like.
    [[nodiscard]] std::optional<SourceSpan> nameAt(std::size_t at) const;
    [[nodiscard]] std::string_view text(SourceSpan name) const {
        return std::string_view(m_text).substr(name.begin, name.end - name.begin);
    }
    /// What a name stands for, by the innermost scope that knows it: definitions before declarations, then in the order
    /// of the text, but for variables the nearest before the name. Empty: this file does not say.
    [[nodiscard]] std::vector<SourceDefinition> definitionsOf(SourceSpan name) const;
    /// Every place of the same name that stands for the same, in order; for one that the file does not define, all that
    /// are not something else. What a mark of a tunable text (`// tune`) says of it belongs to it.
    [[nodiscard]] std::vector<SourceSpan> placesOf(SourceSpan name) const;
    /// How often a name occurs in code.
    [[nodiscard]] std::size_t count(std::string_view name) const;

    /// Whether it is a word that code can give to something of its own.
    [[nodiscard]] static bool isName(std::string_view word);

private:
    [[nodiscard]] bool isOfAnObject(std::size_t token) const; ///< behind `.` or `->`
    [[nodiscard]] std::vector<const SourceDefinition*> known(std::size_t token) const;
    [[nodiscard]] std::optional<std::size_t> tokenAt(std::size_t at) const;
    void addMarks(SourceSpan name, std::vector<SourceSpan>& places) const;

    std::string m_text;
    tuning::CodeTokens m_tokens;
    std::vector<bool> m_isName; ///< of each piece of code
    std::vector<SourceDefinition> m_definitions;
    std::unordered_map<std::string_view, std::vector<std::size_t>> m_byName;
};

} // namespace kernelarium::ui
