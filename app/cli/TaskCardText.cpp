// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/TaskCardText.h"

#include "core/task/Card.h"

namespace kernelarium::cli {

Result<nlohmann::json> taskCard(const TaskName& name) {
    Result<task::Card> card = task::loadCard(name.level, name.task);
    if (!card) return card.error();
    return nlohmann::json::parse(task::writeCard(*card));
}

} // namespace kernelarium::cli
