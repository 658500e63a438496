// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace kernelarium::ui {

/// Where a number comes from. Drawn as a hollow, a filled and a dashed circle.
enum class Origin { archived, measured, modelled };

[[nodiscard]] inline QString word(Origin origin) {
    switch (origin) {
    case Origin::archived: return QStringLiteral("archived");
    case Origin::measured: return QStringLiteral("measured");
    case Origin::modelled: break;
    }
    return QStringLiteral("modelled");
}

} // namespace kernelarium::ui
