// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/space/CodeTokens.h"
#include "core/tuning/space/TextConstants.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kernelarium::tuning {

/// The definitions of a text, found by their name or place.
class DefinitionIndex {
public:
    DefinitionIndex(std::string_view text, const std::vector<CodeToken>& code);
    DefinitionIndex(const DefinitionIndex&) = delete; // its map looks into its list
    DefinitionIndex& operator=(const DefinitionIndex&) = delete;

    [[nodiscard]] const std::vector<Definition>& all() const { return m_all; }
    [[nodiscard]] std::vector<const Definition*> named(std::string_view name) const; ///< the first two, at most
    /// What a name stands for that is defined once, as a literal.
    [[nodiscard]] std::optional<Value> constant(std::string_view name) const;
    /// By the place of its name or of its literal; or null.
    [[nodiscard]] const Definition* nameAt(std::size_t offset) const;
    [[nodiscard]] const Definition* literalAt(std::size_t offset) const;

private:
    std::vector<Definition> m_all;
    std::unordered_map<std::string_view, std::vector<std::size_t>> m_byName;
    std::unordered_map<std::size_t, std::size_t> m_byNameAt;
    std::unordered_map<std::size_t, std::size_t> m_byLiteral;
};

/// Something on a line that a mark may mean.
struct Subject {
    enum class Kind {
        definition, ///< of a named constant
        setting,    ///< launch bounds (max_threads, min_blocks, max_cluster) or an unroll factor (unroll)
        assigned,   ///< NAME = 16, without const
        bare        ///< a number or boolean without a name
    };
    Kind kind = Kind::bare;
    std::string name;
    std::optional<Spot> spot; ///< empty for a definition by something else than a literal: `body` says what
    std::string body;
};

/// Pieces of code [first, last) of one line: of a directive with its continued lines, otherwise up to the line breaks.
struct CodeLine {
    std::size_t first = 0;
    std::size_t last = 0;
};
inline constexpr std::size_t longestLine = 4096; ///< pieces to either side; what is behind is not looked at

[[nodiscard]] CodeLine lineAround(std::string_view text, const std::vector<CodeToken>& code, std::size_t at);

[[nodiscard]] std::vector<Subject> subjectsOf(std::string_view text, const std::vector<CodeToken>& code, CodeLine line,
                                              const DefinitionIndex& definitions);

} // namespace kernelarium::tuning
