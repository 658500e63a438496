// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/products/StripKernel.h"

#include "core/kernelgen/fused/RowText.h"
#include "core/kernelgen/naive/DefinitionKernel.h"
#include "core/kernelgen/products/Epilogue.h"
#include "core/kernelgen/products/Fragments.h"
#include "core/kernelgen/products/Operand.h"
#include "core/kernelgen/text/Names.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

namespace kernelarium::kernelgen::products {

using algebra::Tensor;
using algebra::TensorId;

namespace {

KernelText textOfStrip(const KernelFile& file) {
    KernelText text = file.kernel();
    for (const char* word :
         {"strip", "firstRow", "firstColumn", "begin", "end",   "warp",  "lane",  "line",     "quarter",
          "sums",  "sum",      "left",        "right", "load",  "add",   "stage", "step",     "steps",
          "row",   "column",   "k",           "n",     "i",     "j",     "m",     "v",        "e",
          "a",     "first",    "element",     "from",  "parts", "part",  "p",     "partials", "own",
          "total", "whole",    "exist",       "each",  "term",  "terms", "inner", "count",    "innerFrom"})
        (void)text.fresh(word);
    return text;
}

/// A right factor of the pass over the left factor's rows.
struct Right {
    const ProductForm* form;
    std::unique_ptr<Operand> operand;
    bool isInner = false;
};

class StripKernel {
public:
    StripKernel(KernelFile& file, const ProductUnit& unit, int parts, const std::set<std::size_t>& inlined)
        : m_file(file)
        , m_unit(unit)
        , m_form(unit.first())
        , m_partsWanted(parts)
        , m_inlined(inlined)
        , m_tensor(file.tensor(m_form.tensor))
        , m_text(textOfStrip(file)) {}

    void run() {
        operands();
        m_file.helper(loadPairsText);
        m_file.helper(multiplyFragmentsText(m_left->dtype()));
        if (!m_unit.statistics.empty()) m_file.helper(numberOfText(m_left->dtype()));
        for (const TensorId id : m_unit.stored)
            m_file.declare(id);
        if (isSplit()) {
            m_file.helper(isLastText);
            m_mostParts = m_file.takeName(identifier(m_file.full().tensors[m_form.tensor].name) + "Parts");
            m_file.constant(
                fmt::format("constexpr int {} = {}; // tune: pow2 1..16 # share a sum", m_mostParts, m_partsWanted));
        }
        place();
        load();
        add();
        loop();
        join();
        finish();
        launch();
    }

private:
    [[nodiscard]] bool isSplit() const { return m_partsWanted > 1; }
    [[nodiscard]] const std::string& name(TensorId id) const { return m_file.full().tensors[id].name; }

    void operands() {
        for (std::size_t k = 0; k < m_unit.forms.size(); ++k) {
            const ProductForm& f = m_unit.forms[k];
            if (m_unit.inner.contains(k)) continue;
            if (!m_left) {
                m_direct = &f;
                m_left = std::make_unique<Operand>(m_file, m_text, f, f.left, f.rows, "left", "row");
            }
            m_place[k] = m_rights.size();
            m_rights.push_back(
                {&f, std::make_unique<Operand>(m_file, m_text, f, f.right, f.columns, "right", "column"), false});
        }
        for (const auto& [k, f] : m_unit.inner) {
            m_place[k] = m_rights.size();
            m_rights.push_back(
                {&f, std::make_unique<Operand>(m_file, m_text, f, f.right, f.columns, "right", "column"), true});
        }
    }

    void place() {
        m_rows = m_text.number(pointsOf(m_tensor, m_form.rows), "rowCount");
        m_columns = m_text.number(pointsOf(m_tensor, m_form.columns), "columnCount");
        m_sums = m_text.number(pointsOf(m_file.tensor(m_direct->tensor), m_direct->sums), "sumCount");
        const std::size_t statistics = m_unit.statistics.size();
        m_text.line(fmt::format("constexpr int tile = stripRows * stripColumns, all = {}tile{};",
                                m_rights.size() == 1 ? "" : fmt::format("{} * ", m_rights.size()),
                                statistics == 0   ? ""
                                : statistics == 1 ? " + stripRows"
                                                  : fmt::format(" + {} * stripRows", statistics)));
        m_text.line("__shared__ float sums[stripWarps * all]; // of each warp: products, then sums of rows");
        if (isSplit())
            m_text.line("const Index strip = Index(blockIdx.x) / parts, part = Index(blockIdx.x) % parts;");
        else
            m_text.line("const Index strip = blockIdx.x;");
        m_text.line(fmt::format("const Index strips = ({} + stripColumns - 1) / stripColumns;", m_columns));
        m_text.line("const Index firstColumn = strip % strips * stripColumns, firstRow = strip / strips * stripRows;");
        if (isSplit()) {
            m_text.line(fmt::format("const Index each = ({} + parts * 16 - 1) / (parts * 16) * 16;", m_sums));
            m_text.line(fmt::format("const Index begin = part * each, end = min({}, begin + each);", m_sums));
        } else {
            m_text.line(fmt::format("const Index begin = 0, end = {};", m_sums));
        }
        if (isSplit()) m_text.line("expect(&finished[strip]);");
        m_text.line("const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;");
        m_text.line("const int line = lane / 4, quarter = lane % 4; // a row and columns; 4 of a step's 16 terms");
        for (const Right& r : m_rights)
            r.operand->pointerTo();
        m_left->pointerTo();
    }

    void load() {
        m_text.line("unsigned left[stripAhead][rowEights][2];");
        m_text.line(fmt::format("unsigned right[stripAhead][{}][4][laneColumns / 2];", m_rights.size()));
        m_text.line("// A step of the warp on its way: for a lane 4 terms of a row, and of each of them some columns.");
        m_text.open("const auto load = [&](Index step, int stage) {");
        m_text.line("const Index first = begin + step * 16 + quarter * 4;");
        m_text.line("#pragma unroll");
        m_text.open("for (int i = 0; i < rowEights; ++i) {");
        m_text.line("const Index row = firstRow + i * 8 + line;");
        writeAddress(m_text, "k", bits(*m_left));
        m_text.line(
            fmt::format("loadPairs<4, whole>(left[stage][i], from, first, row < {} ? end - first : 0);", m_rows));
        m_text.close();
        m_text.line("#pragma unroll");
        m_text.open("for (int j = 0; j < 4; ++j) {");
        m_text.line("const Index k = first + j;");
        for (std::size_t n = 0; n < m_rights.size(); ++n) {
            const Right& r = m_rights[n];
            m_text.open("{");
            std::string columns = m_columns;
            if (r.isInner) columns = m_text.number(pointsOf(m_file.tensor(r.form->tensor), r.form->columns), "inners");
            writeAddress(m_text, "column", bits(*r.operand));
            m_text.line(fmt::format("const Index own = {}line * laneColumns;", r.isInner ? "" : "firstColumn + "));
            m_text.line(fmt::format(
                "loadPairs<laneColumns, whole>(right[stage][{}][j], from, own, k < end ? {} - own : 0);", n, columns));
            m_text.close();
        }
        m_text.close();
        m_text.close("};");
    }
    [[nodiscard]] static std::string bits(const Operand& o) {
        return fmt::format("reinterpret_cast<const unsigned short*>({})", o.at());
    }

    void add() {
        m_text.line(fmt::format("float sum[{}][laneColumns / 2][rowEights][4] = {{}};", m_rights.size()));
        for (const TensorId id : m_unit.statistics) {
            m_ofRow[id] = m_text.fresh(identifier(name(id)) + "Row");
            m_text.line(fmt::format("float {}[rowEights] = {{}};", m_ofRow[id]));
        }
        m_text.open("const auto add = [&](int stage) {");
        statistics();
        m_text.line("#pragma unroll");
        m_text.open(fmt::format("for (int n = 0; n < {}; ++n) {{", m_rights.size()));
        m_text.line("#pragma unroll");
        m_text.open("for (int m = 0; m < laneColumns / 2; ++m) {");
        m_text.line("// Columns are rows of the tensor cores' product: two of a lane, each with its terms in pairs.");
        m_text.line("const unsigned(&own)[4][laneColumns / 2] = right[stage][n];");
        m_text.line("const unsigned a[4] = {");
        m_text.line("    __byte_perm(own[0][m], own[1][m], 0x5410), __byte_perm(own[0][m], own[1][m], 0x7632),");
        m_text.line("    __byte_perm(own[2][m], own[3][m], 0x5410), __byte_perm(own[2][m], own[3][m], 0x7632)};");
        m_text.line("#pragma unroll");
        m_text.open("for (int i = 0; i < rowEights; ++i)");
        m_text.line("multiplyFragments(sum[n][m][i], a, left[stage][i][0], left[stage][i][1]);");
        m_text.indent(-1);
        m_text.close();
        m_text.close();
        m_text.close("};");
    }
    void statistics() {
        if (m_unit.statistics.empty()) return;
        m_text.line("#pragma unroll");
        m_text.open("for (int e = 0; e < rowEights * 4; ++e) {");
        m_text.line("const float term = numberOf(left[stage][e / 4][e / 2 % 2] >> (e % 2 * 16));");
        for (const TensorId id : m_unit.statistics) {
            AtHand hand;
            hand.withReduction = true;
            hand.element = "e";
            hand.values[m_left->source()] = "term";
            const Each<Tensor> t = m_file.tensor(id);
            const Terms terms = termsOf(t);
            PointText point(m_text, m_file.graphs().each(), t, algebra::axisNames(t.first()), hand);
            m_text.line(fmt::format("{}[e / 4] += {};", m_ofRow[id], point.valueOf(terms.each())));
        }
        m_text.close();
    }

    void loop() {
        m_text.line("const Index steps = (end - begin + 15) / 16;");
        m_text.line("#pragma unroll");
        m_text.open("for (int stage = 0; stage < stripAhead; ++stage)");
        m_text.line("load(warp + stage * stripWarps, stage);");
        m_text.indent(-1);
        innerTiles();
        m_text.open("for (Index step = warp; step < steps; step += stripAhead * stripWarps) {");
        m_text.line("#pragma unroll");
        m_text.open("for (int stage = 0; stage < stripAhead; ++stage) {");
        m_text.line("add(stage);");
        m_text.line("load(step + (stage + stripAhead) * stripWarps, stage);");
        m_text.close();
        m_text.close();
    }

    /// The right factors of products whose left one the block makes itself: they are there when it is.
    void innerTiles() {
        for (const auto& [k, f] : m_unit.inner) {
            const std::string tile = m_text.fresh(m_unit.inner.size() == 1 ? "after" : fmt::format("after{}", k));
            m_innerTiles[k] = tile;
            const ProductForm& outer = m_unit.forms[k];
            Operand right(m_file, m_text, outer, outer.right, outer.columns, "after", "column");
            m_text.line(fmt::format("__shared__ float {}[stripColumns * stripColumns];", tile));
            const std::string count = m_text.number(pointsOf(m_file.tensor(outer.tensor), outer.sums), "inners");
            right.pointerTo();
            m_text.open(fmt::format("for (int e = threadIdx.x; e < {} * stripColumns; e += stripThreads) {{", count));
            m_text.line("const Index k = e / stripColumns, column = firstColumn + e % stripColumns;");
            m_text.line(fmt::format("{}[e] = column < {} ? float(*({})) : 0.0f;", tile, m_columns, right.at()));
            m_text.close();
        }
    }

    /// Each warp's sums beside one another, and all of them in the first one's place.
    void join() {
        m_text.line("float* const own = sums + warp * all;");
        m_text.line("#pragma unroll");
        m_text.open(fmt::format("for (int e = 0; e < {} * laneColumns / 2 * rowEights * 4; ++e) {{", m_rights.size()));
        m_text.line("const int v = e % 4, i = e / 4 % rowEights, m = e / 4 / rowEights % (laneColumns / 2);");
        m_text.line("const int n = e / 4 / rowEights / (laneColumns / 2);");
        m_text.line("const int row = i * 8 + quarter * 2 + v % 2, column = line * laneColumns + m * 2 + v / 2;");
        m_text.line("own[n * tile + row * stripColumns + column] = sum[n][m][i][v];");
        m_text.close();
        for (std::size_t n = 0; n < m_unit.statistics.size(); ++n) {
            const std::string& row = m_ofRow[m_unit.statistics[n]];
            m_text.line("#pragma unroll");
            m_text.open("for (int i = 0; i < rowEights; ++i) {");
            m_text.line(fmt::format("{0}[i] += __shfl_xor_sync(0xffffffffu, {0}[i], 1);", row));
            m_text.line(fmt::format("{0}[i] += __shfl_xor_sync(0xffffffffu, {0}[i], 2);", row));
            m_text.line(fmt::format("if (quarter == 0) own[{} + i * 8 + line] = {}[i];", ofRows(n), row));
            m_text.close();
        }
        m_text.line("__syncthreads();");
        m_text.open("for (int e = threadIdx.x; e < all; e += stripThreads) {");
        m_text.line("float total = 0.0f;");
        m_text.line("#pragma unroll");
        m_text.open("for (int p = 0; p < stripWarps; ++p)");
        m_text.line("total += sums[p * all + e];");
        m_text.indent(-1);
        m_text.line(isSplit() ? "partials[(strip * parts + part) * all + e] = total;" : "sums[e] = total;");
        m_text.close();
        if (isSplit()) {
            m_text.line("if (!isLast(&finished[strip], parts)) return;");
            m_text.line("// The parts in their order; this block's own comes from memory as well.");
            m_text.open("for (int e = threadIdx.x; e < all; e += stripThreads) {");
            m_text.line("float total = 0.0f;");
            m_text.open("for (Index p = 0; p < parts; ++p)");
            m_text.line("total += __ldcg(partials + (strip * parts + p) * all + e);");
            m_text.indent(-1);
            m_text.line("sums[e] = total;");
            m_text.close();
        }
        m_text.line("__syncthreads();");
    }
    [[nodiscard]] std::string ofRows(std::size_t n) const {
        return fmt::format("{}tile{}", m_rights.size() == 1 ? "" : fmt::format("{} * ", m_rights.size()),
                           n == 0 ? "" : fmt::format(" + {} * stripRows", n));
    }

    void finish() {
        const Offsets own(m_tensor);
        m_text.open("for (int e = threadIdx.x; e < tile; e += stripThreads) {");
        m_text.line("const Index row = firstRow + e / stripColumns, column = firstColumn + e % stripColumns;");
        m_text.line(fmt::format("if (row >= {} || column >= {}) continue;", m_rows, m_columns));
        PointNames names;
        for (std::size_t n = 0; n < m_unit.statistics.size(); ++n) {
            const TensorId id = m_unit.statistics[n];
            const std::string value = m_text.fresh(identifier(name(id)));
            const Terms terms = termsOf(m_file.tensor(id));
            const std::string factor = terms.factor.empty() ? "" : " * " + m_text.factor(terms.factor);
            m_text.line(fmt::format("const float {} = sums[{} + e / stripColumns]{};", value, ofRows(n), factor));
            names.given[id] = value;
        }
        for (std::size_t k = 0; k < m_unit.forms.size(); ++k) {
            const std::size_t at = m_place.at(k);
            if (!m_unit.inner.contains(k)) {
                names.sums.push_back(at == 0   ? "sums[e]"
                                     : at == 1 ? "sums[tile + e]"
                                               : fmt::format("sums[{} * tile + e]", at));
                continue;
            }
            const ProductForm& low = m_unit.inner.at(k);
            const std::string total = m_text.fresh(identifier(name(m_unit.forms[k].tensor)) + "Sum");
            m_text.line(fmt::format("float {} = 0.0f;", total));
            const std::string count =
                m_text.number(pointsOf(m_file.tensor(m_unit.forms[k].tensor), m_unit.forms[k].sums), "inners");
            m_text.open(fmt::format("for (Index k = 0; k < {}; ++k) {{", count));
            std::string value = fmt::format("sums[{}tile + e / stripColumns * stripColumns + k]",
                                            at == 1 ? "" : fmt::format("{} * ", at));
            if (low.factor != 1) value += " * " + floatLiteral(low.factor);
            m_text.line(fmt::format("const {} term = {};", typeName(m_file.full().tensors[low.tensor].dtype), value));
            m_text.line(
                fmt::format("{} += float(term) * {}[k * stripColumns + e % stripColumns];", total, m_innerTiles.at(k)));
            m_text.close();
            names.sums.push_back(total);
        }
        names.batch = "0", names.row = "row", names.column = "column", names.element = "element";
        m_text.line(fmt::format("const Index element = {};", sumOf({own.part(m_text, m_form.rows, "row"),
                                                                    own.part(m_text, m_form.columns, "column")})));
        writeFormulas(m_file, m_text, m_unit, m_inlined, names, [&](TensorId id, const std::string& value) {
            const tensor::DType dtype = m_file.full().tensors[id].dtype;
            const std::string out = m_text.pointer(id, dtype, identifier(name(id)) + "Out", true);
            m_text.line(fmt::format("{}[element] = {};", out, stored(value, dtype)));
        });
        m_text.close();
    }

    void launch() {
        for (const auto& [k, f] : m_unit.inner) {
            const std::string count = m_file.number(pointsOf(m_file.tensor(f.tensor), f.columns));
            m_file.hostLine(
                fmt::format("TORCH_CHECK({} <= stripColumns, \"{} is wider than a strip\");", count, name(f.tensor)));
        }
        std::string grid = fmt::format("blocks({}, stripRows) * blocks({}, stripColumns)",
                                       m_file.number(pointsOf(m_tensor, m_form.rows)),
                                       m_file.number(pointsOf(m_tensor, m_form.columns)));
        std::string parameters;
        std::vector<std::string> last;
        if (isSplit()) {
            const std::string strips = m_file.takeName("strips"), parts = m_file.takeName("parts");
            const std::string partials = m_file.takeName("partials");
            const std::size_t tiles = m_rights.size(), rows = m_unit.statistics.size();
            std::string all = fmt::format("{} * stripRows * stripColumns", tiles);
            if (rows > 0) all += fmt::format(" + {} * stripRows", rows);
            m_file.hostLine(fmt::format("const int64_t {} = {};", strips, grid));
            m_file.hostLine(fmt::format("const int64_t {} = {} <= mostCounted ? {} : 1;", parts, strips, m_mostParts));
            m_file.hostLine(fmt::format("const auto {} = torch::empty({{{} * {}, {}}}, "
                                        "options.dtype(torch::kFloat32));",
                                        partials, strips, parts, all));
            grid = fmt::format("{} * {}", strips, parts);
            parameters = "Index parts, float* partials";
            last = {parts, partials + ".data_ptr<float>()"};
        }
        Conditions whole;
        bool isNever = false;
        const auto require = [&](const Operand& o) {
            const std::string own = o.whole(m_file);
            isNever = isNever || own == "false";
            whole.require(own, o.isWhole(m_file.graphs().shown));
        };
        require(*m_left);
        for (const Right& r : m_rights)
            require(*r.operand);
        const std::string what = m_unit.forms.size() == 1 ? "the product" : "the products";
        std::string comment = fmt::format(
            "A strip of {} for each block, by tensor cores: its warps take terms in turn, and what is on its way to them "
            "waits in registers, so that the right {} once and nothing waits for a block. The warps' sums are added in "
            "their order, and the formulas follow.",
            what, m_rights.size() == 1 ? "factor is read" : "factors are read");
        const std::string kernel =
            m_file.addKernel(name(m_unit.stored.back()) + "Strip", comment, m_text, parameters,
                             "__launch_bounds__(stripThreads, stripBlocks) ", "template <bool whole>\n");
        if (isNever) return m_file.launch(kernel + "<false>", grid, m_text, {}, last, "stripThreads");
        m_file.helper(onBorder);
        m_file.launchEither(whole.text(), whole.isSo(), kernel + "<true>", kernel + "<false>", grid, m_text, last,
                            "stripThreads");
    }

    KernelFile& m_file;
    const ProductUnit& m_unit;
    const ProductForm& m_form;
    const ProductForm* m_direct = nullptr;
    int m_partsWanted;
    const std::set<std::size_t>& m_inlined;
    Each<Tensor> m_tensor;
    KernelText m_text;
    std::unique_ptr<Operand> m_left;
    std::vector<Right> m_rights;
    std::map<std::size_t, std::size_t> m_place;      ///< of a form's sums, or of its left factor's
    std::map<std::size_t, std::string> m_innerTiles; ///< by form
    std::map<TensorId, std::string> m_ofRow;
    std::string m_rows, m_columns, m_sums, m_mostParts;
};

} // namespace

StripTiles stripTilesFor(double rows, double products, double sums) {
    // Measured: two steps on their way to each warp, 16 bytes a lane and term, and as many warps as find terms; more
    // steps make fewer warps fit, and do worse.
    constexpr double manyTerms = 1024;
    constexpr int mostSums = 32 << 10; // bytes of shared memory
    StripTiles t;
    t.rowEights = rows > 8 ? 2 : 1;
    t.laneColumns = products > 1 ? 4 : 8;
    t.warps = sums >= manyTerms ? 16 : 8;
    while (t.warps > 1 && t.warps * products * t.rows() * t.columns() * 4 > mostSums)
        t.warps /= 2;
    t.blocks = t.warps > 8 ? 1 : 2;
    t.ahead = sums > 16 * t.warps ? 2 : 1;
    return t;
}

int StripTiles::parts(double columnCount, double sums) const {
    constexpr double wanted = 96, leastTerms = 512; // blocks; terms of a part
    int parts = 1;
    while (std::ceil(columnCount / columns()) * parts < wanted && sums / (2 * parts) >= leastTerms)
        parts *= 2;
    return parts;
}

void addStripTiles(KernelFile& file, const StripTiles& t) {
    file.constant(fmt::format("constexpr int rowEights = {}; // eight rows each", t.rowEights));
    file.constant(fmt::format("constexpr int laneColumns = {}; // tune: pow2 4..8 # neighbours", t.laneColumns));
    file.constant(
        fmt::format("constexpr int stripWarps = {}; // tune: pow2 1..16 # they share a strip's sums", t.warps));
    file.constant(
        fmt::format("constexpr int stripAhead = {}; // tune: 1..12 # steps of 16 terms on their way", t.ahead));
    file.constant(fmt::format("constexpr int stripBlocks = {}; // tune: 1..4 # there are registers for", t.blocks));
    file.constant("constexpr int stripRows = 8 * rowEights; // of a block");
    file.constant("constexpr int stripColumns = 8 * laneColumns; // of a block");
    file.constant("constexpr int stripThreads = 32 * stripWarps;");
}

void addStripProduct(KernelFile& file, const ProductUnit& unit, int parts, const std::set<std::size_t>& inlined) {
    StripKernel(file, unit, parts, inlined).run();
}

} // namespace kernelarium::kernelgen::products
