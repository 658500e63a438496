// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/Ptxas.h"

#include "gpu/process/FileRules.h"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace kernelarium::compile {

namespace {
std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

/// For glibc's allocator, others do not know it. ptxas takes some 15 MB in small steps, and a fault for each page of
/// them is a fifth of its time: so it takes them at once, and in huge pages where there are any.
constexpr const char* largeSteps =
    "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.top_pad=33554432:glibc.malloc.trim_threshold=1073741824";

/// The name of a temporary file says nothing to a reader.
std::string renamed(std::string text, const std::string& path) {
    for (std::size_t at = 0; (at = text.find(path, at)) != std::string::npos;)
        text.replace(at, path.size(), "kernel.ptx");
    return text;
}

/// The assembler itself, what the system's loader needs to start it, and its folder. It takes a text that nobody read,
/// and PTX has no directive that opens a file: these rules are for a fault of its own.
process::FileRules rulesOf(const std::string& ptxas, const files::ScratchFolder& scratch) {
    process::FileRules rules(process::FileRules::Fence::all);
    std::error_code problem;
    const std::filesystem::path program = std::filesystem::canonical(ptxas, problem);
    if (!problem) rules.allowRunning(program.parent_path().parent_path().string());
    for (const char* place : {"/usr", "/lib", "/lib64", "/bin", "/nix/store", "/gnu/store"})
        rules.allowRunning(place);
    for (const char* place : {"/etc/ld.so.cache", "/etc/ld.so.preload", "/dev/urandom", "/proc/cpuinfo",
                              "/proc/meminfo", "/sys/devices/system/cpu", "/sys/kernel/mm/transparent_hugepage"})
        rules.allowReading(place);
    std::istringstream libraries(variable("LD_LIBRARY_PATH"));
    for (std::string folder; std::getline(libraries, folder, ':');)
        if (!folder.empty()) rules.allowReading(folder);
    rules.allowDevices("/dev/null");
    rules.allowWriting(scratch.path().string());
    return rules;
}

std::vector<std::byte> bytesOf(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}

std::string textIn(const files::ScratchFolder& scratch) {
    return (scratch.path() / "kernel.ptx").string();
}
std::string cubinIn(const files::ScratchFolder& scratch) {
    return (scratch.path() / "kernel.cubin").string();
}
std::string pipeIn(const files::ScratchFolder& scratch) {
    return (scratch.path() / "kernel.pipe").string();
}

process::ToolRun runIn(const files::ScratchFolder& scratch, const std::string& program,
                       const std::vector<std::string>& options) {
    process::ToolRun run{
        .start = {.words = {program},
                  .environment = std::vector<std::string>{"PATH=" + variable("PATH"),
                                                          "LD_LIBRARY_PATH=" + variable("LD_LIBRARY_PATH"),
                                                          "TMPDIR=" + scratch.path().string(), "LC_ALL=C", largeSteps}},
        .keepsErrors = true};
    run.start.words.insert(run.start.words.end(), options.begin(), options.end());
    run.start.words.insert(run.start.words.end(), {textIn(scratch), "-o", cubinIn(scratch)});
    return run;
}

/// Under its name at once: whoever opens that finds all of it.
bool writeText(const files::ScratchFolder& scratch, const std::string& ptx) {
    const std::string beside = textIn(scratch) + ".new";
    std::ofstream file(beside, std::ios::binary);
    file << ptx;
    file.close();
    return file && std::rename(beside.c_str(), textIn(scratch).c_str()) == 0;
}

/// A pipe that holds this text whole, so that nobody waits for a reader that died.
bool holds(int pipe, std::size_t size) {
    return ::fcntl(pipe, F_GETPIPE_SZ) >= int(size) || ::fcntl(pipe, F_SETPIPE_SZ, int(size)) >= int(size);
}

enum class Fed { yes, notAsked, tooLong };

/// Gives the text to the one that waits at the pipe's other end. Not asked for: it has not come to that yet, and then
/// will find the file under the pipe's name; or it is just about to wait.
Fed feed(const files::ScratchFolder& scratch, const std::string& ptx) {
    constexpr int always = O_NONBLOCK | O_CLOEXEC;
    const process::Descriptor writing(::open(pipeIn(scratch).c_str(), O_WRONLY | always));
    if (!writing.isOpen()) return Fed::notAsked;
    // With a reader of our own, one that dies meanwhile is no signal to us.
    const process::Descriptor reading(::open(pipeIn(scratch).c_str(), O_RDONLY | always));
    if (!reading.isOpen() || !holds(writing.number(), ptx.size())) return Fed::tooLong;
    return ::write(writing.number(), ptx.data(), ptx.size()) == ssize_t(ptx.size()) ? Fed::yes : Fed::tooLong;
}

std::optional<NvJitLink::Output> outputOf(const Result<process::ToolEnd>& done, const files::ScratchFolder& scratch,
                                          const std::stop_token& stop) {
    NvJitLink::Output out;
    out.ok = done && done->code == 0;
    if (done) (out.ok ? out.info : out.errors) = renamed(done->errors + done->output, textIn(scratch));
    if (out.ok) {
        out.cubin = bytesOf(cubinIn(scratch));
        return out;
    }
    for (const char* foreign : {"Unresolved extern", "nsupported .version", "is not defined for option 'gpu-name'"})
        if (out.errors.find(foreign) != std::string::npos) return std::nullopt;
    // Ended by a signal, or not a program that runs here (a library of its own is missing): nothing is known about the
    // PTX.
    const bool refused =
        out.errors.find("error   :") != std::string::npos || out.errors.find("fatal   :") != std::string::npos;
    if (!refused && !stop.stop_requested()) return std::nullopt;
    return out;
}

/// By somebody else, while it waited perhaps: another one may do it.
bool wasEnded(const Result<process::ToolEnd>& done, const std::stop_token& stop) {
    return done && done->code < 0 && !stop.stop_requested();
}
} // namespace

Ptxas::Ptxas(std::string program, std::vector<std::string> options)
    : m_program(std::move(program))
    , m_options(std::move(options)) {}

void Ptxas::startAhead() {
    if (m_program.empty() || m_ahead) return;
    Result<files::ScratchFolder> scratch = files::ScratchFolder::make();
    if (!scratch || ::mkfifo(textIn(*scratch).c_str(), 0600) != 0) return;
    // Its second name is ours: the first will be the file's, for ptxas opens its text twice.
    if (::link(textIn(*scratch).c_str(), pipeIn(*scratch).c_str()) != 0) return;
    const process::FileRules rules = rulesOf(m_program, *scratch);
    process::ToolRun run = runIn(*scratch, m_program, m_options);
    run.start.files = &rules;
    Result<process::Channel> channel = process::startTool(run);
    if (channel) m_ahead.emplace(Ahead{std::move(*scratch), std::move(*channel)});
}

std::optional<NvJitLink::Output> Ptxas::assemble(const std::string& ptx, std::stop_token stop) {
    if (m_program.empty()) return std::nullopt;
    if (std::optional<Ahead> ahead = std::exchange(m_ahead, std::nullopt))
        if (const std::optional<Result<process::ToolEnd>> done = endAhead(*ahead, ptx, stop);
            done && !wasEnded(*done, stop))
            return outputOf(*done, ahead->scratch, stop);
    const Result<files::ScratchFolder> scratch = files::ScratchFolder::make();
    if (!scratch || !writeText(*scratch, ptx)) return std::nullopt;
    const process::FileRules rules = rulesOf(m_program, *scratch);
    process::ToolRun run = runIn(*scratch, m_program, m_options);
    run.start.files = &rules;
    return outputOf(process::runTool(run, stop), *scratch, stop);
}

/// Empty where it cannot be given the text: then nothing is known.
std::optional<Result<process::ToolEnd>> Ptxas::endAhead(Ahead& ahead, const std::string& ptx,
                                                        const std::stop_token& stop) const {
    if (!writeText(ahead.scratch, ptx)) return std::nullopt;
    Fed fed = feed(ahead.scratch, ptx);
    process::ToolRun run = runIn(ahead.scratch, m_program, m_options);
    run.watch = [&](pid_t) -> Result<void> {
        if (fed == Fed::notAsked) fed = feed(ahead.scratch, ptx);
        if (fed == Fed::tooLong) return Error{"too_large", "The text does not fit into a pipe.", ""};
        return {};
    };
    if (fed == Fed::tooLong) return std::nullopt;
    Result<process::ToolEnd> done = process::endTool(ahead.channel, run, stop);
    if (fed == Fed::tooLong) return std::nullopt;
    return done;
}

} // namespace kernelarium::compile
