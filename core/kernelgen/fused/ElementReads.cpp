// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/fused/ElementReads.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen {

using algebra::Graph;
using algebra::Tensor;

const char* const loadText = "/// `width` neighbours, 1 or 4: one load of 16 bytes, on a border of that.\n"
                             "template <int width> __device__ void load(float (&to)[width], const float* from) {\n"
                             "    if constexpr (width == 4) {\n"
                             "        const float4 four = *reinterpret_cast<const float4*>(from);\n"
                             "        to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;\n"
                             "    } else {\n"
                             "        to[0] = *from;\n"
                             "    }\n"
                             "}\n\n";
const char* const storeText =
    "template <int width> __device__ void store(float* to, const float (&from)[width]) {\n"
    "    if constexpr (width == 4)\n"
    "        *reinterpret_cast<float4*>(to) = make_float4(from[0], from[1], from[2], from[3]);\n"
    "    else\n"
    "        *to = from[0];\n"
    "}\n\n";

const char* const loadShortText =
    "template <int width, class Short> __device__ void load(float (&to)[width], const Short* from) {\n"
    "    if constexpr (width == 4) {\n"
    "        const uint2 four = *reinterpret_cast<const uint2*>(from);\n"
    "        const Short* const each = reinterpret_cast<const Short*>(&four);\n"
    "#pragma unroll\n"
    "        for (int v = 0; v < width; ++v)\n"
    "            to[v] = float(each[v]);\n"
    "    } else {\n"
    "        to[0] = float(*from);\n"
    "    }\n"
    "}\n\n";
const char* const storeShortText =
    "template <int width, class Short> __device__ void store(Short* to, const float (&from)[width]) {\n"
    "    if constexpr (width == 4) {\n"
    "        uint2 four;\n"
    "        Short* const each = reinterpret_cast<Short*>(&four);\n"
    "#pragma unroll\n"
    "        for (int v = 0; v < width; ++v)\n"
    "            each[v] = from[v];\n"
    "        *reinterpret_cast<uint2*>(to) = four;\n"
    "    } else {\n"
    "        *to = from[0];\n"
    "    }\n"
    "}\n\n";

bool isLoadable(tensor::DType dtype) {
    return dtype == tensor::DType::Float32 || dtype == tensor::DType::Float16 || dtype == tensor::DType::BFloat16;
}

void ElementReads::add(std::size_t id, bool withReduction) {
    add(m_graph.part([id](const Graph& g) -> const Tensor& { return g.tensors[id]; }), withReduction);
}

void ElementReads::add(const Each<Tensor>& t, bool withReduction) {
    Quantities no(t.at.size());
    std::set<std::string> functions;
    KernelText text(no, functions);
    AtHand hand;
    hand.withReduction = withReduction;
    hand.layout = m_layout;
    hand.place = "k";
    PointText point(text, m_graph, t, algebra::axisNames(t.first()), hand);
    const auto& reads = t.first().definition()->reads;
    for (std::size_t k = 0; k < reads.size(); ++k) {
        const std::size_t s = reads[k].source;
        const tensor::DType dtype = m_graph.first().tensors[s].dtype;
        const bool isLoaded = dtype == tensor::DType::Float32 || (m_withShort && isLoadable(dtype));
        if (point.isSameElement(k)) {
            if (m_inlined.contains(s))
                add(s, false);
            else if (isLoaded)
                m_found.insert(s);
        } else if (isLoaded && !m_inlined.contains(s) && point.isOfPlace(k)) {
            m_places.insert(s);
        }
    }
}

namespace {

/// The axes of a definition under names that nothing else in the kernel has; those of extent 1 are "0".
std::vector<std::string> freshAxes(KernelText& text, const Each<Tensor>& t) {
    std::vector<std::string> axes = algebra::axisNames(t.first());
    for (std::size_t a = 0; a < axes.size(); ++a)
        axes[a] = isAlways(spaceExtent(t, a), 1) ? "0" : text.fresh(axes[a]);
    return axes;
}

} // namespace

std::vector<bool> usedAxes(const Each<Graph>& graph, const Each<Tensor>& tensor, const AtHand& hand,
                           const Quantities& quantities) {
    std::set<std::string> functions;
    KernelText text(quantities, functions);
    const std::vector<std::string> axes = freshAxes(text, tensor);
    PointText point(text, graph, tensor, axes, hand);
    std::string used = point.body();
    used += " " + text.lines();
    std::vector<bool> out;
    for (const std::string& axis : axes)
        out.push_back(axis != "0" && mentions(used, axis));
    return out;
}

std::string pointValue(KernelText& text, const Each<Graph>& graph, const Each<Tensor>& tensor, const AtHand& hand,
                       const PointNames& names, const Each<algebra::Expression>* expression) {
    const std::vector<std::string> axes = freshAxes(text, tensor);
    // Written once into a text that is thrown away: which axes are mentioned.
    std::set<std::string> functions;
    KernelText scratch(text.quantities(), functions);
    PointText trial(scratch, graph, tensor, axes, hand);
    std::string used = expression ? trial.valueOf(*expression) : trial.body();
    used += " " + scratch.lines();
    const std::size_t rank = tensor.first().extents.size();
    const auto declare = [&](std::size_t from, std::size_t to, const std::string& number) {
        declareAxes(text, tensor, from, to, axes, number, used);
    };
    const bool isOfAll = std::all_of(axes.begin(), axes.begin() + std::ptrdiff_t(rank),
                                     [](const std::string& axis) { return axis == "0"; });
    if (hand.withReduction && !isOfAll) {
        declare(0, rank, names.row);
        declare(rank, axes.size(), names.place);
    } else {
        std::vector<algebra::Extents> spaces;
        for (const Tensor* t : tensor.at)
            spaces.push_back(algebra::spaceOf(*t));
        const auto parts = hand.layout ? hand.layout->axes(spaces) : std::nullopt;
        if (!parts || names.place.empty()) {
            declare(0, axes.size(), names.element);
        } else if (hand.layout->kind == RowLayout::Kind::rows && parts->first == parts->second) {
            declare(0, parts->first, names.row);
            declare(parts->first, axes.size(), names.place);
        } else if (hand.layout->kind == RowLayout::Kind::rows) {
            // Values of one axis count rows in groups, and within a group parts of a row.
            const std::size_t axis = parts->first;
            Values groups, each, behind;
            for (std::size_t s = 0; s < spaces.size(); ++s) {
                std::int64_t before = 1, after = 1;
                for (std::size_t a = 0; a < spaces[s].size(); ++a)
                    (a < axis ? before : after) *= a == axis ? 1 : spaces[s][a];
                groups.push_back(hand.layout->rows[s] / before);
                each.push_back(spaces[s][axis] / groups.back());
                behind.push_back(after);
            }
            const std::string g = text.number(groups, "groups"), b = text.number(behind, "behind");
            declare(0, axis, fmt::format("{} / {}", names.row, g));
            if (mentions(used, axes[axis]))
                text.line(fmt::format("const Index {} = {} % {} * {} + {} / {};", axes[axis], names.row, g,
                                      text.number(each, "each"), names.place,
                                      b.find(' ') == std::string::npos ? b : "(" + b + ")"));
            declare(axis + 1, axes.size(), fmt::format("{} % {}", names.place, b));
        } else {
            declare(0, parts->first, names.outer);
            declare(parts->first, parts->second,
                    hand.layout->kind == RowLayout::Kind::columns ? names.place : names.row);
            declare(parts->second, axes.size(), names.within);
        }
    }
    PointText point(text, graph, tensor, axes, hand);
    return expression ? point.valueOf(*expression) : point.body();
}

} // namespace kernelarium::kernelgen
