// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/products/StripKernel.h"

#include "core/kernelgen/fused/RowText.h"
#include "core/kernelgen/products/Fragments.h"
#include "core/kernelgen/products/Operand.h"
#include "core/kernelgen/products/StripFactors.h"
#include "core/kernelgen/products/StripSums.h"
#include "core/kernelgen/text/Names.h"

#include <optional>
#include <string>
#include <vector>

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

class StripKernel {
public:
    StripKernel(KernelFile& file, const ProductUnit& unit, int parts, const std::set<std::size_t>& inlined)
        : m_file(file)
        , m_unit(unit)
        , m_form(unit.first())
        , m_partsWanted(parts)
        , m_inlined(inlined)
        , m_tensor(file.tensor(m_form.tensor))
        , m_text(textOfStrip(file))
        , m_factors(file, m_text, unit)
        , m_sums(file, m_text, unit, m_factors) {}

    void run() {
        m_file.helper(loadPairsText);
        m_file.helper(multiplyFragmentsText(m_factors.left().dtype()));
        if (!m_unit.statistics.empty()) m_file.helper(numberOfText(m_factors.left().dtype()));
        for (const TensorId id : m_unit.stored)
            m_file.declare(id);
        if (isSplit()) {
            m_file.helper(isLastText);
            m_mostParts = m_file.takeName(identifier(m_file.full().tensors[m_form.tensor].name) + "Parts");
            m_file.constant(
                fmt::format("constexpr int {} = {}; // tune: pow2 1..16 # share a sum", m_mostParts, m_partsWanted));
        }
        place();
        m_factors.writeLoad(m_rows, m_columns);
        add();
        loop();
        m_sums.writeJoin(isSplit());
        m_sums.writeFinish(m_inlined, m_rows, m_columns);
        launch();
    }

private:
    [[nodiscard]] bool isSplit() const { return m_partsWanted > 1; }
    [[nodiscard]] const std::string& name(TensorId id) const { return m_file.full().tensors[id].name; }

    void place() {
        m_rows = m_text.number(pointsOf(m_tensor, m_form.rows), "rowCount");
        m_columns = m_text.number(pointsOf(m_tensor, m_form.columns), "columnCount");
        const ProductForm& direct = m_factors.direct();
        m_terms = m_text.number(pointsOf(m_file.tensor(direct.tensor), direct.sums), "sumCount");
        m_sums.writeShared();
        if (isSplit())
            m_text.line("const Index strip = Index(blockIdx.x) / parts, part = Index(blockIdx.x) % parts;");
        else
            m_text.line("const Index strip = blockIdx.x;");
        m_text.line(fmt::format("const Index strips = ({} + stripColumns - 1) / stripColumns;", m_columns));
        m_text.line("const Index firstColumn = strip % strips * stripColumns, firstRow = strip / strips * stripRows;");
        if (isSplit()) {
            m_text.line(fmt::format("const Index each = ({} + parts * 16 - 1) / (parts * 16) * 16;", m_terms));
            m_text.line(fmt::format("const Index begin = part * each, end = min({}, begin + each);", m_terms));
        } else {
            m_text.line(fmt::format("const Index begin = 0, end = {};", m_terms));
        }
        if (isSplit()) m_text.line("expect(&finished[strip]);");
        m_text.line("const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;");
        m_text.line("const int line = lane / 4, quarter = lane % 4; // a row and columns; 4 of a step's 16 terms");
        m_factors.writePointers();
    }

    void add() {
        m_sums.writeRegisters();
        m_text.open("const auto add = [&](int stage) {");
        m_sums.writeRowTerms();
        m_text.line("#pragma unroll");
        m_text.open(fmt::format("for (int n = 0; n < {}; ++n) {{", m_factors.count()));
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

    void loop() {
        m_text.line("const Index steps = (end - begin + 15) / 16;");
        m_text.line("#pragma unroll");
        m_text.open("for (int stage = 0; stage < stripAhead; ++stage)");
        m_text.line("load(warp + stage * stripWarps, stage);");
        m_text.indent(-1);
        m_factors.writeInnerTiles(m_columns);
        m_text.open("for (Index step = warp; step < steps; step += stripAhead * stripWarps) {");
        m_text.line("#pragma unroll");
        m_text.open("for (int stage = 0; stage < stripAhead; ++stage) {");
        m_text.line("add(stage);");
        m_text.line("load(step + (stage + stripAhead) * stripWarps, stage);");
        m_text.close();
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
            const std::size_t tiles = m_factors.count(), rows = m_unit.statistics.size();
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
        const std::optional<Conditions> whole = m_factors.whole();
        const std::string what = m_unit.forms.size() == 1 ? "the product" : "the products";
        std::string comment = fmt::format(
            "A strip of {} for each block, by tensor cores: its warps take terms in turn, and what is on its way to them "
            "waits in registers, so that the right {} once and nothing waits for a block. The warps' sums are added in "
            "their order, and the formulas follow.",
            what, m_factors.count() == 1 ? "factor is read" : "factors are read");
        const std::string kernel =
            m_file.addKernel(name(m_unit.stored.back()) + "Strip", comment, m_text, parameters,
                             "__launch_bounds__(stripThreads, stripBlocks) ", "template <bool whole>\n");
        if (!whole) return m_file.launch(kernel + "<false>", grid, m_text, {}, last, "stripThreads");
        m_file.helper(onBorder);
        m_file.launchEither(whole->text(), whole->isSo(), kernel + "<true>", kernel + "<false>", grid, m_text, last,
                            "stripThreads");
    }

    KernelFile& m_file;
    const ProductUnit& m_unit;
    const ProductForm& m_form;
    int m_partsWanted;
    const std::set<std::size_t>& m_inlined;
    Each<Tensor> m_tensor;
    KernelText m_text;
    StripFactors m_factors;
    StripSums m_sums;
    std::string m_rows, m_columns, m_terms, m_mostParts;
};

} // namespace

void addStripProduct(KernelFile& file, const ProductUnit& unit, int parts, const std::set<std::size_t>& inlined) {
    StripKernel(file, unit, parts, inlined).run();
}

} // namespace kernelarium::kernelgen::products
