// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/operators/Machine.h"

#include <map>
#include <optional>
#include <vector>

namespace kernelarium::operators {

/// A machine that does nothing: what is asked of it tells how much memory a graph takes on a real one. Reads
/// give zeros.
class PlanningMachine : public Machine {
public:
    explicit PlanningMachine(MachineFacts facts)
        : m_facts(std::move(facts)) {}
    /// Plans for this machine, which outlives it: what its libraries do is not done by kernels of ours.
    explicit PlanningMachine(const Machine& planned)
        : m_facts(planned.facts())
        , m_planned(&planned) {}

    [[nodiscard]] const MachineFacts& facts() const override { return m_facts; }
    [[nodiscard]] std::uint64_t freeBytes() const override { return ~std::uint64_t(0); }
    Result<void> load(const KernelModule&) override { return {}; }
    [[nodiscard]] bool has(std::string_view) const override { return true; }
    Result<std::uint64_t> allocate(std::uint64_t bytes, std::string_view label) override;
    Result<void> release(std::uint64_t address) override;
    Result<void> read(std::uint64_t address, std::span<std::byte> out) override;
    Result<void> write(std::uint64_t, std::span<const std::byte>) override { return {}; }
    Result<void> copy(std::uint64_t, std::uint64_t, std::uint64_t) override { return {}; }
    Result<void> launch(const MachineLaunch&) override {
        ++m_launches;
        return {};
    }
    Result<void> synchronize() override { return {}; }
    [[nodiscard]] bool multiplies(const MatrixProduct& product) const override {
        return m_planned && m_planned->multiplies(product);
    }
    Result<void> multiply(const MatrixProduct&) override {
        ++m_libraryCalls;
        return {};
    }
    [[nodiscard]] bool convolves(const ConvolutionShape& shape) const override {
        return m_planned && m_planned->convolves(shape);
    }
    Result<void> convolve(const Convolution&) override {
        ++m_libraryCalls;
        return {};
    }
    [[nodiscard]] bool normalises(const BatchNormalisation& n) const override {
        return m_planned && m_planned->normalises(n);
    }
    Result<void> normalise(const BatchNormalisation&) override {
        ++m_libraryCalls;
        return {};
    }
    [[nodiscard]] bool recurs(const RecurrentLayers& layers) const override {
        return m_planned && m_planned->recurs(layers);
    }
    Result<void> recur(const RecurrentLayers&) override {
        ++m_libraryCalls;
        return {};
    }

    /// Most bytes that were allocated at once, each piece rounded up as a device does.
    [[nodiscard]] std::uint64_t peak() const { return m_peak; }
    [[nodiscard]] std::size_t launches() const { return m_launches; }
    [[nodiscard]] std::size_t libraryCalls() const {
        return m_libraryCalls;
    } ///< products, convolutions, normalisations and recurrent layers
    /// Which allocation, counted from 0, gave this address; empty where none did.
    [[nodiscard]] std::optional<std::size_t> allocationOf(std::uint64_t address) const;

private:
    MachineFacts m_facts;
    const Machine* m_planned = nullptr;
    std::size_t m_launches = 0, m_libraryCalls = 0;
    std::vector<std::uint64_t> m_addresses;        ///< of every allocation, in order
    std::map<std::uint64_t, std::uint64_t> m_live; ///< bytes by address
    std::uint64_t m_next = 4096;
    std::uint64_t m_used = 0;
    std::uint64_t m_peak = 0;
};

} // namespace kernelarium::operators
