// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/text/FormulasComment.h"

#include "core/kernelgen/text/Wrapped.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen {

std::string formulasComment(const algebra::Graph& full) {
    std::string out =
        "//\n// The formulas; o0, o1, ... are the axes of what is defined, r0, r1, ... those it is reduced over, at full"
        " size:\n";
    std::size_t definitions = 0;
    constexpr std::size_t mostFormulas = 60;
    for (std::size_t id = 0; id < full.tensors.size(); ++id) {
        if (full.tensors[id].input()) continue;
        if (++definitions > mostFormulas) continue;
        out += filled("//   ", "//     ", algebra::toString(full, id));
    }
    if (definitions > mostFormulas) out += fmt::format("//   ... and {} more\n", definitions - mostFormulas);
    return out;
}

} // namespace kernelarium::kernelgen
