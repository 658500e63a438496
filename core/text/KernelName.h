// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace kernelarium::text {

/// "void scale<float>(float*, int)" of "_Z5scaleIfEvPT_i"; the name itself where it is not mangled.
[[nodiscard]] std::string demangled(std::string_view name);

/// The same without result type, parameters and qualifiers: "scale<float>". Scopes stay as they are written, also
/// "(anonymous namespace)::scale" and "forward(int)::{lambda(float)#1}::operator()".
[[nodiscard]] std::string kernelTitle(std::string_view name);

/// Whether two names are one kernel's, whoever demangled them: NVIDIA's tools write template arguments as "(bool)1" and
/// "(int)4" where the demangler here has "true" and "4", "<unnamed>" for an anonymous namespace, and "const float" for
/// "float const". Scopes have to agree; result types and parameters are not looked at.
[[nodiscard]] bool isSameKernel(std::string_view one, std::string_view other);

} // namespace kernelarium::text
