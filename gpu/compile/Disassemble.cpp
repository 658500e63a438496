// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/Compiler.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <sys/wait.h>
#include <unistd.h>

namespace kernelarium::compile {

namespace {

/// The program's standard output; no shell in between.
std::string outputOf(const std::string& program, const std::string& argument, int& status) {
    int ends[2];
    status = -1;
    if (pipe(ends) != 0) return {};
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl(program.c_str(), program.c_str(), "-c", argument.c_str(), static_cast<char*>(nullptr));
        _exit(127);
    }
    close(ends[1]);
    std::string text;
    std::array<char, 65536> chunk;
    for (ssize_t got = 0; child > 0 && (got = read(ends[0], chunk.data(), chunk.size())) > 0;) text.append(chunk.data(), std::size_t(got));
    close(ends[0]);
    if (child > 0) waitpid(child, &status, 0);
    return text;
}

} // namespace

Result<std::string> disassemble(const Toolkit& toolkit, const std::vector<std::byte>& cubin) {
    if (toolkit.nvdisasm.empty())
        return Error{"missing_component", "A SASS listing needs nvdisasm, which was not found in the CUDA toolkit or in PATH.",
                     "Install the CUDA Toolkit's nvdisasm (Debian package cuda-nvdisasm of NVIDIA's repository)."};
    std::error_code failed;
    std::string path = (std::filesystem::temp_directory_path(failed) / "kernelarium-XXXXXX").string();
    const int file = failed ? -1 : mkstemp(path.data());
    if (file < 0) return Error{"internal", "No temporary file can be made.", "Check TMPDIR and the free space there."};
    const bool written = write(file, cubin.data(), cubin.size()) == ssize_t(cubin.size());
    close(file);
    int status = 0;
    std::string listing = written ? outputOf(toolkit.nvdisasm, path, status) : std::string();
    std::filesystem::remove(path, failed);
    if (!written || status != 0) return Error{"internal", "nvdisasm failed on the cubin.", ""};
    return listing;
}

} // namespace kernelarium::compile
