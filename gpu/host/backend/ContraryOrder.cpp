// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/backend/ContraryOrder.h"

#include "core/text/KernelName.h"
#include "gpu/host/backend/Raised.h"

#include <utility>

namespace kernelarium::host {

namespace {

std::uint64_t known(std::uint64_t stream) {
    return stream == 1 ? 0 : stream;
} // both name the legacy default stream

/// Whether the second, which the program makes later, has to come after the first.
bool ordered(const KernelLaunch& first, const KernelLaunch& second) {
    if (known(first.stream) == known(second.stream)) return true;
    const auto before = second.after.find(known(first.stream));
    return before != second.after.end() && before->second >= first.item;
}

[[noreturn]] void stop(const KernelLaunch& launch, const KernelReport& report) {
    verify::RunEnd end = verify::RunEnd::crashed;
    if (report.end == emulator::LaunchEnd::timeout || report.end == emulator::LaunchEnd::deadlock)
        end = verify::RunEnd::timeout;
    if (report.end == emulator::LaunchEnd::cancelled) end = verify::RunEnd::cancelled;
    if (report.end == emulator::LaunchEnd::unsupported) end = verify::RunEnd::unsupported;
    if (report.end == emulator::LaunchEnd::refused) end = verify::RunEnd::launch_refused;
    if (report.end == emulator::LaunchEnd::beyond_sample) end = verify::RunEnd::beyond_sample;
    throw RunStopped{end, "kernel " + text::kernelTitle(launch.kernel) + ": " + report.reason};
}

} // namespace

std::vector<std::size_t> contraryOrder(const std::vector<KernelLaunch>& launches) {
    std::vector<std::size_t> order;
    std::vector<bool> done(launches.size(), false);
    const auto ready = [&](std::size_t i) {
        for (std::size_t j = 0; j < i; ++j)
            if (!done[j] && ordered(launches[j], launches[i])) return false;
        return true;
    };
    while (order.size() < launches.size())
        for (std::size_t i = launches.size(); i-- > 0;)
            if (!done[i] && ready(i)) {
                done[i] = true;
                order.push_back(i);
                break;
            }
    return order;
}

KernelReport ContraryOrder::launch(const KernelLaunch& launch) {
    constexpr std::size_t most = 1024; // each is held against all before it
    if (m_waiting.size() >= most) execute();
    m_waiting.push_back(launch);
    return {};
}

void ContraryOrder::execute() const {
    const std::vector<KernelLaunch> launches = std::exchange(m_waiting, {});
    for (const std::size_t i : contraryOrder(launches)) {
        const KernelReport report = inner().launch(launches[i]);
        if (report.end != emulator::LaunchEnd::finished) stop(launches[i], report);
    }
}

Result<void> ContraryOrder::synchronize() {
    execute();
    return inner().synchronize();
}

Result<void> ContraryOrder::release(std::uint64_t address) {
    execute();
    return inner().release(address);
}

Result<void> ContraryOrder::read(std::uint64_t address, std::span<std::byte> out) const {
    execute();
    return inner().read(address, out);
}

Result<void> ContraryOrder::write(std::uint64_t address, std::span<const std::byte> bytes) {
    execute();
    return inner().write(address, bytes);
}

Result<void> ContraryOrder::fill(std::uint64_t address, std::uint64_t bytes, std::uint8_t value) {
    execute();
    return inner().fill(address, bytes, value);
}

Result<void> ContraryOrder::repeat(std::uint64_t address, std::uint64_t bytes, std::span<const std::byte> pattern) {
    execute();
    return inner().repeat(address, bytes, pattern);
}

Result<void> ContraryOrder::copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
    execute();
    return inner().copy(to, from, bytes);
}

std::optional<std::uint64_t> ContraryOrder::firstUnwritten(std::uint64_t address, std::uint64_t bytes) const {
    execute();
    return inner().firstUnwritten(address, bytes);
}

} // namespace kernelarium::host
