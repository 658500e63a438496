// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/task/Card.h"

namespace kernelarium::proof {

/// Symbol values at which a card is as small as may be and still says what it says: starting from its smallest size,
/// every symbol in turn takes the least value that no other has (so that no extent is taken for another) at which the
/// card has the same formulas as before, and each axis of each tensor keeps an extent of 2 at least (an input's places
/// of 3), or what it had if that was less. What the card writes as a number (a kernel of 3, a width of 768) stays.
/// Errors: as algebra::lower.
[[nodiscard]] Result<task::Symbols> tinySize(const task::Card& card);

} // namespace kernelarium::proof
