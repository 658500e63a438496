// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::kernelgen {

/// Whole numbers of an emitted file's host function at one size, computed from the text as it is written: names that
/// were set, declarations that were seen, and expressions of them. So that what is said of a launch is what the text
/// does.
class HostNumbers {
public:
    void set(const std::string& name, std::int64_t value) { m_values[name] = value; }

    /// Remembers what a line declares: "constexpr int threads = 256; // tune: ...", "const int64_t a = b * 2, c = d;",
    /// "const auto y = torch::empty({B, N}, ...);" (as y.numel()). Other lines, and what is not known, are passed over.
    void declare(std::string_view line);

    /// Its value: + - * / %, comparisons, ?:, blocks(count, each), min, max, conversions, names, x.numel(), x.size(k).
    /// Nothing where a name is not known or the text has another form.
    [[nodiscard]] std::optional<std::int64_t> of(std::string_view expression) const;

    /// The parts of "dim3(a, b)", or the expression itself.
    [[nodiscard]] static std::vector<std::string> partsOfDim3(std::string_view text);

private:
    std::map<std::string, std::int64_t, std::less<>> m_values;
};

} // namespace kernelarium::kernelgen
