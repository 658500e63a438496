// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kernelarium::test {

/// Counts warnings of Qt and of the program from now on. What the offscreen platform says about itself is not counted.
/// To be called again when Qt Test has begun a class, since it puts a handler of its own before this one.
void watchWarnings();
[[nodiscard]] int unexpectedWarnings();

} // namespace kernelarium::test
