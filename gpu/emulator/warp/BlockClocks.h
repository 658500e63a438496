// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/memory/RaceRecord.h"
#include "gpu/emulator/warp/ClusterClocks.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace kernelarium::emulator {

/// What the warps of one block have seen of one another and of the other blocks of their cluster: vector clocks, raised
/// by barriers and by what others released through the synchronisation variable that a warp reads, and through no
/// other.
class BlockClocks {
public:
    static constexpr std::uint32_t warpLimit = Knowledge::warpLimit;
    static constexpr std::uint32_t laneMeetings = race::clockLimit / 2;

    /// For a block of this number (RaceShadow gives them); `off` where nothing is tracked.
    void start(std::uint32_t block, std::uint32_t warps);
    void off() {
        m_on = false;
        m_cluster = nullptr;
    }
    /// It is the block of this rank of a cluster, whose clocks outlive these.
    void join(ClusterClocks& cluster, std::uint32_t rank);
    [[nodiscard]] bool isInCluster() const { return m_cluster != nullptr; }
    /// The block, or the first one of its cluster, which stands for all of them outside.
    [[nodiscard]] std::uint32_t party() const { return m_cluster ? m_cluster->first : m_block; }
    /// Whether the block of this number is one of its cluster.
    [[nodiscard]] bool isMate(std::uint32_t block) const {
        return m_cluster && block - m_cluster->first < m_cluster->count;
    }
    [[nodiscard]] bool isOn() const { return m_on; }
    /// Whether a warp passed so many barriers that its clock has no room for more: nothing is tracked since.
    [[nodiscard]] bool ranOut() const { return m_ranOut; }
    /// The same of some block of its cluster: what orders accesses is no longer known.
    [[nodiscard]] bool clusterRanOut() const { return m_cluster && m_cluster->ranOut; }

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
        std::uint32_t clock = 0; ///< the warp's own accesses below this, ...
        std::uint32_t floor = 0; ///< ... every warp's below this, ...
        bool wide = false;
        std::uint64_t acquired = 0;            ///< ... other blocks' releases, ...
        std::shared_ptr<const Knowledge> seen; ///< ... and all that together with what else the warp had seen, ...
        bool more = false;                     ///< ... if it had seen anything else
    };
    Release release(std::uint32_t warp);
    /// The release goes through the variable: whoever of the block reads it has seen what the releaser had, and whoever
    /// of its cluster if the release is a wide one.
    void publish(std::uint64_t variable, const Release& release);
    /// See SyncVariables.
    void endPhase(std::uint64_t variable);
    void forget(std::uint64_t variable);
    [[nodiscard]] bool isVariable(std::uint64_t variable) const {
        return m_variables.contains(variable) || (m_cluster && m_cluster->variables.contains(variable));
    }
    [[nodiscard]] bool hasVariables() const {
        return !m_variables.isEmpty() || (m_cluster && !m_cluster->variables.isEmpty());
    }
    /// The warp has read the variable; `phase`: it has waited for one of its phases.
    void acquire(std::uint32_t warp, std::uint64_t variable, bool phase);
    /// The warp comes to its cluster's barrier without releasing anything: those who go on from it do so after this,
    /// and know that, but need not see what the warp did.
    void reach(std::uint32_t warp, std::uint64_t barrier);
    void pass(std::uint32_t warp, std::uint64_t barrier);
    /// The warp has ended: what it did is part of each later phase of its cluster's barrier.
    void leave(std::uint32_t warp, std::uint64_t barrier);
    /// The warp has seen releases from outside up to this number, and from inside as far as others handed them on.
    void acquireFar(std::uint32_t warp, std::uint64_t stamp, std::uint64_t returned);
    [[nodiscard]] std::uint64_t acquired(std::uint32_t warp) const { return m_plain ? 0 : m_seen[warp].acquired; }
    [[nodiscard]] std::uint64_t returned(std::uint32_t warp) const { return m_plain ? 0 : m_seen[warp].returned; }

    /// All that the warp knows now, its own accesses among it. It goes on with another clock: what it does from now on
    /// is told from what it did.
    [[nodiscard]] Knowledge knowledgeNow(std::uint32_t warp);

    /// The warp is the first of its warpgroup to have waited for products, whose reads are its accesses up to now.
    void endProducts(std::uint32_t warp);
    /// The warp has waited as well: it knows what endProducts() of its warpgroup's warps told.
    void joinProducts(std::uint32_t warp);

    /// Whether the warp has seen the other's access at this clock, which is a product's read or not.
    [[nodiscard]] bool hasSeen(std::uint32_t warp, std::uint32_t other, std::uint32_t clock, bool product) const;
    /// The same of a warp of another block of the cluster.
    [[nodiscard]] bool hasSeenMate(std::uint32_t warp, std::uint32_t block, std::uint32_t other, std::uint32_t clock,
                                   bool product) const;
    /// Whether a barrier that need not let the warp see it lies between what it does and that access, of its block or
    /// its cluster.
    [[nodiscard]] bool isAfter(std::uint32_t warp, std::uint32_t block, std::uint32_t other, std::uint32_t clock) const;
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
        bool knowsMore = false; ///< than the floor: its m_seen says what
    };
    static constexpr std::uint32_t warpsOfGroup = 4;

    void learn(std::uint32_t warp, const Knowledge& seen);
    /// What ClusterClocks::variables hold, as a block of this rank knows it.
    [[nodiscard]] Knowledge asOfHere(const Knowledge& ofCluster) const;
    /// What the warp has seen, with its own accesses below a clock.
    [[nodiscard]] Knowledge knowledge(std::uint32_t warp, std::uint32_t clock) const;
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
    std::array<Knowledge, warpLimit> m_seen{}; ///< by warp; with m_plain unused
    std::array<Knowledge, 16> m_gathered{};    ///< by barrier
    std::array<std::array<std::uint16_t, warpLimit>, warpLimit / warpsOfGroup> m_products{}; ///< by warpgroup
    std::array<std::shared_ptr<const Knowledge>, warpLimit> m_released; ///< by warp: of its last release, if still true
    SyncVariables m_variables;
    ClusterClocks* m_cluster = nullptr;
    std::uint32_t m_rank = 0;
    std::vector<Knowledge> m_passed; ///< by warp: before arrivals that released nothing; empty: none
};

} // namespace kernelarium::emulator
