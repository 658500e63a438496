// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/NcuNames.h"

namespace kernelarium::profile {
namespace {

constexpr NcuName names[] = {
    {"Executed Ipc Active", "sm__inst_executed.avg.per_cycle_active",
     "machine instructions that a multiprocessor executed per cycle while it had work"},
    {"Executed Ipc Elapsed", "sm__inst_executed.avg.per_cycle_elapsed",
     "machine instructions that a multiprocessor executed per cycle of the launch"},
    {"Issue Slots Busy", "sm__inst_issued.avg.pct_of_peak_sustained_active",
     "share of the cycles in which an instruction was issued"},
    {"Issued Ipc Active", "sm__inst_issued.avg.per_cycle_active",
     "instructions issued per cycle, including those issued again"},
    {"SM Busy", "sm__instruction_throughput.avg.pct_of_peak_sustained_active",
     "how busy the busiest pipe of the multiprocessors was"},
    {"Memory Throughput", "dram__bytes.sum.per_second", "bytes to and from device memory per second"},
    {"Mem Busy", "gpu__compute_memory_access_throughput.avg.pct_of_peak_sustained_elapsed",
     "how busy the memory units inside caches and memory were"},
    {"Max Bandwidth", "gpu__compute_memory_request_throughput.avg.pct_of_peak_sustained_elapsed",
     "how busy the ways between multiprocessors, caches and memory were"},
    {"L1/TEX Hit Rate", "l1tex__t_sector_hit_rate.pct", "sectors found in the L1 cache"},
    {"L2 Hit Rate", "lts__t_sector_hit_rate.pct", "sectors found in the L2 cache"},
    {"Mem Pipes Busy", "sm__memory_throughput.avg.pct_of_peak_sustained_elapsed",
     "how busy the pipes that issue memory instructions were"},
    {"Warp Cycles Per Issued Instruction", "smsp__average_warp_latency_per_inst_issued.ratio",
     "cycles between two instructions of a warp"},
    {"Warp Cycles Per Executed Instruction", "smsp__average_warps_active_per_inst_executed.ratio",
     "the same, by executed instructions"},
    {"Avg. Active Threads Per Warp", "smsp__thread_inst_executed_per_inst_executed.ratio",
     "lanes that take part in an instruction, of 32"},
    {"Avg. Not Predicated Off Threads Per Warp", "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio",
     "lanes that take part and whose predicate holds, of 32"},
    {"Block Limit SM", "launch__occupancy_limit_blocks", "the most blocks that a multiprocessor holds"},
    {"Block Limit Registers", "launch__occupancy_limit_registers", "blocks that the registers suffice for"},
    {"Block Limit Shared Mem", "launch__occupancy_limit_shared_mem", "blocks that the shared memory suffices for"},
    {"Block Limit Warps", "launch__occupancy_limit_warps", "blocks that the warps suffice for"},
    {"Theoretical Active Warps per SM", "sm__maximum_warps_avg_per_active_cycle",
     "warps that a multiprocessor can hold of this launch"},
    {"Theoretical Occupancy", "sm__maximum_warps_per_active_cycle_pct",
     "the same, as a share of what it can hold at all"},
    {"Achieved Occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active",
     "warps that were there while the launch ran, as a share"},
    {"Achieved Active Warps Per SM", "sm__warps_active.avg.per_cycle_active",
     "warps that were there while the launch ran"},
    {"Max Active Clusters", "launch__cluster_max_active", "clusters that the device holds at a time"},
    {"Max Cluster Size", "launch__cluster_max_potential_size", "blocks that a cluster may have"},
    {"Duration", "gpu__time_duration.sum", "time of the launch"},
    {"Elapsed Cycles", "gpc__cycles_elapsed.max", "cycles of the launch"},
    {"Registers Per Thread", "launch__registers_per_thread", "registers that a thread takes"},
    {"SM Frequency", "gpc__cycles_elapsed.avg.per_second", "clock of the multiprocessors during the launch"},
};

} // namespace

std::span<const NcuName> ncuNames() {
    return names;
}

const NcuName* findNcuName(std::string_view labelOrMetric) {
    for (const NcuName& name : names)
        if (name.label == labelOrMetric || name.metric == labelOrMetric) return &name;
    return nullptr;
}

} // namespace kernelarium::profile
