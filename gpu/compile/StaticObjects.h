// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/compile/CompiledUnit.h"
#include "gpu/compile/SourceTokens.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kernelarium::compile {

/// Host objects of static storage whose initialisation runs code, which device code may not have: NVRTC refuses each by
/// the place of its name. Those that it refused are put into zeroed memory and constructed in it, by a function that
/// gpu/host runs before the module's entry (namespace scope), or where control first passes (function scope):
///
///     static const std::vector<int> sizes = {1, 2};
///  -> kl_s0                                {1, 2}; kl_e0
///
/// with kl_s0 defined before the source as a cell, a reference `sizes` to what it holds, and the head of
/// `static void kl_static_0() { ::new (cell) const std::vector<int>`. Lines stay; what stands behind on the same
/// line moves, and restore() gives its columns back.
class StaticObjects {
public:
    /// Both must outlive it.
    StaticObjects(std::string_view source, const SourceTokens& tokens)
        : m_source(source)
        , m_tokens(tokens.tokens) {}

    /// Has this text stand before an offset of the source as well.
    void insert(std::size_t offset, std::string text) { m_edits.insert({offset, 0, std::move(text)}); }
    /// Takes in the objects that these messages refuse. True when there is one more than before.
    bool take(const std::vector<Diagnostic>& found);
    /// `text` is the source, or as long as it with other names in the places of keywords.
    [[nodiscard]] std::string rewritten(std::string_view text) const;
    /// What to put before the source; empty, or ending in a #line.
    [[nodiscard]] std::string definitions() const;
    /// Whether an error is about what stands in place of an object: the author did not write that.
    [[nodiscard]] static bool blames(const std::vector<Diagnostic>& found);
    /// Columns of the rewritten text as those of the source.
    void restore(std::vector<Diagnostic>& found) const;

private:
    struct Object {
        bool local;             ///< of a function
        std::string type, name; ///< `type` without storage specifiers
        std::string dimensions; ///< "[3]" of an array
        std::string referred;   ///< of a reference: what it is bound to
        std::string owner;      ///< of a class's member: "S::"
    };
    struct Edit {
        std::size_t offset, length; ///< what of the text is replaced
        std::string by;
        bool operator<(const Edit& other) const { return offset < other.offset; }
    };

    [[nodiscard]] std::string_view text(std::size_t i) const;
    [[nodiscard]] std::size_t tokenAt(const Diagnostic& found) const;
    [[nodiscard]] std::size_t firstOfDeclaration(std::size_t name) const;
    [[nodiscard]] std::size_t endOfDeclaration(std::size_t name) const;
    [[nodiscard]] std::string typeBefore(std::size_t first, std::size_t last, const std::string& value) const;
    [[nodiscard]] std::string dimensionsAfter(std::size_t name, std::size_t& next) const;
    [[nodiscard]] std::size_t closing(std::size_t open) const;
    [[nodiscard]] std::string sourceOf(std::size_t first, std::size_t last) const;
    bool add(std::size_t name, bool local);
    void blank(std::size_t first, std::size_t last, const std::string& by);

    std::string_view m_source;
    const std::vector<Token>& m_tokens;
    std::map<std::size_t, Object> m_objects; ///< by the token of the name, which is the number in the names of macros
    std::set<Edit> m_edits;
};

} // namespace kernelarium::compile
