// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/RecordMessages.h"

#include "gpu/protocol/RecordedSteps.h"

#include <bit>
#include <stdexcept>

namespace kernelarium::protocol {

namespace {

using nlohmann::json;
using recording::Recording;

json registersJson(const Recording& r) {
    json list = json::array();
    for (const recording::Register& reg : r.registers)
        list.push_back({{"name", reg.name}, {"type", reg.type}, {"function", reg.function}, {"words", reg.words}});
    return list;
}

json instructionsJson(const Recording& r) {
    json list = json::array();
    for (const recording::Instruction& i : r.instructions)
        list.push_back({{"text", i.text},
                        {"line", i.line},
                        {"ptx_line", i.textLine},
                        {"function", i.function},
                        {"barrier", i.isBarrier}});
    return list;
}

json allocationsJson(const Recording& r) {
    json list = json::array();
    for (const recording::Allocation& a : r.allocations)
        list.push_back({{"label", a.label}, {"address", a.address}, {"bytes", a.bytes}});
    return list;
}

json baseJson(const Recording& r) {
    json list = json::array();
    for (const recording::RegisterState& s : r.base)
        list.push_back(
            {{"warp", s.warp}, {"frame", s.frame}, {"register", s.reg}, {"written", s.written}, {"values", s.values}});
    return list;
}

template <class T> T valueOr(const json& j, const char* key, T otherwise) {
    return j.contains(key) && !j.at(key).is_null() ? j.at(key).get<T>() : otherwise;
}

template <class T> std::optional<T> maybe(const json& j, const char* key) {
    if (!j.contains(key) || j.at(key).is_null()) return std::nullopt;
    return j.at(key).get<T>();
}

void readTables(const json& j, Recording& r) {
    r.functions = j.at("functions").get<std::vector<std::string>>();
    for (const json& x : j.at("registers"))
        r.registers.push_back({x.at("name").get<std::string>(), x.at("type").get<std::string>(),
                               x.at("function").get<std::uint32_t>(), x.at("words").get<std::uint32_t>()});
    for (const json& x : j.at("instructions"))
        r.instructions.push_back({x.at("text").get<std::string>(), x.at("line").get<int>(), x.at("ptx_line").get<int>(),
                                  x.at("function").get<std::uint32_t>(), x.at("barrier").get<bool>()});
    for (const json& x : j.at("allocations"))
        r.allocations.push_back({x.at("label").get<std::string>(), x.at("address").get<std::uint64_t>(),
                                 x.at("bytes").get<std::uint64_t>()});
    for (const json& x : j.at("base"))
        r.base.push_back({x.at("warp").get<std::uint32_t>(), x.at("frame").get<std::uint64_t>(),
                          x.at("register").get<std::uint32_t>(), x.at("written").get<std::uint32_t>(),
                          x.at("values").get<std::vector<std::uint64_t>>()});
    r.sharedBase = j.at("shared").get<std::vector<std::uint32_t>>();
    r.sharedWritten = j.at("shared_written").get<std::vector<std::uint8_t>>();
}

void readRest(const json& j, Recording& r) {
    r.kernel = j.at("kernel").get<std::string>();
    r.launch = j.at("launch").get<std::uint32_t>();
    r.grid = j.at("grid").get<recording::Place>();
    r.blockSize = j.at("block_size").get<recording::Place>();
    r.block = j.at("block").get<recording::Place>();
    r.warps = j.at("warps").get<std::uint32_t>();
    r.onlyWarp = maybe<std::uint32_t>(j, "warp");
    r.line = j.at("line").get<int>();
    r.lineStep = maybe<std::size_t>(j, "line_step");
    r.skipped = j.at("skipped").get<std::uint64_t>();
    r.isCut = j.at("cut").get<bool>();
    readTables(j, r);
}

void require(bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
}

/// A recording's numbers are used as indexes.
void checkIndexes(const Recording& r) {
    const auto isRegister = [&](std::uint32_t reg, std::size_t words, std::uint32_t lanes) {
        return reg < r.registers.size() && words == std::size_t(std::popcount(lanes)) * r.registers[reg].words;
    };
    require(r.sharedWritten.size() == r.sharedBase.size(), "shared memory of two sizes");
    require(!r.lineStep || *r.lineStep < r.steps.size(), "the line's step is none of it");
    for (const recording::Register& reg : r.registers)
        require((reg.words == 1 || reg.words == 2) && reg.function < r.functions.size(), "a register's width");
    for (const recording::Instruction& i : r.instructions)
        require(i.function < r.functions.size(), "a function that is not there");
    for (const recording::RegisterState& s : r.base)
        require(isRegister(s.reg, s.values.size(), ~0u), "a register's lanes");
    for (const recording::Step& s : r.steps) {
        require(s.instruction < r.instructions.size(), "an instruction that is not there");
        for (const recording::RegisterChange& c : s.registers)
            require(isRegister(c.reg, c.before.size(), c.lanes) && isRegister(c.reg, c.after.size(), c.lanes),
                    "a register's lanes");
        for (const recording::SharedChange& c : s.shared)
            require(c.word < r.sharedBase.size(), "a word outside shared memory");
    }
}

} // namespace

json toJson(const recording::Request& r) {
    return {{"launch", r.launch ? json(*r.launch) : json(nullptr)},
            {"block", r.block},
            {"warp", r.warp ? json(*r.warp) : json(nullptr)},
            {"line", r.line},
            {"max_steps", r.maxSteps}};
}

json toJson(const RecordParameters& p) {
    json j = toJson(p.run);
    j.update(toJson(p.request));
    return j;
}

Result<RecordParameters> recordParametersFromJson(const json& j) {
    Result<RunParameters> run = runParametersFromJson(j);
    if (!run) return run.error();
    RecordParameters p;
    p.run = std::move(*run);
    try {
        p.request.launch = maybe<std::uint32_t>(j, "launch");
        p.request.block = valueOr(j, "block", p.request.block);
        p.request.warp = maybe<std::uint32_t>(j, "warp");
        p.request.line = valueOr(j, "line", p.request.line);
        p.request.maxSteps = valueOr(j, "max_steps", p.request.maxSteps);
    } catch (const std::exception& failure) {
        return Error{"bad_request", std::string("Not a record request: ") + failure.what()};
    }
    return p;
}

json pageJson(const Recording& r, std::size_t first) {
    json steps = json::array();
    for (std::size_t k = first; k < std::min(r.steps.size(), first + pageSteps); ++k)
        steps.push_back(stepJson(r.steps[k]));
    return {{"steps", std::move(steps)}};
}

json restJson(const Recording& r) {
    return {{"kernel", r.kernel},
            {"launch", r.launch},
            {"grid", r.grid},
            {"block_size", r.blockSize},
            {"block", r.block},
            {"warps", r.warps},
            {"warp", r.onlyWarp ? json(*r.onlyWarp) : json(nullptr)},
            {"line", r.line},
            {"line_step", r.lineStep ? json(*r.lineStep) : json(nullptr)},
            {"skipped", r.skipped},
            {"cut", r.isCut},
            {"functions", r.functions},
            {"registers", registersJson(r)},
            {"instructions", instructionsJson(r)},
            {"allocations", allocationsJson(r)},
            {"base", baseJson(r)},
            {"shared", r.sharedBase},
            {"shared_written", r.sharedWritten},
            {"step_count", r.steps.size()}};
}

json toJson(const Recording& r) {
    json j = restJson(r);
    json& steps = j["steps"] = json::array();
    for (const recording::Step& s : r.steps)
        steps.push_back(stepJson(s));
    return j;
}

Result<void> RecordingReader::addPage(const json& page) {
    try {
        for (const json& j : page.at("steps"))
            m_recording.steps.push_back(stepFromJson(j));
    } catch (const std::exception& failure) {
        return Error{"bad_request", std::string("Not steps of a recording: ") + failure.what()};
    }
    return {};
}

Result<std::shared_ptr<const Recording>> RecordingReader::finish(const json& rest) {
    try {
        readRest(rest, m_recording);
        require(rest.at("step_count").get<std::size_t>() == m_recording.steps.size(), "steps are missing");
        checkIndexes(m_recording);
    } catch (const std::exception& failure) {
        return Error{"bad_request", std::string("Not a recording: ") + failure.what()};
    }
    return std::shared_ptr<const Recording>(std::make_shared<Recording>(std::move(m_recording)));
}

} // namespace kernelarium::protocol
