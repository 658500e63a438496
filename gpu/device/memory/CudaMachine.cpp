// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/memory/CudaMachine.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kernelarium::device {

namespace {

SlabArena::Source sourceOf(const std::shared_ptr<DevicePool>& pool) {
    return {[pool](std::uint64_t bytes) { return pool->take(bytes); }, [pool](Slab slab) { pool->giveBack(slab); }};
}

} // namespace

CudaMachine::CudaMachine(std::shared_ptr<DeviceContext> context, std::shared_ptr<DevicePool> pool)
    : m_context(std::move(context))
    , m_pool(std::move(pool))
    , m_facts{m_context->info().name, m_context->info().arch(), true, m_context->info().multiprocessors}
    , m_arena(sourceOf(m_pool)) {}

/// The calling thread may be another one than before.
Result<void> CudaMachine::check(DriverStatus status, std::string_view doing) const {
    Result<void> result = m_context->check(status, doing);
    if (result || result.error().code == "device_lost" || result.error().code == "out_of_memory") return result;
    Error error = result.error();
    error.code = "launch_failed";
    return error;
}

std::uint64_t CudaMachine::freeBytes() const {
    if (!m_context->makeCurrent()) return 0;
    const std::uint64_t capacity = m_pool->capacity();
    return capacity - std::min(capacity, m_pool->lent()) + m_arena.unused();
}

Result<void> CudaMachine::load(const operators::KernelModule& module) {
    if (Result<void> current = m_context->makeCurrent(); !current) return current;
    Result<std::unique_ptr<DeviceModule>> loaded = DeviceModule::load(m_context, module.cubin, module.ptx);
    if (!loaded) return loaded.error();
    for (const std::string& name : module.kernels) {
        const FunctionHandle function = (*loaded)->function(name);
        if (!function) return Error{"internal", fmt::format("The compiled module has no kernel {}.", name)};
        m_functions.emplace(name, function); // one that came before with another module stays
    }
    m_modules.push_back(std::move(*loaded));
    return {};
}

Result<std::uint64_t> CudaMachine::allocate(std::uint64_t bytes, std::string_view) {
    if (Result<void> current = m_context->makeCurrent(); !current) return current.error();
    return m_arena.allocate(bytes);
}

Result<void> CudaMachine::release(std::uint64_t address) {
    return m_arena.release(address);
}

Result<void> CudaMachine::read(std::uint64_t address, std::span<std::byte> out) {
    if (Result<void> current = m_context->makeCurrent(); !current) return current;
    if (out.empty()) return {};
    return check(m_context->api().cuMemcpyDtoH(out.data(), address, out.size()), "Reading the reference's memory");
}

Result<void> CudaMachine::write(std::uint64_t address, std::span<const std::byte> bytes) {
    if (Result<void> current = m_context->makeCurrent(); !current) return current;
    if (bytes.empty()) return {};
    return check(m_context->api().cuMemcpyHtoD(address, bytes.data(), bytes.size()), "Writing the reference's memory");
}

Result<void> CudaMachine::copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
    if (Result<void> current = m_context->makeCurrent(); !current) return current;
    if (bytes == 0) return {};
    return check(m_context->api().cuMemcpyDtoD(to, from, bytes), "Copying the reference's memory");
}

Result<void> CudaMachine::launch(const operators::MachineLaunch& launch) {
    if (Result<void> current = m_context->makeCurrent(); !current) return current;
    const auto found = m_functions.find(launch.kernel);
    if (found == m_functions.end())
        return Error{"internal", fmt::format("The kernel {} was not loaded.", launch.kernel)};
    const DriverApi& api = m_context->api();
    const std::string doing = fmt::format("Launching {}", launch.kernel);
    constexpr std::uint32_t withoutAsking = 48 << 10;
    if (launch.dynamicSharedBytes > withoutAsking) {
        const DriverStatus allowed =
            api.cuFuncSetAttribute(found->second, functionDynamicShared, int(launch.dynamicSharedBytes));
        if (Result<void> enough = check(allowed, doing); !enough) return enough;
    }
    // The driver copies the parameters before it returns.
    std::array<void*, 1> parameters{const_cast<std::byte*>(launch.parameters.data())};
    return check(api.cuLaunchKernel(found->second, launch.grid[0], launch.grid[1], launch.grid[2], launch.block[0],
                                    launch.block[1], launch.block[2], launch.dynamicSharedBytes, nullptr,
                                    parameters.data(), nullptr),
                 doing);
}

Result<void> CudaMachine::synchronize() {
    if (Result<void> current = m_context->makeCurrent(); !current) return current;
    return check(m_context->api().cuCtxSynchronize(), "Evaluating the reference");
}

double CudaMachine::float64Rate() const {
    constexpr int singleToDoubleRatio = 87; // CUdevice_attribute
    const DeviceInfo& info = m_context->info();
    const std::optional<int> ratio = deviceAttribute(m_context->driver(), info.ordinal, singleToDoubleRatio);
    if (!ratio || *ratio <= 0) return 0;
    // float32 cores of a multiprocessor: CUDA C++ Programming Guide, arithmetic instructions' throughput
    const bool half = (info.major == 6 && info.minor == 0) || info.major == 7 || (info.major == 8 && info.minor == 0);
    const double cores = half ? 64 : 128;
    return 2.0 * cores / *ratio * info.multiprocessors * info.clockKHz * 1e3;
}

} // namespace kernelarium::device
