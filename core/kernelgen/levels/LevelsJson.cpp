// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/levels/Levels.h"

#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::kernelgen {

using nlohmann::json;

namespace {

json amountJson(const Amount& a) {
    return {{"formula", a.formula}, {"value", a.value}};
}
Amount amountOf(const json& j) {
    return {j.at("formula").get<std::string>(), j.at("value").get<std::int64_t>()};
}
template <class List> json amountsJson(const List& list) {
    json out = json::array();
    for (const Amount& a : list)
        out.push_back(amountJson(a));
    return out;
}
std::array<Amount, 3> threeOf(const json& j) {
    if (j.size() != 3) throw std::runtime_error("a grid or block has three extents");
    return {amountOf(j[0]), amountOf(j[1]), amountOf(j[2])};
}

template <class T> void addNode(json& j, const T& node) {
    j["id"] = node.id;
    j["label"] = node.label;
    j["detail"] = node.detail;
}
template <class T> T nodeOf(const json& j) {
    T node;
    node.id = j.at("id").get<std::string>();
    node.label = j.at("label").get<std::string>();
    node.detail = j.at("detail").get<std::string>();
    return node;
}

constexpr Place places[] = {Place::device, Place::constant, Place::shared, Place::registers};

json tileJson(const Tile& t) {
    json j{{"place", name(t.place)}, {"tensor", t.tensor}, {"type", t.type}, {"extents", amountsJson(t.extents)}};
    addNode(j, t);
    return j;
}
Tile tileOf(const json& j) {
    Tile t = nodeOf<Tile>(j);
    const auto place = j.at("place").get<std::string>();
    bool known = false;
    for (const Place p : places)
        if (name(p) == place) t.place = p, known = true;
    if (!known) throw std::runtime_error(fmt::format("no place is called {}", place));
    t.tensor = j.at("tensor").get<std::string>();
    t.type = j.at("type").get<std::string>();
    for (const json& a : j.at("extents"))
        t.extents.push_back(amountOf(a));
    return t;
}
template <class T, class F> json listJson(const std::vector<T>& list, F&& one) {
    json out = json::array();
    for (const T& item : list)
        out.push_back(one(item));
    return out;
}

json launchJson(const Launch& l) {
    json j{{"kernel", l.kernel},        {"times", amountJson(l.times)}, {"grid_text", l.gridText},
           {"block_text", l.blockText}, {"grid", amountsJson(l.grid)},  {"block", amountsJson(l.block)},
           {"block_does", l.blockDoes}, {"thread_does", l.threadDoes},  {"counters", perf::toJson(l.counters)}};
    addNode(j, l);
    j["loops"] = listJson(l.loops, [](const Loop& loop) {
        json o{{"parent", loop.parent}, {"count", amountJson(loop.count)}};
        addNode(o, loop);
        return o;
    });
    j["tiles"] = listJson(l.tiles, tileJson);
    j["operators"] = listJson(l.operators, [](const Operator& op) {
        json o{{"loop", op.loop}, {"formula", op.formula}};
        addNode(o, op);
        return o;
    });
    j["edges"] = listJson(l.edges, [](const Edge& e) {
        return json{{"from", e.from}, {"to", e.to}, {"map", e.map}, {"detail", e.detail}};
    });
    return j;
}

Launch launchOf(const json& j) {
    Launch l = nodeOf<Launch>(j);
    l.kernel = j.at("kernel").get<std::string>();
    l.times = amountOf(j.at("times"));
    l.gridText = j.at("grid_text").get<std::string>();
    l.blockText = j.at("block_text").get<std::string>();
    l.grid = threeOf(j.at("grid"));
    l.block = threeOf(j.at("block"));
    l.blockDoes = j.at("block_does").get<std::string>();
    l.threadDoes = j.at("thread_does").get<std::string>();
    for (const json& o : j.at("loops")) {
        Loop loop = nodeOf<Loop>(o);
        loop.parent = o.at("parent").get<std::string>();
        loop.count = amountOf(o.at("count"));
        l.loops.push_back(std::move(loop));
    }
    for (const json& o : j.at("tiles"))
        l.tiles.push_back(tileOf(o));
    for (const json& o : j.at("operators")) {
        Operator op = nodeOf<Operator>(o);
        op.loop = o.at("loop").get<std::string>();
        op.formula = o.at("formula").get<std::string>();
        l.operators.push_back(std::move(op));
    }
    for (const json& o : j.at("edges"))
        l.edges.push_back({o.at("from").get<std::string>(), o.at("to").get<std::string>(),
                           o.at("map").get<std::string>(), o.at("detail").get<std::string>()});
    Result<perf::LaunchCounters> counters = perf::launchCountersFromJson(j.at("counters"));
    if (!counters) throw std::runtime_error(counters.error().message);
    l.counters = *std::move(counters);
    return l;
}

} // namespace

json toJson(const Levels& levels) {
    return {{"size", levels.size},
            {"tensors", listJson(levels.tensors, tileJson)},
            {"launches", listJson(levels.launches, launchJson)}};
}

Result<Levels> levelsFromJson(const json& j) {
    try {
        Levels levels;
        levels.size = j.at("size").get<std::string>();
        for (const json& t : j.at("tensors"))
            levels.tensors.push_back(tileOf(t));
        for (const json& l : j.at("launches"))
            levels.launches.push_back(launchOf(l));
        if (const std::string flaw = flawOf(levels); !flaw.empty())
            return Error{"bad_input", fmt::format("These are no levels of a kernel file: {}.", flaw)};
        return levels;
    } catch (const std::exception& e) {
        return Error{"bad_input", fmt::format("These are no levels of a kernel file: {}.", e.what())};
    }
}

} // namespace kernelarium::kernelgen
