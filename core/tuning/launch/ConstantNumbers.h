// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/CompilerSettings.h"
#include "core/tuning/launch/CodeMap.h"

#include <cstdint>
#include <optional>

namespace kernelarium::tuning {

/// What integer expressions of a text are for certain, without compiling it: sums, products, quotients, remainders,
/// shifts and casts of numbers, sizes of built-in types, macros, constants, and variables of a function that are set
/// once. Every value and every value on the way is from 0 to 2^31 - 1, so that no type's width or sign matters.
/// Everything else is not known: names that are declared twice anywhere, or under #if; calls; variables of which more
/// than the value is taken anywhere (written to, bound to a reference, in a macro).
class ConstantNumbers {
public:
    ConstantNumbers(const CodeMap& map, const text::CompilerSettings& settings)
        : m_map(map)
        , m_settings(settings) {}

    /// Of pieces [begin, end), which stand in that function (null: at namespace level).
    [[nodiscard]] std::optional<std::int64_t> value(std::size_t begin, std::size_t end,
                                                    const FunctionDefinition* function) const;

    /// The declaration of a variable of the function, by the piece of its name, where it is the only one of that name
    /// in it, stands in its outermost block and is never written to again. `certain` is false where there is one that
    /// is not like this; then nothing is known of the name.
    struct Local {
        std::optional<std::size_t> name;
        bool certain = true;
    };
    [[nodiscard]] Local local(std::string_view name, const FunctionDefinition& function) const;

    /// Of a declaration's name: the pieces of "= 4", "{4}" or "(4)" behind it, without what encloses them.
    [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> initialiser(std::size_t name) const;

private:
    class Reader;
    [[nodiscard]] bool declares(std::size_t at) const;
    [[nodiscard]] bool isOnlyRead(std::size_t at) const;
    [[nodiscard]] bool isCopied(std::size_t at) const;
    [[nodiscard]] bool isByValue(std::size_t at) const;
    [[nodiscard]] bool isNamedByMacro(std::string_view name) const;
    [[nodiscard]] bool isConstant(std::size_t name) const;

    const CodeMap& m_map;
    const text::CompilerSettings& m_settings;
};

} // namespace kernelarium::tuning
