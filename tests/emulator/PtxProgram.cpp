// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/emulator/PtxProgram.h"

#include "gpu/compile/Compiler.h"

#include <QTest>
#include <fmt/format.h>

namespace kernelarium::test {

using namespace kernelarium::emulator;

namespace {

void failTest(const std::string& why) {
    QTest::qFail(why.c_str(), __FILE__, __LINE__);
}

constexpr const char* endNames[] = {"finished",  "refused",  "unsupported", "timeout",
                                    "cancelled", "deadlock", "trapped"};

} // namespace

std::string PtxProgram::withHeader(std::string_view body) {
    return ".version 8.0\n.target sm_90\n.address_size 64\n.file 1 \"kernel.cu\"\n" + std::string(body);
}

PtxProgram::PtxProgram(std::string_view body, std::uint64_t capacity)
    : PtxProgram(Whole{withHeader(body)}, capacity) {}

PtxProgram::PtxProgram(Whole ptx, std::uint64_t capacity)
    : m_memory(capacity) {
    Result<std::shared_ptr<Program>> loaded = Program::load(ptx.text, m_memory);
    if (loaded.ok())
        m_program = *loaded;
    else
        failTest(loaded.error().code + ": " + loaded.error().text());
}

std::unique_ptr<PtxProgram> PtxProgram::compiled(const std::string& source, QString& why) {
    static Result<std::unique_ptr<compile::Compiler>> compiler = compile::Compiler::create(compile::Toolkit::find());
    if (!compiler) {
        why = QString::fromStdString(compiler.error().text());
        return nullptr;
    }
    compile::CompileOptions options;
    options.cubin = false;
    auto unit = (*compiler)->compile(source, options);
    if (!unit || !unit->ok) failTest(unit ? unit->log : unit.error().text());
    return std::unique_ptr<PtxProgram>(new PtxProgram(Whole{unit && unit->ok ? unit->ptx : ""}, 64u << 20));
}

std::uint32_t PtxProgram::function(std::string_view name) const {
    const auto index = m_program ? m_program->functionByName(name) : std::nullopt;
    if (!index) failTest(fmt::format("There is no function {}.", name));
    return index.value_or(0);
}

std::uint64_t PtxProgram::uninitialised(std::uint64_t bytes, const char* label, Owner owner) {
    DeviceMemory::Options how;
    how.owner = owner;
    how.guard = 256;
    const Result<std::uint64_t> at = m_memory.allocate(bytes, label, how);
    if (!at.ok()) failTest(at.error().text());
    return at.ok() ? *at : 0;
}

void PtxProgram::read(std::uint64_t address, std::span<std::byte> out) {
    if (const Result<void> r = m_memory.read(address, out); !r.ok()) failTest(r.error().text());
}

void PtxProgram::write(std::uint64_t address, std::span<const std::byte> bytes) {
    if (const Result<void> r = m_memory.write(address, bytes); !r.ok()) failTest(r.error().text());
}

LaunchResult PtxProgram::launchRaw(std::string_view kernel, Dim3 grid, Dim3 block,
                                   const std::vector<std::vector<std::byte>>& arguments) {
    LaunchResult refused;
    refused.end = LaunchEnd::refused;
    refused.reason = "the program was not loaded";
    if (!m_program) return refused;
    config.function = function(kernel);
    config.grid = grid;
    config.block = block;
    const FunctionInfo& info = m_program->functions()[config.function];
    config.parameters.assign(info.parameterBytes, std::byte{0});
    if (info.parameters.size() != arguments.size()) {
        failTest(
            fmt::format("{} takes {} parameters, {} were given.", kernel, info.parameters.size(), arguments.size()));
        return refused;
    }
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        if (arguments[k].size() != info.parameters[k].bytes) {
            failTest(fmt::format("Parameter {} of {} has {} bytes, {} were given.", k, kernel, info.parameters[k].bytes,
                                 arguments[k].size()));
            return refused;
        }
        std::memcpy(config.parameters.data() + info.parameters[k].offset, arguments[k].data(), arguments[k].size());
    }
    return emulator::launch(*m_program, config, options);
}

void PtxProgram::expectClean(const LaunchResult& result) {
    if (result.end != LaunchEnd::finished || !result.faults.empty()) failTest(describe(result));
}

std::string PtxProgram::describe(const LaunchResult& result) {
    std::string text = fmt::format("The launch ended as {}: {}", endNames[std::size_t(result.end)], result.reason);
    for (const Fault& f : result.faults)
        text += fmt::format("\n{} at line {}: {}", f.kind, f.line, f.message);
    return text;
}

const Fault* faultOf(const LaunchResult& result, std::string_view kind) {
    for (const Fault& f : result.faults)
        if (f.kind == kind) return &f;
    return nullptr;
}

} // namespace kernelarium::test
