// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/fused/RowLoop.h"

#include "core/kernelgen/text/Names.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen {

std::string RowLoop::name(std::size_t id) const {
    return identifier(m_file.full().tensors[id].name);
}

std::string RowLoop::pointerTo(KernelText& text, std::size_t id) const {
    const algebra::Tensor& t = m_file.full().tensors[id];
    return text.pointer(id, t.dtype, t.name, false);
}

std::string RowLoop::storedAt(std::size_t id) const {
    return name(id) + (isColumns() ? "At" : "At[v]");
}

/// The number of element k of the row.
std::string RowLoop::elementAt() const {
    switch (m_group.layout.kind) {
    case RowLayout::Kind::columns: return "base + k * inner";
    case RowLayout::Kind::channels: return "(k / inner * rows + row) * inner + k % inner";
    default: return "row * length + k";
    }
}

std::string RowLoop::placeOfChunk() const {
    return isColumns() ? fmt::format("const Index k = chunk + first + c * rowThreads{};", m_suffix)
                       : fmt::format("const Index k = chunk + first + c * width * rowThreads{};", m_suffix);
}

AtHand RowLoop::hand() const {
    AtHand hand;
    hand.inlined = m_plan.inlined;
    hand.layout = m_group.layout;
    hand.row = "row";
    hand.element = isColumns() ? "i" : "i + v";
    hand.place = isColumns() ? "k" : "k + v";
    return hand;
}

void RowLoop::begin(KernelText& text, int passes) {
    for (const char* word : {"i", "k", "v", "c", "chunk", "lastChunk", "first", "fetch", "base", "inner", "width"})
        (void)text.fresh(word);
    m_passes = 0;
    if (isColumns()) {
        text.line("const Index base = row / inner * length * inner + row % inner;");
        text.line("const Index first = threadIdx.y;");
    } else {
        text.line("const Index first = width * threadIdx.x;");
    }
    if (passes > 1)
        text.line(fmt::format("const Index lastChunk = {1}begin + (end - begin - 1) / rowChunk{0} * rowChunk{0};",
                              m_suffix, m_hasOnce ? "once ? begin : " : ""));
    if (m_kept.empty()) return;
    for (const std::size_t id : m_kept)
        text.line(isColumns() ? fmt::format("float {}Kept[kept{}];", name(id), m_suffix)
                              : fmt::format("float {}Kept[kept{} / width][width];", name(id), m_suffix));
    text.open("const auto fetch = [&](Index chunk) {");
    text.line("#pragma unroll");
    text.open(fmt::format("for (int c = 0; c < kept{}{}; ++c) {{", m_suffix, isColumns() ? "" : " / width"));
    text.line(placeOfChunk());
    text.line("if (k >= end) continue;");
    for (const std::size_t id : m_kept) {
        const std::string from = pointerTo(text, id);
        text.line(isColumns() ? fmt::format("{}Kept[c] = {}[{}];", name(id), from, elementAt())
                              : fmt::format("load({}Kept[c], {} + {});", name(id), from,
                                            m_group.layout.kind == RowLayout::Kind::rows ? elementAt()
                                                                                         : "(" + elementAt() + ")"));
    }
    text.close();
    text.close("};");
}

void RowLoop::pass(KernelText& text, const ElementReads& reads, const std::map<std::size_t, std::string>& rowValues,
                   const std::set<std::size_t>& stores, const std::map<std::size_t, std::string>& outs,
                   const Each& each) {
    const int number = m_passes++;
    AtHand hand = this->hand();
    hand.rowValues = rowValues;
    PointNames names{"(i + v)", "row", m_sharesAxes ? "k" : "(k + v)", "", ""};
    if (isColumns()) names = {"i", "row", "k", "row / inner", "row % inner"};
    if (m_group.layout.kind == RowLayout::Kind::channels) names.outer = "k / inner", names.within = "(k % inner + v)";
    for (const std::size_t id : m_kept)
        hand.values[id] = name(id) + (isColumns() ? "Kept[c]" : "Kept[c][v]");

    const bool isBack = number % 2 == 1;
    const auto rest = [&](KernelText& to) {
        if (!isColumns()) {
            const auto loaded = [&](std::size_t id, const char* at) {
                const std::string from = pointerTo(to, id);
                to.line(fmt::format("float {}At[width];", name(id)));
                to.line(fmt::format("load({}At, {} + {});", name(id), from, at));
            };
            for (const std::size_t id : reads.found()) {
                if (m_kept.contains(id)) continue;
                loaded(id, "i");
                hand.values[id] = name(id) + "At[v]";
            }
            if (m_group.layout.kind == RowLayout::Kind::rows)
                for (const std::size_t id : reads.places()) {
                    if (reads.found().contains(id)) continue;
                    loaded(id, "k");
                    hand.placeValues[id] = name(id) + "At[v]";
                }
            for (const std::size_t id : stores)
                to.line(fmt::format("float {}At[width];", name(id)));
            to.line("#pragma unroll");
            to.open("for (int v = 0; v < width; ++v) {");
        } else {
            for (const std::size_t id : stores)
                to.line(fmt::format("float {}At;", name(id)));
        }
        each(hand, names);
    };
    // Written once into a copy: whether the element's number is mentioned, and which values of rows are divisors.
    const KernelText before = text;
    rest(text);
    const bool isUsed = !stores.empty() || mentions(text.lines().substr(before.lines().size()), "i");
    const std::set<std::string> divisors = text.divisors();
    text = before;
    for (const auto& [id, value] : rowValues) {
        if (!divisors.contains(value)) continue;
        const std::string inverse = text.fresh(value + "Inverse");
        text.line(fmt::format("const float {} = 1.0f / {};", inverse, value));
        text.giveInverse(value, inverse);
    }

    text.open(isBack ? fmt::format("for (Index chunk = lastChunk; chunk >= begin; chunk -= rowChunk{}) {{", m_suffix)
                     : fmt::format("for (Index chunk = begin; chunk < end; chunk += rowChunk{}) {{", m_suffix));
    const std::string unlessOnce = m_hasOnce ? "!once && " : "";
    if (!m_kept.empty())
        text.line(number == 0 ? "fetch(chunk);"
                              : fmt::format("if ({}chunk != {}) fetch(chunk); // else it is there", unlessOnce,
                                            isBack ? "lastChunk" : "begin"));
    text.line("#pragma unroll");
    text.open(fmt::format("for (int c = 0; c < kept{}{}; ++c) {{", m_suffix, isColumns() ? "" : " / width"));
    text.line(placeOfChunk());
    text.line("if (k >= end) continue;");

    if (isUsed) text.line(fmt::format("const Index i = {};", elementAt()));
    rest(text);
    if (!isColumns()) text.close();
    for (const std::size_t id : stores)
        text.line(isColumns() ? fmt::format("{}[i] = {}At;", outs.at(id), name(id))
                              : fmt::format("store({} + i, {}At);", outs.at(id), name(id)));
    text.close();
    if (m_hasOnce) text.line("if (once) break;");
    text.close();
}

} // namespace kernelarium::kernelgen
