// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/tools/Disassembly.h"

#include "gpu/process/ConfinedProcess.h"
#include "gpu/process/ReadableFiles.h"
#include "gpu/tools/LiveRegisters.h"

#include <fstream>

namespace kernelarium::tools {

namespace {

constexpr std::size_t longestListing = 64u << 20;

Result<std::string> runNvdisasm(const compile::Toolkit& toolkit, const files::ScratchFolder& scratch,
                                const std::string& file, std::vector<std::string> options,
                                const std::stop_token& stop) {
    process::ConfinedCommand command;
    command.words = {toolkit.nvdisasm, "--print-code"};
    command.words.insert(command.words.end(), options.begin(), options.end());
    command.words.push_back(file);
    command.environment = {"LC_ALL=C", "TMPDIR=" + scratch.path().string()};
    command.longestOutput = longestListing;
    command.timeLimit = std::chrono::seconds(20);
    command.limits = {.memory = 2ULL << 30,
                      .addressSpace = 8ULL << 30,
                      .fileSize = 64ULL << 20,
                      .written = 256ULL << 20,
                      .seconds = 20};
    command.readable = process::filesOfProgram(toolkit.nvdisasm);
    Result<process::ToolEnd> end = process::runConfined(command, scratch, stop);
    if (!end) return end.error();
    if (end->code != 0)
        return Error{"internal", "nvdisasm " + end->how + ".",
                     "It may be older than the compiler, which is " + toolkit.nvrtc +
                         ": install the nvdisasm of the same toolkit.",
                     end->output.substr(0, 4000)};
    return std::move(end->output);
}

} // namespace

Result<std::string> disassemble(const compile::Toolkit& toolkit, const std::vector<std::byte>& cubin, SassForm form,
                                const std::stop_token& stop) {
    if (toolkit.nvdisasm.empty())
        return Error{"missing_component",
                     "A SASS listing needs nvdisasm, which was not found in the CUDA toolkit or in PATH.",
                     "Install the CUDA Toolkit's nvdisasm (Debian package cuda-nvdisasm of NVIDIA's repository)."};
    Result<files::ScratchFolder> scratch = files::ScratchFolder::make();
    if (!scratch) return scratch.error();
    const auto file = scratch->path() / "kernel.cubin";
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(cubin.data()), std::streamsize(cubin.size()));
    out.close();
    if (!out)
        return Error{"unwritable_file", "The cubin could not be written for nvdisasm.",
                     "Check TMPDIR and the free space there."};
    if (form == SassForm::plain) return runNvdisasm(toolkit, *scratch, file.string(), {}, stop);
    Result<std::string> listing = runNvdisasm(toolkit, *scratch, file.string(),
                                              {"--print-line-info-inline", "--print-instruction-encoding"}, stop);
    if (!listing) return listing;
    const Result<std::string> lives =
        runNvdisasm(toolkit, *scratch, file.string(), {"--print-life-ranges", "--life-range-mode", "count"}, stop);
    if (!lives && lives.error().code == "cancelled") return lives.error();
    if (lives) return withLiveRegisters(*listing, *lives);
    // The listing is of use without them: nvdisasm cannot tell the life ranges of every cubin.
    return "// Live registers are not shown: " + lives.error().message + "\n" + *listing;
}

} // namespace kernelarium::tools
