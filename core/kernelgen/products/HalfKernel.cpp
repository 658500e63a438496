// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/products/HalfKernel.h"

#include "core/kernelgen/fused/RowText.h"
#include "core/kernelgen/products/Epilogue.h"
#include "core/kernelgen/products/Fragments.h"
#include "core/kernelgen/products/HalfShared.h"
#include "core/kernelgen/products/HalfSums.h"
#include "core/kernelgen/products/Operand.h"
#include "core/kernelgen/products/TileReads.h"
#include "core/kernelgen/text/Names.h"

#include <string>
#include <vector>

#include <fmt/format.h>

namespace kernelarium::kernelgen::products {

using algebra::Tensor;
using algebra::TensorId;

namespace {

KernelText textOfHalf(const KernelFile& file) {
    KernelText text = file.kernel();
    for (const char* word :
         {"columnTiles", "rowTiles", "firstRow", "firstColumn", "batch",  "end",       "warp",      "lane",
          "down",        "across",   "deep",     "shared",      "sums",   "sum",       "load",      "multiply",
          "stage",       "start",    "step",     "row",         "column", "k",         "n",         "i",
          "eight",       "element",  "a",        "b",           "from",   "leftTile",  "rightTile", "leftSize",
          "rightSize",   "place",    "e",        "each",        "v",      "stageSize", "sumSize",   "term",
          "j",           "half",     "parts",    "part",        "tile",   "begin",     "partials",  "p",
          "w",           "count",    "ownRow",   "ownColumn",   "own",    "whole",     "fragments", "sides",
          "side",        "f",        "s",        "other",       "four",   "others",    "mine",      "theirs",
          "first"})
        (void)text.fresh(word);
    return text;
}

class HalfKernel {
public:
    HalfKernel(KernelFile& file, const ProductUnit& unit, int parts, const std::set<std::size_t>& inlined)
        : m_file(file)
        , m_unit(unit)
        , m_form(unit.first())
        , m_partsWanted(parts)
        , m_inlined(inlined)
        , m_tensor(file.tensor(m_form.tensor))
        , m_text(textOfHalf(file))
        , m_groups(halfGroupsOf(file, m_text, unit)) {}

    void run() {
        m_file.helper(copyEightText);
        m_file.helper(loadFragmentText);
        m_file.helper(multiplyFragmentsText(m_groups[0].left->dtype()));
        m_file.helper(onBorder);
        for (const TensorId id : m_unit.stored)
            m_file.declare(id);
        if (isSplit()) {
            m_file.helper(isLastText);
            m_mostParts = m_file.takeName(identifier(m_file.full().tensors[m_form.tensor].name) + "Parts");
            m_file.constant(
                fmt::format("constexpr int {} = {}; // tune: pow2 1..16 # share a sum", m_mostParts, m_partsWanted));
        }
        m_shared = addHalfShared(m_file, m_text, m_unit, m_groups);
        place();
        for (std::size_t g = 0; g < m_groups.size(); ++g)
            accumulate(m_groups[g], g);
        writeHalfJoin(m_text, isSplit());
        writeHalfFinish(m_file, m_text, m_unit, m_inlined, m_rows, m_columns);
        launch();
    }

private:
    [[nodiscard]] bool isSplit() const { return m_partsWanted > 1; }

    void place() {
        m_rows = m_text.number(pointsOf(m_tensor, m_form.rows), "rowCount");
        m_columns = m_text.number(pointsOf(m_tensor, m_form.columns), "columnCount");
        m_text.line("static_assert(ownRows % 16 == 0 && ownColumns % 16 == 0, \"a warp makes whole fragments\");");
        m_text.line("static_assert(tileSums % (16 * warpsDeep) == 0, \"each warp has as many terms\");");
        m_text.line("extern __shared__ __align__(16) unsigned short shared[];");
        m_text.line(fmt::format("const Index columnTiles = ({} + tileColumns - 1) / tileColumns;", m_columns));
        const std::string tile = isSplit() ? "tile" : "Index(blockIdx.x)";
        if (isSplit()) m_text.line("const Index tile = Index(blockIdx.x) / parts, part = Index(blockIdx.x) % parts;");
        m_text.line(fmt::format("const Index firstColumn = {} % columnTiles * tileColumns;", tile));
        if (m_form.batch.empty()) {
            m_text.line(fmt::format("const Index firstRow = {} / columnTiles * tileRows;", tile));
        } else {
            m_text.line(fmt::format("const Index rowTiles = ({} + tileRows - 1) / tileRows;", m_rows));
            m_text.line(fmt::format("const Index firstRow = {} / columnTiles % rowTiles * tileRows;", tile));
            m_text.line(fmt::format("const Index batch = {} / columnTiles / rowTiles;", tile));
        }
        if (isSplit()) m_text.line("if (parts > 1) expect(&finished[tile]);");
        m_text.line("const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;");
        m_text.line("const int down = warp % warpsDown, across = warp / warpsDown % warpsAcross;");
        m_text.line("const int deep = warp / (warpsDown * warpsAcross) % warpsDeep;");
        m_text.line("constexpr int fragmentsDown = ownRows / 16, fragmentsAcross = ownColumns / 8; // of a product");
        m_text.line(fmt::format("constexpr int fragments = {}fragmentsDown * fragmentsAcross;", timesForms(m_unit)));
        m_text.line("float sum[fragments][4] = {};");
    }

    /// One factor's tile on its way to shared memory.
    void copyTile(const Operand& o, const SharedTile& to, const std::string& first, const std::string& end) {
        const std::string whole = wholeName(o);
        m_text.line("#pragma unroll");
        m_text.open(fmt::format("for (int i = 0; i < {} * tileSums / 8; i += productThreads) {{", to.lines));
        m_text.line("const int eight = i + threadIdx.x;");
        m_text.line(fmt::format("if ({0} * tileSums / 8 % productThreads > 0 && eight >= {0} * tileSums / 8) break;",
                                to.lines));
        writeTileCopy(m_text, o, to, {first, end}, {"start", "end"}, whole);
        m_text.close();
    }

    void accumulate(const HalfGroup& s, std::size_t g) {
        const ProductForm& f = m_unit.forms[s.forms[0]];
        const std::string end = m_text.number(pointsOf(m_file.tensor(f.tensor), f.sums), "sumCount");
        const bool isInner = m_groups.size() > 1;
        if (g > 0) m_text.line("__syncthreads(); // the tiles of the sums before are read");
        if (isInner) m_text.open("{");
        if (isSplit()) {
            m_text.line(
                fmt::format("const Index each = ({} + parts * tileSums - 1) / (parts * tileSums) * tileSums;", end));
            m_text.line(fmt::format("const Index begin = part * each, end = min({}, begin + each);", end));
        } else {
            m_text.line(fmt::format("const Index end = {};", end));
        }
        const std::string begin = isSplit() ? "begin" : "0";
        const std::string ahead = isSplit() ? "begin + stage * tileSums" : "stage * tileSums";
        s.left->pointerTo();
        for (const auto& r : s.rights)
            r->pointerTo();
        m_text.open("const auto load = [&](Index start, int stage) {");
        m_text.line(fmt::format("unsigned short* const leftTile = shared + stage * {};", m_shared.stageSize));
        copyTile(*s.left, HalfShared::left(), "firstRow", m_rows);
        for (std::size_t k = 0; k < s.rights.size(); ++k)
            copyTile(*s.rights[k], m_shared.right(k), "firstColumn", m_columns);
        m_text.close("};");
        m_text.line("#pragma unroll");
        m_text.open("for (int stage = 0; stage < stages - 1; ++stage) {");
        m_text.line(fmt::format("if ({} < end) load({}, stage);", ahead, ahead));
        m_text.line("endOfStage();");
        m_text.close();
        m_text.line("int stage = 0;");
        m_text.open(fmt::format("for (Index start = {}; start < end; start += tileSums) {{", begin));
        m_text.line("waitForCopies<stages - 2>();");
        m_text.line("__syncthreads(); // everyone's copies are there, and the stage before is read");
        m_text.line("const Index next = start + (stages - 1) * tileSums;");
        m_text.line("if (next < end) load(next, stage == 0 ? stages - 1 : stage - 1);");
        m_text.line("endOfStage();");
        m_text.line(fmt::format("const unsigned short* const leftTile = shared + stage * {};", m_shared.stageSize));
        m_text.line("#pragma unroll");
        m_text.open("for (int step = 0; step < tileSums; step += warpsDeep * 16) {");
        m_text.line("const int k = step + deep * 16;");
        m_text.line("unsigned a[ownRows / 16][4];");
        m_text.line("#pragma unroll");
        m_text.open("for (int i = 0; i < ownRows / 16; ++i) {");
        m_text.line("const int row = down * ownRows + i * 16;");
        if (s.left->along() == Operand::Along::sums)
            m_text.line(
                "loadFragment<false>(a[i], leftTile + (row + lane % 16) * (tileSums + 8) + k + lane / 16 * 8);");
        else
            m_text.line("loadFragment<true>(a[i], leftTile + (k + lane / 16 * 8 + lane % 8) * (tileRows + 8) + row + "
                        "lane / 8 % 2 * 8);");
        m_text.close();
        for (std::size_t n = 0; n < s.rights.size(); ++n) {
            m_text.line("#pragma unroll");
            m_text.open("for (int j = 0; j < ownColumns / 16; ++j) {");
            const SharedTile right = m_shared.right(n);
            m_text.line(fmt::format("const unsigned short* const rightTile = {};", right.at));
            m_text.line("const int column = across * ownColumns + j * 16;");
            m_text.line("unsigned b[4];");
            writeFragmentLoad(m_text, *s.rights[n], {"rightTile", right.lines, right.terms}, "b", "column", "k", false);
            m_text.line("#pragma unroll");
            m_text.open("for (int i = 0; i < ownRows / 16; ++i) {");
            const std::string place = fmt::format("{} * fragmentsAcross + 2 * j", fragmentRow(s.forms[n], "i"));
            m_text.line(fmt::format("multiplyFragments(sum[{}], a[i], b[0], b[1]);", place));
            m_text.line(fmt::format("multiplyFragments(sum[{} + 1], a[i], b[2], b[3]);", place));
            m_text.close();
            m_text.close();
        }
        m_text.close();
        m_text.line("stage = stage == stages - 1 ? 0 : stage + 1;");
        m_text.close();
        m_text.line("waitForCopies<0>();");
        if (isInner) m_text.close();
    }

    /// "whole", the kernel's parameter, where it depends on sizes.
    [[nodiscard]] std::string wholeName(const Operand& o) {
        const std::string condition = o.whole(m_file);
        if (condition == "true" || condition == "false") return condition;
        m_whole.require(condition, o.isWhole(m_file.graphs().shown));
        return "whole";
    }

    /// A product's fragment down from its first.
    [[nodiscard]] static std::string fragmentRow(std::size_t form, const std::string& i) {
        if (form == 0) return i;
        return form == 1 ? fmt::format("(fragmentsDown + {})", i) : fmt::format("({} * fragmentsDown + {})", form, i);
    }

    void launch() {
        const auto number = [&](const Group& group) { return m_file.number(pointsOf(m_tensor, group)); };
        std::string grid =
            fmt::format("blocks({}, tileRows) * blocks({}, tileColumns)", number(m_form.rows), number(m_form.columns));
        if (!m_form.batch.empty()) grid += " * " + asFactor(number(m_form.batch));
        std::string lastParameters;
        std::vector<std::string> last;
        if (isSplit()) {
            const std::string tiles = m_file.takeName("tiles"), parts = m_file.takeName("parts");
            const std::string partials = m_file.takeName("partials");
            m_file.hostLine(fmt::format("const int64_t {} = {};", tiles, grid));
            m_file.hostLine(fmt::format("const int64_t {} = {} <= mostCounted ? {} : 1;", parts, tiles, m_mostParts));
            m_file.hostLine(fmt::format("const auto {} = torch::empty({{{}{} * {}, tileRows * tileColumns}}, "
                                        "options.dtype(torch::kFloat32));",
                                        partials, timesForms(m_unit), tiles, parts));
            grid = fmt::format("{} * {}", tiles, parts);
            lastParameters = "Index parts, float* partials";
            last.push_back(parts);
            last.push_back(partials + ".data_ptr<float>()");
        }
        const std::string comment = fmt::format(
            "A tile of {} for each block by tensor cores, sums in float32, and the formulas after {}.",
            m_unit.forms.size() == 1 ? "the product" : "the products", m_unit.forms.size() == 1 ? "it" : "them");
        const bool isEither = !m_whole.empty();
        const std::string kernel = m_file.addKernel(
            m_file.full().tensors[m_unit.stored.back()].name + "Product", comment, m_text, lastParameters,
            "__launch_bounds__(productThreads) ", isEither ? "template <bool whole>\n" : "");
        if (!isEither) {
            m_file.allowShared(kernel, m_shared.bytes);
            return m_file.launch(kernel, grid, m_text, {}, last, "productThreads", m_shared.bytes);
        }
        m_file.launchEither(m_whole.text(), m_whole.isSo(), kernel + "<true>", kernel + "<false>", grid, m_text, last,
                            "productThreads", m_shared.bytes);
    }

    KernelFile& m_file;
    const ProductUnit& m_unit;
    const ProductForm& m_form;
    int m_partsWanted;
    const std::set<std::size_t>& m_inlined;
    Each<Tensor> m_tensor;
    KernelText m_text;
    std::vector<HalfGroup> m_groups;
    std::string m_rows, m_columns, m_mostParts;
    HalfShared m_shared;
    Conditions m_whole;
};

} // namespace

void addHalfProduct(KernelFile& file, const ProductUnit& unit, int parts, const std::set<std::size_t>& inlined) {
    HalfKernel(file, unit, parts, inlined).run();
}

} // namespace kernelarium::kernelgen::products
