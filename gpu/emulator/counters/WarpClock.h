// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/code/InstructionFacts.h"
#include "gpu/emulator/counters/Pipeline.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace kernelarium::emulator {

/// What an access of memory came to.
struct AccessOutcome {
    bool pastL1 = false;          ///< some sector was not in the modelled L1
    std::uint32_t wavefronts = 0; ///< in shared memory
    std::uint32_t lines = 0;      ///< of 128 bytes, in device memory
    bool inShared = false;
};

/// How long a warp takes where its block has a multiprocessor to itself and all warps of the block do the same: each
/// instruction when its operands are there and its turn has come at the four schedulers and, in memory, at the one pipe
/// to L1 and shared memory. ptxas moves what does not depend on each other, so that an instruction may begin before
/// earlier ones that wait: as far ahead as `window` instructions, not across barriers and turns of loops that stay
/// rolled, and loads not across stores that may be of the same place. Where the machine code has no more loads than the
/// PTX, ptxas has unrolled none of the loops that load. An asynchronous copy is waited for where its group is. Waits
/// for memory past the L1 are counted apart, for they differ by device.
///
/// Latencies in clocks: Z. Jia and others, "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018
/// (arithmetic 4, shared memory 19 to 23, L1 28), and for sm_80 to sm_90 W. Luo and others, "Benchmarking and
/// Dissecting the Nvidia Hopper GPU Architecture via Microbenchmarking", 2024 (shared memory 29, L1 33 to 41, matrix
/// instructions 18 to 33); round figures of these.
class WarpClock {
public:
    explicit WarpClock(const Pipeline& pipeline, bool loadingLoopsStayRolled = false)
        : m_pipeline(pipeline)
        , m_loadingLoopsStayRolled(loadingLoopsStayRolled)
        , m_ready(pipeline.registers()) {}

    void begin(std::size_t warpsOfBlock);
    void step(std::size_t source, const InstructionFacts& facts, const AccessOutcome& access);
    void end();

    [[nodiscard]] std::uint64_t warps() const { return m_warps; }
    [[nodiscard]] double clocks() const { return m_clocks; } ///< of all warps together, without waits past the L1
    [[nodiscard]] double waits() const { return m_waits; }   ///< of all warps: loads past the L1, one after another

private:
    /// Half clocks since the warp began, and how many waits past the L1 are among them, each of `pastL1` half clocks.
    struct Moment {
        std::uint64_t at = 0;
        std::uint64_t waits = 0;
    };
    static Moment later(Moment a, Moment b) { return a.at >= b.at ? a : b; }
    void fence();
    void follow(const PipelineFacts& facts, Moment done);

    static constexpr std::size_t window = 64;
    static constexpr std::uint64_t turnsTogether = 4; ///< of a loop that ptxas may unroll

    const Pipeline& m_pipeline;
    const bool m_loadingLoopsStayRolled;
    std::vector<Moment> m_ready;
    std::array<Moment, window> m_issued{}; ///< when all instructions up to one of the last had been issued
    std::size_t m_next = 0;
    Moment m_front, m_last, m_pipe;
    std::array<Moment, 3> m_stored{}; ///< of device memory (and where it is not known), shared, local
    Moment m_openCopies;              ///< the last of those that are in no group yet
    std::vector<Moment> m_copyGroups;
    std::uint64_t m_turns = 0;
    std::uint64_t m_sharers = 4; ///< warps of the block: at least one for each scheduler
    std::uint64_t m_warps = 0;
    double m_clocks = 0;
    double m_waits = 0;
};

} // namespace kernelarium::emulator
