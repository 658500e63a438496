// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/fused/ScanKernel.h"

#include "core/kernelgen/fused/ElementReads.h"
#include "core/kernelgen/fused/FusedLevels.h"
#include "core/kernelgen/text/Names.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace kernelarium::kernelgen {

using algebra::Combine;
using algebra::Definition;
using algebra::Expression;
using algebra::Graph;
using algebra::Index;
using algebra::Read;
using algebra::Tensor;
using algebra::TensorId;
using tensor::DType;

namespace {

std::string joined(Combine c, const std::string& a, const std::string& b) {
    switch (c) {
    case Combine::product: return a + " * " + b;
    case Combine::maximum: return fmt::format("fmaxf({}, {})", a, b);
    case Combine::minimum: return fmt::format("fminf({}, {})", a, b);
    default: return a + " + " + b;
    }
}

std::string helperText(Combine c) {
    return fmt::format(
        "/// What the threads before this one have together, and in `total` what all have. Work grows with the threads,\n"
        "/// and the order of combining never changes.\n"
        "__device__ float combinedBefore(float value, float& total) {{\n"
        "    __shared__ float warps[scanThreads / 32];\n"
        "    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;\n"
        "    for (int distance = 1; distance < 32; distance *= 2) {{\n"
        "        const float before = __shfl_up_sync(0xffffffffu, value, distance);\n"
        "        if (lane >= distance) value = {0};\n"
        "    }}\n"
        "    __syncthreads(); // warps may be read yet\n"
        "    if (lane == 31) warps[warp] = value;\n"
        "    __syncthreads();\n"
        "    // Each warp scans the warps' results for itself: cheaper than to wait for one that does.\n"
        "    float all = lane < scanThreads / 32 ? warps[lane] : {2};\n"
        "    for (int distance = 1; distance < 32; distance *= 2) {{\n"
        "        const float before = __shfl_up_sync(0xffffffffu, all, distance);\n"
        "        if (lane >= distance) all = {1};\n"
        "    }}\n"
        "    total = __shfl_sync(0xffffffffu, all, 31);\n"
        "    const float warpsBefore = __shfl_sync(0xffffffffu, all, max(warp - 1, 0));\n"
        "    const float lanesBefore = __shfl_up_sync(0xffffffffu, value, 1);\n"
        "    const float own = lane > 0 ? lanesBefore : {2};\n"
        "    return warp > 0 ? {3} : own;\n"
        "}}\n\n",
        joined(c, "before", "value"), joined(c, "before", "all"), startOf(c), joined(c, "warpsBefore", "own"));
}

/// The formula with one axis in another's stead: factor * value + offset of it. Nothing where it is used otherwise.
std::optional<Index> withAxis(Index index, int from, int to, std::int64_t factor, std::int64_t offset) {
    for (algebra::Term& t : index.terms) {
        if (t.axis != from) continue;
        if (!t.isPlain()) return std::nullopt;
        index.offset += t.factor * offset;
        t.factor *= factor;
        t.axis = to;
    }
    std::sort(index.terms.begin(), index.terms.end(),
              [](const algebra::Term& a, const algebra::Term& b) { return a.axis < b.axis; });
    return index;
}

class ScanKernel {
public:
    ScanKernel(KernelFile& file, const Plan& plan, TensorId id)
        : m_file(file)
        , m_plan(plan)
        , m_id(id)
        , m_graph(file.graphs().each()) {}

    bool run(std::set<std::size_t>& done) {
        if (!fits()) return false;
        const std::optional<TensorId> turned = turnedResult();
        m_isBack = turned.has_value();
        if (!makeTerms()) {
            if (!m_isBack) return false;
            m_isBack = false;
            if (!makeTerms()) return false;
        }
        const TensorId result = m_isBack ? *turned : m_id;
        if (m_isBack) done.insert(result);
        write(result);
        return true;
    }

private:
    [[nodiscard]] const Tensor& full() const { return m_file.full().tensors[m_id]; }

    bool fits() {
        const int axis = algebra::scanAxis(full());
        const Combine c = full().definition() ? full().definition()->combine : Combine::none;
        if (axis < 0 || full().dtype != DType::Float32 || c == Combine::argMax || c == Combine::argMin) return false;
        for (const Tensor* t : m_file.tensor(m_id).at)
            if (algebra::scanAxis(*t) != axis) return false;
        m_axis = std::size_t(axis);
        for (std::size_t a = m_axis + 1; a < full().extents.size(); ++a)
            if (!isAlways(extentOf(m_file.tensor(m_id), a), 1)) return false;
        constexpr std::int64_t shortRow = 64;
        return full().extents[m_axis] >= shortRow;
    }

    /// A map that is this tensor from the end to the beginning, if nothing else reads it.
    [[nodiscard]] std::optional<TensorId> turnedResult() const {
        const Graph& g = m_file.full();
        if (std::count(g.outputs.begin(), g.outputs.end(), m_id)) return std::nullopt;
        std::optional<TensorId> reader;
        for (TensorId t = 0; t < g.tensors.size(); ++t)
            for (const TensorId s : algebra::sourcesOf(g.tensors[t])) {
                if (s != m_id) continue;
                if (reader) return std::nullopt;
                reader = t;
            }
        if (!reader || m_plan.inlined.contains(*reader)) return std::nullopt;
        const Each<Tensor> t = m_file.tensor(*reader);
        const bool isTurned = t.all([this](const Tensor& x) {
            const Definition* d = x.definition();
            if (!d || d->combine != Combine::none || !d->body.isRead() || !d->domain.empty()) return false;
            const Read& r = d->reads[d->body.operand];
            if (!r.constraints.empty() || r.map.size() != x.extents.size()) return false;
            for (std::size_t a = 0; a < r.map.size(); ++a) {
                const bool isOne = x.extents[a] == 1;
                const Index wanted = a == m_axis ? Index::axis(int(a), -1, x.extents[a] - 1) : Index::axis(int(a));
                if (r.map[a] != wanted && !isOne) return false;
            }
            return true;
        });
        for (std::size_t s = 0; s < t.at.size(); ++s)
            if (t.at[s]->extents != m_file.tensor(m_id).at[s]->extents) return std::nullopt;
        return isTurned && t.first().dtype == DType::Float32 ? reader : std::nullopt;
    }

    /// What is combined, as a map of its own, at every size: the reduction's axis is the scanned one, of a turned
    /// result from its end.
    bool makeTerms() {
        m_terms.clear();
        for (const Tensor* t : m_file.tensor(m_id).at) {
            Tensor terms = *t;
            Definition& d = *terms.definition();
            const int from = int(t->extents.size()), to = int(m_axis);
            const std::int64_t factor = m_isBack ? -1 : 1, offset = m_isBack ? t->extents[m_axis] - 1 : 0;
            const auto change = [&](std::vector<Index>& all) {
                for (Index& i : all) {
                    const auto changed = withAxis(i, from, to, factor, offset);
                    if (!changed) return false;
                    i = *changed;
                }
                return true;
            };
            for (Read& r : d.reads)
                if (!change(r.map) || !change(r.constraints)) return false;
            bool usesAxis = false;
            d.body = algebra::replaced(d.body, Expression::read, [&](int axis) {
                usesAxis = usesAxis || axis >= to;
                return Expression::ofAxis(axis == from ? to : axis);
            });
            if (usesAxis && m_isBack) return false;
            d.reduction.clear();
            d.domain.clear();
            d.combine = Combine::none;
            m_terms.push_back(std::move(terms));
        }
        return true;
    }

    void write(TensorId result) {
        Each<Tensor> terms;
        for (const Tensor& t : m_terms)
            terms.at.push_back(&t);
        const Combine c = full().definition()->combine;
        const std::int64_t length = full().extents[m_axis];
        int threads = 64;
        while (threads < 1024 && std::int64_t(threads) * 4 < length)
            threads *= 2;
        m_file.constant(fmt::format("constexpr int scanThreads = {}; // tune: pow2 64..1024", threads));
        m_file.helper(loadText);
        m_file.helper(storeText);
        m_file.helper(helperText(c));
        KernelText text = m_file.kernel();
        for (const char* word :
             {"row", "length", "carry", "chunk", "k", "i", "v", "place", "values", "total", "before"})
            (void)text.fresh(word);

        RowLayout layout{RowLayout::Kind::rows, {}, {}, {}};
        for (const Tensor& t : m_terms) {
            layout.length.push_back(t.extents[m_axis]);
            layout.rows.push_back(algebra::pointCount(t.extents) / t.extents[m_axis]);
            layout.inner.push_back(1);
        }
        ElementReads reads(m_graph, m_plan.inlined, layout);
        reads.add(terms, false);
        AtHand hand;
        hand.inlined = m_plan.inlined;
        hand.layout = layout;
        hand.row = "row";
        const std::string v = m_isBack ? "width - 1 - v" : "v";
        hand.element = "i + " + v;
        hand.place = "place + " + v;
        const PointNames names{"(" + hand.element + ")", "row", "(" + hand.place + ")", "", ""};

        const std::string out = text.pointer(result, DType::Float32, "out", true);
        text.line("const Index row = blockIdx.x;");
        text.line(fmt::format("float carry = {}; // of the chunks before", startOf(c)));
        text.open("for (Index chunk = 0; chunk < length; chunk += width * scanThreads) {");
        text.line("const Index k = chunk + width * threadIdx.x;");
        text.line(m_isBack ? "const Index place = length - width - k, i = row * length + place; // from the end"
                           : "const Index place = k, i = row * length + place;");
        text.line("float values[width];");
        for (const std::size_t id : reads.found())
            text.line(fmt::format("float {}At[width];", identifier(m_file.full().tensors[id].name)));
        if (!reads.found().empty()) text.open("if (k < length) {");
        for (const std::size_t id : reads.found()) {
            const std::string& name = m_file.full().tensors[id].name;
            const std::string from = text.pointer(id, DType::Float32, name, false);
            text.line(fmt::format("load({}At, {} + i);", identifier(name), from));
            hand.values[id] = fmt::format("{}At[{}]", identifier(name), v);
        }
        if (!reads.found().empty()) text.close();
        text.line("#pragma unroll");
        text.open("for (int v = 0; v < width; ++v) {");
        text.line(fmt::format("values[v] = {};", startOf(c)));
        text.open("if (k < length) {");
        const std::string value = pointValue(text, m_graph, terms, hand, names);
        text.line(fmt::format("values[v] = {};", value));
        text.close();
        text.line(fmt::format("if (v > 0) values[v] = {};", joined(c, "values[v - 1]", "values[v]")));
        text.close();
        text.line("float total;");
        text.line("const float own = combinedBefore(values[width - 1], total);");
        text.line(fmt::format("const float before = {};", joined(c, "carry", "own")));
        text.line(fmt::format("carry = {};", joined(c, "carry", "total")));
        text.line("float outAt[width];");
        text.line("#pragma unroll");
        text.open("for (int v = 0; v < width; ++v)");
        text.line(fmt::format("outAt[{}] = {};", v, joined(c, "before", "values[v]")));
        text.indent(-1);
        text.line(fmt::format("if (k < length) store({} + i, outAt);", out));
        text.close();

        m_file.declare(result);
        const std::string extent = m_file.number(layout.length);
        const std::string rows = fmt::format("{}.numel() / ({})", m_file.variable(result), extent);
        const std::string kernel =
            m_file.addKernel(full().name, "A block for each row, each thread some neighbours of it.", text,
                             "Index length", "__launch_bounds__(scanThreads) ", "template <int width>\n");
        m_file.launchByWidth(kernel, extent, rows, text, {extent}, "scanThreads");
        describeScan(m_file, m_id, result, reads.found());
    }

    KernelFile& m_file;
    const Plan& m_plan;
    TensorId m_id;
    Each<Graph> m_graph;
    std::size_t m_axis = 0;
    bool m_isBack = false;
    std::vector<Tensor> m_terms;
};

} // namespace

bool addScanKernel(KernelFile& file, const Plan& plan, std::size_t id, std::set<std::size_t>& done) {
    return ScanKernel(file, plan, id).run(done);
}

} // namespace kernelarium::kernelgen
