// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/store/TableReader.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace kernelarium::archive {
namespace {

double orMissing(const std::optional<double>& value) {
    return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

/// Of a damaged length, what is there.
template <class Bytes> Bytes copied(std::span<const std::uint8_t> stored) {
    Bytes bytes{};
    std::copy_n(stored.begin(), std::min(stored.size(), bytes.size()), bytes.begin());
    return bytes;
}

void append(KernelTable& table, const sqlite::Statement& row) {
    table.id.push_back(row.integer(0));
    table.level.push_back(static_cast<std::int32_t>(row.integer(1)));
    table.task.push_back(static_cast<std::int32_t>(row.integer(2)));
    table.opName.emplace_back(row.text(3));
    table.name.emplace_back(row.text(4));
    table.codeHash.push_back(copied<files::Digest>(row.blob(5)));
    table.codeBytes.push_back(static_cast<std::int32_t>(row.integer(6)));
    table.runtime.push_back(orMissing(row.optionalReal(7)));
    table.nativeRuntime.push_back(orMissing(row.optionalReal(8)));
    table.compileRuntime.push_back(orMissing(row.optionalReal(9)));
    table.speedupNative.push_back(orMissing(row.optionalReal(10)));
    table.speedupCompile.push_back(orMissing(row.optionalReal(11)));
    const bool known = !row.isNull(12);
    table.correct.push_back(!known                 ? KernelTable::Correct::unknown
                            : row.integer(12) != 0 ? KernelTable::Correct::yes
                                                   : KernelTable::Correct::no);
    table.maxDiff.push_back(orMissing(row.optionalReal(13)));
    const auto kind = static_cast<std::size_t>(row.integer(14));
    table.errorKind.push_back(kind < errorKindWords.size() ? static_cast<ErrorKind>(kind) : ErrorKind::other);
    table.hasError.push_back(!row.isNull(15));
    table.hasNcu.push_back(!row.isNull(16));
    table.hasTorch.push_back(!row.isNull(17));
    table.hasTidy.push_back(!row.isNull(18));
    table.originalIndex.push_back(row.optionalInteger(19).value_or(KernelTable::missingIndex));
    table.shape.push_back(copied<CodeShape>(row.blob(20)));
}

template <class T> void appendTo(std::vector<T>& values, const std::vector<T>& others) {
    values.insert(values.end(), others.begin(), others.end());
}

} // namespace

void KernelTable::append(const KernelTable& others) {
    appendTo(id, others.id);
    appendTo(level, others.level);
    appendTo(task, others.task);
    appendTo(opName, others.opName);
    appendTo(name, others.name);
    appendTo(codeHash, others.codeHash);
    appendTo(codeBytes, others.codeBytes);
    appendTo(shape, others.shape);
    appendTo(runtime, others.runtime);
    appendTo(nativeRuntime, others.nativeRuntime);
    appendTo(compileRuntime, others.compileRuntime);
    appendTo(speedupNative, others.speedupNative);
    appendTo(speedupCompile, others.speedupCompile);
    appendTo(correct, others.correct);
    appendTo(maxDiff, others.maxDiff);
    appendTo(errorKind, others.errorKind);
    appendTo(originalIndex, others.originalIndex);
    appendTo(hasError, others.hasError);
    appendTo(hasNcu, others.hasNcu);
    appendTo(hasTorch, others.hasTorch);
    appendTo(hasTidy, others.hasTidy);
}

void appendKernels(sqlite::Database& database, std::int64_t after, KernelTable& table,
                   std::vector<std::int64_t>* codeTexts) {
    auto row = database.prepare("SELECT id, level, task, op_name, name, code_hash, code_bytes, runtime, "
                                "native_runtime, compile_runtime, speedup_native, speedup_compile, correct, max_diff, "
                                "error_kind, error_text, ncu_text, torch_text, tidy_text, original_index, shape, "
                                "code_text FROM kernel LEFT JOIN code_shape ON text = code_text WHERE id > ? ORDER BY "
                                "id");
    row.bind(1, after);
    while (row.step()) {
        // The same page in many places of the table would be an archive without an end.
        if (row.integer(0) <= after) throw std::runtime_error("its kernels are not in order");
        after = row.integer(0);
        append(table, row);
        if (codeTexts != nullptr) codeTexts->push_back(row.integer(21));
    }
}

} // namespace kernelarium::archive
