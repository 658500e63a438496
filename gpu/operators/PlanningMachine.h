// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/operators/Machine.h"

#include <map>
#include <set>

namespace kernelarium::operators {

/// A machine that does nothing: what is asked of it tells how much memory a graph takes on a real one. Reads
/// give zeros.
class PlanningMachine : public Machine {
public:
    explicit PlanningMachine(MachineFacts facts)
        : m_facts(std::move(facts)) {}

    [[nodiscard]] const MachineFacts& facts() const override { return m_facts; }
    [[nodiscard]] std::uint64_t freeBytes() const override { return ~std::uint64_t(0); }
    Result<void> load(const KernelModule&) override { return {}; }
    [[nodiscard]] bool has(std::string_view) const override { return true; }
    Result<std::uint64_t> allocate(std::uint64_t bytes, std::string_view label) override;
    Result<void> release(std::uint64_t address) override;
    Result<void> read(std::uint64_t address, std::span<std::byte> out) override;
    Result<void> write(std::uint64_t, std::span<const std::byte>) override { return {}; }
    Result<void> copy(std::uint64_t, std::uint64_t, std::uint64_t) override { return {}; }
    Result<void> launch(const KernelLaunch&) override { return {}; }
    Result<void> synchronize() override { return {}; }

    /// Most bytes that were allocated at once, each piece rounded up as a device does.
    [[nodiscard]] std::uint64_t peak() const { return m_peak; }

private:
    MachineFacts m_facts;
    std::map<std::uint64_t, std::uint64_t> m_live; ///< bytes by address
    std::uint64_t m_next = 4096;
    std::uint64_t m_used = 0;
    std::uint64_t m_peak = 0;
};

} // namespace kernelarium::operators
