// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/Counters.h"
#include "core/quantities/Quantities.h"

#include <fmt/format.h>
#include <map>

namespace kernelarium::perf {

namespace {

using C = LineCounters;

// Names on the right are Nsight Compute's ("Metrics Reference"); they are given only where the meaning is the same,
// up to PTX instructions standing for machine instructions.
constexpr Metric table[] = {
    {"warp_instructions", &C::warpInstructions, "smsp__inst_executed.sum", "Warp instructions"},
    {"thread_instructions", &C::threadInstructions, "smsp__thread_inst_executed.sum", "Thread instructions"},
    {"thread_instructions_on", &C::threadInstructionsOn, "smsp__thread_inst_executed_pred_on.sum",
     "Thread instructions, predicated on"},
    {"issue_slots", &C::issueSlots, "", "Estimated machine instructions"},
    {"integer", &C::integer, "", "Integer instructions"},
    {"fp32", &C::fp32, "", "FP32 instructions"},
    {"fp64", &C::fp64, "", "FP64 instructions"},
    {"fp16", &C::fp16, "", "FP16 and BF16 instructions"},
    {"tensor", &C::tensor, "", "Tensor instructions"},
    {"special", &C::special, "", "Special functions and divisions"},
    {"convert", &C::convert, "", "Conversions"},
    {"move", &C::move, "", "Moves and selections"},
    {"shuffle", &C::shuffle, "", "Shuffles and votes"},
    {"load_global", &C::loadGlobal, "", "Global load instructions"},
    {"store_global", &C::storeGlobal, "", "Global store instructions"},
    {"load_shared", &C::loadShared, "", "Shared load instructions"},
    {"store_shared", &C::storeShared, "", "Shared store instructions"},
    {"load_local", &C::loadLocal, "", "Local load instructions"},
    {"store_local", &C::storeLocal, "", "Local store instructions"},
    {"atomic", &C::atomic, "", "Atomic instructions"},
    {"control", &C::control, "", "Branches and calls"},
    {"barrier", &C::barrier, "", "Barriers"},
    {"flops_fp32", &C::flopsFp32, "", "FP32 operations"},
    {"flops_fp64", &C::flopsFp64, "", "FP64 operations"},
    {"flops_fp16", &C::flopsFp16, "", "FP16 operations"},
    {"flops_tensor", &C::flopsTensor, "", "Tensor operations"},
    {"flops_tensor_tf32", &C::flopsTensorTf32, "", "Of these: TF32"},
    {"flops_tensor_fp8", &C::flopsTensorFp8, "", "Of these: FP8"},
    {"ops_tensor_int8", &C::opsTensorInt8, "", "Tensor operations of int8"},
    {"global_load_requests", &C::globalLoadRequests, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
     "Global load requests"},
    {"global_load_sectors", &C::globalLoadSectors, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
     "Global load sectors"},
    {"global_load_ideal_sectors", &C::globalLoadIdealSectors, "", "Global load sectors, ideal"},
    {"global_load_bytes", &C::globalLoadBytes, "", "Bytes loaded by lanes"},
    {"global_store_requests", &C::globalStoreRequests, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
     "Global store requests"},
    {"global_store_sectors", &C::globalStoreSectors, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
     "Global store sectors"},
    {"global_store_ideal_sectors", &C::globalStoreIdealSectors, "", "Global store sectors, ideal"},
    {"global_store_bytes", &C::globalStoreBytes, "", "Bytes stored by lanes"},
    {"global_atomic_requests", &C::globalAtomicRequests, "", "Global atomic requests"},
    {"global_atomic_sectors", &C::globalAtomicSectors, "", "Global atomic sectors"},
    {"global_atomic_lanes", &C::globalAtomicLanes, "", "Global atomic operations"},
    {"global_lines", &C::globalLines, "", "128-byte lines of global requests"},
    {"l2_load_sectors", &C::l2LoadSectors, "", "Load sectors past the modelled L1"},
    {"block_again_sectors", &C::blockAgainSectors, "", "Of these: loaded by the same block before"},
    {"block_lost_sectors", &C::blockLostSectors, "", "Of these: past the block's share of the L2"},
    {"shared_load_requests", &C::sharedLoadRequests, "smsp__sass_inst_executed_op_shared_ld.sum",
     "Shared load requests"},
    {"shared_load_wavefronts", &C::sharedLoadWavefronts, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
     "Shared load wavefronts"},
    {"shared_store_requests", &C::sharedStoreRequests, "smsp__sass_inst_executed_op_shared_st.sum",
     "Shared store requests"},
    {"shared_store_wavefronts", &C::sharedStoreWavefronts, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
     "Shared store wavefronts"},
    {"shared_ideal_wavefronts", &C::sharedIdealWavefronts, "memory_l1_wavefronts_shared_ideal",
     "Shared wavefronts, ideal"},
    {"local_requests", &C::localRequests, "", "Local memory requests"},
    {"local_sectors", &C::localSectors, "", "Local memory sectors"},
    {"bulk_bytes", &C::bulkBytes, "", "Bytes of bulk copies"},
    {"branches", &C::branches, "", "Conditional branches"},
    {"divergent_branches", &C::divergentBranches, "smsp__sass_branch_targets_threads_divergent.sum",
     "Divergent branches"},
    {"barrier_waits", &C::barrierWaits, "", "Warps that reached a barrier"},
};

std::optional<double> ratio(double a, double b) {
    return b > 0 ? std::optional(a / b) : std::nullopt;
}

} // namespace

std::span<const Metric> metrics() {
    return table;
}

const Metric* findMetric(std::string_view name) {
    for (const Metric& m : table)
        if (name == m.key || (*m.ncuName && name == m.ncuName)) return &m;
    return nullptr;
}

Waste& operator+=(Waste& to, const Waste& more) {
    to.requests += more.requests;
    to.cost += more.cost;
    to.needed += more.needed;
    if (to.stride == more.stride)
        to.lead += more.lead;
    else if (to.lead >= more.lead)
        to.lead -= more.lead;
    else {
        to.stride = more.stride;
        to.lead = more.lead - to.lead;
    }
    return to;
}

LineCounters& operator+=(LineCounters& to, const LineCounters& more) {
    for (const Metric& m : table)
        to.*m.field += more.*m.field;
    to.loadWaste += more.loadWaste;
    to.storeWaste += more.storeWaste;
    to.sharedWaste += more.sharedWaste;
    return to;
}

LineCounters scaled(const LineCounters& counters, double factor) {
    LineCounters out = counters;
    for (const Metric& m : table)
        out.*m.field *= factor;
    for (Waste* w : {&out.loadWaste, &out.storeWaste, &out.sharedWaste})
        for (double* of : {&w->requests, &w->cost, &w->needed, &w->lead})
            *of *= factor;
    return out;
}

std::optional<double> sectorsPerRequest(const LineCounters& c) {
    return ratio(c.globalLoadSectors + c.globalStoreSectors, c.globalLoadRequests + c.globalStoreRequests);
}

std::optional<double> idealSectorsPerRequest(const LineCounters& c) {
    return ratio(c.globalLoadIdealSectors + c.globalStoreIdealSectors, c.globalLoadRequests + c.globalStoreRequests);
}

std::optional<double> bankConflictDegree(const LineCounters& c) {
    return ratio(c.sharedLoadWavefronts + c.sharedStoreWavefronts, c.sharedIdealWavefronts);
}

std::optional<double> activeLanes(const LineCounters& c) {
    return ratio(c.threadInstructions, c.warpInstructions);
}

double totalFlops(const LineCounters& c) {
    return c.flopsFp32 + c.flopsFp64 + c.flopsFp16 + c.flopsTensor;
}

std::string copiesInFlightText(const LaunchCounters& launch) {
    if (launch.bytesInFlight <= 0) return {};
    return fmt::format("At most {} of asynchronous copies, {}, {} under way in a block",
                       quantities::counted(launch.stagesInFlight, "stage"), quantities::bytes(launch.bytesInFlight),
                       launch.stagesInFlight == 1 ? "is" : "are");
}

LineCounters mergedTotals(std::span<const LaunchCounters> launches) {
    LineCounters sum;
    for (const LaunchCounters& launch : launches)
        sum += launch.totals;
    return sum;
}

std::vector<LineCounters> mergedLines(std::span<const LaunchCounters> launches) {
    std::map<int, LineCounters> byLine;
    for (const LaunchCounters& launch : launches)
        for (const LineCounters& line : launch.lines)
            byLine[line.line] += line;
    std::vector<LineCounters> lines;
    for (auto& [line, counters] : byLine) {
        counters.line = line;
        lines.push_back(counters);
    }
    return lines;
}

} // namespace kernelarium::perf
