// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/tools/Ncu.h"

#include "core/perf/Counters.h"
#include "core/profile/NcuNames.h"
#include "gpu/process/Child.h"
#include "gpu/process/ConfinedProcess.h"
#include "gpu/tools/Tools.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include <unistd.h>

namespace kernelarium::tools {

namespace {

namespace fs = std::filesystem;

/// Folders in a folder whose names begin so, the highest version first.
std::vector<fs::path> versionsIn(const fs::path& folder, const std::string& beginning) {
    std::vector<fs::path> found;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
        if (entry.path().filename().string().starts_with(beginning)) found.push_back(entry.path());
    const auto numbers = [](const fs::path& path) {
        std::vector<int> all;
        std::istringstream parts(path.filename().string());
        for (std::string part; std::getline(parts, part, '.');) {
            const auto digit = part.find_first_of("0123456789");
            all.push_back(digit == std::string::npos ? 0 : std::atoi(part.c_str() + digit));
        }
        return all;
    };
    std::sort(found.begin(), found.end(),
              [&](const fs::path& a, const fs::path& b) { return numbers(a) > numbers(b); });
    return found;
}

std::vector<std::string> ncuFolders(const std::string& root) {
    std::vector<fs::path> roots;
    for (const char* variable : {"CUDA_PATH", "CUDA_HOME"})
        if (const char* value = std::getenv(variable); value && *value) roots.emplace_back(value);
    roots.emplace_back(root + "/usr/local/cuda");
    for (const fs::path& version : versionsIn(root + "/usr/local", "cuda-"))
        roots.push_back(version);
    std::vector<std::string> folders;
    for (const fs::path& toolkit : roots) {
        folders.push_back((toolkit / "bin").string());
        for (const fs::path& version : versionsIn(toolkit, "nsight-compute"))
            folders.push_back(version.string());
    }
    for (const fs::path& version : versionsIn(root + "/opt/nvidia/nsight-compute", ""))
        folders.push_back(version.string());
    return folders;
}

/// "==ERROR== Failed to find metric sm__x.sum": what this version of Nsight Compute has no word for.
std::set<std::string> unknownMetrics(std::string_view text) {
    constexpr std::string_view complaint = "Failed to find metric ";
    std::set<std::string> names;
    for (auto at = text.find(complaint); at != std::string_view::npos; at = text.find(complaint, at + 1)) {
        const std::string_view name = text.substr(at + complaint.size());
        names.emplace(name.substr(0, std::min(name.find_first_of(" \t\r\n,"), name.size())));
    }
    return names;
}

/// What is asked for; else the archive's figures and those that the emulator counts.
std::string wantedMetrics(const protocol::NcuRequest& request, const std::set<std::string>& without) {
    std::set<std::string> names(request.metrics.begin(), request.metrics.end());
    if (names.empty()) {
        for (const auto& name : profile::ncuNames())
            names.emplace(name.metric);
        for (const auto& metric : perf::metrics())
            if (std::string_view(metric.ncuName).find("__") != std::string_view::npos) names.emplace(metric.ncuName);
    }
    for (const std::string& name : without)
        names.erase(name);
    std::string all;
    for (const std::string& name : names)
        all += (all.empty() ? "" : ",") + name;
    return all;
}

std::vector<std::string> ncuWords(const protocol::NcuTool& tool, const protocol::NcuRequest& request,
                                  const fs::path& folder, const std::vector<std::string>& wanted) {
    std::vector<std::string> words{tool.program, "--csv"};
    words.insert(words.end(), wanted.begin(), wanted.end());
    words.insert(words.end(), {"--print-units",
                               "base",
                               "--clock-control",
                               "none",
                               "--target-processes",
                               "all",
                               "--launch-count",
                               "40",
                               "--log-file",
                               (folder / "ncu.log").string(),
                               request.commandLine,
                               "run",
                               (folder / "kernel.cu").string(),
                               "--backend",
                               "cuda",
                               "--no-checks",
                               "--json",
                               "--size",
                               request.size,
                               "--seed",
                               std::to_string(request.seed),
                               "--time-limit",
                               std::to_string(std::max<std::int64_t>(1, request.timeLimit.count() / 1000))});
    if (request.gpu != 0) words.insert(words.end(), {"--gpu", std::to_string(request.gpu)});
    if (request.fastMath) words.emplace_back("--fast-math");
    if (!request.function.empty()) words.insert(words.end(), {"--function", request.function});
    for (const std::string& word : text::wordsOf(request.settings))
        words.push_back(word);
    if (request.card) words.insert(words.end(), {"--card", (folder / "card.json").string()});
    if (!request.nativeCode.empty()) words.insert(words.end(), {"--native-code", (folder / "native.cubin").string()});
    for (const std::string& argument : request.arguments)
        words.insert(words.end(), {"--arg", argument});
    return words;
}

bool writeWhole(const fs::path& file, const std::string& text) {
    std::ofstream out(file, std::ios::binary);
    out << text;
    return bool(out.flush());
}

std::string readPart(const fs::path& file, std::size_t most) {
    std::ifstream in(file, std::ios::binary);
    std::string text(most, '\0');
    in.read(text.data(), std::streamsize(most));
    text.resize(std::size_t(in.gcount()));
    return text;
}

/// Runs it once. `printed`: the log, and what the kernel's own run printed.
template <class Answer>
Result<Answer> runNcu(std::vector<std::string> words, const protocol::NcuRequest& request,
                      const files::ScratchFolder& scratch, const std::stop_token& stop,
                      Result<Answer> (*parse)(std::string_view), std::string& printed) {
    process::ConfinedCommand command;
    command.words = std::move(words);
    command.environment = process::ownEnvironment();
    command.longestOutput = 64u << 20;
    command.timeLimit = request.timeLimit;
    command.trusted = true;
    Result<process::ToolEnd> end = process::runConfined(command, scratch, stop);
    if (!end) return end.error();
    const std::string log = readPart(scratch.path() / "ncu.log", 64u << 20);
    Result<Answer> answer = parse(log);
    if (answer) return answer;
    printed = log + end->output;
    Error refused = answer.error();
    if (end->code != 0 && (refused.code == "bad_profile" || refused.code == "nothing_profiled"))
        refused = {"run_failed",
                   "The kernel did not run on the GPU under Nsight Compute, which " + end->how + ".",
                   "Run it on the GPU first: kernelarium-cli run --backend cuda says why it does not.",
                   {}};
    refused.detail = log.substr(0, 4000) + end->output.substr(0, 4000);
    return refused;
}

} // namespace

protocol::NcuTool findNcu(const std::string& root) {
    protocol::NcuTool tool;
    tool.searched = ncuFolders(root);
    tool.program = programNamed("ncu", tool.searched);
    return tool;
}

namespace {

/// A folder with what ncu is to run. Errors: "missing_component" without ncu, "unwritable_file".
Result<files::ScratchFolder> prepareFor(const protocol::NcuTool& tool, const protocol::NcuRequest& request) {
    if (tool.program.empty()) {
        std::string places = "Looked on PATH and in:\n";
        for (const std::string& place : tool.searched)
            places += "  " + place + "\n";
        return Error{"missing_component", "Nsight Compute's ncu was not found.",
                     "Install Nsight Compute (it comes with the CUDA Toolkit), or put ncu on PATH.", places};
    }
    Result<files::ScratchFolder> scratch = files::ScratchFolder::make();
    if (!scratch) return scratch.error();
    if (!writeWhole(scratch->path() / "kernel.cu", request.source) ||
        (request.card && !writeWhole(scratch->path() / "card.json", task::writeCard(*request.card))) ||
        (!request.nativeCode.empty() &&
         !writeWhole(scratch->path() / "native.cubin",
                     {reinterpret_cast<const char*>(request.nativeCode.data()), request.nativeCode.size()})))
        return Error{"unwritable_file", "The kernel could not be written for Nsight Compute.",
                     "Check TMPDIR and the free space there."};
    return scratch;
}

} // namespace

Result<std::vector<profile::NcuLaunch>>
measureWithNcu(const protocol::NcuTool& tool, const protocol::NcuRequest& request, const std::stop_token& stop) {
    const Result<files::ScratchFolder> scratch = prepareFor(tool, request);
    if (!scratch) return scratch.error();
    std::string printed;
    const auto attempt = [&](const std::set<std::string>& without) {
        return runNcu(
            ncuWords(tool, request, scratch->path(), {"--page", "raw", "--metrics", wantedMetrics(request, without)}),
            request, *scratch, stop, profile::parseNcuCsv, printed);
    };
    auto launches = attempt({});
    if (launches) return launches;
    const std::set<std::string> unknown = unknownMetrics(printed);
    return unknown.empty() ? launches : attempt(unknown);
}

Result<std::vector<profile::SourceStalls>>
sampleStalls(const protocol::NcuTool& tool, const protocol::NcuRequest& request, const std::stop_token& stop) {
    const Result<files::ScratchFolder> scratch = prepareFor(tool, request);
    if (!scratch) return scratch.error();
    std::string printed;
    return runNcu(ncuWords(tool, request, scratch->path(),
                           {"--page", "source", "--print-source", "cuda,sass", "--section", "SourceCounters"}),
                  request, *scratch, stop, profile::parseNcuSource, printed);
}

} // namespace kernelarium::tools
