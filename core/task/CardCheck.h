// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/Card.h"

namespace kernelarium::task {

/// What whoever uses a card relies on, looked at once, where one is read: every tensor that an argument names is there,
/// every node is an earlier one and has a name of its own, the call names no node, every symbol has one value, fills
/// are numbers that can be drawn, and nothing is so much, so long or so deep that walking it were not quick. Whether
/// sizes are possible and operators accept what they are given depends on the size and is their own to say. Error
/// "bad_card" names the first thing that is wrong.
Result<void> checkSoundness(const Card& card);

} // namespace kernelarium::task
