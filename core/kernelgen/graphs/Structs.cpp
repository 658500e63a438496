// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/graphs/Structs.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen::graphs {

namespace {

std::string tileLine(const Code& code, std::size_t i) {
    const bool isStaged = code.subject().isInput(i) && code.plan().spanOf(i) == Plan::Span::loop;
    return fmt::format("alignas(16) {} {}{}[{}];\n", code.tileType(i), code.name(i), isStaged ? "[stages]" : "",
                       code.sizeName(i));
}

} // namespace

void addConstants(const Code& code) {
    code.file().constant(
        fmt::format("constexpr int threads = {}; // tune: pow2 64..512 # of a block", code.subject().sizes.threads));
    for (std::size_t k = 0; k < code.subject().axes.size(); ++k) {
        const Axis& axis = code.subject().axes[k];
        const std::string& where = code.subject().problem.axisNames[k];
        const auto line = [&](const std::string& what) {
            code.file().constant(fmt::format("constexpr int {} = {}; // {}", axis.tileName(), axis.tile, what));
        };
        switch (axis.kind) {
        case Axis::Kind::grid:
            line(axis.tile == 1 ? fmt::format("of {}, in a block", where)
                                : fmt::format("tune: pow2 8..128 # of {}, in a block", where));
            break;
        case Axis::Kind::loop:
        case Axis::Kind::walked: line(fmt::format("tune: pow2 16..128 # of {}, in a step", where)); break;
        case Axis::Kind::split: line(fmt::format("tune: pow2 16..256 # of {}, in a part", where)); break;
        case Axis::Kind::whole: line(fmt::format("of {}, all of which a block has: no more are taken", where)); break;
        }
    }
    if (code.subject().walkedAxis())
        code.file().constant(fmt::format("constexpr int stepsEach = {}; // tune: pow2 1..64 # of a part",
                                         code.subject().sizes.stepsEach));
    if (code.subject().hasLoop())
        code.file().constant(fmt::format("constexpr int stages = {}; // tune: 2..4 # of what a step loads",
                                         code.subject().sizes.stages));
    for (std::size_t i = 0; i < code.subject().tiles.size(); ++i) {
        if (!code.plan().isShared(i) && !code.plan().isLoadedAgain(i)) continue;
        const std::vector<int> axes = code.subject().axesOf(i);
        const int pad = code.tileType(i) == "float" ? 4 : 8;
        std::string size = axes.empty() ? "1" : code.subject().axes[std::size_t(axes.back())].tileName();
        if (axes.size() > 1) {
            code.file().constant(fmt::format("constexpr int {} = {} + {}; // from one line of a tile to the next",
                                             code.lineName(i), size, pad));
            size = code.elements({axes.begin(), axes.end() - 1}) + " * " + code.lineName(i);
        }
        code.file().constant(fmt::format("constexpr int {} = {};", code.sizeName(i), size));
    }
}

std::string sizesText(const Code& code) {
    std::string text = "/// Extents of the axes, and what follows from them.\nstruct Sizes {\n";
    for (const Axis& axis : code.subject().axes)
        text += fmt::format("Index {};\n", axis.name);
    if (code.subject().hasSplit()) text += "Index parts; // of the split axis\n";
    for (const auto& [member, host] : code.sizedConstants())
        text += fmt::format("float {};\n", member);
    return text + "};\n\n";
}

std::string placeText(const Code& code) {
    std::string text =
        "/// Where a block stands, and how many indices there are from there on in its tile.\nstruct Place {\n";
    bool isAny = false;
    for (const Axis& axis : code.subject().axes)
        if (axis.isPlaced()) text += fmt::format("Index first{}, count{};\n", axis.name, axis.name), isAny = true;
    if (code.subject().hasSplit()) text += "Index part;\n";
    if (!isAny) text += "Index none;\n";
    text += "};\n\n__device__ Place placeOf(const Sizes& size) {\nPlace at{};\nIndex block = blockIdx.x;\n";
    std::vector<const Axis*> grid;
    for (const Axis& axis : code.subject().axes)
        if (axis.kind == Axis::Kind::grid) grid.insert(grid.begin(), &axis);
    for (std::size_t k = 0; k < grid.size(); ++k) {
        const Axis& a = *grid[k];
        text += fmt::format("const Index blocks{0} = ({1} + {2} - 1) / {2};\n", a.name, a.extent(), a.tileName());
        text +=
            fmt::format("at.first{0} = block % blocks{0} * {1};\nat.count{0} = min(Index({1}), {2} - at.first{0});\n",
                        a.name, a.tileName(), a.extent());
        text += fmt::format("block /= blocks{};\n", a.name);
    }
    if (code.subject().hasSplit()) text += "at.part = block;\n";
    for (const Axis& a : code.subject().axes) {
        const auto count = [&] {
            text +=
                fmt::format("at.count{0} = min(Index({1}), {2} - at.first{0});\n", a.name, a.tileName(), a.extent());
        };
        if (a.kind == Axis::Kind::split)
            text += fmt::format("at.first{} = at.part * {};\n", a.name, a.tileName()), count();
        if (a.kind == Axis::Kind::walked)
            text += fmt::format("at.first{} = at.part * (stepsEach * {});\n", a.name, a.tileName()), count();
        if (a.kind == Axis::Kind::loop) count();
    }
    text += "return at;\n}\n\n";
    if (const Axis* a = code.subject().loopAxis()) {
        const std::string end = code.subject().walkedAxis() ? fmt::format("min({}, at.first{} + stepsEach * {})",
                                                                          a->extent(), a->name, a->tileName())
                                                            : a->extent();
        text += fmt::format("/// How many steps the block's loop has.\n"
                            "__device__ Index stepsFrom(const Sizes& size, const Place& at) {{\n"
                            "const Index end = {1};\nreturn (end - at.first{0} + {2} - 1) / {2};\n}}\n\n",
                            a->name, end, a->tileName());
        text += fmt::format("/// The place of a step, from that of the first.\n"
                            "__device__ Place placeOfStep(const Sizes& size, Place at, Index step) {{\n"
                            "const Index end = {1};\nat.first{0} += step * {2};\n"
                            "at.count{0} = min(Index({2}), end - at.first{0});\nreturn at;\n}}\n\n",
                            a->name, end, a->tileName());
    }
    return text;
}

std::string tilesText(const Code& code, bool isSecond) {
    std::string always, during, after;
    if (isSecond) {
        std::set<std::size_t> made;
        for (const Action& action : code.plan().actions(true))
            if (action.kind != Action::Kind::store && made.insert(action.made).second)
                always += fmt::format("alignas(16) {} {}[{}];\n", code.tileType(action.made), code.name(action.made),
                                      code.sizeName(action.made));
        return "/// The tiles of the second launch's block in shared memory.\nstruct SecondTiles {\n" + always +
               "};\n\n";
    }
    for (std::size_t i = 0; i < code.subject().tiles.size(); ++i) {
        if (!code.plan().isShared(i)) continue;
        switch (code.plan().spanOf(i)) {
        case Plan::Span::always: always += tileLine(code, i); break;
        case Plan::Span::loop: during += tileLine(code, i); break;
        case Plan::Span::after: after += tileLine(code, i); break;
        case Plan::Span::second: break;
        }
    }
    std::string text = "/// The block's tiles in shared memory.\nstruct Tiles {\n" + always;
    if (!during.empty()) text += "struct Loop {\n" + during + "};\n";
    if (!after.empty()) text += "struct After {\n" + after + "};\n";
    if (!during.empty() && !after.empty())
        text += "union { // the loop's are no longer needed after it\nLoop loop;\nAfter after;\n};\n";
    else if (!during.empty())
        text += "Loop loop;\n";
    else if (!after.empty())
        text += "After after;\n";
    return text + "};\n\n";
}

} // namespace kernelarium::kernelgen::graphs
