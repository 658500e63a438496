// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/KnownNames.h"

#include <array>

namespace kernelarium::lesson {
namespace {

constexpr auto verdictList =
    std::to_array<std::string_view>({"compile_error", "launch_error", "unsupported", "timeout", "wrong", "fault",
                                     "suspicious", "unverifiable", "verified"});
constexpr auto reasonList = std::to_array<std::string_view>({"assumes_inputs",
                                                             "async_overwrite",
                                                             "async_read",
                                                             "barrier",
                                                             "below_physical_floor",
                                                             "benign_race",
                                                             "benign_uninitialised_read",
                                                             "beyond_sample",
                                                             "cached_result",
                                                             "changes_input",
                                                             "copy_kind",
                                                             "crashed",
                                                             "deadlock",
                                                             "device_memory",
                                                             "dtype",
                                                             "early_host_read",
                                                             "guard_band",
                                                             "host_exception",
                                                             "host_memory",
                                                             "host_work",
                                                             "idle_kernels",
                                                             "ignores_input",
                                                             "ill_conditioned",
                                                             "import",
                                                             "keeps_state",
                                                             "launch",
                                                             "legacy_tolerance_only",
                                                             "library_calls",
                                                             "lockstep",
                                                             "lower_precision",
                                                             "mbarrier",
                                                             "misaligned",
                                                             "nan",
                                                             "no_gpu_work",
                                                             "no_reference",
                                                             "not_repeatable",
                                                             "nvrtc",
                                                             "only_library_calls",
                                                             "out_of_bounds",
                                                             "overflows",
                                                             "overwrites_result",
                                                             "product_fence",
                                                             "product_registers",
                                                             "proxy_fence",
                                                             "ptxas",
                                                             "published_size_only",
                                                             "published_size_untried",
                                                             "race",
                                                             "read_only_path",
                                                             "reads_addresses",
                                                             "reads_clock",
                                                             "reads_machine",
                                                             "reads_place",
                                                             "restores_input",
                                                             "returns_input",
                                                             "returns_kept_result",
                                                             "running_statistics",
                                                             "sampled",
                                                             "shape_specific",
                                                             "side_stream",
                                                             "side_streams",
                                                             "small_size_only",
                                                             "stream_race",
                                                             "structure",
                                                             "tensor_cores",
                                                             "tensor_map",
                                                             "timeout",
                                                             "trap",
                                                             "trivial_answer",
                                                             "uneven_precision",
                                                             "unfenced_handoff",
                                                             "uninitialised_read",
                                                             "unit_dimensions",
                                                             "unsupported",
                                                             "unwaited_copy",
                                                             "unwritten_output",
                                                             "updates_statistics",
                                                             "values",
                                                             "warp_mask",
                                                             "weak_inputs_only",
                                                             "weak_task"});
constexpr auto figureList = std::to_array<std::string_view>(
    {"launches", "blocks", "threads_per_block", "registers", "shared_bytes", "spill_bytes", "occupancy", "waves",
     "idle_share", "device_bytes", "intensity", "bank_conflicts", "active_lanes", "tensor_share"});

} // namespace

std::span<const std::string_view> verdictNames() {
    return verdictList;
}

std::span<const std::string_view> reasonNames() {
    return reasonList;
}

std::span<const std::string_view> figureNames() {
    return figureList;
}

} // namespace kernelarium::lesson
