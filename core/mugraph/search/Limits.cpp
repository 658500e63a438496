// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mugraph/search/Limits.h"

namespace kernelarium::mugraph {

Counts& Counts::operator+=(const Counts& other) {
    states += other.states;
    extensions += other.extensions;
    expression += other.expression;
    reach += other.reach;
    memory += other.memory;
    bound += other.bound;
    redundant += other.redundant;
    unfinished += other.unfinished;
    return *this;
}

} // namespace kernelarium::mugraph
