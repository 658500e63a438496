// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/operators/Machine.h"

namespace kernelarium::operators {

/// Passes everything on to another machine, which outlives it: derived classes change what is theirs.
class MachineAround : public Machine {
public:
    explicit MachineAround(Machine& inner)
        : m_inner(inner) {}

    [[nodiscard]] const MachineFacts& facts() const override { return m_inner.facts(); }
    [[nodiscard]] std::uint64_t freeBytes() const override { return m_inner.freeBytes(); }
    Result<void> load(const KernelModule& module) override { return m_inner.load(module); }
    [[nodiscard]] bool has(std::string_view kernel) const override { return m_inner.has(kernel); }
    Result<std::uint64_t> allocate(std::uint64_t bytes, std::string_view label) override {
        return m_inner.allocate(bytes, label);
    }
    Result<void> release(std::uint64_t address) override { return m_inner.release(address); }
    Result<void> read(std::uint64_t address, std::span<std::byte> out) override { return m_inner.read(address, out); }
    Result<void> write(std::uint64_t address, std::span<const std::byte> bytes) override {
        return m_inner.write(address, bytes);
    }
    Result<void> copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) override {
        return m_inner.copy(to, from, bytes);
    }
    Result<void> launch(const MachineLaunch& launch) override { return m_inner.launch(launch); }
    Result<void> synchronize() override { return m_inner.synchronize(); }
    [[nodiscard]] bool multiplies(const MatrixProduct& product) const override { return m_inner.multiplies(product); }
    Result<void> multiply(const MatrixProduct& product) override { return m_inner.multiply(product); }
    [[nodiscard]] bool convolves(const ConvolutionShape& shape) const override { return m_inner.convolves(shape); }
    Result<void> convolve(const Convolution& convolution) override { return m_inner.convolve(convolution); }
    [[nodiscard]] bool normalises(const BatchNormalisation& shape) const override { return m_inner.normalises(shape); }
    Result<void> normalise(const BatchNormalisation& normalisation) override {
        return m_inner.normalise(normalisation);
    }
    [[nodiscard]] bool recurs(const RecurrentLayers& layers) const override { return m_inner.recurs(layers); }
    Result<void> recur(const RecurrentLayers& layers) override { return m_inner.recur(layers); }

protected:
    [[nodiscard]] Machine& inner() const { return m_inner; }

private:
    Machine& m_inner;
};

} // namespace kernelarium::operators
