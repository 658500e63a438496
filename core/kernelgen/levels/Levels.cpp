// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/levels/Levels.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace kernelarium::kernelgen {

std::string_view name(Place place) {
    switch (place) {
    case Place::device: return "device memory";
    case Place::constant: return "constant memory";
    case Place::shared: return "shared memory";
    case Place::registers: return "registers";
    }
    return {};
}

const Tile* Levels::tensor(std::string_view id) const {
    const auto it = std::find_if(tensors.begin(), tensors.end(), [id](const Tile& t) { return t.id == id; });
    return it == tensors.end() ? nullptr : &*it;
}

namespace {

/// The first flaw of a launch, whose ids join those known.
std::string flawOfLaunch(const Launch& launch, std::set<std::string>& ids) {
    if (!ids.insert(launch.id).second) return fmt::format("the id {} stands twice", launch.id);
    if (launch.kernel.empty()) return fmt::format("{} has no kernel", launch.id);
    for (const auto* amounts : {&launch.grid, &launch.block})
        for (const Amount& a : *amounts)
            if (a.value < 1) return fmt::format("{}: {} is {}", launch.kernel, a.formula, a.value);
    if (launch.times.value < 1) return fmt::format("{} is launched {} times", launch.kernel, launch.times.value);
    std::set<std::string> loops;
    for (const Loop& l : launch.loops) {
        if (!ids.insert(l.id).second) return fmt::format("the id {} stands twice", l.id);
        if (!l.parent.empty() && !loops.contains(l.parent))
            return fmt::format("the loop {} stands in {}, which is not there", l.id, l.parent);
        loops.insert(l.id);
    }
    for (const Tile& t : launch.tiles)
        if (!ids.insert(t.id).second) return fmt::format("the id {} stands twice", t.id);
    for (const Operator& o : launch.operators) {
        if (!ids.insert(o.id).second) return fmt::format("the id {} stands twice", o.id);
        if (!o.loop.empty() && !loops.contains(o.loop))
            return fmt::format("the operator {} stands in the loop {}, which is not there", o.id, o.loop);
    }
    for (const Edge& e : launch.edges)
        for (const std::string* end : {&e.from, &e.to})
            if (!ids.contains(*end)) return fmt::format("{}: an edge ends at {}, which is not there", launch.id, *end);
    return {};
}

std::string dims(const std::array<Amount, 3>& of) {
    std::string text = fmt::format("{}", of[0].value);
    if (of[1].value != 1 || of[2].value != 1) text += fmt::format(" x {}", of[1].value);
    if (of[2].value != 1) text += fmt::format(" x {}", of[2].value);
    return text;
}

std::string extentsText(const std::vector<Amount>& extents) {
    std::string text;
    for (const Amount& a : extents)
        text += (text.empty() ? "" : ", ") +
                (a.formula == std::to_string(a.value) ? a.formula : fmt::format("{} = {}", a.formula, a.value));
    return "[" + text + "]";
}

std::string tileText(const Tile& t) {
    return fmt::format("{} {} {} in {}{}", t.label, t.type, extentsText(t.extents), name(t.place),
                       t.detail.empty() ? "" : ": " + t.detail);
}

class LaunchText {
public:
    LaunchText(const Levels& levels, const Launch& launch)
        : m_levels(levels)
        , m_launch(launch) {}

    std::string run() {
        const Launch& l = m_launch;
        line(1, fmt::format("{}  {}", l.kernel, l.label));
        if (!l.detail.empty()) line(2, l.detail);
        if (l.times.value != 1) line(2, fmt::format("launched {} = {} times", l.times.formula, l.times.value));
        line(2, fmt::format("grid {}: {}  ({})", dims(l.grid), l.gridText, l.blockDoes));
        line(2, fmt::format("block {}: {}  ({})", dims(l.block), l.blockText, l.threadDoes));
        for (const Tile& t : l.tiles)
            line(2, "tile " + tileText(t));
        inLoop({}, 2);
        for (const Edge& e : l.edges)
            if (isStore(e)) line(2, fmt::format("store {} to {}{}", label(e.from), label(e.to), details(e)));
        return m_text;
    }

private:
    void line(int depth, const std::string& text) { m_text += std::string(std::size_t(depth) * 2, ' ') + text + "\n"; }
    [[nodiscard]] bool isStore(const Edge& e) const { return m_levels.tensor(e.to) != nullptr; }
    [[nodiscard]] static std::string details(const Edge& e) {
        return (e.map.empty() ? "" : " at " + e.map) + (e.detail.empty() ? "" : ", " + e.detail);
    }
    [[nodiscard]] std::string label(const std::string& id) const {
        if (const Tile* t = m_levels.tensor(id)) return t->label;
        for (const Tile& t : m_launch.tiles)
            if (t.id == id) return t.label;
        for (const Operator& o : m_launch.operators)
            if (o.id == id) return o.label;
        return id;
    }
    void inLoop(const std::string& loop, int depth) {
        for (const Operator& o : m_launch.operators) {
            if (o.loop != loop) continue;
            line(depth, fmt::format("{}: {}", o.label, o.formula));
            for (const Edge& e : m_launch.edges)
                if (e.to == o.id) line(depth + 1, fmt::format("reads {}{}", label(e.from), details(e)));
        }
        for (const Loop& l : m_launch.loops) {
            if (l.parent != loop) continue;
            line(depth, fmt::format("loop {}: {} = {} times{}", l.label, l.count.formula, l.count.value,
                                    l.detail.empty() ? "" : ", " + l.detail));
            inLoop(l.id, depth + 1);
        }
    }

    const Levels& m_levels;
    const Launch& m_launch;
    std::string m_text;
};

} // namespace

std::string flawOf(const Levels& levels) {
    std::set<std::string> ids;
    for (const Tile& t : levels.tensors) {
        if (!ids.insert(t.id).second) return fmt::format("the id {} stands twice", t.id);
        if (t.place != Place::device) return fmt::format("{} is not in device memory", t.label);
    }
    for (const Launch& l : levels.launches)
        if (std::string flaw = flawOfLaunch(l, ids); !flaw.empty()) return flaw;
    return levels.launches.empty() ? "there is no launch" : std::string();
}

std::string toText(const Levels& levels) {
    std::string text = fmt::format("Device memory, at size {}\n", levels.size);
    for (const Tile& t : levels.tensors)
        text += fmt::format("  {} {} {}{}\n", t.label, t.type, extentsText(t.extents),
                            t.detail.empty() ? "" : ": " + t.detail);
    text += fmt::format("Launches, in their order\n");
    for (const Launch& l : levels.launches)
        text += LaunchText(levels, l).run();
    return text;
}

} // namespace kernelarium::kernelgen
