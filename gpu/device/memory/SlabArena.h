// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/device/memory/DevicePool.h"

#include <cstdint>
#include <functional>
#include <map>

namespace kernelarium::device {

/// Pieces of device memory cut from slabs, for who needs many of any size: the smallest gap that suffices is taken,
/// neighbouring gaps are joined, and a slab goes back as soon as nothing of it is in use. Large pieces have a slab
/// each, so that a small one beside them cannot hold back what a small card needs.
class SlabArena {
public:
    struct Source {
        std::function<Result<Slab>(std::uint64_t bytes)> take; ///< at least so many bytes
        std::function<void(Slab)> giveBack;
    };
    static constexpr std::uint64_t alignment = 512;          ///< of every piece
    static constexpr std::uint64_t largeBytes = 64ull << 20; ///< pieces of at least so many are alone in their slab

    explicit SlabArena(Source source)
        : m_source(std::move(source)) {}
    ~SlabArena();
    SlabArena(const SlabArena&) = delete;
    SlabArena& operator=(const SlabArena&) = delete;

    /// Errors: those of Source::take.
    Result<std::uint64_t> allocate(std::uint64_t bytes);
    /// Error "bad_free" where no piece in use starts there.
    Result<void> release(std::uint64_t address);

    [[nodiscard]] std::uint64_t used() const { return m_used; }     ///< bytes of the pieces in use, rounded up
    [[nodiscard]] std::uint64_t unused() const { return m_unused; } ///< bytes of gaps in the slabs that are held
    [[nodiscard]] std::size_t slabs() const { return m_slabs.size(); }

private:
    struct Piece {
        std::uint64_t bytes = 0;
        std::uint64_t slab = 0; ///< its address
        bool inUse = false;
    };
    using Pieces = std::map<std::uint64_t, Piece>;

    /// Its first address; all of it is one piece.
    Result<std::uint64_t> takeSlab(std::uint64_t bytes, bool inUse);
    [[nodiscard]] Pieces::iterator bestGap(std::uint64_t bytes);
    /// Makes one gap of two where both are gaps of one slab.
    void join(Pieces::iterator first, Pieces::iterator second);

    Source m_source;
    std::map<std::uint64_t, Slab> m_slabs;
    Pieces m_pieces; ///< by address; those of a slab cover it
    std::uint64_t m_used = 0;
    std::uint64_t m_unused = 0;
};

} // namespace kernelarium::device
