// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/vendor/Cublas.h"
#include "gpu/device/vendor/Cudnn.h"
#include "gpu/operators/MachineAround.h"

#include <optional>

namespace kernelarium::device {

/// A machine on which products of BLAS's kind and convolutions of cuDNN's are noted down instead of computed: what a
/// graph asks of it tells whether the graph is one of them and nothing else, and where its operands lie.
class CapturingMachine final : public operators::MachineAround {
public:
    using MachineAround::MachineAround;

    /// The only thing that was asked for since; empty where it was something else, or more.
    [[nodiscard]] std::optional<operators::MatrixProduct> onlyProduct() const {
        return m_calls == 1 && m_otherWork == 0 ? m_product : std::nullopt;
    }
    [[nodiscard]] std::optional<operators::Convolution> onlyConvolution() const {
        return m_calls == 1 && m_otherWork == 0 ? m_convolution : std::nullopt;
    }

    Result<void> load(const operators::KernelModule&) override { return {}; }
    [[nodiscard]] bool has(std::string_view) const override { return true; }
    Result<void> write(std::uint64_t address, std::span<const std::byte> bytes) override {
        ++m_otherWork;
        return inner().write(address, bytes);
    }
    Result<void> copy(std::uint64_t, std::uint64_t, std::uint64_t) override {
        ++m_otherWork;
        return {};
    }
    Result<void> launch(const operators::MachineLaunch&) override {
        ++m_otherWork;
        return {};
    }
    [[nodiscard]] bool multiplies(const operators::MatrixProduct& product) const override {
        return blasProduct(product).has_value();
    }
    Result<void> multiply(const operators::MatrixProduct& product) override {
        ++m_calls;
        m_product = product;
        return {};
    }
    [[nodiscard]] bool convolves(const operators::ConvolutionShape& shape) const override {
        return Cudnn::takes(shape);
    }
    Result<void> convolve(const operators::Convolution& convolution) override {
        ++m_calls;
        m_convolution = convolution;
        return {};
    }
    [[nodiscard]] bool normalises(const operators::BatchNormalisation&) const override { return false; }
    [[nodiscard]] bool recurs(const operators::RecurrentLayers&) const override { return false; }

private:
    std::optional<operators::MatrixProduct> m_product;
    std::optional<operators::Convolution> m_convolution;
    std::size_t m_calls = 0; ///< of both kinds
    std::size_t m_otherWork = 0;
};

} // namespace kernelarium::device
