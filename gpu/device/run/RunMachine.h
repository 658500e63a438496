// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/run/TimingTrace.h"
#include "gpu/device/vendor/CudnnNormalisation.h"
#include "gpu/device/vendor/CudnnRecurrent.h"
#include "gpu/device/vendor/VendorOperators.h"
#include "gpu/host/backend/Backend.h"
#include "gpu/operators/MachineAround.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace kernelarium::device {

/// A machine for the library operators that one run's host code calls: kernels of ours run where `kernels` says, in
/// memory of the run, so that results are guarded and counted as every allocation of it; products, convolutions, batch
/// normalisations and recurrent layers go to NVIDIA's libraries where they are there. Memory that operators are done
/// with is used again within the run and never leaves it: what was queued once can be queued again.
class RunMachine final : public operators::MachineAround {
public:
    using Listener = std::function<void(TimedAction)>; ///< told of everything that is queued

    /// The first two outlive it, and are one device. `vendors` may be null, the listener empty.
    RunMachine(operators::Machine& kernels, host::Backend& memory, std::shared_ptr<VendorOperators> vendors,
               Listener listener);

    /// What follows is done for this operator.
    void begin(const std::string& operatorName);
    /// Allocation number n from now on, counted from 0, gives this address, which belongs to somebody else.
    struct Placement {
        std::size_t allocation = 0;
        std::uint64_t address = 0;
    };
    void place(std::optional<Placement> placement);
    /// Whether an allocation of this machine starts there.
    [[nodiscard]] bool owns(std::uint64_t address) const { return m_sizes.contains(address); }
    [[nodiscard]] operators::Machine& kernels() const { return inner(); }

    [[nodiscard]] std::uint64_t freeBytes() const override;
    Result<std::uint64_t> allocate(std::uint64_t bytes, std::string_view label) override;
    Result<void> release(std::uint64_t address) override;
    Result<void> write(std::uint64_t address, std::span<const std::byte> bytes) override;
    Result<void> copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) override;
    Result<void> launch(const operators::MachineLaunch& launch) override;
    [[nodiscard]] bool multiplies(const operators::MatrixProduct& product) const override;
    Result<void> multiply(const operators::MatrixProduct& product) override;
    [[nodiscard]] bool convolves(const operators::ConvolutionShape& shape) const override {
        return planOf(shape) != nullptr;
    }
    Result<void> convolve(const operators::Convolution& convolution) override;
    [[nodiscard]] bool normalises(const operators::BatchNormalisation& normalisation) const override;
    Result<void> normalise(const operators::BatchNormalisation& normalisation) override;
    [[nodiscard]] bool recurs(const operators::RecurrentLayers& layers) const override;
    Result<void> recur(const operators::RecurrentLayers& layers) override;

private:
    void tell(std::string what, std::function<Result<void>()> again);
    Result<std::uint64_t> fresh(std::uint64_t bytes);
    [[nodiscard]] std::shared_ptr<CudnnConvolution>
    planOf(const operators::ConvolutionShape& shape) const; ///< null: kernels of ours

    host::Backend& m_memory;
    std::shared_ptr<VendorOperators> m_vendors;
    mutable std::map<operators::ConvolutionShape, std::shared_ptr<CudnnConvolution>>
        m_convolutions; ///< as planOf() found
    Listener m_listener;
    std::string m_operator;
    std::size_t m_allocations = 0; ///< since place()
    std::optional<Placement> m_placement;
    std::map<std::uint64_t, std::uint64_t> m_sizes;     ///< bytes of every allocation, by address
    std::multimap<std::uint64_t, std::uint64_t> m_idle; ///< addresses of released ones, by bytes
    std::set<std::uint64_t>
        m_tables; ///< written from this process: what they hold is wanted whenever work is queued again
};

} // namespace kernelarium::device
