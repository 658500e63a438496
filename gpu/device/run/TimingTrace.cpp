// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/run/TimingTrace.h"

#include "gpu/device/memory/DevicePool.h"

namespace kernelarium::device {

host::KernelReport TracingBackend::launch(const host::KernelLaunch& launch) {
    host::KernelReport report = inner().launch(launch);
    if (m_phase != Phase::forward || report.end != emulator::LaunchEnd::finished) return report;
    TimedAction action;
    action.launch = launch;
    m_trace.actions.push_back(std::move(action));
    ++m_trace.launches;
    return report;
}

Result<std::uint64_t> TracingBackend::allocate(std::uint64_t bytes, std::string label) {
    Result<std::uint64_t> address = inner().allocate(bytes, std::move(label));
    if (address && notes(bytes)) m_trace.allocated.push_back({*address, bytes});
    return address;
}

Result<void> TracingBackend::release(std::uint64_t address) {
    constexpr std::uint64_t mayBeShared = DevicePool::slabBytes / 8; // smaller ones stay in the run's own slabs
    for (const TimedTrace::Place& place : m_trace.allocated)
        m_trace.gaveBack |= place.address == address && place.bytes > mayBeShared;
    return inner().release(address);
}

Result<void> TracingBackend::read(std::uint64_t address, std::span<std::byte> out) const {
    Result<void> done = inner().read(address, out);
    if (!done || !notes(out.size())) return done;
    m_trace.readBack += out.size();
    if (m_trace.readBack <= TimedTrace::mostReadBack)
        m_trace.actions.push_back({TimedAction::Kind::read, {}, address, out.size(), 0, 0, {out.begin(), out.end()}});
    return done;
}

Result<void> TracingBackend::write(std::uint64_t address, std::span<const std::byte> bytes) {
    Result<void> done = inner().write(address, bytes);
    if (!done || bytes.empty()) return done;
    if (m_phase == Phase::before) m_trace.before.push_back({address, bytes.size()});
    if (m_phase == Phase::forward)
        m_trace.actions.push_back(
            {TimedAction::Kind::upload, {}, address, bytes.size(), 0, 0, {bytes.begin(), bytes.end()}});
    return done;
}

Result<void> TracingBackend::fill(std::uint64_t address, std::uint64_t bytes, std::uint8_t value) {
    Result<void> done = inner().fill(address, bytes, value);
    if (done && notes(bytes)) m_trace.actions.push_back({TimedAction::Kind::fill, {}, address, bytes, 0, value, {}});
    return done;
}

Result<void> TracingBackend::repeat(std::uint64_t address, std::uint64_t bytes, std::span<const std::byte> pattern) {
    Result<void> done = inner().repeat(address, bytes, pattern);
    if (done && notes(bytes) && !pattern.empty())
        m_trace.actions.push_back(
            {TimedAction::Kind::pattern, {}, address, bytes, 0, 0, {pattern.begin(), pattern.end()}});
    return done;
}

Result<void> TracingBackend::copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
    Result<void> done = inner().copy(to, from, bytes);
    if (done && notes(bytes)) m_trace.actions.push_back({TimedAction::Kind::copy, {}, to, bytes, from, 0, {}});
    return done;
}

} // namespace kernelarium::device
