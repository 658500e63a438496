// SPDX-License-Identifier: GPL-3.0-or-later
//
// kl_try() returns twice, which NVRTC does not know: a variable that it keeps in a register would have its value from
// before the block when an exception comes back. So the address of every variable that the block may change is given
// away before kl_try(), upon which the compiler stores each change before the next call and loads it after kl_try().
#pragma once

#include "gpu/compile/CompiledUnit.h"

#include <string>
#include <vector>

namespace kernelarium::compile {

/// A name that a try block uses and that may be an object from outside the block.
struct TryName {
    std::string name; ///< an identifier, or `this`
    bool sure;        ///< declared or assigned somewhere, so it is not merely a type or a function
};

/// A try block and the names whose addresses are given away before it.
struct TryGuard {
    int line = 0, column = 0; ///< of `try`, 1-based
    std::string macro;        ///< what stands in the place of `try`
    std::vector<TryName> names;
    std::vector<std::string> failed; ///< variables that could not be named in front of the block
};

/// The definitions of the guards' macros: text to put before the source. Empty when there are no guards.
std::string guardDefinitions(const std::vector<TryGuard>& guards);

/// Takes those names out that the compiler does not know as objects where their block begins. False when no error was
/// about a guard: the source itself is wrong.
bool leaveOutMistaken(std::vector<TryGuard>& guards, const std::vector<Diagnostic>& found);

/// Whether a message is about what was put in front of a block (a variable used there before it has a value).
bool isAboutGuard(const std::vector<TryGuard>& guards, const Diagnostic& diagnostic);

/// A warning for each block of whose variables some could not be kept.
std::vector<Diagnostic> unguarded(const std::vector<TryGuard>& guards);

} // namespace kernelarium::compile
