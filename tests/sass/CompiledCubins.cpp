// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/sass/CompiledCubins.h"

#include "gpu/compile/Compiler.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace kernelarium::test {

namespace {

std::string textOf(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

Result<sass::Cubin> compiledText(const std::string& source, const std::string& arch) {
    static const auto compiler = compile::Compiler::create(compile::Toolkit::find());
    if (!compiler) return compiler.error();
    if (compile::Toolkit::find().ptxas.empty()) return Error{"missing_component", "There is no ptxas.", ""};
    compile::CompileOptions options;
    options.arch = arch;
    const Result<compile::CompiledUnit> unit = (*compiler)->compile(source, options);
    if (!unit) return unit.error();
    if (!unit->ok) return Error{"bad_input", "It does not compile: " + unit->log, ""};
    return sass::Cubin::read(unit->cubin);
}

Result<sass::Cubin> compiledCubin(const std::string& file, const std::string& arch) {
    return compiledText(textOf(std::filesystem::path(KERNELARIUM_SOURCE_DIR) / file), arch);
}

std::vector<std::string> starterFiles() {
    std::vector<std::string> files;
    const std::filesystem::path root(KERNELARIUM_SOURCE_DIR);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "archive_data/kernels"))
        if (entry.path().extension() == ".cu") files.push_back(std::filesystem::relative(entry.path(), root).string());
    std::sort(files.begin(), files.end());
    return files;
}

Result<sass::Cubin> cubinOf(const std::string& path) {
    const std::string text = textOf(path);
    std::vector<std::byte> bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    return sass::Cubin::read(std::move(bytes));
}

} // namespace kernelarium::test
