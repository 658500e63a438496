// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/VariantCounters.h"

namespace kernelarium::profile {

namespace {

using Group = VariantCounter::Group;

#define STALL(reason) "smsp__average_warps_issue_stalled_" reason "_per_issue_active.ratio"
constexpr VariantCounter counters[] = {
    {Group::time, {"Duration", "gpu__time_duration.sum", "time of the launch"}},
    {Group::time, {"Elapsed Cycles", "gpc__cycles_elapsed.max", "cycles of the launch"}},
    {Group::time, {"Instructions Issued", "smsp__inst_issued.sum", "those issued again included"}},
    {Group::memory, {"Memory Throughput", "dram__bytes.sum.per_second", "bytes to and from device memory per second"}},
    {Group::memory, {"Device Memory Read", "dram__bytes_read.sum", "bytes"}},
    {Group::memory, {"Device Memory Written", "dram__bytes_write.sum", "bytes"}},
    {Group::memory,
     {"Mem Busy", "gpu__compute_memory_access_throughput.avg.pct_of_peak_sustained_elapsed",
      "how busy the memory units inside caches and memory were"}},
    {Group::memory, {"L1/TEX Hit Rate", "l1tex__t_sector_hit_rate.pct", "sectors found in the L1 cache"}},
    {Group::memory,
     {"Shared Bank Conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
      "cycles that shared accesses took beyond one each"}},
    {Group::l2, {"L2 Hit Rate", "lts__t_sector_hit_rate.pct", "sectors found in the L2 cache"}},
    {Group::l2, {"L2 Sectors", "lts__t_sectors.sum", "of 32 bytes, asked of the L2 cache"}},
    {Group::l2, {"L2 Busy", "lts__throughput.avg.pct_of_peak_sustained_elapsed", "how busy the L2 cache was"}},
    {Group::stalls,
     {"Warp Cycles Per Issued Instruction", "smsp__average_warp_latency_per_inst_issued.ratio",
      "cycles between two instructions of a warp"}},
    {Group::stalls, {"Long Scoreboard", STALL("long_scoreboard"), "results of global, local and texture memory"}},
    {Group::stalls, {"Short Scoreboard", STALL("short_scoreboard"), "results of shared memory and special functions"}},
    {Group::stalls, {"Wait", STALL("wait"), "results of fixed latency"}},
    {Group::stalls, {"Math Pipe Throttle", STALL("math_pipe_throttle"), "the arithmetic pipe was busy"}},
    {Group::stalls,
     {"MIO Throttle", STALL("mio_throttle"), "the queue of shared memory and special functions was full"}},
    {Group::stalls, {"LG Throttle", STALL("lg_throttle"), "the queue of global and local memory was full"}},
    {Group::stalls, {"Barrier", STALL("barrier"), "other warps of the block had not come"}},
    {Group::stalls, {"Dispatch", STALL("dispatch_stall"), "the dispatcher held the instruction back"}},
    {Group::stalls, {"No Instruction", STALL("no_instruction"), "the next instruction was not fetched yet"}},
    {Group::stalls, {"IMC Miss", STALL("imc_miss"), "a constant was not cached"}},
    {Group::stalls, {"Branch Resolving", STALL("branch_resolving"), "the target of a branch was not known"}},
    {Group::stalls, {"Not Selected", STALL("not_selected"), "ready, and another warp was chosen"}},
    {Group::stalls, {"Selected", STALL("selected"), "issued"}},
};
#undef STALL

} // namespace

std::span<const VariantCounter> variantCounters() {
    return counters;
}

std::string_view name(VariantCounter::Group group) {
    switch (group) {
    case Group::time: return "time";
    case Group::memory: return "memory";
    case Group::l2: return "L2";
    case Group::stalls: return "stalls";
    }
    return {};
}

} // namespace kernelarium::profile
