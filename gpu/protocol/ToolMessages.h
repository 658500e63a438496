// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/audit/RowCard.h"
#include "core/profile/ClangTidy.h"
#include "core/profile/NcuCsv.h"
#include "core/profile/NcuSource.h"
#include "core/task/Card.h"
#include "core/text/CompilerSettings.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::protocol {

// What the tools child is asked and answers (gpu/service/ToolService.h).

/// What clang-tidy needs on this machine.
struct TidyTool {
    std::string program; ///< empty: there is none on PATH
    std::string include; ///< CUDA's headers; empty: no toolkit was found
};

/// Parameters of "tidy".
struct TidyRequest {
    std::string source;                ///< a whole file
    std::optional<TidyTool> tool = {}; ///< nothing: it is looked for
};

/// What clang-tidy says of a kernel's text.
struct TidyAnswer {
    std::vector<profile::TidyFinding> findings; ///< in the text itself, by line
    /// Places of the text that clang itself could not read. Its advice on the rest stands; it is not the compiler that
    /// kernels are built with.
    std::vector<profile::TidyFinding> unread;
};

/// Parameters of "format".
struct FormatRequest {
    std::string source;
    std::string file = {};  ///< whose folders are looked in for a style; empty: ours
    std::size_t cursor = 0; ///< a byte of the source, to be followed
    int firstLine = 0;      ///< from 1, with `lastLine`: only these; 0: all
    int lastLine = 0;
    std::optional<std::string> program = {}; ///< clang-format; empty: there is none; nothing: it is looked for
};

/// A text in a style.
struct FormatAnswer {
    std::string source;
    std::size_t cursor = 0;
    bool isComplete = true; ///< false: something could not be read and was left as it is
};

/// Where Nsight Compute's command line is.
struct NcuTool {
    std::string program;               ///< empty: there is none
    std::vector<std::string> searched; ///< folders, besides PATH
};

/// Parameters of "ncu", a kernel to be measured: what `kernelarium-cli run` takes.
struct NcuRequest {
    std::string commandLine; ///< kernelarium-cli
    std::string source;
    std::shared_ptr<const task::Card> card; ///< of its task; null: `arguments`
    std::vector<std::string> arguments;     ///< of forward
    std::string size = "full";
    std::uint64_t seed = 1;
    bool fastMath = false;
    text::CompilerSettings settings = {};
    int gpu = 0;                                  ///< of this machine's, as `device list` has them
    std::string function = {};                    ///< of the module; empty: forward, or the only one
    std::vector<std::byte> nativeCode = {};       ///< a cubin in place of what the text compiles to; empty: none
    std::vector<std::string> metrics = {};        ///< raw names, and no others; empty: those that `measureWithNcu` has
    std::chrono::milliseconds timeLimit{300'000}; ///< Nsight Compute runs every launch many times
    std::optional<NcuTool> tool = {};             ///< nothing: it is looked for
};

/// A Python of this machine, as it was found.
struct Python {
    std::string path;
    std::string version; ///< "3.11.2"; empty where it does not run
    std::string torch;   ///< "2.9.0"; empty where it has none that can be imported
    std::string problem; ///< why it cannot export cards; empty where it can
    [[nodiscard]] bool isUsable() const { return problem.empty(); }
};

/// Parameters of "export_card".
struct ExportRequest {
    audit::RowTask row;
    std::filesystem::path folder; ///< where exported cards are kept
    std::string python = {};      ///< a path or a name on PATH; empty: one is looked for
};

[[nodiscard]] nlohmann::json toJson(const TidyRequest& request);
[[nodiscard]] nlohmann::json toJson(const TidyAnswer& answer);
[[nodiscard]] nlohmann::json toJson(const FormatRequest& request);
[[nodiscard]] nlohmann::json toJson(const FormatAnswer& answer);
[[nodiscard]] nlohmann::json toJson(const NcuRequest& request);
[[nodiscard]] nlohmann::json toJson(const std::vector<profile::NcuLaunch>& launches);
[[nodiscard]] nlohmann::json toJson(const std::vector<profile::LineStalls>& lines);
[[nodiscard]] nlohmann::json toJson(const Python& python);
[[nodiscard]] nlohmann::json toJson(const ExportRequest& request);

/// Errors: "bad_request"; of a card "bad_card".
Result<TidyRequest> tidyRequestFromJson(const nlohmann::json& json);
Result<TidyAnswer> tidyAnswerFromJson(const nlohmann::json& json);
Result<FormatRequest> formatRequestFromJson(const nlohmann::json& json);
Result<FormatAnswer> formatAnswerFromJson(const nlohmann::json& json);
Result<NcuRequest> ncuRequestFromJson(const nlohmann::json& json);
Result<std::vector<profile::NcuLaunch>> ncuLaunchesFromJson(const nlohmann::json& json);
Result<std::vector<profile::LineStalls>> lineStallsFromJson(const nlohmann::json& json);
Result<Python> pythonFromJson(const nlohmann::json& json);
Result<ExportRequest> exportRequestFromJson(const nlohmann::json& json);

} // namespace kernelarium::protocol
