// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/backend/BackendAround.h"

#include <vector>

namespace kernelarium::host {

/// A backend that puts launches off until somebody needs what they leave, and then executes them in the order that is
/// farthest from the program's of those that CUDA's rules allow (KernelLaunch::after). A run whose streams are ordered
/// as they must be gives the same here. Reports of launches come before they are executed, and are empty; one that
/// fails ends the run (RunStopped). Copies, fills and library calls stay where they are.
class ContraryOrder final : public BackendAround {
public:
    using BackendAround::BackendAround;

    KernelReport launch(const KernelLaunch& launch) override;
    Result<void> synchronize() override;
    void settle() override { execute(); }

    Result<void> release(std::uint64_t address) override;
    Result<void> read(std::uint64_t address, std::span<std::byte> out) const override;
    Result<void> write(std::uint64_t address, std::span<const std::byte> bytes) override;
    Result<void> fill(std::uint64_t address, std::uint64_t bytes, std::uint8_t value) override;
    Result<void> repeat(std::uint64_t address, std::uint64_t bytes, std::span<const std::byte> pattern) override;
    Result<void> copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) override;
    [[nodiscard]] std::optional<std::uint64_t> firstUnwritten(std::uint64_t address,
                                                              std::uint64_t bytes) const override;

private:
    void execute() const;

    mutable std::vector<KernelLaunch> m_waiting; ///< in the program's order
};

/// The numbers of these launches in the contrary order.
[[nodiscard]] std::vector<std::size_t> contraryOrder(const std::vector<KernelLaunch>& launches);

} // namespace kernelarium::host
