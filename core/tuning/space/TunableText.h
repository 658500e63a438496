// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/CompilerSettings.h"
#include "core/tuning/space/ExpressionParser.h"
#include "core/tuning/space/Space.h"
#include "core/tuning/space/TextConstants.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace kernelarium::tuning {

/// Where a parameter's value goes that is no literal of the text: the register cap, or fast math. A mark that names it
/// keeps the value that holds ("registers = 64"), so that a point's text says all that the point is.
struct CompileSetting {
    enum class Kind { registers, fastMath };
    Kind kind = Kind::registers;
    bool inText = false;      ///< a mark of the text sets it
    std::size_t nameEnd = 0;  ///< of its name there
    std::size_t ownBegin = 0; ///< of the value behind =; equal to `ownEnd` where there is none
    std::size_t ownEnd = 0;
};

/// A name that the text uses and leaves to -D.
struct CompileMacro {
    std::string name;
};

using Target = std::variant<Spot, CompileSetting, CompileMacro>;

/// A kernel's text, what may be set in it, and where. A value that never changes.
struct TunableText {
    std::shared_ptr<const std::string> text;
    Space space;
    std::vector<Target> targets;                      ///< one for each parameter
    Expression::Rules rules = Expression::Rules::cpp; ///< of the restrictions
    text::CompilerSettings settings = {};  ///< macros and register cap that a space's file asks for at every point
    bool fastMath = false;                 ///< likewise
    std::vector<std::string> remarks = {}; ///< what of a space's file was ignored, by its name
};

/// Makes values fit for a literal: integers only in place of an integer; numbers of any kind, as doubles, of a floating
/// one; booleans; words. Otherwise what is wrong.
[[nodiscard]] std::optional<std::string> fitValues(std::vector<Value>& values, const Spot& spot);

/// What is wrong with values for the register cap or fast math, or nothing.
[[nodiscard]] std::optional<std::string> fitSetting(const std::vector<Value>& values, CompileSetting::Kind kind);

/// Reads restrictions, one or several with commas or `and` between them, up to the entry's end. What is wrong becomes a
/// problem.
[[nodiscard]] std::vector<Space::Restriction> readRestrictions(MarkStream& stream, const ExpressionNames& names,
                                                               Expression::Rules rules, TextProblems& problems);

/// "8, 16, 32, ..." for a message.
[[nodiscard]] std::string listed(const std::vector<Value>& values);

} // namespace kernelarium::tuning
