// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/tools/ConfinedPython.h"

#include "gpu/process/ReadableFiles.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <utility>

namespace kernelarium::tools {

namespace {

namespace fs = std::filesystem;

/// Packages may be found by finders of their own, which are asked for PyTorch's place as import would.
constexpr const char* placesQuestion =
    "import importlib.util, json, sys\n"
    "path = list(sys.path)\n"
    "try:\n"
    "    path += list(importlib.util.find_spec('torch').submodule_search_locations)\n"
    "except BaseException:\n"
    "    pass\n"
    "prefixes = [sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix]\n"
    "path = [p for p in path if isinstance(p, str) and p.isprintable()]\n"
    "print('\\nkernelarium ' + json.dumps({'prefixes': prefixes, 'path': path}), flush=True)\n";

constexpr std::uint64_t GiB = std::uint64_t(1) << 30, MiB = std::uint64_t(1) << 20;

std::string ofEnvironment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

/// Where packages lie that the user installed for themselves: below the true home.
std::string userBase() {
    const std::string base = ofEnvironment("PYTHONUSERBASE"), home = ofEnvironment("HOME");
    return !base.empty() || home.empty() ? base : home + "/.local";
}

std::vector<std::string> pythonEnvironment(const files::ScratchFolder& scratch) {
    const std::string home = scratch.path().string();
    std::vector<std::string> all{"HOME=" + home, "TMPDIR=" + home, "LOGNAME=kernelarium", "PYTHONDONTWRITEBYTECODE=1",
                                 "CUDA_VISIBLE_DEVICES="};
    for (const char* name :
         {"PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "CONDA_PREFIX"})
        if (const std::string value = ofEnvironment(name); !value.empty())
            all.push_back(std::string(name) + "=" + value);
    if (const std::string base = userBase(); !base.empty()) all.push_back("PYTHONUSERBASE=" + base);
    return all;
}

void addInstallation(std::vector<std::string>& all, const std::string& prefix) {
    if (!fs::path(prefix).is_absolute()) return;
    const std::vector<std::string> more = process::filesOfInstallation(prefix);
    all.insert(all.end(), more.begin(), more.end());
}

void addPlace(std::vector<std::string>& all, const std::string& place) {
    if (!process::holdsHome(place)) all.push_back(place);
}

/// "home = FOLDER" of a virtual environment: where the Python's own bin is.
std::string homeOfEnvironment(const fs::path& settings) {
    std::ifstream file(settings);
    for (std::string line; std::getline(file, line);) {
        const std::size_t at = line.find('=');
        if (at == std::string::npos || line.substr(0, line.find_first_of(" =")) != "home") continue;
        const std::size_t begin = line.find_first_not_of(" \t", at + 1);
        return begin == std::string::npos ? std::string() : line.substr(begin);
    }
    return {};
}

/// What can be said without asking it.
std::vector<std::string> knownPlaces(const std::string& program) {
    std::vector<std::string> all = process::filesOfProgram(program);
    for (const fs::path& settings :
         {fs::path(program).parent_path() / "pyvenv.cfg", fs::path(program).parent_path() / "../pyvenv.cfg"})
        if (const std::string home = homeOfEnvironment(settings); !home.empty())
            addInstallation(all, fs::path(home).parent_path().string());
    for (const char* name : {"PYTHONPATH", "LD_LIBRARY_PATH"}) {
        std::istringstream places(ofEnvironment(name));
        for (std::string place; std::getline(places, place, ':');)
            addPlace(all, place);
    }
    std::istringstream homes(ofEnvironment("PYTHONHOME"));
    for (std::string home; std::getline(homes, home, ':');)
        addInstallation(all, home);
    if (const std::string base = userBase(); !base.empty()) addInstallation(all, base);
    // Debian keeps a part of each Python there.
    std::error_code problem;
    for (auto it = fs::directory_iterator("/etc", problem); !problem && it != fs::directory_iterator();
         it.increment(problem))
        if (it->path().filename().string().starts_with("python")) all.push_back(it->path().string());
    return all;
}

void addAnswer(const std::string& output, std::vector<std::string>& all) {
    constexpr std::string_view mark = "\nkernelarium ";
    const std::size_t at = output.rfind(mark);
    if (at == std::string::npos) return;
    const auto answer = nlohmann::json::parse(output.substr(at + mark.size()), nullptr, false);
    const auto each = [&](const char* key, auto add) {
        if (!answer.is_object() || !answer.contains(key) || !answer[key].is_array()) return;
        for (const auto& place : answer[key])
            if (place.is_string()) add(all, place.template get<std::string>());
    };
    each("prefixes", addInstallation);
    each("path", addPlace);
}

process::ConfinedCommand commandOf(const PythonRun& run, const files::ScratchFolder& scratch,
                                   std::vector<std::string> readable) {
    process::ConfinedCommand command;
    command.words = {run.program};
    command.words.insert(command.words.end(), run.arguments.begin(), run.arguments.end());
    command.environment = pythonEnvironment(scratch);
    command.timeLimit = run.timeLimit;
    command.readable = std::move(readable);
    const std::uint64_t processors = std::max(1U, std::thread::hardware_concurrency());
    const std::uint64_t all = std::uint64_t(::sysconf(_SC_PHYS_PAGES)) * std::uint64_t(::sysconf(_SC_PAGESIZE));
    process::ConfinementLimits& limits = command.limits;
    limits.memory = run.memory ? run.memory : std::min(all / 2, 16 * GiB);
    // PyTorch's libraries take up to some gigabytes, and the C library reserves 64 MiB for a thread's allocations,
    // which has a pool for each processor and more.
    limits.addressSpace = limits.memory + 16 * GiB + processors * 256 * MiB;
    limits.fileSize = 64 * MiB;
    limits.written = 256 * MiB;
    limits.seconds = std::uint64_t(run.timeLimit.count() / 1000 + 1) * processors;
    limits.threads = 256 + 8 * processors;
    return command;
}

} // namespace

process::ConfinedCommand confinedPython(const PythonRun& run, const files::ScratchFolder& scratch,
                                        const std::stop_token& stop) {
    std::vector<std::string> places = knownPlaces(run.program);
    PythonRun question{run.program, {"-c", placesQuestion}, std::chrono::seconds(30), run.memory};
    process::ConfinedCommand asking = commandOf(question, scratch, places);
    asking.longestOutput = MiB;
    if (const Result<process::ToolEnd> end = process::runConfined(asking, scratch, stop); end)
        addAnswer(end->output, places);
    return commandOf(run, scratch, std::move(places));
}

} // namespace kernelarium::tools
