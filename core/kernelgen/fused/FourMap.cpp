// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/fused/FourMap.h"

#include "core/kernelgen/fused/ElementReads.h"
#include "core/kernelgen/text/Names.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen {

using algebra::Combine;
using algebra::Definition;
using algebra::Graph;
using algebra::Tensor;
using tensor::DType;

namespace {

const char* const loadFour =
    "/// Four neighbours from `from` on, those before `end`: one load of 16 bytes if they begin on a border of that.\n"
    "__device__ void loadFour(float (&to)[4], const float* from, Index at, Index end, bool whole) {\n"
    "    if (whole) {\n"
    "        const float4 four = *reinterpret_cast<const float4*>(from + at);\n"
    "        to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;\n"
    "        return;\n"
    "    }\n"
    "#pragma unroll\n"
    "    for (int v = 0; v < 4; ++v)\n"
    "        to[v] = at + v < end ? from[at + v] : 0.0f;\n"
    "}\n\n";
const char* const storeFour =
    "__device__ void storeFour(float* to, const float (&from)[4], Index at, Index end, bool whole) {\n"
    "    if (whole) {\n"
    "        *reinterpret_cast<float4*>(to + at) = make_float4(from[0], from[1], from[2], from[3]);\n"
    "        return;\n"
    "    }\n"
    "#pragma unroll\n"
    "    for (int v = 0; v < 4; ++v)\n"
    "        if (at + v < end) to[at + v] = from[v];\n"
    "}\n\n";

const PointNames pointNames{"(i + v)", "0", "", "", ""};

std::size_t countOf(const std::string& text, const std::string& word) {
    std::size_t count = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        ++count;
    return count;
}

/// Whether the formula reads memory besides the fours that are loaded.
bool readsElsewhere(const KernelFile& file, const Each<Graph>& graph, const Each<Tensor>& t, const AtHand& hand) {
    KernelText scratch = file.kernel();
    const std::string value = pointValue(scratch, graph, t, hand, pointNames);
    const std::string all = scratch.lines() + value;
    return countOf(all, "[") > countOf(all, "Four[v]");
}

} // namespace

bool addFourMap(KernelFile& file, const Plan& plan, std::size_t id) {
    const Each<Graph> graph = file.graphs().each();
    const Each<Tensor> t = file.tensor(id);
    const Definition& d = *t.first().definition();
    if (d.combine != Combine::none || !d.domain.empty() || t.first().dtype != DType::Float32) return false;
    // Of so few that each has a thread of its own on a large device, to load four takes longer than one: 4.3 us against
    // 4.0 for 16 x 16384 elements on an H200 with a cold cache.
    constexpr std::int64_t fewElements = 132 * 2048;
    if (algebra::pointCount(file.full().tensors[id].extents) <= fewElements) return false;
    ElementReads reads(graph, plan.inlined);
    reads.add(id, false);
    if (reads.found().empty()) return false;
    KernelText text = file.kernel();
    for (const char* word : {"i", "v", "whole", "values", "count"})
        (void)text.fresh(word);
    const std::string out = text.pointer(id, DType::Float32, "out", true);
    text.line("const Index i = 4 * (Index(blockIdx.x) * threads + threadIdx.x);");
    text.line("if (i >= count) return;");
    text.line("const bool whole = i + 4 <= count;");
    AtHand hand;
    hand.inlined = plan.inlined;
    hand.element = "i + v";
    for (const std::size_t s : reads.found()) {
        const std::string name = identifier(file.full().tensors[s].name);
        const std::string pointer = text.pointer(s, DType::Float32, name, false);
        text.line(fmt::format("float {}Four[4];", name));
        text.line(fmt::format("loadFour({}Four, {}, i, count, whole);", name, pointer));
        hand.values[s] = name + "Four[v]";
    }
    text.line("float values[4];");
    text.line("#pragma unroll");
    text.open("for (int v = 0; v < 4; ++v) {");
    if (readsElsewhere(file, graph, t, hand))
        text.line("if (!whole && i + v >= count) break; // what it reads has an end");
    const std::string value = pointValue(text, graph, t, hand, pointNames);
    text.line(fmt::format("values[v] = {};", value));
    text.close();
    text.line(fmt::format("storeFour({}, values, i, count, whole);", out));
    file.helper(loadFour);
    file.helper(storeFour);
    const std::string name =
        file.addKernel(file.full().tensors[id].name, algebra::toString(file.full(), id), text, "Index count");
    const std::string count = file.variable(id) + ".numel()";
    file.launch(name, fmt::format("blocks({}, 4 * threads)", count), text, {}, {count});
    return true;
}

} // namespace kernelarium::kernelgen
