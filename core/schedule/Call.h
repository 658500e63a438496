// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

namespace kernelarium::schedule {

/// Where a searched kernel comes from and how it is called: Subject::call in fields.
struct Call {
    std::string file;                       ///< its source or cubin; of the window the kernel's title
    std::vector<std::string> compilerWords; ///< beside the architecture
    bool fastMath = false;
    std::string task;                   ///< "1/1"; empty: none
    std::string function;               ///< of its module; empty: forward, or the only one
    std::vector<std::string> arguments; ///< of the function, where there is no task
    // Of a search that is measured.
    std::string size;   ///< "full", or another of the task's card
    std::string timing; ///< "cold", "hot"
    std::string device; ///< the GPU's name
    std::string card;   ///< digest of the task's card, whose shapes and inputs are timed; empty: none
    bool operator==(const Call&) const = default;
};

/// Without what is empty.
[[nodiscard]] std::map<std::string, std::string> fieldsOf(const Call& call);
[[nodiscard]] Call callFrom(const std::map<std::string, std::string>& fields);

} // namespace kernelarium::schedule
