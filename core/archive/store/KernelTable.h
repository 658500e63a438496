// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/CodeShape.h"
#include "core/archive/store/ErrorKind.h"
#include "core/files/Sha256.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::archive {

/// What the archive says of one kernel, without its texts. Times in milliseconds.
struct KernelSummary {
    std::int64_t id = 0; ///< the row's number in this file
    std::int64_t level = 0;
    std::int64_t task = 0;
    std::string opName;
    std::string name;
    files::Digest codeHash{};
    std::int64_t codeBytes = 0;
    std::optional<double> runtime;
    std::optional<double> nativeRuntime;
    std::optional<double> compileRuntime;
    std::optional<double> speedupNative; ///< as published; 0 where the kernel is wrong
    std::optional<double> speedupCompile;
    std::optional<bool> correct; ///< as published
    std::optional<double> maxDiff;
    ErrorKind errorKind = ErrorKind::none;
    std::optional<std::int64_t> originalIndex;
    std::string origin; ///< the source that it was imported from
    bool hasModule = false;
    bool hasFunctional = false;
    bool hasError = false; ///< an error text is there
    bool hasNcu = false;
    bool hasTorch = false;
    bool hasTidy = false;

    /// The same in every archive: "L1/T1/block_size_optimized_base@1a2b3c4d", the end being the code's hash.
    [[nodiscard]] std::string label() const;
};

/// The whole narrow table as one vector a column, all of the same length, by ascending id. A missing number
/// is NaN.
struct KernelTable {
    static constexpr std::int64_t missingIndex = INT64_MIN;
    enum class Correct : std::int8_t { unknown = -1, no = 0, yes = 1 };

    std::vector<std::int64_t> id;
    std::vector<std::int32_t> level;
    std::vector<std::int32_t> task;
    std::vector<std::string> opName;
    std::vector<std::string> name;
    std::vector<files::Digest> codeHash;
    std::vector<std::int32_t> codeBytes;
    std::vector<CodeShape> shape; ///< equal for kernels whose code differs in comments and white space only
    std::vector<double> runtime;
    std::vector<double> nativeRuntime;
    std::vector<double> compileRuntime;
    std::vector<double> speedupNative;
    std::vector<double> speedupCompile;
    std::vector<Correct> correct;
    std::vector<double> maxDiff;
    std::vector<ErrorKind> errorKind;
    std::vector<std::int64_t> originalIndex; ///< missingIndex where there is none
    std::vector<std::uint8_t> hasError;
    std::vector<std::uint8_t> hasNcu;
    std::vector<std::uint8_t> hasTorch;
    std::vector<std::uint8_t> hasTidy;

    [[nodiscard]] std::size_t size() const { return id.size(); }
    [[nodiscard]] std::string label(std::size_t row) const;
    void append(const KernelTable& others);
};

std::string kernelLabel(std::int64_t level, std::int64_t task, const std::string& name, const files::Digest& codeHash);

} // namespace kernelarium::archive
