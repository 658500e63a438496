// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/import/RowCheck.h"

#include <cstdlib>
#include <fmt/format.h>

namespace kernelarium::archive {
namespace {

constexpr std::int64_t greatestNumber = 1'000'000;            ///< of a level or a task
constexpr std::int64_t greatestIndex = 9'007'199'254'740'992; ///< 2^53
constexpr std::size_t longestName = 512;

std::string idProblem(std::string_view column, std::int64_t value) {
    if (value >= 0 && value <= greatestNumber) return {};
    return fmt::format("{} is {}; it should be between 0 and {}", column, value, greatestNumber);
}

std::string nameProblem(std::string_view column, std::string_view value) {
    if (value.empty()) return fmt::format("{} is empty", column);
    if (value.size() > longestName)
        return fmt::format("{} has {} bytes; the longest allowed is {}", column, value.size(), longestName);
    for (const unsigned char c : value)
        if (c < 32 || c == 127) return fmt::format("{} contains a control character", column);
    return {};
}

} // namespace

std::string rowProblem(const SourceRow& row) {
    for (const std::string& problem : {nameProblem("Op_Name", row.opName), idProblem("Level_ID", row.level),
                                       idProblem("Task_ID", row.task), nameProblem("Kernel_Name", row.name)})
        if (!problem.empty()) return problem;
    if (row.originalIndex && (*row.originalIndex > greatestIndex || *row.originalIndex < -greatestIndex))
        return "__index_level_0__ is out of range";
    const auto& code = row.texts[indexOf(TextKind::cudaCode)];
    if (!code) return "CUDA_Code is missing";
    if (code->empty()) return "CUDA_Code is empty";
    return {};
}

} // namespace kernelarium::archive
