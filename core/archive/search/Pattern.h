// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/archive/store/SignatureTable.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace kernelarium::archive {

/// What a search looks for in a text. Once made it is only read: several threads may use one, each with its
/// own scratch.
class Pattern {
public:
    struct Match {
        std::size_t at;
        std::size_t length; ///< 0 for a regular expression that matches nothing
    };
    using Scratch = std::string; ///< room for a text in lower case

    virtual ~Pattern() = default;

    /// A text, taken literally.
    static std::unique_ptr<const Pattern> literal(std::string text, bool matchCase);
    /// A word that is not a part of a longer one; case matters.
    static std::unique_ptr<const Pattern> word(std::string word);
    /// A regular expression in RE2's syntax; matching takes time linear in the text, whatever the expression.
    /// Error "bad_input" with the reason and the place; also for one that is long (1,000 characters) or would take
    /// megabytes to compile.
    static Result<std::unique_ptr<const Pattern>> regex(const std::string& expression, bool matchCase);

    /// Texts that are not among these cannot match.
    [[nodiscard]] virtual TextSet possible(const SignatureTable& signatures) const = 0;
    /// Whether it finds in a text in lower case what it finds in the text itself.
    [[nodiscard]] virtual bool ignoresCase() const { return false; }
    /// Brings a text into the form that find() looks through: the text itself or something in `scratch`.
    [[nodiscard]] virtual std::string_view prepared(std::string_view text, Scratch& scratch) const = 0;
    [[nodiscard]] virtual std::optional<Match> find(std::string_view prepared, std::size_t from) const = 0;
};

} // namespace kernelarium::archive
