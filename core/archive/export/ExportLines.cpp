// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/export/Export.h"

#include "core/text/Csv.h"
#include "core/text/UntrustedJson.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::archive {
namespace {

template <class T> std::string csvNumber(const std::optional<T>& value) {
    return value ? fmt::format("{}", *value) : std::string();
}

std::string csvFlag(bool value) {
    return value ? "true" : "false";
}

std::string csvVerdict(const OwnVerdict* verdict) {
    if (verdict == nullptr) return ",,,,,";
    return fmt::format("{},{},{},{},{},{}", text::csvCell(verdict->verdict), text::csvCell(verdict->reasonText()),
                       text::csvCell(verdict->remarkText()), verdict->checks, utcText(verdict->timeMs),
                       csvFlag(verdict->stale));
}

template <class T> void setIfThere(nlohmann::ordered_json& row, const char* column, const std::optional<T>& value) {
    if (value)
        row[column] = *value;
    else
        row[column] = nullptr;
}

} // namespace

std::string csvHeader() {
    return "label,level,task,op_name,name,code_hash,code_bytes,runtime_ms,native_runtime_ms,compile_runtime_ms,"
           "speedup_native,speedup_compile,correct,max_diff,error_kind,original_index,origin,has_ncu,has_torch,"
           "has_clang_tidy,verdict,reasons,remarks,checks_version,verdict_time,verdict_stale\r\n";
}

std::string csvLine(const KernelSummary& k, const OwnVerdict* verdict) {
    return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n", text::csvCell(k.label()),
                       k.level, k.task, text::csvCell(k.opName), text::csvCell(k.name), files::toHex(k.codeHash),
                       k.codeBytes, csvNumber(k.runtime), csvNumber(k.nativeRuntime), csvNumber(k.compileRuntime),
                       csvNumber(k.speedupNative), csvNumber(k.speedupCompile), csvNumber(k.correct),
                       csvNumber(k.maxDiff), errorKindWord(k.errorKind), csvNumber(k.originalIndex),
                       text::csvCell(k.origin), csvFlag(k.hasNcu), csvFlag(k.hasTorch), csvFlag(k.hasTidy),
                       csvVerdict(verdict));
}

Result<std::string> jsonLine(Archive& archive, const KernelSummary& k, const OwnVerdict* verdict) {
    nlohmann::ordered_json row;
    row["Op_Name"] = k.opName;
    row["Level_ID"] = k.level;
    row["Task_ID"] = k.task;
    row["Kernel_Name"] = k.name;
    setIfThere(row, "CUDA_Runtime", k.runtime);
    setIfThere(row, "PyTorch_Native_Runtime", k.nativeRuntime);
    setIfThere(row, "PyTorch_Compile_Runtime", k.compileRuntime);
    setIfThere(row, "CUDA_Speedup_Native", k.speedupNative);
    setIfThere(row, "CUDA_Speedup_Compile", k.speedupCompile);
    setIfThere(row, "Correct", k.correct);
    setIfThere(row, "Max_Diff", k.maxDiff);
    setIfThere(row, "__index_level_0__", k.originalIndex);
    for (const auto& info : textKinds) {
        auto text = archive.text(k.id, info.kind);
        if (!text) return text.error();
        setIfThere(row, info.published.data(), *text);
    }
    auto extra = archive.extraJson(k.id);
    if (!extra) return extra.error();
    if (!extra->empty()) {
        const auto columns = text::untrustedJson<nlohmann::ordered_json>(*extra);
        if (columns.is_object()) row.update(columns);
    }
    if (verdict != nullptr)
        row[ownVerdictColumn] = {{"verdict", verdict->verdict},      {"reasons", verdict->reasons},
                                 {"remarks", verdict->remarks},      {"checks", verdict->checks},
                                 {"time", utcText(verdict->timeMs)}, {"stale", verdict->stale}};
    return row.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string cudaFileName(const KernelSummary& kernel) {
    std::string name = fmt::format("L{}_T{}_{}", kernel.level, kernel.task, kernel.name.substr(0, 150));
    for (char& c : name) {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' ||
                           c == '_' || c == '.';
        if (!plain) c = '_';
    }
    return fmt::format("{}_{}.cu", name, files::toHex(kernel.codeHash, 8));
}

} // namespace kernelarium::archive
