// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/run/RunMachine.h"
#include "gpu/host/tensors/DeviceOperators.h"
#include "gpu/operators/DeviceCall.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace kernelarium::device {

/// What computes the library operators of runs; all of it outlives them. Without machine and library nothing does.
struct OperatorParts {
    operators::Machine* machine = nullptr; ///< where kernels of ours run: the same device as the run's
    operators::KernelLibrary* library = nullptr;
    std::shared_ptr<VendorOperators> vendors; ///< may be null
    std::string missing;                      ///< why there is no library: a sentence
};

/// The library operators of one run's host code, by kernels of ours and NVIDIA's libraries, in the run's memory.
class RunOperators final : public host::DeviceOperators {
public:
    RunOperators(const OperatorParts& parts, host::Backend& memory, RunMachine::Listener listener,
                 std::stop_token stop);
    ~RunOperators() override;

    Result<std::vector<host::DeviceOperand>> compute(const std::string& name,
                                                     const std::vector<host::DeviceOperand>& arguments,
                                                     const host::TensorView* into, std::uint64_t randomCall) override;
    Result<void> copy(const host::TensorView& to, const host::TensorView& from) override;
    Result<void> fill(const host::TensorView& to, double value) override;
    Result<void> multiply(const host::DeviceProduct& product, const std::string& api) override;

private:
    using Values = std::vector<operators::DeviceValue>;
    [[nodiscard]] operators::DeviceTensor tensorOf(const host::TensorView& view);
    [[nodiscard]] std::optional<RunMachine::Placement> prepare(const std::string& name, const Values& values,
                                                               const std::vector<host::DeviceOperand>& arguments,
                                                               const host::TensorView* into, std::uint64_t seed);
    [[nodiscard]] host::TensorView kept(const operators::DeviceTensor& result, const std::string& name);
    [[nodiscard]] std::vector<host::DeviceOperand> handedOver(const operators::DeviceResults& results,
                                                              const std::string& name);
    void multiplyByKernels(const host::DeviceProduct& product);
    template <class Work> auto guarded(const std::string& name, Work work) -> Result<decltype(work())>;

    RunMachine m_machine;
    operators::KernelLibrary& m_library;
    operators::Device m_device;
    std::vector<std::shared_ptr<const operators::Storage>>
        m_results; ///< that host code has: they last as long as the run
};

} // namespace kernelarium::device
