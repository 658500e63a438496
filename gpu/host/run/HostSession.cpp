// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/run/HostSession.h"

#include "core/text/Shortened.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace kernelarium::host {

namespace {

constexpr std::chrono::hours longestRun{24 * 365}; ///< keeps the clock's arithmetic from overflowing
constexpr const char* outOfMemoryType = "torch.OutOfMemoryError";

} // namespace

emulator::RunOptions runOptions(const verify::RunRequest& request, const emulator::DeviceLimits& limits, unsigned jobs,
                                std::size_t faultsPerKind) {
    emulator::RunOptions options;
    options.checks = (request.checks || request.sampleAbove) && !request.profile;
    options.jobs = jobs;
    options.limits = limits;
    options.deadline =
        std::chrono::steady_clock::now() + std::min<std::chrono::milliseconds>(request.timeLimit, longestRun);
    options.stop = request.stop;
    options.faultsPerKind = faultsPerKind;
    options.poison = request.poison;
    options.schedule = request.schedule;
    options.contraryLanes = request.contraryLanes;
    return options;
}

HostSession::HostSession(const emulator::Program& program, Backend& device, RunLog& log,
                         const emulator::RunOptions& options, const Settings& settings,
                         const verify::RunRequest& request)
    : m_program(program)
    , m_function(settings.function)
    , m_isProgram(settings.isProgram)
    , m_device(device)
    , m_log(log)
    , m_keeper(settings.keeper)
    , m_host(program.memory(), request.poison)
    , m_marshal(m_host)
    , m_cuda(m_device, m_marshal, m_log, symbols())
    , m_table(m_device, m_host,
              [this](const std::string& reader, const std::string& sentence) { noteUnwrittenRead(reader, sentence); })
    , m_libraryStop(options.deadline, request.stop)
    , m_aten(m_table, {options.jobs, 0, m_libraryStop.token(), options.deadline, settings.memoryLimit,
                       costListener(request), settings.operators})
    , m_calls(m_cuda, m_table, m_aten, m_module)
    , m_given(m_table, request.outputs, request.sameAddresses)
    , m_kept(m_table, m_keeper, m_device.isRemote() ? 4 : 64) // copies on a device cost its memory
    , m_interpreter(std::make_unique<emulator::HostRun>(m_program, m_calls, options)) {
    m_host.bind(m_interpreter.get());
    if (request.lateCopies) m_cuda.copies.keepBack(request.poison);
    if (request.profile) m_table.skipCopies([this](std::uint64_t bytes) { noteCost({"copy", 0, double(bytes)}); });
}

void HostSession::noteUnwrittenRead(const std::string& reader, const std::string& sentence) {
    verify::Fault fault;
    fault.kind = "uninitialised_read";
    fault.kernel = reader;
    fault.message = sentence;
    fault.line = currentLine();
    m_log.addUnwrittenRead(std::move(fault));
}

std::vector<verify::OutputPlace> HostSession::returnedPlaces() const {
    return m_result ? outputPlaces(*m_result, m_table) : std::vector<verify::OutputPlace>();
}

HostSymbols HostSession::symbols() const {
    const emulator::Program& program = m_program;
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

void HostSession::noteCost(perf::LibraryCall call) {
    call.launchesBefore = std::uint32_t(m_log.launchCount());
    m_libraryCosts.push_back(std::move(call));
}

std::function<void(perf::LibraryCall)> HostSession::costListener(const verify::RunRequest& request) {
    if (!request.profile) return {};
    return [this](perf::LibraryCall call) { noteCost(std::move(call)); };
}

void HostSession::checkAfterwards() const {
    if (m_cuda.stickyError != cudaSuccess)
        throw RunStopped{verify::RunEnd::crashed,
                         fmt::format("CUDA error: {} ({})", cudaErrorText(m_cuda.stickyError), m_cuda.lostReason)};
    if (!m_cuda.unreadRefusal.empty()) throw RunStopped{verify::RunEnd::launch_refused, m_cuda.unreadRefusal};
}

/// An argument as the run left it: the very tensor where it is what it was.
tensor::Tensor HostSession::afterwards(const TensorView& view, const tensor::Tensor& before) const {
    if (before.elsewhere()) {
        const Result<bool> same = m_keeper->holds(view, before);
        if (!same) stopForKeeping(same.error());
        return *same ? before : tensor::Tensor::shapeOnly(view.dtype, view.shape);
    }
    tensor::Tensor after = m_table.peek(view);
    const bool known = before.defined() && before.dtype() == after.dtype() && before.shape() == after.shape();
    const bool same = known && std::memcmp(before.bytes().data(), after.bytes().data(), after.byteCount()) == 0;
    return same ? before : after;
}

/// Arguments that are what they were share the elements of those that were given: large ones are not held twice.
void HostSession::readBack(verify::RunResult& result, const std::vector<std::int64_t>& arguments,
                           const std::vector<tensor::Value>& given) const {
    std::vector<tensor::Tensor> before;
    for (const tensor::Value& argument : given)
        tensor::collectTensors(argument, before);
    for (std::size_t i = 0; i < arguments.size(); ++i)
        result.argumentsAfter.push_back(
            afterwards(m_table.at(arguments[i]), i < before.size() ? before[i] : tensor::Tensor()));
    if (!m_result) return;
    const bool placed =
        std::any_of(before.begin(), before.end(), [](const tensor::Tensor& t) { return t.elsewhere() != nullptr; });
    result.output = exportValue(*m_result, m_table, result.firstUnwritten, placed ? m_keeper : nullptr);
    result.outputPlaces = outputPlaces(*m_result, m_table);
}

void HostSession::findResult(verify::RunResult& result, const std::vector<std::int64_t>& handles,
                             const verify::RunRequest& request) {
    std::vector<std::int64_t> changed;
    std::vector<std::size_t> numbers;
    if (m_given.asksForChanged(m_calls.returned()) && !request.profile) {
        std::vector<tensor::Tensor> before;
        for (const tensor::Value& argument : request.arguments)
            tensor::collectTensors(argument, before);
        for (std::size_t i = 0; i < handles.size(); ++i)
            if (!afterwards(m_table.at(handles[i]), before[i]).sharesElements(before[i])) {
                changed.push_back(handles[i]);
                numbers.push_back(i);
            }
    }
    result.updatedPlaces = m_given.placesOf(changed);
    m_result = m_given.resultOf(m_calls.returned(), changed);
    if (m_result && !m_given.isReturned(m_calls.returned()))
        for (const std::int64_t handle : GivenOutputs::handlesIn(*m_result))
            if (const auto at = std::find(handles.begin(), handles.end(), handle); at != handles.end())
                result.updatedArguments.push_back(std::size_t(at - handles.begin()));
    if (const std::string said = m_given.describe(m_calls.returned(), numbers); !said.empty()) m_log.remark(said);
}

verify::HostWork HostSession::hostWork(std::uint64_t instructionsBefore,
                                       const std::vector<std::int64_t>& arguments) const {
    verify::HostWork work;
    work.instructions = m_interpreter->counters().warpInstructions - instructionsBefore;
    work.bytesRead = m_cuda.copies.bytesRead();
    work.asynchronousCopies = m_cuda.copies.asynchronous();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const Storage& storage = *m_table.at(arguments[i]).storage;
        const auto first = m_log.copiedTo.lower_bound(storage.address);
        if (first != m_log.copiedTo.end() && *first < storage.address + storage.bytes) work.restored.push_back(i);
    }
    const std::vector<verify::OutputPlace> places = returnedPlaces();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const Storage& storage = *m_table.at(arguments[i]).storage;
        const auto within = [&](const verify::OutputPlace& place) {
            return place.elementBytes > 0 && place.address >= storage.address &&
                   place.address < storage.address + storage.bytes;
        };
        if (std::any_of(places.begin(), places.end(), within)) work.returned.push_back(i);
    }
    return work;
}

void HostSession::collect(verify::RunResult& result) {
    if (m_device.isRemote())
        for (const ComputedHere& one : m_aten.computedHere())
            m_log.remark(fmt::format("{} was computed on this machine's processor, not on the GPU.{}", one.name,
                                     one.why.empty() ? "" : " " + one.why));
    result.guardViolations = m_device.damagedGuards();
    result.launches = std::move(m_log.launches);
    result.unsaid = m_log.unsaid;
    result.counters = std::move(m_log.counters);
    result.faults = std::move(m_log.faults);
    result.remarks = std::move(m_log.remarks);
    result.refusedCalls = std::move(m_log.refusedCalls);
    result.copyKinds = std::move(m_log.copyKinds);
    result.lanesTookTurns = m_log.lanesTookTurns;
    result.looseOrder = m_log.looseOrder;
    result.printed = std::move(m_log.printed);
    result.libraryCalls = m_aten.computed();
    result.streams = {m_cuda.order.sideStreams(), m_cuda.order.unjoined()};
    result.libraryCosts = std::move(m_libraryCosts);
    result.peakBytes = m_device.peak();
    for (const std::string_view asked : m_cuda.askedOfMachine)
        result.hiddenInputs.push_back({verify::HiddenInput::Kind::machine, {}, std::string(asked), 0});
}

void HostSession::runModule(const verify::RunRequest& request, verify::RunResult& result, const Moments& moments,
                            std::vector<std::int64_t>& handles) {
    importModule();
    const auto overloads = entries();
    const PyItems arguments = makeEarlierCalls(request, overloads, handles);
    if (moments.beforeForward) moments.beforeForward();
    const std::uint64_t before = m_interpreter->counters().warpInstructions;
    m_cuda.copies.forgetCounts();
    m_log.copiedTo.clear();
    callForward(overloads, arguments);
    m_cuda.copies.settleAll();
    m_device.settle();
    if (moments.forwardReturned) moments.forwardReturned();
    checkAfterwards();
    findResult(result, handles, request);
    result.host = hostWork(before, handles);
    if (m_calls.returned()) result.reusedOutputs = m_kept.reused(*m_calls.returned());
    if (!request.returnArguments) handles.clear();
    if (!request.profile) readBack(result, handles, request.arguments);
    if (moments.afterForward) moments.afterForward(result);
}

verify::RunResult HostSession::execute(const verify::RunRequest& request, const Moments& moments) {
    const auto begin = std::chrono::steady_clock::now();
    verify::RunResult result;
    std::vector<std::int64_t> handles;
    const auto ended = [&](verify::RunEnd end, std::string reason) {
        constexpr std::size_t longest = 16 << 10; // an exception's text may be of any length
        result.end = end;
        result.reason = text::shortened(std::move(reason), longest);
    };
    try {
        if (m_isProgram)
            runProgram(request, result, moments);
        else
            runModule(request, result, moments, handles);
    } catch (const Raised& raised) {
        if (!m_cuda.firstRefusal.empty())
            ended(verify::RunEnd::launch_refused, m_cuda.firstRefusal);
        else if (m_cuda.stickyError)
            ended(verify::RunEnd::crashed, m_cuda.lostReason);
        else if (raised.type == outOfMemoryType) // how much a device has is not the kernel's fault
            ended(verify::RunEnd::out_of_memory, raised.text);
        else
            ended(verify::RunEnd::host_exception, raised.type + ": " + raised.text);
    } catch (const RunStopped& stopped) {
        ended(stopped.end, stopped.reason);
    }
    if (!m_cuda.firstRefusal.empty() && result.end == verify::RunEnd::finished)
        m_log.remark("host code continued after a refused launch: " + m_cuda.firstRefusal);
    collect(result);
    result.freshPlaces = m_given.freshPlaces();
    for (const Definition& definition : m_module.definitions())
        if (std::find(result.functions.begin(), result.functions.end(), definition.name) == result.functions.end())
            result.functions.push_back(definition.name);
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
}

} // namespace kernelarium::host
