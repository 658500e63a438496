// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/compile/SourceTokens.h"
#include "gpu/compile/TryGuards.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::compile {

/// Which names the variables go by that a try block can change: what must be in memory when an exception comes back
/// to kl_try(). Decided on tokens, and generously: a name that is not a variable in that place makes NVRTC complain,
/// upon which the compiler leaves it out (TryGuards.h); a variable that is missed would silently keep an old value.
class TryVariables {
public:
    TryVariables(std::string_view source, const SourceTokens& tokens);

    /// Of the block after the `try` that is tokens[at].
    [[nodiscard]] std::vector<TryName> changedBy(std::size_t at) const;
    /// The macro in whose definition tokens[at] stands; empty when in none.
    [[nodiscard]] std::string_view macroAround(std::size_t at) const;

private:
    struct Macro {
        std::string_view name;
        std::size_t first, last; ///< tokens of its definition, [first, last)
    };

    [[nodiscard]] std::string_view text(std::size_t i) const;
    [[nodiscard]] bool isName(std::size_t i) const;
    [[nodiscard]] bool mayBeObject(std::size_t i) const;
    [[nodiscard]] bool isDeclared(std::size_t i) const;
    [[nodiscard]] bool isParameterList(std::size_t open) const;
    [[nodiscard]] bool isAssigned(std::size_t i) const;
    [[nodiscard]] bool isInMemberFunction(std::size_t at) const;
    [[nodiscard]] int nesting(std::size_t first, std::size_t at) const;
    [[nodiscard]] std::size_t closing(std::size_t open) const;
    void collect(std::size_t first, std::size_t last, std::set<std::string_view>& names,
                 std::set<std::string_view>& expanded) const;

    const std::vector<Token>& m_tokens;
    std::map<std::string_view, std::vector<std::size_t>> m_places;
    std::vector<Macro> m_macros;
};

} // namespace kernelarium::compile
