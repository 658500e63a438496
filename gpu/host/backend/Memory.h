// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace kernelarium::host {

/// A range of addresses with allocations in it: the device's memory, or the heap of the interpreted host
/// code.
class Memory {
public:
    virtual ~Memory() = default;

    /// Fresh bytes hold the run's poison pattern and count as never written. Error "out_of_memory".
    virtual Result<std::uint64_t> allocate(std::uint64_t bytes, std::string label) = 0;
    /// One that holds these bytes from the start, as after a write.
    virtual Result<std::uint64_t> allocateHolding(std::span<const std::byte> contents, std::string label);
    virtual Result<void> release(std::uint64_t address) = 0;

    /// Errors: "out_of_bounds", or whatever the memory says about a bad address.
    virtual Result<void> read(std::uint64_t address, std::span<std::byte> out) const = 0;
    /// Where the bytes of one allocation lie in this process, for who only reads them before anything else is done with
    /// the memory; null where they lie elsewhere or are not in one.
    [[nodiscard]] virtual const std::byte* lend(std::uint64_t /*address*/, std::uint64_t /*bytes*/) const {
        return nullptr;
    }
    virtual Result<void> write(std::uint64_t address, std::span<const std::byte> bytes) = 0;
    virtual Result<void> fill(std::uint64_t address, std::uint64_t bytes, std::uint8_t value) = 0;
    /// Fills the range with the pattern over and over.
    virtual Result<void> repeat(std::uint64_t address, std::uint64_t bytes, std::span<const std::byte> pattern);
    /// Within this memory; carries along which bytes were never written.
    virtual Result<void> copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) = 0;

    /// Offset of the first byte that was never written; empty where all were, or where the memory cannot
    /// tell.
    [[nodiscard]] virtual std::optional<std::uint64_t> firstUnwritten(std::uint64_t address,
                                                                      std::uint64_t bytes) const = 0;
    /// Whether the address lies in a live allocation of this memory.
    [[nodiscard]] virtual bool holds(std::uint64_t address) const = 0;

    /// Bytes of the live allocation that begins there; empty where none does, or this memory cannot tell.
    [[nodiscard]] virtual std::optional<std::uint64_t> sizeAt(std::uint64_t /*address*/) const { return {}; }

    /// Whether kernels may use the allocation that holds the address, too; for memory that they can reach at all.
    virtual void share(std::uint64_t /*address*/, bool /*shared*/) {}

    /// Whether every access has a price of its own, so that few large ones beat many small. Such a memory does not know
    /// what was written.
    [[nodiscard]] virtual bool isRemote() const { return false; }

    [[nodiscard]] virtual std::uint64_t capacity() const = 0;
    [[nodiscard]] virtual std::uint64_t used() const = 0;
    [[nodiscard]] virtual std::uint64_t peak() const = 0;
};

} // namespace kernelarium::host
