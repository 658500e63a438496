// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/backend/Backend.h"

#include <utility>

namespace kernelarium::host {

/// Passes everything on to another backend, which outlives it: derived classes change what is theirs.
class BackendAround : public Backend {
public:
    explicit BackendAround(Backend& inner)
        : m_inner(inner) {}

    [[nodiscard]] std::string name() const override { return m_inner.name(); }
    [[nodiscard]] const emulator::DeviceLimits& limits() const override { return m_inner.limits(); }
    [[nodiscard]] std::optional<int> attribute(int which) const override { return m_inner.attribute(which); }
    [[nodiscard]] std::optional<KernelFacts> kernel(std::string_view mangled) const override {
        return m_inner.kernel(mangled);
    }
    [[nodiscard]] std::optional<DeviceSymbol> symbol(std::string_view mangled) override {
        return m_inner.symbol(mangled);
    }
    Result<std::array<std::byte, emulator::tensorMapBytes>> tensorMap(const emulator::TensorMap& map) override {
        return m_inner.tensorMap(map);
    }
    KernelReport launch(const KernelLaunch& launch) override { return m_inner.launch(launch); }
    Result<void> synchronize() override { return m_inner.synchronize(); }
    void settle() override { m_inner.settle(); }
    [[nodiscard]] std::vector<std::string> damagedGuards() const override { return m_inner.damagedGuards(); }

    Result<std::uint64_t> allocate(std::uint64_t bytes, std::string label) override {
        return m_inner.allocate(bytes, std::move(label));
    }
    Result<void> release(std::uint64_t address) override { return m_inner.release(address); }
    Result<void> read(std::uint64_t address, std::span<std::byte> out) const override {
        return m_inner.read(address, out);
    }
    Result<void> write(std::uint64_t address, std::span<const std::byte> bytes) override {
        return m_inner.write(address, bytes);
    }
    Result<void> fill(std::uint64_t address, std::uint64_t bytes, std::uint8_t value) override {
        return m_inner.fill(address, bytes, value);
    }
    Result<void> repeat(std::uint64_t address, std::uint64_t bytes, std::span<const std::byte> pattern) override {
        return m_inner.repeat(address, bytes, pattern);
    }
    Result<void> copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) override {
        return m_inner.copy(to, from, bytes);
    }
    [[nodiscard]] std::optional<std::uint64_t> firstUnwritten(std::uint64_t address,
                                                              std::uint64_t bytes) const override {
        return m_inner.firstUnwritten(address, bytes);
    }
    [[nodiscard]] bool holds(std::uint64_t address) const override { return m_inner.holds(address); }
    [[nodiscard]] bool isRemote() const override { return m_inner.isRemote(); }
    [[nodiscard]] std::uint64_t capacity() const override { return m_inner.capacity(); }
    [[nodiscard]] std::uint64_t used() const override { return m_inner.used(); }
    [[nodiscard]] std::uint64_t peak() const override { return m_inner.peak(); }

protected:
    [[nodiscard]] Backend& inner() const { return m_inner; }

private:
    Backend& m_inner;
};

} // namespace kernelarium::host
