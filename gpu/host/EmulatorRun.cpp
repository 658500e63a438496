// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/EmulatorRun.h"

#include "gpu/emulator/LeftOut.h"
#include "gpu/host/KernelNames.h"
#include "gpu/host/ValueTransfer.h"

#include <fmt/format.h>

namespace kernelarium::host {

namespace {

constexpr const char* moduleEntry =
    "kl_module_entry"; // compile::moduleEntry; this room does not depend on that one

constexpr std::string_view libraryEntry = "kl_library_"; ///< what TORCH_LIBRARY's functions begin with

constexpr std::chrono::hours longestRun{24 * 365}; ///< keeps the clock's arithmetic from overflowing

emulator::RunOptions optionsOf(const EmulatorSettings& settings, const verify::RunRequest& request) {
    emulator::RunOptions options;
    options.checks = (request.checks || request.sampleAbove) && !request.profile;
    options.jobs = settings.jobs;
    options.limits = settings.limits;
    options.deadline =
        std::chrono::steady_clock::now() + std::min<std::chrono::milliseconds>(request.timeLimit, longestRun);
    options.stop = request.stop;
    options.faultsPerKind = settings.faultsPerKind;
    options.poison = request.poison;
    options.schedule = request.schedule;
    return options;
}

/// How a HostRun::call ended, for the run.
RunStopped stoppedBy(const Error& error) {
    if (error.code == "timeout") return {verify::RunEnd::timeout, "host code: " + error.message};
    if (error.code == "cancelled") return {verify::RunEnd::cancelled, "cancelled"};
    if (error.code == "unsupported") return {verify::RunEnd::unsupported, error.message};
    return {verify::RunEnd::crashed, "segmentation fault: " + error.message};
}

} // namespace

EmulatorBackend::Settings EmulatorRun::backendSettings(const EmulatorSettings& settings,
                                                       const std::map<std::string, std::uint32_t>& registers,
                                                       const verify::RunRequest& request) {
    m_options = optionsOf(settings, request);
    m_options.print = [this](std::string_view text) { m_log.print(text); };
    return {m_options, request.guardBytes, request.poison, request.addressSalt, registers,
            request.skipLaunches, request.counters, request.profile, request.sampleAbove, m_recorder.get()};
}

HostSymbols EmulatorRun::symbols() const {
    const emulator::Program& program = *m_program;
    HostSymbols out;
    out.kernelAt = [&program](std::uint64_t address) -> std::optional<std::string> {
        const auto index = program.functionByAddress(address);
        return index ? std::optional(program.functions()[*index].name) : std::nullopt;
    };
    out.variableAt = [&program](std::uint64_t address) -> std::optional<std::string> {
        for (const emulator::SymbolInfo& symbol : program.symbols())
            if (symbol.address == address) return symbol.name;
        return {};
    };
    return out;
}

EmulatorRun::EmulatorRun(std::shared_ptr<emulator::Program> program, const EmulatorSettings& settings,
                         const std::map<std::string, std::uint32_t>& registers,
                         const verify::RunRequest& request, std::shared_ptr<emulator::Recorder> recorder)
    : m_program(std::move(program))
    , m_recorder(std::move(recorder))
    , m_device(m_program->memory(), *m_program, backendSettings(settings, registers, request))
    , m_host(m_program->memory(), request.poison)
    , m_marshal(m_host)
    , m_cuda(m_device, m_marshal, m_log, symbols())
    , m_table(m_device, m_host,
              [this](const std::string& reader, const std::string& sentence) {
                  verify::Fault fault;
                  fault.kind = "uninitialised_read";
                  fault.kernel = reader;
                  fault.message = sentence;
                  fault.line = m_interpreter ? m_interpreter->currentLine() : 0;
                  m_log.addUnwrittenRead(std::move(fault));
              })
    , m_libraryStop(m_options.deadline, request.stop)
    , m_aten(m_table, {settings.jobs, 0, m_libraryStop.token(), m_options.deadline, settings.capacity, costListener(request)})
    , m_calls(m_cuda, m_table, m_aten, m_module)
    , m_interpreter(std::make_unique<emulator::HostRun>(*m_program, m_calls, m_options)) {
    m_host.bind(m_interpreter.get());
    if (request.watch) watch(*request.watch);
    if (request.profile)
        m_table.skipCopies([this](std::uint64_t bytes) { noteCost({"copy", 0, double(bytes)}); });
}

void EmulatorRun::watch(const verify::WatchedElement& element) {
    const std::uint64_t address = element.place.addressOf(element.element);
    if (address == 0 || !m_options.checks) return;
    m_program->memory().watch(address, element.place.elementBytes, [this] {
        const bool called = !m_calls.current().empty();
        emulator::Writer writer;
        writer.call = called ? m_calls.current() : "argument";
        writer.line = called && m_interpreter ? m_interpreter->currentLine() : 0;
        return writer;
    });
}

std::optional<verify::WriterInfo> EmulatorRun::lastWriter(const verify::WatchedElement& element) const {
    const emulator::WriteWatch* watch = m_program->memory().watched();
    if (!watch || !m_calls.returned()) return std::nullopt;
    const std::vector<verify::OutputPlace> places = outputPlaces(*m_calls.returned(), m_table);
    if (element.output >= places.size() || places[element.output].addressOf(element.element) != watch->address())
        return std::nullopt;
    const std::optional<emulator::Writer> last = watch->last();
    if (!last) return verify::WriterInfo{};
    using Kind = verify::WriterInfo::Kind;
    return verify::WriterInfo{last->kernel.empty() ? Kind::call : Kind::kernel,
                              last->kernel.empty() ? std::string() : kernelTitle(last->kernel),
                              last->block, last->thread, last->line, last->call};
}

void EmulatorRun::noteCost(perf::LibraryCall call) {
    call.launchesBefore = std::uint32_t(m_log.launches.size());
    m_libraryCosts.push_back(std::move(call));
}

std::function<void(perf::LibraryCall)> EmulatorRun::costListener(const verify::RunRequest& request) {
    if (!request.profile) return {};
    return [this](perf::LibraryCall call) { noteCost(std::move(call)); };
}

void EmulatorRun::interpret(std::uint32_t function, const std::vector<std::uint64_t>& parameters) {
    std::vector<std::vector<std::byte>> raw;
    for (std::uint64_t p : parameters) {
        const auto* bytes = reinterpret_cast<const std::byte*>(&p);
        raw.emplace_back(bytes, bytes + sizeof(p));
    }
    const auto returned = m_interpreter->call(function, raw);
    if (returned) return;
    if (m_calls.uncaught()) throw Raised(*m_calls.uncaught());
    if (m_calls.stopped()) throw RunStopped(*m_calls.stopped());
    throw stoppedBy(returned.error());
}

void EmulatorRun::importModule() {
    for (std::uint32_t i = 0; i < m_program->functions().size(); ++i)
        if (m_program->functions()[i].name.starts_with(libraryEntry)) interpret(i, {});
    const auto entry = m_program->functionByName(moduleEntry);
    const auto missing = [](const std::string& why) {
        return RunStopped{verify::RunEnd::import_error,
                          "ImportError: dynamic module does not define module export function "
                          "(PyInit_TORCH_EXTENSION_NAME): " +
                              why};
    };
    if (!entry && m_module.operatorEntry()) return;
    if (!entry) throw missing("the file has no PYBIND11_MODULE");
    interpret(*entry, {});
    // The shim leaves the macro as its own name: any other name is a module that the loader would not find.
    if (m_module.name() != "TORCH_EXTENSION_NAME")
        throw missing("the file defines module '" + m_module.name().value_or("") + "' instead");
    if (m_module.definitions().empty())
        throw RunStopped{verify::RunEnd::import_error, "AttributeError: module has no attribute 'forward'"};
}

/// The module's `forward`; where there is no module, the operator that stands for it.
std::vector<const Definition*> EmulatorRun::entries() {
    if (m_module.name()) {
        auto overloads = m_module.entry();
        if (overloads.empty())
            throw RunStopped{verify::RunEnd::unsupported,
                             "a module without `forward` and with several functions"};
        return overloads;
    }
    const Definition* found = m_module.operatorEntry();
    if (found->invoke == 0)
        throw RunStopped{verify::RunEnd::host_exception, "NotImplementedError: Could not run '" + found->name +
                                                             "' with arguments from the 'CUDA' backend."};
    m_log.remark("called as the operator " + found->name +
                 " of TORCH_LIBRARY: the file defines no Python module");
    return {found};
}

void EmulatorRun::callForward(const std::vector<const Definition*>& overloads, const PyItems& arguments) {
    std::optional<Raised> mismatch;
    for (const Definition* overload : overloads) {
        PyItems bound;
        try {
            bound = bindArguments(*overload, arguments);
        } catch (const Raised& raised) {
            mismatch = mismatch.value_or(raised);
            continue;
        }
        const auto invoke = m_program->functionByAddress(overload->invoke);
        if (!invoke) throw RunStopped{verify::RunEnd::crashed, "the module's definitions are damaged"};
        m_calls.beginCall(*overload, std::move(bound));
        try {
            interpret(*invoke, {overload->function});
            return;
        } catch (const Raised& raised) {
            if (!m_calls.argumentMismatch()) throw;
            mismatch = mismatch.value_or(raised);
        }
    }
    throw *mismatch;
}

PyItems EmulatorRun::importArguments(const std::vector<tensor::Value>& arguments, std::vector<std::int64_t>& handles,
                                     Tiles* tiles) {
    PyItems items;
    m_calls.forgetCall();
    for (std::size_t i = 0; i < arguments.size(); ++i)
        items.push_back(importValue(arguments[i], fmt::format("argument {}", i + 1), m_table, handles, tiles));
    return items;
}

bool EmulatorRun::overwriteArguments(const std::vector<tensor::Value>& arguments,
                                     const std::vector<std::int64_t>& handles) {
    std::vector<tensor::Tensor> tensors;
    for (const tensor::Value& argument : arguments) tensor::collectTensors(argument, tensors);
    if (tensors.size() != handles.size()) return false;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const TensorView& view = m_table.at(handles[i]);
        if (view.sizes != tensors[i].shape() || view.dtype != tensors[i].dtype()) return false;
    }
    for (std::size_t i = 0; i < tensors.size(); ++i) m_table.scatter(m_table.at(handles[i]), tensors[i]);
    return true;
}

PyItems EmulatorRun::makeEarlierCalls(const verify::RunRequest& request, const std::vector<const Definition*>& forward,
                                      std::vector<std::int64_t>& handles) {
    std::optional<PyItems> first;
    for (const std::vector<tensor::Value>& earlier : request.earlierCalls) {
        if (first && overwriteArguments(earlier, handles)) {
            callForward(forward, *first);
            continue;
        }
        std::vector<std::int64_t> fresh;
        PyItems items = importArguments(earlier, fresh);
        callForward(forward, items);
        if (!request.sameAddresses) continue;
        first = std::move(items);
        handles = std::move(fresh);
    }
    if (first && overwriteArguments(request.arguments, handles)) {
        m_calls.forgetCall();
        return std::move(*first);
    }
    handles.clear();
    std::optional<Tiles> tiles;
    if (request.profile) tiles.emplace(request.profile->tiles);
    return importArguments(request.arguments, handles, tiles ? &*tiles : nullptr);
}

void EmulatorRun::checkAfterwards() const {
    if (m_cuda.stickyError != cudaSuccess)
        throw RunStopped{
            verify::RunEnd::crashed,
            fmt::format("CUDA error: {} ({})", cudaErrorText(m_cuda.stickyError), m_cuda.lostReason)};
    if (!m_cuda.unreadRefusal.empty()) throw RunStopped{verify::RunEnd::launch_refused, m_cuda.unreadRefusal};
}

void EmulatorRun::readBack(verify::RunResult& result, const std::vector<std::int64_t>& handles) const {
    for (std::int64_t handle : handles)
        result.argumentsAfter.push_back(m_table.peek(m_table.at(handle)));
    if (!m_calls.returned()) return;
    result.output = exportValue(*m_calls.returned(), m_table, result.firstUnwritten);
    result.outputPlaces = outputPlaces(*m_calls.returned(), m_table);
    if (m_log.leftBlocksOut) result.leftOut = leftOut(result);
}

verify::LeftOut EmulatorRun::leftOut(verify::RunResult& result) const {
    verify::LeftOut out;
    for (const verify::Launch& launch : m_log.launches) {
        if (launch.executedBlocks == 0) continue;
        out.blocks += double(launch.grid[0]) * launch.grid[1] * launch.grid[2];
        out.executed += double(launch.executedBlocks);
    }
    for (const verify::OutputPlace& place : result.outputPlaces) {
        std::vector<std::uint8_t> known(std::size_t(tensor::elementCount(place.sizes)), 1);
        for (std::size_t i = 0; place.elementBytes && i < known.size(); ++i)
            known[i] = emulator::isKnown(m_program->memory(), place.addressOf(std::int64_t(i)), place.elementBytes);
        out.known.push_back(std::move(known));
    }
    result.firstUnwritten.assign(result.firstUnwritten.size(), std::nullopt);
    return out;
}

verify::RunResult EmulatorRun::execute(const verify::RunRequest& request) {
    const auto begin = std::chrono::steady_clock::now();
    verify::RunResult result;
    std::vector<std::int64_t> handles;
    const auto ended = [&](verify::RunEnd end, std::string reason) {
        result.end = end;
        result.reason = std::move(reason);
    };
    try {
        importModule();
        const auto overloads = entries();
        const PyItems arguments = makeEarlierCalls(request, overloads, handles);
        m_device.beginRecording();
        callForward(overloads, arguments);
        checkAfterwards();
        if (!request.profile) readBack(result, handles);
        if (request.watch) result.lastWriter = lastWriter(*request.watch);
    } catch (const Raised& raised) {
        if (!m_cuda.firstRefusal.empty())
            ended(verify::RunEnd::launch_refused, m_cuda.firstRefusal);
        else if (m_cuda.stickyError)
            ended(verify::RunEnd::crashed, m_cuda.lostReason);
        else
            ended(verify::RunEnd::host_exception, raised.type + ": " + raised.text);
    } catch (const RunStopped& stopped) {
        ended(stopped.end, stopped.reason);
    }
    if (!m_cuda.firstRefusal.empty() && result.end == verify::RunEnd::finished)
        m_log.remark("host code went on after a refused launch: " + m_cuda.firstRefusal);
    result.guardViolations = m_device.damagedGuards();
    result.launches = std::move(m_log.launches);
    result.recording = m_device.takeRecording();
    result.counters = std::move(m_log.counters);
    result.faults = std::move(m_log.faults);
    result.remarks = std::move(m_log.remarks);
    result.printed = std::move(m_log.printed);
    result.libraryCalls = m_aten.computed();
    result.streams = {m_cuda.order.sideStreams(), m_cuda.order.unjoined()};
    result.libraryCosts = std::move(m_libraryCosts);
    result.peakBytes = m_device.peak();
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
}

} // namespace kernelarium::host
