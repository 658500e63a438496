// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/schedule/ScheduleReport.h"

#include "core/quantities/Quantities.h"
#include "core/sass/instruction/InstructionText.h"
#include "core/text/KernelName.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

using nlohmann::json;
using sass::Explanation;

json controlJson(const sass::Control& control) {
    const auto board = [](int number) { return number == sass::noScoreboard ? json() : json(number); };
    json waits = json::array(), reuse = json::array();
    for (int i = 0; i < sass::scoreboardCount; ++i)
        if (control.waits >> i & 1) waits.push_back(i);
    for (int i = 0; i < 3; ++i)
        if (control.reuse >> i & 1) reuse.push_back(std::string(1, char('A' + i)));
    return {{"stall", control.stall},
            {"yield", control.yields},
            {"write_barrier", board(control.writeBarrier)},
            {"read_barrier", board(control.readBarrier)},
            {"waits", waits},
            {"reuse", reuse}};
}

json waitsJson(const Explanation& e, const sass::InstructionWaits& waits) {
    json boards = json::array(), distances = json::array(), hazards = json::array();
    const auto place = [&](int id) { return e.code[std::size_t(id)].place; };
    const auto line = [&](int id) { return e.lines[std::size_t(id)] ? json(e.lines[std::size_t(id)]) : json(); };
    for (const sass::ScoreboardWait& one : waits.scoreboards) {
        json j = {{"scoreboard", one.scoreboard},           {"producer", place(one.producer)},
                  {"producer_line", line(one.producer)},    {"for", one.isResult ? "result" : "operands"},
                  {"registers", sass::text(one.registers)}, {"free", one.isFree},
                  {"wanted_here", one.isNeededHere}};
        if (one.neededBy) j["wanted_at"] = place(*one.neededBy);
        boards.push_back(std::move(j));
    }
    for (const sass::DistanceNeed& one : waits.distances) {
        const bool ofRegister =
            one.met.kind != sass::Dependence::samePipe && one.met.kind != sass::Dependence::scoreboardAge;
        json j = {
            {"dependence", sass::name(one.met.kind)},          {"producer", place(one.met.producer)},
            {"producer_line", line(one.met.producer)},         {"cycles", one.met.distance},
            {"needed", one.least ? json(*one.least) : json()}, {"slack", one.slack() ? json(*one.slack()) : json()}};
        if (ofRegister) j["register"] = sass::registerName(one.met.where);
        distances.push_back(std::move(j));
    }
    for (const sass::Observation& one : waits.hazards)
        hazards.push_back({{"hazard", sass::name(one.kind)},
                           {"producer", place(one.producer)},
                           {"register", sass::registerName(one.where)}});
    return {{"stall_before", waits.stallBefore},
            {"slack", waits.slack() ? json(*waits.slack()) : json()},
            {"scoreboards", boards},
            {"distances", distances},
            {"hazards", hazards}};
}

json pathJson(const Explanation& e, const sass::CriticalPath& path) {
    json steps = json::array();
    for (const sass::PathStep& step : path.steps) {
        if (step.cause == sass::IssueCause::order) continue;
        json j = {{"place", e.code[std::size_t(step.instruction)].place},
                  {"at_cycle", step.time},
                  {"cycles", step.cycles},
                  {"producer", step.from < 0 ? json() : json(e.code[std::size_t(step.from)].place)}};
        if (step.cause == sass::IssueCause::scoreboard) j["scoreboard"] = step.scoreboard;
        steps.push_back(std::move(j));
    }
    return {{"scoreboard_cycles", path.scoreboard},
            {"distance_cycles", path.distance},
            {"order_cycles", path.order},
            {"steps", steps}};
}

json warpsJson(const Explanation& e, const sass::LoopModel& model, int asked) {
    const int warps = asked > 0 ? asked : e.residentWarps;
    if (warps <= 0) return {};
    return {{"warps_a_scheduler", warps},
            {"cycles_a_turn", model.cyclesATurn(warps)},
            {"one_fewer", warps > 1 ? json(model.cyclesATurn(warps - 1)) : json()},
            {"one_more", model.cyclesATurn(warps + 1)}};
}

json loopJson(const Explanation& e, const sass::ExplainedLoop& loop, int warps) {
    json busy = json::object(), waits = json::array();
    for (const auto& [pipe, cycles] : loop.model.busy)
        busy[std::string(sass::name(pipe))] = cycles;
    for (const sass::ModelledIssue& one : loop.model.issues)
        if (one.waited > 0)
            waits.push_back({{"place", e.code[std::size_t(one.instruction)].place},
                             {"cycles", one.waited},
                             {"scoreboard", one.scoreboard},
                             {"producer", e.code[std::size_t(one.waitedFor)].place}});
    return {{"first", e.code[std::size_t(loop.first)].place},
            {"last", e.code[std::size_t(loop.last)].place},
            {"depth", loop.loop.depth},
            {"figures", "modelled"},
            {"instructions", loop.model.instructions},
            {"cycles_alone", loop.model.cycles},
            {"stall_cycles", loop.model.stalls},
            {"pipe_cycles", busy},
            {"busiest_pipe", sass::name(loop.model.busiest)},
            {"enough_warps", loop.model.enoughWarps()},
            {"resident", warpsJson(e, loop.model, warps)},
            {"critical_path", pathJson(e, loop.path)},
            {"waits", waits}};
}

std::string headText(const Explanation& e) {
    std::string out = fmt::format("{}  sm_{}, {}", text::kernelTitle(e.kernel), e.computeCapability,
                                  quantities::counted(double(e.code.size()), "instruction"));
    if (e.unknownOperations) out += fmt::format(", {} UNKNOWN", e.unknownOperations);
    out += e.hazards ? fmt::format(", {} NOT EXPLAINED", quantities::counted(double(e.hazards), "hazard"))
                     : std::string(", every hazard explained");
    return out + fmt::format("; least distances mined from {}\n", sass::minedFrom());
}

} // namespace

bool isReported(const Explanation& e, const ReportedPart& part, int instruction) {
    if (part.line > 0) return e.lines[std::size_t(instruction)] == part.line;
    const sass::ExplainedLoop* hot = part.whole ? nullptr : e.hotLoop();
    return !hot || (instruction >= hot->first && instruction <= hot->last);
}

std::string scheduleText(const Explanation& e, const ReportedPart& part) {
    std::string out = headText(e);
    if (part.waits)
        for (const sass::ExplainedLoop& loop : e.loops)
            if (part.whole || &loop == e.hotLoop())
                for (const std::string& line : sass::loopLines(e, loop, part.warps))
                    out += line + "\n";
    for (int i = 0; i < int(e.code.size()); ++i) {
        if (!isReported(e, part, i)) continue;
        const sass::Instruction& one = e.code[std::size_t(i)];
        const int line = e.lines[std::size_t(i)];
        out += fmt::format("{:#06x}  {}  {:>5}  {}\n", one.place, sass::text(one.control),
                           line ? std::to_string(line) : std::string("-"), sass::text(one));
        if (part.waits)
            for (const std::string& wait : sass::waitLines(e, i))
                out += fmt::format("{:>16}{}\n", "", wait);
    }
    return out;
}

json scheduleJson(const Explanation& e, const ReportedPart& part) {
    json loops = json::array(), instructions = json::array();
    for (const sass::ExplainedLoop& loop : e.loops)
        loops.push_back(loopJson(e, loop, part.warps));
    for (int i = 0; i < int(e.code.size()); ++i) {
        if (!isReported(e, part, i)) continue;
        const sass::Instruction& one = e.code[std::size_t(i)];
        json j = {
            {"place", one.place},           {"text", sass::text(one)},        {"control", controlJson(one.control)},
            {"unit", sass::name(one.unit)}, {"reads", sass::text(one.reads)}, {"writes", sass::text(one.writes)}};
        if (e.lines[std::size_t(i)]) j["line"] = e.lines[std::size_t(i)];
        if (one.fence != sass::Fence::none) j["fence"] = sass::name(one.fence);
        if (part.waits) j["why"] = waitsJson(e, e.waits[std::size_t(i)]);
        instructions.push_back(std::move(j));
    }
    return {{"kernel", e.kernel},
            {"name", text::kernelTitle(e.kernel)},
            {"arch", "sm_" + std::to_string(e.computeCapability)},
            {"file", e.file},
            {"registers", e.registers},
            {"unknown_operations", e.unknownOperations},
            {"unexplained_hazards", e.hazards},
            {"distances_from", sass::minedFrom()},
            {"loops", loops},
            {"instructions", instructions}};
}

} // namespace kernelarium::cli
