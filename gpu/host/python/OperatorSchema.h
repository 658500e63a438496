// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/python/HostModule.h"

#include <string_view>

namespace kernelarium::host {

/// What m.def of a TORCH_LIBRARY was told: "space::name.overload(Tensor x, *, float eps=1e-5) -> Tensor", or
/// the name alone. Fills the name, and where there is a schema the arity, the arguments' names and their
/// defaults. Stops the run as unsupported, naming it, on a default value that is not a number, a bool, None
/// or a string.
void readSchema(std::string_view schema, Definition& definition);

} // namespace kernelarium::host
