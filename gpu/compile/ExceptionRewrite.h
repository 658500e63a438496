// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/compile/CompiledUnit.h"
#include "gpu/compile/TryGuards.h"

#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::compile {

struct SourceTokens;

/// The source with try, catch and throw replaced by names of the same length, which the shim defines as macros
/// (resources/shim/kernelarium/std_exception.h): every line and column stays where it was.
///
///     try {            ->  _kT {            if (TryScope kl_scope(kl_try()); !kl_scope.caught) {
///     catch (E& e)     ->  __caN (E& e)     else if (E& e = Caught{&kl_scope}; kl_scope.matched)
///     catch (E&)       ->  __caU (E&)       else if (catches<E&>(kl_scope))
///     catch (...)      ->  __caE (...)      else if (kl_scope.handle())
///     throw x          ->  __thV x          Thrower() = x
///     throw;           ->  __thR;           kl_rethrow();
///     thread_local     ->  static           (host code has one thread)
///
/// A try block that can change variables from outside it has a name of its own (_k0, _k1, ...) instead of _kT: see
/// TryGuards.h.
struct RewrittenSource {
    std::string text;
    bool changed = false;
    std::vector<Diagnostic> refused;  ///< function-try-blocks, by name
    std::vector<Diagnostic> warnings; ///< try blocks whose variables cannot be known
    std::vector<TryGuard> guards;
};
RewrittenSource rewriteExceptions(std::string_view source, const SourceTokens& tokens);

} // namespace kernelarium::compile
