// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/run/DeviceLaunches.h"

#include "gpu/emulator/control/Control.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace kernelarium::emulator {

namespace {

constexpr const char* entryPoint = "__cudaCDP2LaunchDeviceV2";

/// Whether the function, or one that it calls, launches. An indirect call may.
bool launches(const Code& code, std::uint32_t function, std::set<std::uint32_t>& seen) {
    if (!seen.insert(function).second) return false;
    const FunctionCode& body = code.bodies[function];
    if (!body.entry) return body.externIndex < code.externs.size() && code.externs[body.externIndex].name == entryPoint;
    return std::any_of(body.instructions.begin(), body.instructions.end(), [&](const Inst& i) {
        return i.fn == callFunction && !code.callSites[i.aux].indirect &&
               launches(code, code.callSites[i.aux].function, seen);
    });
}

} // namespace

DeviceLaunches::DeviceLaunches(const Code& code, DeviceMemory& memory, std::uint32_t kernel)
    : m_code(code)
    , m_memory(memory) {
    std::set<std::uint32_t> seen;
    if (!launches(code, kernel, seen)) return;
    for (const FunctionInfo& f : code.functions)
        if (f.isKernel) m_step = std::max(m_step, (f.parameterBytes + 15) / 16 * 16);
    m_step = std::max(m_step, 16u);
    DeviceMemory::Options options;
    options.poison = false;
    if (const auto at = memory.allocate(std::uint64_t(m_step) * mostPending, "parameters of launches", options))
        m_buffers = *at;
}

DeviceLaunches::~DeviceLaunches() {
    if (m_buffers) (void)m_memory.release(m_buffers, 0);
}

std::uint64_t DeviceLaunches::prepare(std::uint64_t kernel, const Dim3& grid, const Dim3& block,
                                      std::uint32_t sharedBytes, std::uint64_t launchingBlock) {
    const std::uint64_t index = (kernel - window::function) / window::functionStep;
    const bool known =
        kernel >= window::function && index < m_code.functions.size() && m_code.functions[index].isKernel;
    const std::lock_guard lock(m_mutex);
    if (!known || !possible() || m_pending.size() >= mostPending) return 0;
    Pending next;
    next.config.function = std::uint32_t(index);
    next.config.grid = grid;
    next.config.block = block;
    next.config.dynamicSharedBytes = sharedBytes;
    next.launchingBlock = launchingBlock;
    m_pending.push_back(std::move(next));
    return m_buffers + (m_pending.size() - 1) * m_step;
}

bool DeviceLaunches::launch(std::uint64_t buffer, std::uint64_t stream) {
    const std::lock_guard lock(m_mutex);
    const std::uint64_t index = m_step ? (buffer - m_buffers) / m_step : 0;
    if (buffer < m_buffers || index >= m_pending.size() || (buffer - m_buffers) % m_step) return false;
    Pending& p = m_pending[index];
    if (p.launched) return false;
    p.config.parameters.resize(m_code.functions[p.config.function].parameterBytes);
    if (!m_memory.read(buffer, p.config.parameters)) return false;
    p.stream = stream;
    p.launched = true;
    return true;
}

std::vector<LaunchConfig> DeviceLaunches::take() {
    std::erase_if(m_pending, [](const Pending& p) { return !p.launched; });
    std::stable_sort(m_pending.begin(), m_pending.end(), [](const Pending& a, const Pending& b) {
        return std::tuple(a.stream == tailStream, a.launchingBlock) <
               std::tuple(b.stream == tailStream, b.launchingBlock);
    });
    std::vector<LaunchConfig> configs;
    for (Pending& p : m_pending)
        configs.push_back(std::move(p.config));
    m_pending.clear();
    return configs;
}

} // namespace kernelarium::emulator
