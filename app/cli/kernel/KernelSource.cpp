// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernel/KernelSource.h"

#include "core/archive/store/Archive.h"
#include "gpu/compile/CompilerFiles.h"
#include "gpu/compile/SourceScan.h"
#include "gpu/compile/SourceTokens.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <regex>
#include <system_error>

namespace kernelarium::cli {

namespace {

constexpr std::uintmax_t largestFile = std::uintmax_t(60) << 20;

Error cannotRead(const std::filesystem::path& path, const std::string& why) {
    return {"bad_input", fmt::format("Cannot read {}: {}.", path.string(), why), "Give the path of a .cu file."};
}

/// The task that the first comment of the file names.
std::optional<TaskName> taskOfComment(const std::string& text) {
    static const std::regex pattern(R"(^\s*//\s*kernelarium:\s*task\s+(\d{1,4}/\d{1,6})\b)");
    std::smatch match;
    const std::string start = text.substr(0, 400);
    if (!std::regex_search(start, match, pattern, std::regex_constants::match_continuous)) return std::nullopt;
    const Result<TaskName> name = parseTaskName(match[1].str());
    return name ? std::optional(*name) : std::nullopt;
}

} // namespace

Result<TaskName> parseTaskName(std::string_view text) {
    static const std::regex pattern(R"([Ll]?(\d{1,4})/[Tt]?(\d{1,6}))");
    std::match_results<std::string_view::const_iterator> match;
    if (!std::regex_match(text.begin(), text.end(), match, pattern))
        return Error{"bad_input", fmt::format("`{}` is not a task.", text), "Write LEVEL/TASK, as in 1/15."};
    return TaskName{std::stoi(match[1].str()), std::stoi(match[2].str())};
}

Result<KernelSource> readKernelFile(const std::filesystem::path& path) {
    std::error_code problem;
    const auto status = std::filesystem::status(path, problem);
    if (status.type() == std::filesystem::file_type::not_found) return cannotRead(path, "there is no such file");
    if (status.type() == std::filesystem::file_type::directory) return cannotRead(path, "it is a directory");
    const std::uintmax_t size = std::filesystem::file_size(path, problem);
    if (!problem && size > largestFile)
        return cannotRead(path, fmt::format("it has {} MB, more than the 60 MB that a source may have", size >> 20));
    std::ifstream file(path, std::ios::binary);
    if (!file) return cannotRead(path, std::strerror(errno));
    KernelSource source;
    source.text.assign(std::istreambuf_iterator<char>(file), {});
    if (file.bad()) return cannotRead(path, "reading failed");
    if (source.text.find('\0') != std::string::npos) return cannotRead(path, "it is not text");
    if (source.text.starts_with("\xEF\xBB\xBF")) source.text.erase(0, 3); // a mark of bytes' order, which NVRTC refuses
    source.label = path.filename().string();
    source.folder = std::filesystem::absolute(path, problem).lexically_normal().parent_path().string();
    source.task = taskOfComment(source.text);
    return source;
}

void addOwnFolder(const KernelSource& source, text::CompilerSettings& settings) {
    std::vector<std::string>& folders = settings.folders;
    if (source.folder.empty() || std::find(folders.begin(), folders.end(), source.folder) != folders.end()) return;
    const compile::FileReach reach = compile::FileReach::of({"-I" + source.folder});
    const auto liesThere = [&](const std::string& name) {
        std::error_code problem;
        const auto found = reach.find((std::filesystem::path(source.folder) / name).string());
        return found && std::filesystem::is_regular_file(*found, problem);
    };
    const std::vector<std::string> included = compile::scan(compile::tokenize(source.text)).includes;
    if (std::any_of(included.begin(), included.end(), liesThere)) folders.insert(folders.begin(), source.folder);
}

Result<KernelSource> readArchivedKernel(const std::filesystem::path& path, const std::string& id) {
    auto opened = archive::Archive::open(path);
    if (!opened) return opened.error();
    auto kernel = opened->find(id);
    if (!kernel) return kernel.error();
    auto code = opened->text(kernel->id, archive::TextKind::cudaCode);
    if (!code) return code.error();
    if (!*code) return Error{"bad_input", "The archive has no source for " + kernel->label() + "."};
    KernelSource source;
    source.text = std::move(**code);
    source.label = kernel->label();
    source.task = TaskName{int(kernel->level), int(kernel->task)};
    audit::RowTask row{int(kernel->level), int(kernel->task), kernel->opName, {}, {}};
    for (const auto& [kind, text] : {std::pair{archive::TextKind::functionalCode, &row.functional},
                                     std::pair{archive::TextKind::moduleCode, &row.module}}) {
        auto found = opened->text(kernel->id, kind);
        if (!found) return found.error();
        *text = std::move(*found).value_or("");
    }
    source.row = std::move(row);
    source.archivedMilliseconds = kernel->runtime;
    return source;
}

} // namespace kernelarium::cli
