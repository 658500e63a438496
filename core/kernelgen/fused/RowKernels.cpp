// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/fused/RowKernels.h"

#include "core/kernelgen/naive/DefinitionKernel.h"
#include "core/kernelgen/text/Names.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen {

using algebra::Combine;
using algebra::Definition;
using algebra::Graph;
using algebra::Tensor;
using algebra::TensorId;
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

std::string helperName(Combine c) {
    switch (c) {
    case Combine::sum: return "rowSum";
    case Combine::product: return "rowProduct";
    case Combine::maximum: return "rowMax";
    default: return "rowMin";
    }
}
std::string pairOf(Combine c, const std::string& a, const std::string& b) {
    switch (c) {
    case Combine::sum: return a + " + " + b;
    case Combine::product: return a + " * " + b;
    case Combine::maximum: return fmt::format("fmaxf({}, {})", a, b);
    default: return fmt::format("fminf({}, {})", a, b);
    }
}

std::string helperText(Combine c) {
    return fmt::format("/// Over the threads of a row, in an order that never changes; each gets the result.\n"
                       "__device__ float {}(float value) {{\n"
                       "    for (int offset = 16; offset > 0; offset /= 2)\n"
                       "        value = {};\n"
                       "    if (rowThreads == 32) return value;\n"
                       "    __shared__ float parts[32];\n"
                       "    __syncthreads(); // parts may be read yet\n"
                       "    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;\n"
                       "    __syncthreads();\n"
                       "    value = parts[0];\n"
                       "    for (int warp = 1; warp < rowThreads / 32; ++warp)\n"
                       "        value = {};\n"
                       "    return value;\n"
                       "}}\n\n",
                       helperName(c), pairOf(c, "value", "__shfl_xor_sync(0xffffffffu, value, offset)"),
                       pairOf(c, "value", "parts[warp]"));
}

/// Tensors that a formula reads at its own element, through those written in place: they are loaded four at a time.
class ElementReads {
public:
    ElementReads(const Each<Graph>& graph, const std::set<std::size_t>& inlined)
        : m_graph(graph)
        , m_inlined(inlined) {}

    void add(TensorId id, bool withReduction) {
        const Each<Tensor> t = m_graph.part([id](const Graph& g) -> const Tensor& { return g.tensors[id]; });
        Quantities no(t.at.size());
        std::set<std::string> functions;
        KernelText text(no, functions);
        AtHand hand;
        hand.withReduction = withReduction;
        PointText point(text, m_graph, t, algebra::axisNames(t.first()), hand);
        const auto& reads = t.first().definition()->reads;
        for (std::size_t k = 0; k < reads.size(); ++k) {
            if (!point.isSameElement(k)) continue;
            const TensorId s = reads[k].source;
            if (m_inlined.contains(s))
                add(s, false);
            else if (m_graph.first().tensors[s].dtype == DType::Float32)
                m_found.insert(s);
        }
    }
    [[nodiscard]] const std::set<std::size_t>& found() const { return m_found; }

private:
    Each<Graph> m_graph;
    const std::set<std::size_t>& m_inlined;
    std::set<std::size_t> m_found;
};

/// The axes of a definition under names that nothing else in the kernel has; those of extent 1 are "0".
std::vector<std::string> freshAxes(KernelText& text, const Each<Tensor>& t) {
    std::vector<std::string> axes = algebra::axisNames(t.first());
    for (std::size_t a = 0; a < axes.size(); ++a)
        axes[a] = isAlways(spaceExtent(t, a), 1) ? "0" : text.fresh(axes[a]);
    return axes;
}

/// The body's lines and value, the axes that they mention declared before: the first written into a text of its own.
std::string pointValue(KernelText& text, const Each<Graph>& graph, const Each<Tensor>& t, const AtHand& hand,
                       const std::string& elementNumber, const std::string& rowNumber, const std::string& place) {
    const std::vector<std::string> axes = freshAxes(text, t);
    std::set<std::string> functions;
    KernelText scratch(text.quantities(), functions);
    PointText trial(scratch, graph, t, axes, hand);
    std::string used = trial.body();
    used += " " + scratch.lines();
    const std::size_t rank = t.first().extents.size();
    if (hand.withReduction) {
        declareAxes(text, t, 0, rank, axes, rowNumber, used);
        declareAxes(text, t, rank, axes.size(), axes, place, used);
    } else {
        declareAxes(text, t, 0, rank, axes, elementNumber, used);
    }
    return PointText(text, graph, t, axes, hand).body();
}

class RowKernels {
public:
    RowKernels(KernelFile& file, const Plan& plan)
        : m_file(file)
        , m_plan(plan)
        , m_group(*plan.rows)
        , m_graph(file.graphs().each()) {}

    int run() {
        chooseThreads();
        std::set<Combine> combines;
        for (const TensorId id : m_group.reductions)
            combines.insert(definition(id).combine);
        m_file.helper(loadFour);
        if (writesElements()) m_file.helper(storeFour);
        for (const Combine c : combines)
            m_file.helper(helperText(c));
        makeLevels();
        for (const TensorId id : members())
            if (m_group.stored.contains(id) || isMap(id)) m_file.declare(id);
        return m_group.split ? splitKernels() : wholeKernel();
    }

private:
    [[nodiscard]] const Definition& definition(TensorId id) const { return *m_file.full().tensors[id].definition(); }
    [[nodiscard]] bool isMap(TensorId id) const { return std::count(m_group.maps.begin(), m_group.maps.end(), id) > 0; }
    [[nodiscard]] std::vector<TensorId> members() const {
        std::vector<TensorId> all = m_group.reductions;
        all.insert(all.end(), m_group.maps.begin(), m_group.maps.end());
        return all;
    }
    [[nodiscard]] bool isOfElements(TensorId map) const {
        return algebra::pointCount(m_file.full().tensors[map].extents) !=
               algebra::pointCount(m_file.full().tensors[m_group.reductions[0]].extents);
    }
    [[nodiscard]] bool writesElements() const {
        return std::any_of(m_group.maps.begin(), m_group.maps.end(), [this](TensorId m) { return isOfElements(m); });
    }
    [[nodiscard]] std::string variable(TensorId id) const { return m_names.at(id); }

    void chooseThreads() {
        const std::int64_t length = m_group.length[m_file.graphs().full];
        int threads = 32;
        while (threads < 1024 && std::int64_t(threads) * 16 < length && length > 1024)
            threads *= 2;
        if (m_group.split) threads = 256;
        m_file.constant(
            fmt::format("constexpr int rowThreads = {}; // tune: pow2 {}..1024", threads, threads == 32 ? 32 : 64));
        m_file.constant("constexpr int rowsPerBlock = rowThreads == 32 ? 4 : 1; // a block's rows");
        if (m_group.split) {
            const std::int64_t rows = algebra::pointCount(m_file.full().tensors[m_group.reductions[0]].extents);
            int each = 16; // about as many blocks as fill a large device
            while (each < 1024 && rows * each < 1024)
                each *= 2;
            m_file.constant(fmt::format("constexpr int blocksPerRow = {}; // tune: pow2 16..1024", each));
        }
        m_rowBlock = "dim3(rowThreads, rowsPerBlock)";
    }

    /// A reduction's level: one more than those of the reductions that it needs.
    void makeLevels() {
        for (const TensorId id : m_group.reductions) {
            std::size_t level = 0;
            for (const auto& [other, its] : m_level)
                if (needs(id, other)) level = std::max(level, its + 1);
            m_level[id] = level;
            if (m_levels.size() <= level) m_levels.resize(level + 1);
            m_levels[level].push_back(id);
        }
    }
    [[nodiscard]] bool needs(TensorId id, TensorId other) const {
        for (const TensorId s : algebra::sourcesOf(m_file.full().tensors[id]))
            if (s == other || (m_file.full().tensors[s].definition() && needs(s, other))) return true;
        return false;
    }

    [[nodiscard]] AtHand hand() const {
        AtHand h;
        h.inlined = m_plan.inlined;
        h.rowLength = m_group.length;
        h.row = "row";
        for (const auto& [id, name] : m_names)
            h.rowValues[id] = name;
        return h;
    }

    /// The loop over a row's elements, four at a time; `each` writes what is done with element "i + v", place "k + v".
    template <class F>
    void loop(KernelText& text, const std::set<std::size_t>& loaded, const std::string& from, const std::string& to,
              F&& each, const std::set<TensorId>& stores) {
        text.open(fmt::format("for (Index k = {}; k < {}; k += 4 * rowThreads) {{", from, to));
        text.line("const Index i = row * length + k;");
        text.line("const bool whole = aligned && k + 4 <= length;");
        for (const TensorId id : loaded) {
            const std::string name = m_file.full().tensors[id].name;
            const std::string pointer = text.pointer(id, DType::Float32, name, false);
            text.line(fmt::format("float {}Four[4];", identifier(name)));
            text.line(fmt::format("loadFour({}Four, {}, i, (row + 1) * length, whole);", identifier(name), pointer));
        }
        for (const TensorId id : stores)
            text.line(fmt::format("float {}Four[4];", identifier(m_file.full().tensors[id].name)));
        text.line("#pragma unroll");
        text.open("for (int v = 0; v < 4; ++v) {");
        text.line("if (k + v >= length) break;");
        AtHand h = hand();
        h.element = "i + v";
        h.place = "k + v";
        for (const TensorId id : loaded)
            h.values[id] = identifier(m_file.full().tensors[id].name) + "Four[v]";
        each(h);
        text.close();
        for (const TensorId id : stores)
            text.line(fmt::format("storeFour({}, {}Four, i, (row + 1) * length, whole);", m_outs.at(id),
                                  identifier(m_file.full().tensors[id].name)));
        text.close();
    }

    void reduceLevel(KernelText& text, std::size_t level, const std::string& from, const std::string& to) {
        ElementReads reads(m_graph, m_plan.inlined);
        for (const TensorId id : m_levels[level]) {
            reads.add(id, true);
            text.line(fmt::format("float {} = {};", nameOf(text, id), startOf(definition(id).combine)));
        }
        loop(text, reads.found(), from, to,
             [&](AtHand h) {
                 for (const TensorId id : m_levels[level]) {
                     h.withReduction = true;
                     const std::string value =
                         pointValue(text, m_graph, m_file.tensor(id), h, "(i + v)", "row", "(k + v)");
                     text.line(combined(definition(id).combine, m_pending.at(id), value));
                 }
             },
             {});
        for (const TensorId id : m_levels[level]) {
            const std::string helper = helperName(definition(id).combine);
            text.line(fmt::format("{} = {}({});", m_pending.at(id), helper, m_pending.at(id)));
        }
    }
    std::string nameOf(KernelText& text, TensorId id) {
        return m_pending[id] = text.fresh(identifier(m_file.full().tensors[id].name) + "Row");
    }

    void writeMaps(KernelText& text, const std::string& from, const std::string& to, const std::string& isWriter) {
        std::set<TensorId> elements, four;
        ElementReads reads(m_graph, m_plan.inlined);
        for (const TensorId id : m_group.maps) {
            const Tensor& t = m_file.full().tensors[id];
            if (isOfElements(id)) {
                elements.insert(id);
                reads.add(id, false);
                if (t.dtype == DType::Float32) four.insert(id);
                m_outs[id] = text.pointer(id, t.dtype, std::string("out"), true);
                continue;
            }
            const std::string out = text.pointer(id, t.dtype, std::string("rowOut"), true);
            AtHand h = hand();
            h.rowLength.assign(h.rowLength.size(), 1); // an element of the map is a row
            h.element = "row";
            const std::string value = pointValue(text, m_graph, m_file.tensor(id), h, "row", "row", "0");
            text.line(fmt::format("if ({}) {}[row] = {};", isWriter, out, stored(value, t.dtype)));
        }
        if (elements.empty()) return;
        loop(
            text, reads.found(), from, to,
            [&](const AtHand& h) {
                for (const TensorId id : elements) {
                    const std::string value =
                        pointValue(text, m_graph, m_file.tensor(id), h, "(i + v)", "row", "(k + v)");
                    const Tensor& t = m_file.full().tensors[id];
                    if (four.contains(id))
                        text.line(fmt::format("{}Four[v] = {};", identifier(t.name), value));
                    else
                        text.line(fmt::format("{}[i + v] = {};", m_outs.at(id), stored(value, t.dtype)));
                }
            },
            four);
    }
    void storeRows(KernelText& text, TensorId id, const std::string& isWriter) {
        if (!m_group.stored.contains(id)) return;
        const std::string out =
            text.pointer(id, DType::Float32, identifier(m_file.full().tensors[id].name) + "Out", true);
        text.line(fmt::format("if ({}) {}[row] = {};", isWriter, out, m_names.at(id)));
    }

    [[nodiscard]] std::string rowsText() const {
        const auto t = m_file.tensor(m_group.reductions[0]);
        std::string text;
        for (std::size_t k = 0; k < t.first().extents.size(); ++k)
            if (!isAlways(extentOf(t, k), 1)) text += (text.empty() ? "" : " * ") + m_file.number(extentOf(t, k));
        return text.empty() ? "1" : text;
    }
    [[nodiscard]] std::string lengthText() const {
        const auto t = m_file.tensor(m_group.reductions[0]);
        std::string text;
        const std::size_t rank = t.first().extents.size();
        for (std::size_t a = rank; a < algebra::spaceOf(t.first()).size(); ++a) {
            const std::string part = m_file.number(spaceExtent(t, a));
            const std::string whole = part.find(' ') == std::string::npos ? part : "(" + part + ")";
            text += (text.empty() ? "" : " * ") + whole;
        }
        return text;
    }
    void sizes() {
        m_rows = m_file.takeName("rows");
        m_length = m_file.takeName("length");
        m_file.hostLine(fmt::format("const int64_t {} = {}, {} = {};", m_rows, rowsText(), m_length, lengthText()));
    }

    int wholeKernel() {
        KernelText text = m_file.kernel();
        reserve(text);
        text.line("const Index row = Index(blockIdx.x) * rowsPerBlock + threadIdx.y;");
        text.line("if (row >= rows) return; // a whole warp, or the whole block");
        text.line("const bool aligned = length % 4 == 0;");
        for (std::size_t level = 0; level < m_levels.size(); ++level) {
            reduceLevel(text, level, "4 * threadIdx.x", "length");
            for (const TensorId id : m_levels[level]) {
                m_names[id] = m_pending.at(id);
                storeRows(text, id, "threadIdx.x == 0");
            }
        }
        writeMaps(text, "4 * threadIdx.x", "length", "threadIdx.x == 0");
        sizes();
        const std::string name = m_file.addKernel(
            m_file.full().tensors[members().back()].name + "Rows",
            "A row of the reductions for each warp or block; what is left of a row stays in the cache between its passes.",
            text, "Index rows, Index length");
        m_file.launch(name, fmt::format("blocks({}, rowsPerBlock)", m_rows), text, {}, {m_rows, m_length}, m_rowBlock);
        return 1;
    }

    void reserve(KernelText& text) {
        for (const char* word : {"row", "rows", "length", "i", "k", "v", "whole", "aligned", "begin", "end", "part"})
            (void)text.fresh(word);
        m_outs.clear();
    }

    /// Values of the rows that earlier launches left in parts.
    void finishParts(KernelText& text, std::size_t levels, const std::vector<std::string>& parts) {
        m_names.clear();
        for (std::size_t level = 0; level < levels; ++level)
            for (const TensorId id : m_levels[level]) {
                const std::string name = nameOf(text, id), partsName = parts[m_place.at(id)];
                const Combine c = definition(id).combine;
                text.line(fmt::format("float {} = {};", name, startOf(c)));
                text.open("for (Index part = threadIdx.x; part < blocksPerRow; part += rowThreads)");
                text.line(combined(c, name, fmt::format("{}[row * blocksPerRow + part]", partsName)));
                text.indent(-1);
                text.line(fmt::format("{} = {}({});", name, helperName(c), name));
                m_names[id] = name;
            }
    }

    int splitKernels() {
        sizes();
        std::vector<std::string> variables, pointers;
        for (const TensorId id : m_group.reductions) {
            m_place[id] = variables.size();
            variables.push_back(m_file.takeName(m_file.full().tensors[id].name + "_parts"));
            pointers.push_back(fmt::format("{}Parts", identifier(m_file.full().tensors[id].name)));
            m_file.hostLine(
                fmt::format("const auto {} = torch::empty({{{}, blocksPerRow}}, options);", variables.back(), m_rows));
        }
        const std::string grid = fmt::format("dim3(blocksPerRow, {})", m_rows);
        int launches = 0;
        for (std::size_t level = 0; level <= m_levels.size(); ++level) {
            const bool isLast = level == m_levels.size();
            KernelText text = m_file.kernel();
            reserve(text);
            for (const std::string& p : pointers)
                (void)text.fresh(p);
            text.line("const Index row = blockIdx.y;");
            text.line("const bool aligned = length % 4 == 0;");
            text.line("const Index each = (length + 4 * blocksPerRow - 1) / (4 * blocksPerRow) * 4;");
            text.line("const Index begin = Index(blockIdx.x) * each;");
            text.line("const Index end = min(length, begin + each);");
            finishParts(text, level, pointers);
            std::string last = "Index length";
            std::vector<std::string> arguments{m_length};
            const auto pass = [&](std::size_t upTo, bool isConst) {
                for (const TensorId id : m_levels[upTo]) {
                    last += fmt::format(", {}float* {}", isConst ? "const " : "", pointers[m_place.at(id)]);
                    arguments.push_back(variables[m_place.at(id)] + ".data_ptr<float>()");
                }
            };
            for (std::size_t before = 0; before < level; ++before)
                pass(before, true);
            if (!isLast) {
                pass(level, false);
                reduceLevel(text, level, "begin + 4 * threadIdx.x", "end");
                for (const TensorId id : m_levels[level])
                    text.line(fmt::format("if (threadIdx.x == 0) {}[row * blocksPerRow + blockIdx.x] = {};",
                                          pointers[m_place.at(id)], m_pending.at(id)));
            } else {
                for (const TensorId id : m_group.reductions)
                    storeRows(text, id, "blockIdx.x == 0 && threadIdx.x == 0");
                writeMaps(text, "begin + 4 * threadIdx.x", "end", "blockIdx.x == 0 && threadIdx.x == 0");
            }
            const std::string what = isLast
                                         ? "The rest of a row, from what the blocks of each row left."
                                         : "A part of a row for each block; the next launch puts the parts together.";
            const std::string name =
                m_file.addKernel(m_file.full().tensors[isLast ? members().back() : m_levels[level][0]].name +
                                     (isLast ? "Last" : "Parts"),
                                 what, text, last);
            const bool oneBlock = isLast && !writesElements();
            m_file.launch(name, oneBlock ? fmt::format("dim3(1, {})", m_rows) : grid, text, {}, arguments,
                          "rowThreads");
            ++launches;
        }
        return launches;
    }

    KernelFile& m_file;
    const Plan& m_plan;
    const RowGroup& m_group;
    Each<Graph> m_graph;
    std::map<TensorId, std::size_t> m_level, m_place;
    std::vector<std::vector<TensorId>> m_levels;
    std::map<TensorId, std::string> m_names, m_pending, m_outs;
    std::string m_rowBlock, m_rows, m_length;
};

} // namespace

int addRowKernels(KernelFile& file, const Plan& plan) {
    return RowKernels(file, plan).run();
}

bool addFourMap(KernelFile& file, const Plan& plan, std::size_t id) {
    const Each<Graph> graph = file.graphs().each();
    const Each<Tensor> t = file.tensor(id);
    const Definition& d = *t.first().definition();
    if (d.combine != Combine::none || !d.domain.empty() || t.first().dtype != DType::Float32) return false;
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
    for (const TensorId s : reads.found()) {
        const std::string name = identifier(file.full().tensors[s].name);
        const std::string pointer = text.pointer(s, DType::Float32, name, false);
        text.line(fmt::format("float {}Four[4];", name));
        text.line(fmt::format("loadFour({}Four, {}, i, count, whole);", name, pointer));
        hand.values[s] = name + "Four[v]";
    }
    text.line("float values[4];");
    text.line("#pragma unroll");
    text.open("for (int v = 0; v < 4; ++v) {");
    const std::string value = pointValue(text, graph, t, hand, "(i + v)", "0", "0");
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
