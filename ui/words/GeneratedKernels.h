// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/Card.h"

#include <QString>
#include <optional>

namespace kernelarium::ui {

/// Where a kernel comes from whose text the program wrote from a card. Its key says so, across starts:
/// "generated:2/50/columns/1".
struct GeneratedFrom {
    task::TaskKey task;
    QString skeleton; ///< kernelgen::Emitted::skeleton
    int number = 1;   ///< among those of the same task and skeleton

    [[nodiscard]] QString key() const;
    [[nodiscard]] QString title() const; ///< of the kernel, a file's name: "2_50_columns.cu"
    [[nodiscard]] QString sentence() const;
};
/// Of a kernel's key; none: nothing generated.
[[nodiscard]] std::optional<GeneratedFrom> generatedFrom(const QString& key);

} // namespace kernelarium::ui
