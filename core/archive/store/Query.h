// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/ErrorKind.h"
#include "core/archive/store/OperatorClass.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kernelarium::archive {

/// Which kernels: all that is set has to hold. A range never matches a kernel whose value is missing.
struct KernelFilter {
    std::optional<std::int64_t> level;
    std::optional<std::int64_t> task;
    std::optional<bool> correct;
    std::string op;       ///< part of the operator's name, in either case
    std::string name;     ///< part of the kernel's name, in either case
    std::string nameWord; ///< a whole word of the kernel's name (between '_'), in either case
    std::optional<OperatorClass> operatorClass;
    std::optional<double> minSpeedupNative, maxSpeedupNative;
    std::optional<double> minSpeedupCompile, maxSpeedupCompile;
    std::optional<double> minRuntime, maxRuntime; ///< milliseconds
    std::optional<double> minNativeRuntime, maxNativeRuntime;
    std::optional<double> minCompileRuntime, maxCompileRuntime;
    std::optional<double> minMaxDiff, maxMaxDiff;
    std::optional<double> minCodeBytes, maxCodeBytes;
    std::optional<double> minIndex, maxIndex; ///< of the published archive
    std::optional<bool> hasError;             ///< an error text is there
    std::optional<ErrorKind> errorKind;
    std::optional<bool> hasNcu;

    bool operator==(const KernelFilter&) const = default;
};

enum class SortColumn {
    id,
    level,
    task,
    op,
    name,
    runtime,
    nativeRuntime,
    compileRuntime,
    speedupNative,
    speedupCompile,
    correct,
    maxDiff,
    codeBytes,
    errorKind,
    originalIndex,
    // Of our own verdicts, which are no part of the archive's file: orders of rows in memory (TableSelection) only.
    verdict,
    reason,
    remark,
    checks,
    verdictTime
};

struct SortColumnInfo {
    SortColumn column;
    std::string_view word;   ///< what a person types
    std::string_view stored; ///< the column of table `kernel`; empty: the file has none
};

inline constexpr std::array<SortColumnInfo, 20> sortColumns = {{
    {SortColumn::id, "id", "id"},
    {SortColumn::level, "level", "level"},
    {SortColumn::task, "task", "task"},
    {SortColumn::op, "op", "op_name"},
    {SortColumn::name, "name", "name"},
    {SortColumn::runtime, "runtime", "runtime"},
    {SortColumn::nativeRuntime, "native", "native_runtime"},
    {SortColumn::compileRuntime, "compile", "compile_runtime"},
    {SortColumn::speedupNative, "speedup", "speedup_native"},
    {SortColumn::speedupCompile, "speedup-compile", "speedup_compile"},
    {SortColumn::correct, "correct", "correct"},
    {SortColumn::maxDiff, "max-diff", "max_diff"},
    {SortColumn::codeBytes, "bytes", "code_bytes"},
    {SortColumn::errorKind, "error-kind", "error_kind"},
    {SortColumn::originalIndex, "index", "original_index"},
    {SortColumn::verdict, "verdict", ""},
    {SortColumn::reason, "reason", ""},
    {SortColumn::remark, "remark", ""},
    {SortColumn::checks, "checks", ""},
    {SortColumn::verdictTime, "when", ""},
}};

std::optional<SortColumn> sortColumnFromWord(std::string_view word);
/// Whether it is an order by our own verdicts.
[[nodiscard]] constexpr bool isOfVerdicts(SortColumn column) {
    return column >= SortColumn::verdict;
}

/// Missing values come last in either direction; equal ones by ascending id. Text sorts by its bytes.
struct KernelQuery {
    KernelFilter filter;
    SortColumn sort = SortColumn::id;
    bool descending = false;
    std::int64_t limit = -1; ///< -1: all
    std::int64_t offset = 0;
};

} // namespace kernelarium::archive
