// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/cubin/Cubin.h"

#include <string>

namespace kernelarium::cli {

/// The bytes of a cubin file. Errors: "bad_input", "unsupported".
Result<sass::Cubin> readCubin(const std::string& file);

} // namespace kernelarium::cli
