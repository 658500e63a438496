// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace kernelarium::kernelgen {

/// An identifier of C++ made of a card's name: "weights_ih.0" becomes weights_ih_0; what C++, CUDA or the emitted files
/// mean something by gets an underscore behind it.
[[nodiscard]] std::string identifier(std::string_view name);
[[nodiscard]] bool isIdentifier(std::string_view text);

/// Names of one scope, each given once.
class Names {
public:
    [[nodiscard]] std::string take(std::string_view wanted);
    [[nodiscard]] bool has(const std::string& name) const { return m_taken.contains(name); }

private:
    std::set<std::string> m_taken;
};

} // namespace kernelarium::kernelgen
