// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace kernelarium::archive {

/// The first half of the SHA-256 of normalisedCode(): equal for codes that differ in comments and white space
/// only.
using CodeShape = std::array<std::uint8_t, 16>;

CodeShape shapeOf(std::string_view code);

/// C++ source as its tokens: without comments, one line end between a preprocessor directive and what is
/// around it, a space between two tokens that would become one without, and no other white space. Literals
/// stay as they are, and names too: which of them a kernel chose itself and which stand for something else
/// cannot be seen without compiling.
std::string normalisedCode(std::string_view code);

} // namespace kernelarium::archive
