// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/memory/RaceRecord.h"

#include <array>
#include <cstdint>

namespace kernelarium::emulator {

/// What the warps of one block have seen of one another: vector clocks, raised by barriers.
class BlockClocks {
public:
    static constexpr std::uint32_t warpLimit = 32;
    static constexpr std::uint32_t laneMeetings = race::clockLimit / 2;

    /// For a block of this number (RaceShadow gives them); `off` where nothing is tracked.
    void start(std::uint32_t block, std::uint32_t warps);
    void off() { m_on = false; }
    [[nodiscard]] bool isOn() const { return m_on; }
    /// Whether a warp passed so many barriers that its clock has no room for more: nothing is tracked since.
    [[nodiscard]] bool ranOut() const { return m_ranOut; }

    /// The warp's lanes have met. A block has room for so many of these; lanes are then told apart no more.
    void meetLanes(std::uint32_t warp);
    /// All warps of the block have met.
    void meetAll();
    /// The warp comes to a barrier that only some threads take part in; what it did before is part of it.
    void arrive(std::uint32_t warp, std::uint32_t barrier);
    /// The warp goes on from that barrier. When all have gone on: clearBarrier().
    void depart(std::uint32_t warp, std::uint32_t barrier);
    void clearBarrier(std::uint32_t barrier) { m_gathered[barrier] = {}; }

    /// A fence: `wide` when it reaches other blocks.
    void fence(std::uint32_t warp, bool wide);
    /// What a store to a synchronisation variable passes on: nothing (clock 0) unless the warp has fenced.
    struct Release {
        std::uint32_t warp = 0;
        std::uint32_t clock = 0; ///< the warp's own accesses below this, and ...
        std::uint32_t floor = 0; ///< ... every warp's below this
        bool wide = false;
    };
    Release release(std::uint32_t warp);
    /// What the warp has done so far, for others of its block; it is no fence for what the warp stores afterwards.
    Release hand(std::uint32_t warp);
    void acquire(std::uint32_t warp, std::uint64_t stamp);
    [[nodiscard]] std::uint64_t acquired(std::uint32_t warp) const { return m_warps[warp].acquired; }

    /// Whether the warp has seen the other's accesses at this clock.
    [[nodiscard]] bool hasSeen(std::uint32_t warp, std::uint32_t other, std::uint32_t clock) const;
    /// Whether the warps met at whole-block barriers only, so far.
    [[nodiscard]] bool isPlain() const { return m_plain; }
    /// Inlined where a warp starts, so that each word goes straight to its place.
    [[nodiscard, gnu::always_inline]] race::Key key(std::uint32_t warp) const {
        if (!m_on) return {};
        const race::Record base = race::Record(m_block) << race::blockShift;
        const WarpClock& w = m_warps[warp];
        return {base, race::Record(w.floor) << race::clockShift,
                base | race::Record(w.clock) << race::clockShift | race::Record(warp) << race::warpShift,
                m_lanesKnown ? race::Record(w.clock) << race::clockShift : ~race::Record(0)};
    }
    [[nodiscard]] std::uint32_t number() const { return m_block; }

private:
    struct WarpClock {
        std::uint32_t clock = 1;
        std::uint32_t floor = 0;
        std::uint32_t fencedAt = 0;
        bool fencedWide = false;
        std::uint64_t acquired = 0;
    };
    struct Gathered {
        std::array<std::uint32_t, warpLimit> seen{};
        std::uint64_t acquired = 0;
    };
    void advance(WarpClock& w, std::uint32_t to);

    bool m_on = false;
    bool m_ranOut = false;
    bool m_plain = true;
    bool m_lanesKnown = true;
    std::uint32_t m_top = 1;       ///< no warp's clock is higher
    std::uint32_t m_laneSteps = 0; ///< by how much lanes' meetings have raised it
    std::uint32_t m_block = 0;
    std::uint32_t m_count = 0;
    std::array<WarpClock, warpLimit> m_warps{};
    std::array<std::array<std::uint32_t, warpLimit>, warpLimit>
        m_seen{}; ///< m_seen[w][v]: below this; with m_plain unused
    std::array<Gathered, 16> m_gathered{};
};

} // namespace kernelarium::emulator
