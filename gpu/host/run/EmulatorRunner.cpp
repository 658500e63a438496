// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/run/EmulatorRunner.h"

#include "gpu/emulator/code/CountingVariables.h"
#include "gpu/emulator/code/HiddenInputs.h"
#include "gpu/emulator/decode/ProductRegisters.h"
#include "gpu/host/run/EmulatorRun.h"
#include "gpu/host/run/LaunchedInputs.h"

#include <algorithm>

namespace kernelarium::host {

EmulatorRunner::EmulatorRunner(HostProgram program, EmulatorSettings settings)
    : m_program(std::move(program))
    , m_settings(std::move(settings))
    , m_module(emulator::Module::parse(m_program.ptx))
    , m_products(matrixProducts(m_program.ptx))
    , m_atomics(atomicUse(m_program.ptx))
    , m_hiddenInputs(m_module ? emulator::hiddenInputs((*m_module)->parsed()) : std::vector<verify::HiddenInput>())
    , m_textFaults(m_module ? emulator::productRegisterFaults((*m_module)->parsed()) : std::vector<verify::Fault>())
    , m_countingVariables(m_module ? emulator::countingVariables((*m_module)->parsed()) : std::vector<std::string>()) {}

/// Which products it made, and how their sums were rounded.
void EmulatorRunner::sayProducts(verify::RunResult& result) const {
    std::string said = productsText(m_products, result.launches);
    if (said.empty()) return;
    const bool rounds = std::any_of(m_products.begin(), m_products.end(),
                                    [](const MatrixProducts& p) { return p.sums == "f32" || p.sums == "f16"; });
    if (rounds)
        said += m_settings.exactSums ? " They were added as a Hopper GPU adds them, bit for bit (exact sums)."
                                     : " They were added one by one, which differs from a GPU's sums in the last bits "
                                       "(fast sums; --exact-sums adds as a GPU does).";
    result.remarks.push_back(std::move(said));
}

std::shared_ptr<emulator::MemoryPages> EmulatorRunner::pagesForRun() {
    if (!tensor::MemoryReuse::isOn()) return emulator::DeviceMemory::makePages(m_settings.capacity);
    if (!m_pages) m_pages = m_settings.pages;
    if (!m_pages) m_pages = emulator::DeviceMemory::makePages(m_settings.capacity);
    return m_pages;
}

Result<verify::RunResult> EmulatorRunner::run(const verify::RunRequest& request) {
    verify::RunResult result;
    if (!m_program.definesModule && !m_program.isProgram) {
        result.end = verify::RunEnd::import_error;
        result.reason = noModuleReason;
        return result;
    }
    if (!m_module) return m_module.error();
    // A profile touches little of what it allocates, and needs no states.
    using Tracking = emulator::DeviceMemory::Tracking;
    const std::uint64_t profiled = m_settings.profiled ? m_settings.profiled : 2 * m_settings.capacity;
    emulator::DeviceMemory memory =
        request.profile ? emulator::DeviceMemory(profiled, Tracking::none) : emulator::DeviceMemory(pagesForRun());
    auto program = emulator::Program::place(*m_module, memory);
    if (!program) {
        if (program.error().code != "unsupported") return program.error();
        result.end = verify::RunEnd::unsupported;
        result.reason = program.error().message;
        return result;
    }
    std::shared_ptr<emulator::Recorder> recorder;
    if (request.recording) recorder = std::make_shared<emulator::Recorder>(**program, *request.recording);
    EmulatorRun one(std::move(*program), m_settings, m_program, request, recorder);
    result = one.execute(request, m_countingVariables);
    result.tensorCoreTypes = tensorCoreTypes(m_products);
    sayProducts(result);
    result.usesAtomics = m_atomics.global;
    result.usesSharedAtomics = m_atomics.shared;
    const std::vector<verify::HiddenInput> read = launchedInputs(m_hiddenInputs, result.launches);
    result.hiddenInputs.insert(result.hiddenInputs.end(), read.begin(), read.end());
    const std::vector<verify::Fault> shown = launchedFaults(m_textFaults, result.launches);
    if (request.checks) result.faults.insert(result.faults.end(), shown.begin(), shown.end());
    return result;
}

} // namespace kernelarium::host
