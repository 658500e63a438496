// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/tools/Format.h"

#include "gpu/process/ConfinedProcess.h"
#include "gpu/process/ReadableFiles.h"
#include "gpu/tools/Tools.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace kernelarium::tools {

namespace {

constexpr std::string_view ownStyle = "BasedOnStyle: LLVM\nIndentWidth: 4\nColumnLimit: 100\nSortIncludes: Never\n"
                                      "AlwaysBreakTemplateDeclarations: Yes\n";
constexpr std::uintmax_t longestStyle = 64u << 10;
constexpr std::size_t longestSource = 8u << 20;

bool writeText(const std::filesystem::path& file, std::string_view text) {
    std::ofstream out(file, std::ios::binary);
    out << text;
    return bool(out.flush());
}

} // namespace

std::string findClangFormat() {
    return programNamed("clang-format");
}

std::string styleFor(const std::filesystem::path& file) {
    std::error_code failed;
    for (std::filesystem::path folder = std::filesystem::absolute(file, failed).parent_path(); !failed;
         folder = folder.parent_path()) {
        for (const char* name : {".clang-format", "_clang-format"}) {
            std::error_code absent;
            const std::filesystem::path style = folder / name;
            if (!std::filesystem::is_regular_file(style, absent)) continue;
            if (std::filesystem::file_size(style, absent) > longestStyle || absent) return {};
            std::ifstream in(style, std::ios::binary);
            return {std::istreambuf_iterator<char>(in), {}};
        }
        if (folder == folder.parent_path()) break;
    }
    return {};
}

Result<protocol::FormatAnswer> format(const std::string& program, const protocol::FormatRequest& request,
                                      const std::stop_token& stop) {
    if (program.empty())
        return Error{"missing_component", "clang-format was not found on PATH.",
                     "Install it (Debian package clang-format)."};
    if (request.source.size() > longestSource)
        return Error{"too_large", "Texts of more than 8 MB are not formatted.", ""};
    Result<files::ScratchFolder> scratch = files::ScratchFolder::make();
    if (!scratch) return scratch.error();
    const std::string style = request.file.empty() ? std::string() : styleFor(request.file);
    if (!writeText(scratch->path() / ".clang-format", style.empty() ? ownStyle : style))
        return Error{"unwritable_file", "The style could not be written for clang-format.",
                     "Check TMPDIR and the free space there."};
    process::ConfinedCommand command;
    command.words = {program, "--style=file", "--assume-filename=" + (scratch->path() / "kernel.cu").string(),
                     "--cursor=" + std::to_string(std::min(request.cursor, request.source.size()))};
    if (request.firstLine > 0)
        command.words.push_back("--lines=" + std::to_string(request.firstLine) + ":" +
                                std::to_string(std::max(request.firstLine, request.lastLine)));
    command.input = request.source;
    command.environment = {"LC_ALL=C", "TMPDIR=" + scratch->path().string(), "HOME=" + scratch->path().string()};
    command.longestOutput = 4 * longestSource;
    command.timeLimit = std::chrono::seconds(30);
    command.limits = {.memory = 2ULL << 30,
                      .addressSpace = 8ULL << 30,
                      .fileSize = 1ULL << 20,
                      .written = 16ULL << 20,
                      .seconds = 30};
    command.readable = process::filesOfProgram(program);
    Result<process::ToolEnd> end = process::runConfined(command, *scratch, stop);
    if (!end) return end.error();
    if (end->code != 0)
        return Error{"tool_failed", "clang-format " + end->how + ".",
                     style.empty() ? "" : "Check the .clang-format of the file's folder.", end->output.substr(0, 4000)};
    // { "Cursor": 12, "IncompleteFormat": false } on a line of its own, then the text.
    const std::size_t line = end->output.find('\n');
    const auto head = nlohmann::json::parse(end->output.substr(0, line), nullptr, false);
    if (line == std::string::npos || !head.is_object() || !head.value("Cursor", nlohmann::json()).is_number_unsigned())
        return Error{"tool_failed", "clang-format did not say where the cursor is.", "", end->output.substr(0, 4000)};
    protocol::FormatAnswer answer;
    answer.source = end->output.substr(line + 1);
    answer.cursor = std::min(head["Cursor"].get<std::size_t>(), answer.source.size());
    const auto incomplete = head.find("IncompleteFormat");
    answer.isComplete = incomplete == head.end() || !incomplete->is_boolean() || !incomplete->get<bool>();
    return answer;
}

} // namespace kernelarium::tools
