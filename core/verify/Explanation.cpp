// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Explanation.h"

#include <array>
#include <utility>

namespace kernelarium::verify {

namespace {

using Entry = std::pair<std::string_view, std::string_view>;

constexpr std::array<Entry, 21> explanations = {{
    {"finishes", "A launch outside the device's limits, or one that fails, leaves whatever was in memory. Every launch "
                 "error is checked, also those that the host code does not ask for."},
    {"output_written", "A kernel that leaves elements unwritten passes where recycled memory still holds the right "
                       "answer. Here every byte "
                       "knows whether it was written since it was allocated."},
    {"values",
     "Every element is compared with a float64 evaluation of the task. The tolerance is scaled to the reference's root "
     "mean "
     "square, so that small numbers are not lost in an absolute one. NaN is right only where the reference is NaN."},
    {"inputs_unchanged", "A kernel that overwrites its inputs changes what a reference computed afterwards gives, and "
                         "then agrees with it. The "
                         "reference has its own copies, and the inputs are hashed before and after."},
    {"guard_bands", "Writes just before or after an allocation damage a neighbour and go unnoticed. Each allocation "
                    "lies between bands of known bytes."},
    {"memory_faults",
     "Reads and writes outside an allocation may hit memory that happens to exist. Each access is checked against the "
     "allocation that it belongs to, and for alignment and initialisation."},
    {"side_streams", "Work on another stream is not covered by the events that time a call, and may not be done when "
                     "its result is read. "
                     "The order that streams, events and waits give is followed."},
    {"stream_order", "Launches on different streams overlap unless an event or a wait puts them in order, and in a "
                     "quiet moment the right one may still come first. Those that nothing orders are executed in the "
                     "opposite order: the result must not change."},
    {"trivial_answers", "Where zeros, a constant or a copy of an input are within the tolerance, being within it says "
                        "little. The kernel's error is then compared with that of the trivial answer."},
    {"second_seed",
     "A kernel may hold the answer to the inputs that it was tested with. It is run again with other inputs, at other "
     "addresses, in memory filled with another pattern."},
    {"stronger_inputs",
     "Parameters that are 1 or 0 everywhere, or outputs that cancel to nothing, hide mistakes. Where that makes a "
     "trivial answer as good as the right one, inputs and parameters are drawn for which it is not."},
    {"uneven_inputs", "Of many independent numbers the mean, the spread and the largest are known without looking at "
                      "them, and so are those of "
                      "a part of them. It is run with inputs that grow towards their ends and are not centred on 0."},
    {"precision", "Half precision or tensor cores are faster and less exact. The error is compared with that of a "
                  "plain float32 evaluation, and matrix instructions are named."},
    {"poison_influence",
     "What a kernel reads and never wrote should not show. The same inputs are run again in memory filled with another "
     "pattern; the results have to agree."},
    {"perturbation", "A kernel may leave out an input or a weight that hardly matters with the tested values. Each "
                     "tensor is moved in turn: "
                     "the result has to move as the reference moves, also far below the tolerance."},
    {"other_shape",
     "A kernel may be right at the tested shapes only. It is tried at a size that no usual block size divides; failing "
     "there is a remark, since a task asks for its own shapes."},
    {"cached_result", "A kernel may compute on its first calls and return what it kept on later ones. After several "
                      "calls in one process it "
                      "gets new inputs, at new addresses and at old ones."},
    {"idle_kernels", "A kernel may launch something for show while the answer comes from elsewhere. Its launches are "
                     "skipped: the answer has to be gone."},
    {"races", "Two threads that access the same bytes with nothing between them to order it give one result today and "
              "another tomorrow. Every access is compared with those before it; where two are not ordered, blocks and "
              "warps are executed in other orders, and the result must not change. It also must not change when the "
              "lanes of a warp take turns the other way round at divergent branches and in atomics."},
    {"library_calls", "A kernel may leave the work to PyTorch or cuBLAS. The floating-point operations of its own "
                      "kernels and of library "
                      "calls are counted."},
    {"physical_floor",
     "No code is faster than moving the bytes that it cannot avoid, or than the operations that it executes. A claimed "
     "time below that bound was not measured as it should be."},
}};

constexpr std::array<Entry, 28> meanings = {{
    {"sampled", "At its full size this task would take over a minute here: a share of the blocks was executed, and "
                "what depends on these alone was compared."},
    {"beyond_sample",
     "A share of the blocks is not enough to tell: the executed blocks need what others would have written."},
    {"legacy_tolerance_only", "Within 1e-2 but not within 1e-4 of the reference."},
    {"lower_precision",
     "Its error is many times that of a plain float32 evaluation: lower precision or a rougher formula."},
    {"tensor_cores", "Its kernels use matrix instructions, whose factors have fewer bits than float32."},
    {"ill_conditioned", "Float32 arithmetic itself misses the tolerance here; the kernel is no worse."},
    {"weak_task", "With these inputs an answer that needs no work would pass."},
    {"trivial_answer", "Within the tolerance, but hardly closer to the truth than an answer that needs no work."},
    {"weak_inputs_only", "Right only with inputs for which a trivial answer is right as well."},
    {"assumes_inputs", "Right only with inputs whose statistics are those of the tested ones."},
    {"overflows", "With inputs some five times as large its results are not finite, where the reference's are."},
    {"uneven_precision", "Less exact with inputs that are not all alike."},
    {"shape_specific", "Not right at another size than the task's own."},
    {"library_calls", "Part of the work is done by library calls."},
    {"only_library_calls", "It launches no kernel of its own."},
    {"side_stream", "Work on another stream that nothing waits for."},
    {"side_streams", "It uses other streams, and waits for them."},
    {"below_physical_floor", "The claimed time is below what the device could reach."},
    {"not_repeatable", "Two runs with the same inputs differ in the last bits, as floating-point atomics make them."},
    {"unit_dimensions", "The shape differs from the reference's by dimensions of size 1."},
    {"updates_statistics", "It updates running statistics, as the task itself does."},
    {"race", "Accesses to the same bytes that nothing orders."},
    {"stream_race", "Launches on different streams that have to be in order, and are not."},
    {"benign_race", "Accesses to the same bytes that nothing orders, without effect on the result."},
    {"benign_uninitialised_read", "It reads memory that was never written; the result does not depend on it."},
    {"ignores_input", "The result does not move with an input as the reference does."},
    {"cached_result", "It keeps results or state from one call to the next."},
    {"idle_kernels", "The answer is right even when its kernels do nothing."},
}};

template <std::size_t n> std::string_view find(const std::array<Entry, n>& entries, std::string_view name) {
    for (const auto& [key, text] : entries)
        if (key == name) return text;
    return {};
}

} // namespace

std::string_view explanationOf(std::string_view check) {
    return find(explanations, check);
}

std::string_view meaningOf(std::string_view reasonOrRemark) {
    return find(meanings, reasonOrRemark);
}

} // namespace kernelarium::verify
