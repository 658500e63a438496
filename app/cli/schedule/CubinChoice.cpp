// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/schedule/CubinChoice.h"

#include "app/cli/Workers.h"
#include "app/cli/kernel/CompilerOptions.h"
#include "app/cli/kernel/KernelSource.h"
#include "core/text/KernelName.h"
#include "gpu/protocol/Trial.h"

#include <CLI/CLI.hpp>
#include <cstring>
#include <fstream>

namespace kernelarium::cli {

bool isElf(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    char magic[4] = {};
    return in.read(magic, sizeof magic) && std::memcmp(magic,
                                                       "\x7f"
                                                       "ELF",
                                                       4) == 0;
}

void addCubinChoice(CLI::App& command, CubinChoice& choice) {
    command.add_option("file", choice.file, "A kernel in the archive's form, or a cubin")
        ->required()
        ->option_text("FILE.cu|FILE.cubin");
    command.add_option("--arch", choice.arch, "Architecture to compile for, sm_90 by default")->option_text("SM");
    command.add_option("--kernel", choice.kernel, "Only kernels whose name has this in it")->option_text("NAME");
    command.add_flag("--fast-math", choice.fastMath, "Compile with --use_fast_math, as the archive was");
    addCompilerOptions(command, choice.compilerWords);
    command.add_option("--toolkit", choice.toolkit, "Folder of the CUDA toolkit")->option_text("FOLDER");
}

Result<protocol::KernelClient::Unit> compiledUnit(const CubinChoice& choice, const text::CompilerSettings& settings) {
    if (isElf(choice.file))
        return Error{"bad_input", choice.file + " is a cubin, which cannot be compiled.", "Give the kernel's source."};
    Result<KernelSource> source = readKernelFile(choice.file);
    if (!source) return source.error();
    protocol::CompileParameters parameters;
    parameters.settings = settings;
    addOwnFolder(*source, parameters.settings);
    parameters.source = source->text;
    parameters.arch = choice.arch;
    parameters.fastMath = choice.fastMath;
    parameters.toolkit = choice.toolkit;
    parameters.texts = {"ptx", "cubin"};
    Result<protocol::KernelClient::Unit> unit = makeCompiler().compile(parameters, shown());
    if (!unit) return unit;
    if (!(*unit)->ok)
        return Error{"bad_input", choice.file + " does not compile (" + (*unit)->failedStage + ").", "",
                     protocol::errorsText(**unit)};
    return unit;
}

Result<sass::Cubin> chosenCubin(const CubinChoice& choice) {
    if (isElf(choice.file)) return readCubin(choice.file);
    const Result<text::CompilerSettings> settings = compilerSettings(choice.compilerWords);
    if (!settings) return settings.error();
    const Result<protocol::KernelClient::Unit> unit = compiledUnit(choice, *settings);
    if (!unit) return unit.error();
    return sass::Cubin::read((*unit)->cubin);
}

Result<const sass::KernelCode*> chosenKernel(const sass::Cubin& cubin, const CubinChoice& choice) {
    Result<std::vector<const sass::KernelCode*>> all = chosenKernels(cubin, choice);
    if (!all) return all.error();
    if (all->size() == 1) return all->front();
    std::string names;
    for (const sass::KernelCode* one : *all)
        names += (names.empty() ? "" : ", ") + text::kernelTitle(one->name);
    return Error{"bad_input", "There are several kernels, and a search is of one.",
                 "Name it with --kernel: " + names + "."};
}

Result<std::vector<const sass::KernelCode*>> chosenKernels(const sass::Cubin& cubin, const CubinChoice& choice) {
    std::vector<const sass::KernelCode*> chosen;
    std::string names;
    for (const sass::KernelCode& one : cubin.kernels()) {
        const std::string title = text::kernelTitle(one.name);
        names += (names.empty() ? "" : ", ") + title;
        if (one.name.find(choice.kernel) != std::string::npos || title.find(choice.kernel) != std::string::npos)
            chosen.push_back(&one);
    }
    if (cubin.kernels().empty()) return Error{"bad_input", "There is no kernel in " + choice.file + ".", ""};
    if (chosen.empty())
        return Error{"bad_input", "No kernel's name has \"" + choice.kernel + "\" in it.", "There are: " + names + "."};
    return chosen;
}

} // namespace kernelarium::cli
