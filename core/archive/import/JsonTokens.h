// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace kernelarium::archive {

/// How deep the brackets outside of strings nest; what closes too much counts nothing.
std::size_t nestingDepth(std::string_view json);

/// True when a token NaN or Infinity may stand somewhere, in a string or not.
bool mayHaveNonFinite(std::string_view json);

/// The text with NaN, Infinity and -Infinity replaced by null wherever they stand outside of strings.
std::string nonFiniteToNull(std::string_view json);

} // namespace kernelarium::archive
