// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace kernelarium::host {

/// "void scale<float>(float*, int)" of "_Z5scaleIfEvPT_i"; the name itself where it is not mangled.
[[nodiscard]] std::string demangle(std::string_view mangled);
/// The same without return type and parameters: "scale<float>".
[[nodiscard]] std::string kernelTitle(std::string_view mangled);

} // namespace kernelarium::host
