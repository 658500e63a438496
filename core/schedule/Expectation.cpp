// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/Expectation.h"

#include "core/quantities/Quantities.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::schedule {

namespace {

// Where another schedule had room at all: few warps to hide what one waits for, a loop with something to arrange.
constexpr int fewWarps = 8, longLoop = 60, fewPipes = 2;
constexpr double busyShare = 0.1, nearRoofShare = 0.85;

} // namespace

Expectation expectationOf(const sass::Explanation& e, std::optional<int> warps, std::optional<double> nearRoof) {
    Expectation out;
    out.warps = warps;
    const sass::ExplainedLoop* hot = e.hotLoop();
    const int first = hot ? hot->first : 0, last = hot ? hot->last : int(e.code.size()) - 1;
    for (int i = first; i <= last; ++i) {
        const sass::Instruction& one = e.code[std::size_t(i)];
        out.hotInstructions += one.fence != sass::Fence::padding;
        out.movable += one.fence == sass::Fence::none;
    }
    std::string why;
    const auto object = [&](const std::string& text) { why += (why.empty() ? "" : "; ") + text; };
    if (hot) {
        const sass::LoopModel& model = hot->model;
        for (const auto& [pipe, held] : model.busy)
            if (pipe != sass::IssuePipe::other && held >= busyShare * model.cycles)
                out.pipes.emplace_back(sass::name(pipe));
        const int resident = warps.value_or(1);
        out.latencyShare = double(model.cycles) / (double(model.floor()) * std::max(resident, 1));
        const bool isIssue = model.floor() == model.instructions;
        out.limit = out.latencyShare > 1 ? "latency" : isIssue ? "issue" : std::string(sass::name(model.busiest));
        if (int(out.pipes.size()) < fewPipes) object("its hot loop keeps fewer than two pipes busy");
    } else {
        out.limit = "unknown";
        object("it has no loop");
    }
    if (out.hotInstructions < longLoop)
        object(fmt::format("there are only {} to arrange", quantities::counted(out.hotInstructions, "instruction")));
    if (warps && *warps > fewWarps)
        object(fmt::format("{} warps on each scheduler hide what one of them waits for", *warps));
    if (nearRoof && *nearRoof >= nearRoofShare)
        object(fmt::format("it reaches {:.0f}% of what the GPU can do", 100 * *nearRoof));
    out.isWorthIt = why.empty();
    std::string pipes;
    for (const std::string& pipe : out.pipes)
        pipes += (pipes.empty() ? "" : ", ") + pipe;
    const std::string all = quantities::counted(out.hotInstructions, "instruction");
    out.words = hot ? fmt::format("{} of {} in the hot loop may move; busy pipes: {}; {} limits it ({}, modelled). ",
                                  out.movable, all, pipes.empty() ? "none" : pipes, out.limit,
                                  warps ? fmt::format("{} a scheduler", quantities::counted(*warps, "warp"))
                                        : std::string("one warp alone"))
                    : fmt::format("{} of {} may move. ", out.movable, all);
    out.words += out.isWorthIt ? "There may be room: 0 to 6% on code of ptxas 13 where other searches found any."
                               : "Expect no gain beyond noise: " + why + ".";
    return out;
}

} // namespace kernelarium::schedule
