// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/desks/Kernel.h"

#include <QByteArray>

namespace kernelarium::ui {

/// As the session file remembers it.
[[nodiscard]] QByteArray toJson(const Target& target);
[[nodiscard]] Target targetFromJson(const QByteArray& text);

} // namespace kernelarium::ui
