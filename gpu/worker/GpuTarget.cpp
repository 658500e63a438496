// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/worker/GpuTarget.h"

#include "gpu/compile/KernelExtract.h"
#include "gpu/device/CudaRunner.h"
#include "gpu/worker/AddressSpace.h"

#include <optional>

namespace kernelarium::worker {

struct GpuTarget::Parts {
    std::shared_ptr<const device::Driver> driver;
    std::shared_ptr<device::DeviceContext> context;
    std::shared_ptr<device::DevicePool> pool;
};

GpuTarget::GpuTarget()
    : m_parts(std::make_unique<Parts>()) {}
GpuTarget::~GpuTarget() = default;

Result<void> GpuTarget::loadDriver() {
    if (m_parts->driver) return {};
    Result<std::shared_ptr<const device::Driver>> driver = device::Driver::load();
    if (!driver) return driver.error();
    m_parts->driver = std::move(*driver);
    return {};
}

Result<void> GpuTarget::open() {
    if (m_parts->context) return {};
    const std::optional<std::uint64_t> limit = addressSpaceLimit();
    liftAddressSpaceLimit();
    Result<void> opened = loadDriver();
    if (opened) {
        auto context = device::DeviceContext::open(m_parts->driver);
        if (context) m_parts->context = std::move(*context);
        else opened = context.error();
    }
    const std::uint64_t cards = m_parts->context ? 2 * m_parts->context->info().memoryBytes : 0;
    if (limit) limitAddressSpace(addressSpaceTaken() + *limit + cards);
    if (opened) m_parts->pool = std::make_shared<device::DevicePool>(m_parts->context);
    return opened;
}

Result<std::vector<DeviceSummary>> GpuTarget::list() {
    const std::optional<std::uint64_t> limit = addressSpaceLimit();
    liftAddressSpaceLimit();
    const Result<void> loaded = loadDriver();
    if (limit) limitAddressSpace(addressSpaceTaken() + *limit);
    if (!loaded) return loaded.error();
    const Result<std::vector<device::DeviceInfo>> devices = device::listDevices(*m_parts->driver);
    if (!devices) return devices.error();
    std::vector<DeviceSummary> summaries;
    for (const device::DeviceInfo& info : *devices)
        summaries.push_back({"cuda", info.name, info.arch(), info.multiprocessors, info.memoryBytes, info.clockKHz / 1000.0,
                             info.memoryClockKHz / 1000.0, info.memoryBusBits, info.l2Bytes, info.errorCorrection,
                             info.driver});
    return summaries;
}

device::CudaProgram cudaProgramOf(const compile::CompiledUnit& unit) {
    device::CudaProgram program;
    program.host.ptx = unit.ptx;
    program.host.definesModule = unit.usesTensorExtension;
    program.cubin = unit.cubin;
    program.kernelPtx = unit.kernelPtx.empty() ? compile::extractKernels(unit.ptx) : unit.kernelPtx;
    return program;
}

std::unique_ptr<verify::Runner> GpuTarget::makeRunner(const compile::CompiledUnit& unit, unsigned jobs) const {
    device::CudaSettings settings;
    settings.jobs = jobs;
    return std::make_unique<device::CudaRunner>(m_parts->context, m_parts->pool, cudaProgramOf(unit), settings);
}

const std::shared_ptr<device::DeviceContext>& GpuTarget::context() const { return m_parts->context; }
const std::shared_ptr<device::DevicePool>& GpuTarget::pool() const { return m_parts->pool; }

std::uint64_t GpuTarget::capacity() const { return m_parts->pool->capacity(); }

bool GpuTarget::isLost() const { return m_parts->context && m_parts->context->isLost(); }

} // namespace kernelarium::worker
