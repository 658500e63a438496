// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/Card.h"

#include <QStringList>
#include <stop_token>

namespace kernelarium::ui {

/// "1/12".
[[nodiscard]] QString taskText(const task::TaskKey& key);
/// Of all tasks, in the order of task::builtInCards(): a card has to be read for each, which is for a thread.
[[nodiscard]] QStringList taskNames(const std::stop_token& stop);

} // namespace kernelarium::ui
