// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/service/GpuTarget.h"

#include "gpu/compile/KernelExtract.h"
#include "gpu/device/memory/CudaMachine.h"
#include "gpu/device/memory/WorkplaceKeeper.h"
#include "gpu/device/run/CudaRunner.h"
#include "gpu/device/timing/TimingQueue.h"
#include "gpu/operators/DeviceReference.h"
#include "gpu/process/AddressSpace.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace kernelarium::service {

namespace {

/// What libraries map, a gigabyte or more, is not memory of a run's.
template <class Open> auto besideTheLimit(Open open) {
    const std::optional<std::uint64_t> limit = process::addressSpaceLimit();
    const std::uint64_t before = process::addressSpaceTaken();
    process::liftAddressSpaceLimit();
    auto opened = open();
    if (limit)
        process::limitAddressSpace(*limit + process::addressSpaceTaken() -
                                   std::min(before, process::addressSpaceTaken()));
    return opened;
}

} // namespace

struct GpuTarget::Parts {
    std::shared_ptr<const device::Driver> driver;
    std::shared_ptr<device::DeviceContext> context;
    std::shared_ptr<device::DevicePool> pool;
    std::unique_ptr<operators::KernelLibrary> library; ///< our own kernels: null until a reference is asked for
    std::unique_ptr<device::CudaMachine> machine;
    std::unique_ptr<operators::DeviceWorkplace> workplace; ///< on that machine, as soon as there is one
    std::unique_ptr<device::WorkplaceKeeper> keeper;
    std::unique_ptr<device::TimingQueue> spareQueue;
    device::OperatorParts operators; ///< for runs; filled by the first that is made ready
    bool lookedForOperators = false;
};

GpuTarget::GpuTarget(int ordinal)
    : m_parts(std::make_unique<Parts>())
    , m_ordinal(ordinal) {}
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
    const std::optional<std::uint64_t> limit = process::addressSpaceLimit();
    process::liftAddressSpaceLimit();
    Result<void> opened = loadDriver();
    if (opened) {
        auto context = device::DeviceContext::open(m_parts->driver, m_ordinal);
        if (context)
            m_parts->context = std::move(*context);
        else
            opened = context.error();
    }
    const std::uint64_t cards = m_parts->context ? 2 * m_parts->context->info().memoryBytes : 0;
    if (limit) process::limitAddressSpace(process::addressSpaceTaken() + *limit + cards);
    if (opened) m_parts->pool = std::make_shared<device::DevicePool>(m_parts->context);
    return opened;
}

Result<std::vector<protocol::DeviceSummary>> GpuTarget::list() {
    const std::optional<std::uint64_t> limit = process::addressSpaceLimit();
    process::liftAddressSpaceLimit();
    const Result<void> loaded = loadDriver();
    if (limit) process::limitAddressSpace(process::addressSpaceTaken() + *limit);
    if (!loaded) return loaded.error();
    const Result<std::vector<device::DeviceInfo>> devices = device::listDevices(*m_parts->driver);
    if (!devices) return devices.error();
    std::vector<protocol::DeviceSummary> summaries;
    for (const device::DeviceInfo& info : *devices)
        summaries.push_back({"cuda", info.name, info.arch(), info.multiprocessors, info.memoryBytes,
                             info.clockKHz / 1000.0, info.memoryClockKHz / 1000.0, info.memoryBusBits, info.l2Bytes,
                             info.errorCorrection, info.driver});
    return summaries;
}

device::CudaProgram cudaProgramOf(const compile::CompiledUnit& unit, const std::string& function) {
    device::CudaProgram program;
    program.host.ptx = unit.ptx;
    program.host.definesModule = unit.usesTensorExtension;
    program.host.isProgram = unit.isProgram;
    program.host.function = function;
    program.cubin = unit.cubin;
    program.kernelPtx = unit.kernelPtx.empty() ? compile::extractKernels(unit.ptx) : unit.kernelPtx;
    return program;
}

std::unique_ptr<verify::Runner> GpuTarget::makeRunner(const compile::CompiledUnit& unit, const std::string& function,
                                                      unsigned jobs, std::uint64_t hostBytes) {
    device::CudaSettings settings;
    settings.jobs = jobs;
    settings.hostCapacity = hostBytes;
    settings.operators = operatorParts();
    settings.keeper = m_parts->keeper.get();
    return std::make_unique<device::CudaRunner>(m_parts->context, m_parts->pool, cudaProgramOf(unit, function),
                                                settings);
}

Result<void> GpuTarget::openMachine() {
    if (m_parts->machine) return {};
    Result<std::unique_ptr<operators::KernelLibrary>> library =
        operators::KernelLibrary::create(compile::Toolkit::find());
    if (!library) return library.error();
    m_parts->library = std::move(*library);
    m_parts->machine = std::make_unique<device::CudaMachine>(m_parts->context, m_parts->pool);
    m_parts->workplace = std::make_unique<operators::DeviceWorkplace>(*m_parts->machine, *m_parts->library);
    operators::PlacedTensors& tensors = m_parts->workplace->tensors();
    m_parts->keeper = std::make_unique<device::WorkplaceKeeper>(tensors);
    m_parts->pool->setMakeRoom([&tensors](std::uint64_t bytes) { return tensors.makeRoom(bytes); });
    return {};
}

Result<std::unique_ptr<operators::DeviceReference>> GpuTarget::makeReference(task::Card card, const std::string& size,
                                                                             unsigned jobs) {
    if (Result<void> opened = openMachine(); !opened) return opened.error();
    operators::ReferenceSettings settings;
    settings.float64Rate = m_parts->machine->float64Rate();
    settings.threads = jobs;
    settings.place = m_parts->workplace.get();
    return operators::DeviceReference::create(m_parts->workplace->tensors().machine(), *m_parts->library,
                                              std::move(card), size, settings);
}

const device::OperatorParts& GpuTarget::operatorParts() {
    if (std::exchange(m_parts->lookedForOperators, true)) return m_parts->operators;
    device::OperatorParts& parts = m_parts->operators;
    if (const Result<void> opened = openMachine(); !opened) {
        parts.missing = opened.error().message;
        return parts;
    }
    parts.machine = m_parts->machine.get();
    parts.library = m_parts->library.get();
    const auto context = m_parts->context;
    const auto pool = m_parts->pool;
    parts.vendors = std::make_shared<device::VendorOperators>(
        [=] { return besideTheLimit([&] { return device::VendorOperators::productsOn(context, pool); }); },
        [=] { return besideTheLimit([&] { return device::VendorOperators::convolutionsOn(context, pool); }); });
    return parts;
}

operators::DeviceWorkplace* GpuTarget::workplace() {
    return openMachine() ? m_parts->workplace.get() : nullptr;
}

void GpuTarget::limitMemory(std::uint64_t bytes) {
    m_parts->pool->setLimit(bytes);
}

const std::shared_ptr<device::DeviceContext>& GpuTarget::context() const {
    return m_parts->context;
}
const std::shared_ptr<device::DevicePool>& GpuTarget::pool() const {
    return m_parts->pool;
}

std::unique_ptr<device::TimingQueue>& GpuTarget::spareQueue() {
    return m_parts->spareQueue;
}

std::uint64_t GpuTarget::capacity() const {
    return m_parts->pool->capacity();
}

void GpuTarget::rest() {
    if (!m_parts->pool || isLost()) return;
    // The earlier calls of a verification hold some gigabytes, which the next one takes again.
    std::uint64_t mostKept = std::max<std::uint64_t>(1ull << 30, m_parts->context->info().memoryBytes / 32);
    if (const std::uint64_t limit = m_parts->pool->limit()) mostKept = std::min(mostKept, limit);
    m_parts->pool->trim(mostKept);
}

bool GpuTarget::isLost() const {
    return m_parts->context && m_parts->context->isLost();
}

} // namespace kernelarium::service
