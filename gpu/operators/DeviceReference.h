// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/CardSubject.h"
#include "gpu/operators/Accuracy.h"
#include "gpu/operators/DeviceGraph.h"
#include "gpu/operators/DeviceWorkplace.h"

#include <memory>
#include <optional>
#include <string>

namespace kernelarium::operators {

/// When a reference is evaluated in float64, and how it is checked otherwise.
struct ReferenceSettings {
    double float64Rate = 0;    ///< float64 operations a second of the machine; 0: not known, and float64 is taken
    double mostSeconds = 0.5;  ///< float64 that is expected to take longer gives way to float32
    std::size_t samples = 256; ///< output elements at which float32 is checked
    /// Float64 outputs of more bytes than this are rounded to float32 before they leave the machine: the host keeps
    /// several of them.
    std::uint64_t mostWideBytes = std::uint64_t(1) << 30;
    unsigned threads = 1; ///< of the CPU, where the machine cannot do it
    /// Where inputs may lie; the answers to such stay there. On the same machine, and outlives the reference.
    DeviceWorkplace* place = nullptr;
};

/// The card's graph evaluated on a machine. In float64 where memory and the machine's float64 rate allow; else in
/// float32 without TF32, the first answer checked against float64 at sampled elements. Where an operator has no kernel
/// of ours, memory does not suffice, or float32 is too far off, the CPU evaluates it in float64. describe() says which,
/// and why.
class DeviceReference : public verify::Reference {
public:
    /// Machine and library outlive it. Errors: as verify::planOf.
    static Result<std::unique_ptr<DeviceReference>> create(Machine& machine, KernelLibrary& library, task::Card card,
                                                           const std::string& size, ReferenceSettings settings);

    /// Errors: those of verify::CardReference.
    Result<tensor::Value> evaluate(const verify::CallInputs& inputs, std::stop_token stop) override;
    /// Empty where evaluate() itself is float32.
    Result<std::optional<tensor::Value>> evaluateFloat32(const verify::CallInputs& inputs,
                                                         std::stop_token stop) override;
    /// "float64 graph of task 1/1 on NVIDIA H200" (", rounded to float32"), "float32 graph of task 1/1 on NVIDIA L4,
    /// largest error of 256 sampled outputs against float64 2.1e-07", "float64 graph of task 1/1 on the CPU".
    [[nodiscard]] std::string describe() const override;
    [[nodiscard]] std::vector<tensor::DType> outputTypes() const override { return m_outputTypes; }

    [[nodiscard]] std::string remark() const override;
    [[nodiscard]] double preparationSeconds() const override {
        return m_compileSeconds;
    } ///< kernels of ours that were new

private:
    enum class Place { undecided, float64, float32, cpu };

    DeviceReference(Machine& machine, KernelLibrary& library, task::Card card, task::Symbols symbols,
                    ReferenceSettings settings, std::unique_ptr<verify::CardReference> onCpu);
    void decide();
    [[nodiscard]] bool float64IsQuick() const;
    Result<tensor::Value> onMachine(const verify::CallInputs& inputs, tensor::DType precision, std::stop_token stop);
    void checkFloat32(Device& device, std::span<const DeviceTensor> inputs, std::vector<AccuracySample> samples,
                      std::stop_token stop);
    void takeCpu(const Error& why);
    [[nodiscard]] std::vector<DeviceTensor> there(Device& device, const verify::CallInputs& inputs) const;
    /// The inputs as the CPU takes them.
    Result<verify::CallInputs> here(const verify::CallInputs& inputs) const;
    void noteTypes(const tensor::Value& value);

    Machine& m_machine;
    KernelLibrary& m_library;
    task::Card m_card;
    task::Symbols m_symbols;
    ReferenceSettings m_settings;
    std::unique_ptr<verify::CardReference> m_onCpu;
    Place m_place = Place::undecided;
    bool m_rounded = false;            ///< float64 outputs are
    std::string m_whyCpu;              ///< a sentence
    std::optional<Accuracy> m_checked; ///< of the first float32 answer
    std::vector<tensor::DType> m_outputTypes;
    double m_compileSeconds = 0;
};

} // namespace kernelarium::operators
