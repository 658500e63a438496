// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/timing/TimingReplay.h"

#include "gpu/device/driver/KernelStart.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fmt/format.h>

namespace kernelarium::device {

namespace {

/// A kernel's arguments in memory of their own, as the driver wants them.
struct LaunchArguments {
    std::vector<std::byte> values;
    std::vector<void*> pointers;
};

/// The pattern as one 32-bit word, where it is one over and over.
std::optional<std::uint32_t> wordOf(const std::vector<std::byte>& pattern) {
    if (pattern.size() > 4 ? pattern.size() % 4 != 0 : 4 % pattern.size() != 0) return {};
    std::array<std::byte, 4> word{};
    for (std::size_t i = 0; i < 4; ++i)
        word[i] = pattern[i % pattern.size()];
    for (std::size_t i = 0; i < pattern.size(); ++i)
        if (pattern[i] != word[i % 4]) return {};
    std::uint32_t value = 0;
    std::memcpy(&value, word.data(), sizeof value);
    return value;
}

bool overlap(const TimedAction& a) {
    return a.address < a.from + a.bytes && a.from < a.address + a.bytes;
}

} // namespace

TimedReplay::~TimedReplay() {
    if (m_context->isLost()) return;
    if (m_pinned) m_context->api().cuMemFreeHost(m_pinned);
    for (StreamHandle stream : m_streams)
        if (stream) m_context->api().cuStreamDestroy(stream);
}

Result<std::unique_ptr<TimedReplay>> TimedReplay::create(std::shared_ptr<DeviceContext> context,
                                                         const DeviceModule& module, const host::Backend& backend,
                                                         const TimedTrace& trace) {
    std::unique_ptr<TimedReplay> replay(new TimedReplay(std::move(context)));
    if (Result<void> pinned = replay->pin(trace); !pinned) return pinned.error();
    std::byte* next = replay->m_pinned;
    for (const TimedAction& action : trace.actions) {
        replay->m_firstStep.push_back(replay->m_steps.size());
        if (Result<void> added = replay->add(action, module, backend, next); !added) return added.error();
        next += action.data.size();
    }
    replay->m_firstStep.push_back(replay->m_steps.size());
    if (Result<void> prepared = replay->prepareLanes(trace); !prepared) return prepared.error();
    return replay;
}

std::unique_ptr<TimedReplay> TimedReplay::ofWork(std::shared_ptr<DeviceContext> context, std::string label,
                                                 std::function<Result<void>()> work) {
    std::unique_ptr<TimedReplay> replay(new TimedReplay(std::move(context)));
    replay->m_steps.push_back({std::move(label), {}, {}, std::move(work)});
    replay->m_firstStep = {0, 1};
    TimedAction action;
    action.kind = TimedAction::Kind::library;
    replay->m_lanes = lanesOf({action});
    replay->m_streams.assign(1, nullptr);
    return replay;
}

Result<void> TimedReplay::prepareLanes(const TimedTrace& trace) {
    constexpr unsigned nonBlocking = 1; // CU_STREAM_NON_BLOCKING: the events alone say what waits for what
    m_lanes = lanesOf(trace.actions);
    m_streams.assign(m_lanes.lanes, nullptr);
    for (std::size_t lane = 1; lane < m_lanes.lanes; ++lane)
        if (auto made =
                m_context->check(m_context->api().cuStreamCreate(&m_streams[lane], nonBlocking), "Creating a stream");
            !made)
            return made;
    if (!m_lanes.overlaps()) return {};
    m_began = std::make_unique<DeviceEvent>(*m_context);
    for (const TimedLanes::Place& place : m_lanes.actions)
        m_done.push_back(place.awaited ? std::make_unique<DeviceEvent>(*m_context) : nullptr);
    return {};
}

/// What is uploaded must lie where the GPU can fetch it by itself, or queueing it would wait.
Result<void> TimedReplay::pin(const TimedTrace& trace) {
    std::size_t bytes = 0;
    for (const TimedAction& action : trace.actions)
        bytes += action.data.size();
    if (bytes == 0) return {};
    void* memory = nullptr;
    const DriverStatus status = m_context->api().cuMemAllocHost(&memory, bytes);
    if (auto made = m_context->check(status, "Allocating pinned memory for what forward uploads"); !made) return made;
    m_pinned = static_cast<std::byte*>(memory);
    std::byte* next = m_pinned;
    for (const TimedAction& action : trace.actions)
        next = std::copy(action.data.begin(), action.data.end(), next);
    return {};
}

Result<void> TimedReplay::add(const TimedAction& action, const DeviceModule& module, const host::Backend& backend,
                              std::byte* pinned) {
    switch (action.kind) {
    case TimedAction::Kind::launch: return addLaunch(action.launch, module, backend);
    case TimedAction::Kind::fill:
        addFill(action.address, action.bytes, action.value * 0x01010101u,
                action.address % 4 || action.bytes % 4 ? 1 : 4);
        return {};
    case TimedAction::Kind::pattern: addPattern(action, pinned); return {};
    case TimedAction::Kind::upload: addUpload(action.address, action.bytes, pinned); return {};
    case TimedAction::Kind::read: addRead(action, pinned); return {};
    case TimedAction::Kind::library: m_steps.push_back({action.label, {}, {}, action.again}); return {};
    case TimedAction::Kind::copy:
        if (overlap(action))
            return Error{
                "unsupported",
                "forward copies device memory within itself, which takes host code: its calls cannot be replayed."};
        addCopy(action.address, action.from, action.bytes);
        return {};
    }
    return {};
}

Result<void> TimedReplay::addLaunch(const host::KernelLaunch& launch, const DeviceModule& module,
                                    const host::Backend& backend) {
    const std::optional<host::KernelFacts> facts = backend.kernel(launch.kernel);
    const FunctionHandle function = module.function(launch.kernel);
    if (!facts || !function) return Error{"internal", "A kernel that ran is not in its module: " + launch.kernel + "."};
    if (std::uint32_t& allowed = m_sharedOptIn[function]; launch.sharedOptInBytes > allowed) {
        allowed = launch.sharedOptInBytes;
        const DriverStatus set = m_context->api().cuFuncSetAttribute(function, functionDynamicShared, int(allowed));
        if (auto done = m_context->check(set, "Allowing a kernel its shared memory"); !done) return done;
    }
    if (launch.nonPortableCluster) {
        const DriverStatus set = m_context->api().cuFuncSetAttribute(function, functionNonPortableCluster, 1);
        if (auto done = m_context->check(set, "Allowing a kernel clusters of more than 8 blocks"); !done) return done;
    }
    auto arguments = std::make_shared<LaunchArguments>();
    arguments->values = launch.parameters;
    arguments->values.resize(std::max<std::size_t>(launch.parameters.size(), facts->parameterBytes));
    for (const emulator::ParameterInfo& range : facts->parameters)
        arguments->pointers.push_back(arguments->values.data() + range.offset);
    const KernelStart how{launch.grid, launch.block, launch.dynamicSharedBytes, launch.cooperative, launch.cluster};
    const auto start = [function, arguments, how](const DriverApi& api, StreamHandle stream) {
        return startKernel(api, function, how, stream, arguments->pointers.data());
    };
    m_steps.push_back({"launch", launch.kernel, start, {}});
    return {};
}

void TimedReplay::addFill(std::uint64_t address, std::uint64_t bytes, std::uint32_t word, std::uint64_t unit) {
    const auto start = [=](const DriverApi& api, StreamHandle stream) {
        if (unit == 4) return api.cuMemsetD32Async(address, word, bytes / 4, stream);
        return api.cuMemsetD8Async(address, static_cast<unsigned char>(word), bytes, stream);
    };
    m_steps.push_back({fmt::format("fill of {} bytes", bytes), {}, start, {}});
}

/// One fill where the pattern is a 32-bit word; else the first piece is uploaded and doubled.
void TimedReplay::addPattern(const TimedAction& action, const std::byte* pinned) {
    const std::optional<std::uint32_t> word = wordOf(action.data);
    if (word && action.address % 4 == 0 && action.bytes % 4 == 0)
        return addFill(action.address, action.bytes, *word, 4);
    std::uint64_t done = std::min<std::uint64_t>(action.bytes, action.data.size());
    addUpload(action.address, done, pinned);
    while (done < action.bytes) {
        const std::uint64_t count = std::min(done, action.bytes - done);
        addCopy(action.address + done, action.address, count);
        done += count;
    }
}

void TimedReplay::addCopy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
    m_steps.push_back(
        {fmt::format("copy of {} bytes", bytes),
         {},
         [=](const DriverApi& api, StreamHandle stream) { return api.cuMemcpyDtoDAsync(to, from, bytes, stream); },
         {}});
}

void TimedReplay::addRead(const TimedAction& action, std::byte* pinned) {
    if (!m_read) m_read = std::make_unique<DeviceEvent>(*m_context);
    m_reads.push_back({pinned, action.data});
    m_steps.push_back(
        {fmt::format("read of {} bytes", action.bytes),
         {},
         {},
         [this, pinned, address = action.address, bytes = action.bytes] { return read(pinned, address, bytes); }});
}

/// As cudaMemcpy from the device: it spins, since that is what the driver does.
Result<void> TimedReplay::read(std::byte* to, std::uint64_t address, std::uint64_t bytes) const {
    constexpr std::chrono::seconds patience{20};
    const DriverStatus queued = m_context->api().cuMemcpyDtoHAsync(to, address, bytes, nullptr);
    if (auto copying = m_context->check(queued, "Reading what forward reads"); !copying) return copying;
    if (Result<void> recorded = record(*m_read, nullptr); !recorded) return recorded;
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (;;) {
        const DriverStatus status = m_context->api().cuEventQuery(m_read->handle());
        if (status != driverNotReady) return m_context->check(status, "Waiting for what forward reads");
        if (std::chrono::steady_clock::now() < deadline) continue;
        m_context->lose("a kernel was still running when its timing ended, and a GPU cannot be told to stop one");
        return Error{"timeout", fmt::format("A value that forward reads had not come after {} s.", patience.count())};
    }
}

std::size_t TimedReplay::changedReads() const {
    return std::size_t(std::count_if(m_reads.begin(), m_reads.end(), [](const Read& r) {
        return std::memcmp(r.place, r.recorded.data(), r.recorded.size()) != 0;
    }));
}

void TimedReplay::addUpload(std::uint64_t address, std::uint64_t bytes, const std::byte* pinned) {
    m_steps.push_back({fmt::format("upload of {} bytes", bytes),
                       {},
                       [=](const DriverApi& api, StreamHandle stream) {
                           return api.cuMemcpyHtoDAsync(address, pinned, bytes, stream);
                       },
                       {}});
}

Result<void> TimedReplay::record(DeviceEvent& event, StreamHandle stream) const {
    if (event.record(stream)) return {};
    return m_context->check(event.status() == driverSuccess ? driverInvalidValue : event.status(),
                            "Recording an event");
}

Result<void> TimedReplay::await(StreamHandle stream, const DeviceEvent& event) const {
    return m_context->check(m_context->api().cuStreamWaitEvent(stream, event.handle(), 0),
                            "Letting a stream wait for another");
}

Result<void> TimedReplay::queueStep(std::size_t step, StreamHandle stream) const {
    const Step& one = m_steps[step];
    if (one.again) return one.again(); // its action is a barrier, whose stream is the default one
    const DriverStatus status = one.queue(m_context->api(), stream);
    return status == driverSuccess ? Result<void>() : m_context->check(status, "Queueing " + one.label);
}

Result<void> TimedReplay::queueAction(std::size_t action) const {
    const TimedLanes::Place& place = m_lanes.actions[action];
    StreamHandle stream = m_streams[place.lane];
    Result<void> queued;
    for (std::size_t i = 0; i < place.after.size() && queued; ++i)
        queued = await(stream, *m_done[place.after[i]]);
    for (std::size_t step = m_firstStep[action]; step < m_firstStep[action + 1] && queued; ++step)
        queued = queueStep(step, stream);
    if (queued && place.awaited) queued = record(*m_done[action], stream);
    return queued;
}

Result<void> TimedReplay::queue() const {
    if (m_context->isLost()) return m_context->lostError();
    Result<void> queued = m_lanes.overlaps() ? record(*m_began, nullptr) : Result<void>();
    for (std::size_t lane = 1; lane < m_streams.size() && queued; ++lane)
        queued = await(m_streams[lane], *m_began);
    for (std::size_t action = 0; action + 1 < m_firstStep.size() && queued; ++action)
        queued = queueAction(action);
    for (std::size_t i = 0; i < m_lanes.lasts.size() && queued; ++i)
        queued = await(nullptr, *m_done[m_lanes.lasts[i]]);
    return queued;
}

Result<void> TimedReplay::queueInOrder(const std::function<Result<void>(std::size_t)>& after) const {
    if (m_context->isLost()) return m_context->lostError();
    for (std::size_t step = 0; step < m_steps.size(); ++step) {
        if (Result<void> queued = queueStep(step, nullptr); !queued) return queued;
        if (Result<void> told = after(step); !told) return told;
    }
    return {};
}

} // namespace kernelarium::device
