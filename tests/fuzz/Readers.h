// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace kernelarium::fuzz {

/// A reader of untrusted text: what it is given at first, and how it is called. It may refuse; it may not fault, hang
/// or throw.
struct Reader {
    std::string name;
    std::vector<std::string> corpus;
    std::function<void(const std::string&)> read;
};

[[nodiscard]] std::vector<Reader> readers();

} // namespace kernelarium::fuzz
