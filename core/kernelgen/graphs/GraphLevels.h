// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/graphs/Code.h"

namespace kernelarium::kernelgen::graphs {

/// Says of the file's launches what they do, and what they would count: loads of every tile of every block, the
/// arithmetic of all operators, what parts leave for the second launch.
void describeLaunches(Code& code);

} // namespace kernelarium::kernelgen::graphs
