// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/run/EmulatorRun.h"
#include "core/text/KernelName.h"

#include "core/verify/Comparison.h"
#include "gpu/emulator/checks/LeftOut.h"

namespace kernelarium::host {

emulator::RunOptions EmulatorRun::optionsOf(const EmulatorSettings& settings, const verify::RunRequest& request) {
    emulator::RunOptions options = runOptions(request, settings.limits, settings.jobs, settings.faultsPerKind);
    options.exactSums = settings.exactSums;
    options.print = [this](std::string_view text) { m_log.print(text); };
    return options;
}

EmulatorRun::EmulatorRun(std::shared_ptr<emulator::Program> program, const EmulatorSettings& settings,
                         const HostProgram& compiled, const verify::RunRequest& request,
                         std::shared_ptr<emulator::Recorder> recorder)
    : m_program(std::move(program))
    , m_recorder(std::move(recorder))
    , m_options(optionsOf(settings, request))
    , m_device(*m_program, request, m_options, compiled.kernels, m_recorder.get())
    , m_contrary(request.contraryStreams ? std::make_optional<ContraryOrder>(m_device) : std::nullopt)
    , m_session(*m_program, m_contrary ? static_cast<Backend&>(*m_contrary) : m_device, m_log, m_options,
                {.function = compiled.function, .isProgram = compiled.isProgram, .memoryLimit = settings.capacity},
                request) {
    if (request.watchAll)
        watch(*request.watchAll);
    else if (request.watch)
        watch(*request.watch);
}

verify::LeftOut EmulatorRun::leftOut(verify::RunResult& result) const {
    verify::LeftOut out;
    out.blocks = m_log.sampledBlocks;
    out.executed = m_log.executedBlocks;
    for (const verify::OutputPlace& place : result.outputPlaces) {
        std::vector<std::uint8_t> known(std::size_t(tensor::elementCount(place.sizes)), 1);
        for (std::size_t i = 0; place.elementBytes && i < known.size(); ++i)
            known[i] = emulator::isKnown(m_program->memory(), place.addressOf(std::int64_t(i)), place.elementBytes);
        out.known.push_back(std::move(known));
    }
    result.firstUnwritten.assign(result.firstUnwritten.size(), std::nullopt);
    return out;
}

std::vector<std::vector<std::byte>> EmulatorRun::contentsOf(const std::vector<std::string>& variables) const {
    std::vector<std::vector<std::byte>> contents;
    for (const std::string& name : variables) {
        std::vector<std::byte>& bytes = contents.emplace_back();
        for (const emulator::SymbolInfo& symbol : m_program->symbols()) {
            if (symbol.name != name) continue;
            bytes.resize(symbol.bytes);
            if (!m_program->memory().read(symbol.address, bytes)) bytes.clear();
        }
    }
    return contents;
}

verify::RunResult EmulatorRun::execute(const verify::RunRequest& request, const std::vector<std::string>& counting) {
    HostSession::Moments moments;
    std::vector<std::vector<std::byte>> before, after;
    moments.beforeForward = [&] {
        m_device.beginRecording();
        before = contentsOf(counting);
    };
    moments.forwardReturned = [&] { after = contentsOf(counting); };
    moments.afterForward = [&](verify::RunResult& result) {
        if (m_log.leftBlocksOut && !request.profile) result.leftOut = leftOut(result);
        if (request.watchAll) {
            result.writers = writers(*request.watchAll);
        } else if (request.watch) {
            result.lastWriter = lastWriter(*request.watch);
            const std::vector<tensor::Tensor> outputs = verify::flatten(result.output);
            if (result.lastWriter && request.watch->output < outputs.size())
                result.history = history(outputs[request.watch->output].dtype());
        }
    };
    verify::RunResult result = m_session.execute(request, moments);
    // What is again what it was, a ticket that was turned back, leaves nothing to the next call.
    for (std::size_t k = 0; k < after.size() && k < before.size(); ++k)
        if (after[k] != before[k])
            result.hiddenInputs.push_back({verify::HiddenInput::Kind::state, {}, text::kernelTitle(counting[k]), 0});
    result.recording = m_device.takeRecording();
    return result;
}

} // namespace kernelarium::host
