// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Reference.h"
#include "core/verify/Workplace.h"
#include "gpu/operators/PlacedTensors.h"

namespace kernelarium::operators {

/// A verification's tensors in a machine's memory: inputs are drawn there, outputs and references stay there, and only
/// what is found in them comes back. What does not fit is put away (PlacedTensors.h). Tensors of this process's memory
/// are taken, too, and are copied there for as long as they are looked at.
class DeviceWorkplace final : public verify::Workplace {
public:
    /// Both outlive it; it outlives the tensors that it made.
    DeviceWorkplace(Machine& machine, KernelLibrary& library)
        : m_tensors(machine, library) {}

    /// What follows can be cancelled by it.
    void begin(std::stop_token stop);
    [[nodiscard]] PlacedTensors& tensors() { return m_tensors; }

    /// An operator's result as a value whose tensors stay here. Throws Failure.
    [[nodiscard]] tensor::Value keep(const DeviceValue& value);
    /// The tensors that inputs were made of, in this process's memory. Errors: "out_of_memory".
    Result<verify::CallInputs> here(const verify::CallInputs& inputs);

    Result<tensor::Tensor> draw(const verify::TensorPlan& plan, std::size_t index, std::uint64_t seed,
                                std::uint32_t stream) override;
    Result<tensor::Tensor> scaled(const tensor::Tensor& t, double factor) override;
    Result<tensor::Tensor> mixed(const tensor::Tensor& t, const tensor::Tensor& other,
                                 const std::vector<verify::Sampling>& changed) override;
    Result<tensor::Tensor> filled(const tensor::Tensor& like, double value) override;
    Result<tensor::Tensor> converted(const tensor::Tensor& t, tensor::DType type, tensor::Shape shape) override;
    Result<std::vector<double>> elements(const tensor::Tensor& t, const verify::Sampling& which) override;
    Result<double> rms(const tensor::Tensor& t) override;
    Result<double> mean(const tensor::Tensor& t) override;
    Result<bool> allFinite(const tensor::Tensor& t) override;
    Result<bool> sameBits(const tensor::Tensor& a, const tensor::Tensor& b) override;
    Result<verify::Comparison> compare(const tensor::Value& got, const tensor::Value& reference,
                                       const std::vector<tensor::DType>& expectedTypes,
                                       const verify::Tolerance& tolerance) override;
    Result<verify::MovementSums> movement(const tensor::Tensor& output0, const tensor::Tensor& output1,
                                          const tensor::Tensor& reference0, const tensor::Tensor& reference1) override;
    Result<verify::ErrorMap> errorMap(const tensor::Value& got, const tensor::Value& reference, std::size_t output,
                                      const std::vector<tensor::DType>& expectedTypes,
                                      const verify::Tolerance& tolerance) override;

private:
    [[nodiscard]] Device& device() { return m_tensors.device(); }
    [[nodiscard]] bool fit(const std::vector<tensor::Tensor>& tensors);
    [[nodiscard]] std::optional<std::vector<tensor::Tensor>> inThisProcess(const std::vector<tensor::Tensor>& tensors);
    [[nodiscard]] tensor::Value keepOf(const tensor::Value& value, const std::vector<DeviceTensor>& tensors,
                                       std::size_t& next);

    PlacedTensors m_tensors;
    std::stop_token m_stop;
};

} // namespace kernelarium::operators
