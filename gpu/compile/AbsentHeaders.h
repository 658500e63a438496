// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/compile/CompiledUnit.h"
#include "gpu/compile/Toolkit.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::compile {

/// Headers that a build of PyTorch finds and that neither the shim nor the toolkit here has. Those of PyTorch and
/// pybind11 stand for all of the shim, whatever their name; those of the C and C++ libraries and of NVIDIA's other
/// libraries are empty, so that what is used of them is refused by name (MissingNames.h). A few of CUTLASS's tools have
/// a stand-in of ours, which comes behind the user's own file of that name.
class AbsentHeaders {
public:
    explicit AbsentHeaders(const Toolkit& toolkit)
        : m_toolkit(toolkit) {}

    /// Takes in `name` if it is such a header. True when it is one more.
    bool take(std::string_view name);
    /// Takes in those that the messages could not open.
    bool take(const std::vector<Diagnostic>& found);
    [[nodiscard]] static bool isOfShim(std::string_view name);
    /// Whether the toolkit's own folder has it; none of the shim's names.
    [[nodiscard]] bool isOfToolkit(std::string_view name) const;
    /// Name and text of each.
    [[nodiscard]] const std::map<std::string, std::string>& texts() const { return m_texts; }

private:
    const Toolkit& m_toolkit;
    std::map<std::string, std::string> m_texts;
};

} // namespace kernelarium::compile
