// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/tools/Pythons.h"

#include "core/files/ScratchFolder.h"
#include "gpu/tools/ConfinedPython.h"
#include "gpu/tools/Tools.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <unistd.h>

namespace kernelarium::tools {

namespace {

namespace fs = std::filesystem;

constexpr const char* question = "import json, sys\n"
                                 "answer = {'python': sys.version.split()[0]}\n"
                                 "try:\n"
                                 "    import torch\n"
                                 "    answer['torch'] = str(torch.__version__)\n"
                                 "except BaseException as error:\n"
                                 "    answer['problem'] = type(error).__name__ + ': ' + str(error)[:300]\n"
                                 "print('\\nkernelarium ' + json.dumps(answer), flush=True)\n";

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

bool isProgram(const std::string& path) {
    std::error_code problem;
    return fs::is_regular_file(path, problem) && ::access(path.c_str(), X_OK) == 0;
}

bool isOld(const std::string& torch) {
    int major = 0;
    int minor = 0;
    if (std::sscanf(torch.c_str(), "%d.%d", &major, &minor) != 2) return true;
    return major < 1 || (major == 1 && minor < 13);
}

void readAnswer(const std::string& output, protocol::Python& python) {
    const std::size_t at = output.rfind("\nkernelarium ");
    const auto answer = nlohmann::json::parse(at == std::string::npos ? "" : output.substr(at + 13), nullptr, false);
    if (!answer.is_object()) {
        python.problem = "it could not be run as a Python: it ended without an answer (a script that starts another "
                         "program is not run: name the program itself)";
        return;
    }
    const auto text = [&](const char* key) {
        return answer.contains(key) && answer[key].is_string() ? answer[key].get<std::string>() : std::string();
    };
    python.version = text("python");
    python.torch = text("torch");
    if (python.torch.empty())
        python.problem = "it has no PyTorch that can be imported (" + text("problem") + ")";
    else if (isOld(python.torch))
        python.problem = "its PyTorch " + python.torch + " is older than 1.13";
}

} // namespace

protocol::Python probePython(const std::string& path, const std::stop_token& stop) {
    protocol::Python python;
    python.path = path;
    if (path.find('/') == std::string::npos)
        if (const auto found = programsNamed(path); !found.empty()) python.path = found.front();
    if (!isProgram(python.path)) {
        python.problem = "there is no such program";
        return python;
    }
    const Result<files::ScratchFolder> scratch = files::ScratchFolder::make();
    if (!scratch) {
        python.problem = scratch.error().message;
        return python;
    }
    const std::chrono::seconds limit(60); // a first import from a slow disk
    process::ConfinedCommand command = confinedPython({python.path, {"-c", question}, limit}, *scratch, stop);
    command.longestOutput = std::size_t(1) << 20;
    const Result<process::ToolEnd> end = process::runConfined(command, *scratch, stop);
    if (!end)
        python.problem = end.error().message;
    else
        readAnswer(end->output, python);
    return python;
}

std::vector<std::string> pythonCandidates() {
    std::vector<std::string> all;
    if (const std::string named = variable("KERNELARIUM_PYTHON"); !named.empty()) all.push_back(named);
    for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
        if (const std::string folder = variable(name); !folder.empty()) all.push_back(folder + "/bin/python3");
    for (const std::string& path : programsNamed("python3"))
        all.push_back(path);
    all.emplace_back("/usr/bin/python3");
    std::vector<std::string> found;
    std::set<std::string> places;
    for (const std::string& path : all) {
        // The link's own place decides which packages a Python sees, so links are not followed.
        const std::string plain =
            path.find('/') == std::string::npos ? path : fs::path(path).lexically_normal().string();
        // Where /bin is a link to /usr/bin, both are one place. A link to the program itself is another.
        std::error_code problem;
        const fs::path folder = fs::weakly_canonical(fs::path(plain).parent_path(), problem);
        const std::string place = problem || folder.empty() ? plain : (folder / fs::path(plain).filename()).string();
        if (places.insert(place).second) found.push_back(plain);
    }
    return found;
}

Result<protocol::Python> findPython(const std::string& chosen, const std::stop_token& stop) {
    // One answers within a minute or not at all; whoever asked gives up after a minute more.
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
    std::string tried;
    for (const std::string& path : chosen.empty() ? pythonCandidates() : std::vector{chosen}) {
        if (std::chrono::steady_clock::now() > deadline) {
            tried += "; there was no time left for others";
            break;
        }
        protocol::Python python = probePython(path, stop);
        if (stop.stop_requested()) return Error{"cancelled", "It was cancelled."};
        if (python.isUsable()) return python;
        tried += fmt::format("{}{}: {}", tried.empty() ? "" : "; ", python.path, python.problem);
    }
    return Error{"missing_component", fmt::format("No Python with PyTorch was found ({}).", tried),
                 "Install PyTorch 1.13 or newer, or name a Python that has it."};
}

} // namespace kernelarium::tools
