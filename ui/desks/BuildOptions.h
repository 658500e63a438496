// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/desks/Kernel.h"

namespace kernelarium::ui {

/// Compiler options as a person typed them, with their relative folders made whole: those of a file's kernel begin at
/// the file's folder, others at the program's. So they mean the same at the next start, and to whoever keeps them. A
/// line that is none is returned as it is.
[[nodiscard]] QString wholeOptions(const QString& line, const Kernel& kernel);

} // namespace kernelarium::ui
