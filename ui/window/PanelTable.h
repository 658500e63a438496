// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/PanelKind.h"

#include <vector>

namespace kernelarium::ui {

/// Every panel, in the order of tabs and of the Go menu, the first of each area in front at the first start. A new
/// panel is a row here and the function that makes it.
[[nodiscard]] const std::vector<PanelKind>& panelKinds();

/// Every page, likewise.
[[nodiscard]] const std::vector<PageKind>& pageKinds();

} // namespace kernelarium::ui
