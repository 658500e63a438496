// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/run/RunMachine.h"

#include <algorithm>
#include <utility>

namespace kernelarium::device {

RunMachine::RunMachine(operators::Machine& kernels, host::Backend& memory, std::shared_ptr<VendorOperators> vendors,
                       Listener listener)
    : MachineAround(kernels)
    , m_memory(memory)
    , m_vendors(std::move(vendors))
    , m_listener(std::move(listener)) {}

void RunMachine::begin(const std::string& operatorName) {
    m_operator = operatorName;
    m_memory.settle();
}

void RunMachine::place(std::optional<Placement> placement) {
    m_allocations = 0;
    m_placement = placement;
}

std::uint64_t RunMachine::freeBytes() const {
    std::uint64_t idle = 0;
    for (const auto& [bytes, address] : m_idle)
        idle += bytes;
    return m_memory.capacity() - std::min(m_memory.capacity(), m_memory.used()) + idle;
}

/// Where there is no room, what lies idle is given back first, unless it may be needed again.
Result<std::uint64_t> RunMachine::fresh(std::uint64_t bytes) {
    Result<std::uint64_t> address = m_memory.allocate(bytes, "result of " + m_operator);
    if (address || address.error().code != "out_of_memory" || m_listener || m_idle.empty()) return address;
    for (const auto& [size, idle] : std::exchange(m_idle, {})) {
        m_sizes.erase(idle);
        if (Result<void> released = m_memory.release(idle); !released) return released.error();
    }
    return m_memory.allocate(bytes, "result of " + m_operator);
}

Result<std::uint64_t> RunMachine::allocate(std::uint64_t bytes, std::string_view) {
    if (m_placement && m_placement->allocation == m_allocations++) return m_placement->address;
    if (const auto idle = m_idle.find(bytes); idle != m_idle.end()) {
        const std::uint64_t address = idle->second;
        m_idle.erase(idle);
        return address;
    }
    Result<std::uint64_t> address = fresh(bytes);
    if (address) m_sizes[*address] = bytes;
    return address;
}

Result<void> RunMachine::release(std::uint64_t address) {
    const auto known = m_sizes.find(address);
    if (known == m_sizes.end() || m_tables.contains(address)) return {}; // placed elsewhere, or kept as it is
    m_idle.emplace(known->second, address);
    return {};
}

Result<void> RunMachine::write(std::uint64_t address, std::span<const std::byte> bytes) {
    m_tables.insert(address);
    return inner().write(address, bytes);
}

void RunMachine::tell(std::string what, std::function<Result<void>()> again) {
    if (!m_listener) return;
    TimedAction action;
    action.kind = TimedAction::Kind::library;
    action.label = m_operator + ": " + std::move(what);
    action.again = std::move(again);
    m_listener(std::move(action));
}

Result<void> RunMachine::copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
    Result<void> copied = inner().copy(to, from, bytes);
    if (!copied || !m_listener || bytes == 0) return copied;
    TimedAction action;
    action.kind = TimedAction::Kind::copy;
    action.address = to;
    action.from = from;
    action.bytes = bytes;
    m_listener(std::move(action));
    return copied;
}

Result<void> RunMachine::launch(const operators::MachineLaunch& launch) {
    Result<void> launched = inner().launch(launch);
    if (!launched || !m_listener) return launched;
    std::string kernel(launch.kernel);
    tell(kernel, [&kernels = inner(), launch, kernel,
                  parameters = std::vector<std::byte>(launch.parameters.begin(), launch.parameters.end())] {
        operators::MachineLaunch again = launch;
        again.kernel = kernel;
        again.parameters = parameters;
        return kernels.launch(again);
    });
    return launched;
}

bool RunMachine::multiplies(const operators::MatrixProduct& product) const {
    if (!m_vendors) return false;
    if (product.bias != 0 || product.byCublasLt) return CublasLt::takes(product) && m_vendors->cublasLt();
    return Cublas::takes(product) && m_vendors->cublas();
}

Result<void> RunMachine::multiply(const operators::MatrixProduct& product) {
    if (!multiplies(product)) return Error{"unsupported", "There is no library for this product."};
    if (product.bias != 0 || product.byCublasLt) {
        Result<std::shared_ptr<LtProduct>> prepared = CublasLt::prepare(m_vendors->cublasLt(), product, 1);
        if (!prepared) return prepared.error();
        if (Result<void> queued = (*prepared)->queue(); !queued) return queued;
        tell("cuBLASLt", [plan = *prepared] { return plan->queue(); });
        return {};
    }
    if (Result<void> queued = m_vendors->cublas()->multiply(product); !queued) return queued;
    tell("cuBLAS", [library = m_vendors->cublas(), product] { return library->multiply(product); });
    return {};
}

std::shared_ptr<CudnnConvolution> RunMachine::planOf(const operators::ConvolutionShape& shape) const {
    if (!m_vendors || !Cudnn::takes(shape) || !m_vendors->cudnn()) return nullptr;
    const auto [known, isNew] = m_convolutions.try_emplace(shape);
    if (!isNew) return known->second;
    if (auto prepared = Cudnn::prepare(m_vendors->cudnn(), shape)) known->second = std::move(*prepared);
    return known->second;
}

Result<void> RunMachine::convolve(const operators::Convolution& convolution) {
    const std::shared_ptr<CudnnConvolution> plan = planOf(convolution.shape);
    if (!plan) return Error{"unsupported", "There is no library for this convolution."};
    const Result<std::size_t> queued = plan->queueWhatRuns(convolution);
    if (!queued) {
        if (queued.error().code == "unsupported") m_convolutions[convolution.shape] = nullptr; // kernels of ours
        return queued.error();
    }
    tell("cuDNN", [plan, convolution, algorithm = *queued] { return plan->queue(convolution, algorithm); });
    return {};
}

bool RunMachine::normalises(const operators::BatchNormalisation& normalisation) const {
    return m_vendors && CudnnNormalisation::takes(normalisation) && m_vendors->cudnn();
}

Result<void> RunMachine::normalise(const operators::BatchNormalisation& normalisation) {
    if (!normalises(normalisation)) return Error{"unsupported", "There is no library for this batch normalisation."};
    const auto plan = CudnnNormalisation::prepare(m_vendors->cudnn(), normalisation);
    if (!plan) return plan.error();
    if (Result<void> queued = (*plan)->queue(); !queued) return queued;
    tell("cuDNN", [plan = *plan] { return plan->queue(); });
    return {};
}

bool RunMachine::recurs(const operators::RecurrentLayers& layers) const {
    return m_vendors && CudnnRecurrent::takes(layers) && m_vendors->cudnn() && m_vendors->cudnn()->hasRecurrentLayers();
}

Result<void> RunMachine::recur(const operators::RecurrentLayers& layers) {
    if (!recurs(layers)) return Error{"unsupported", "There is no library for these recurrent layers."};
    const auto plan = CudnnRecurrent::prepare(m_vendors->cudnn(), layers);
    if (!plan) return plan.error();
    if (Result<void> queued = (*plan)->queue(); !queued) return queued;
    tell("cuDNN", [plan = *plan] { return plan->queue(); });
    return {};
}

} // namespace kernelarium::device
