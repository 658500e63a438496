// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kernelarium::ui {

/// Counts warnings of Qt and of the program from now on. What the offscreen platform says about itself is not counted.
/// Call it in initTestCase(), too: Qt Test puts a handler of its own before the one of main().
void watchWarnings();
[[nodiscard]] int unexpectedWarnings();

} // namespace kernelarium::ui
