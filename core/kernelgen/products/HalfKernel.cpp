// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/products/HalfKernel.h"

#include "core/kernelgen/fused/RowText.h"
#include "core/kernelgen/naive/DefinitionKernel.h"
#include "core/kernelgen/products/Epilogue.h"
#include "core/kernelgen/products/Fragments.h"
#include "core/kernelgen/products/Operand.h"
#include "core/kernelgen/text/Names.h"

#include <cmath>
#include <memory>

#include <fmt/format.h>

namespace kernelarium::kernelgen::products {

using algebra::Tensor;
using algebra::TensorId;

namespace {

KernelText textOfHalf(const KernelFile& file) {
    KernelText text = file.kernel();
    for (const char* word :
         {"columnTiles", "rowTiles",  "firstRow",   "firstColumn", "batch",  "end",       "warp",      "lane",
          "down",        "across",    "deep",       "shared",      "sums",   "sum",       "load",      "multiply",
          "stage",       "start",     "step",       "row",         "column", "k",         "n",         "i",
          "eight",       "element",   "a",          "b",           "from",   "leftTile",  "rightTile", "leftSize",
          "rightSize",   "place",     "e",          "each",        "v",      "stageSize", "sumSize",   "term",
          "j",           "half",      "parts",      "part",        "tile",   "begin",     "partials",  "p",
          "w",           "leftWhole", "rightWhole", "count",       "ownRow", "ownColumn", "own"})
        (void)text.fresh(word);
    return text;
}

/// Products that read the same left factor in the same way: their right tiles are beside one another.
struct Shared {
    std::vector<std::size_t> forms;
    std::unique_ptr<Operand> left;
    std::vector<std::unique_ptr<Operand>> rights;
    std::string sums;
};

class HalfKernel {
public:
    HalfKernel(KernelFile& file, const ProductUnit& unit, int parts, const std::set<std::size_t>& inlined)
        : m_file(file)
        , m_unit(unit)
        , m_form(unit.first())
        , m_partsWanted(parts)
        , m_inlined(inlined)
        , m_tensor(file.tensor(m_form.tensor))
        , m_text(textOfHalf(file)) {}

    void run() {
        group();
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
        place();
        for (std::size_t g = 0; g < m_groups.size(); ++g)
            accumulate(m_groups[g], g);
        finish();
        launch();
    }

private:
    [[nodiscard]] bool isSplit() const { return m_partsWanted > 1; }

    void group() {
        for (std::size_t k = 0; k < m_unit.forms.size(); ++k) {
            const ProductForm& f = m_unit.forms[k];
            const auto& reads = m_file.full().tensors[f.tensor].definition()->reads;
            Shared* fits = nullptr;
            for (Shared& s : m_groups) {
                const ProductForm& other = m_unit.forms[s.forms[0]];
                const auto& theirs = m_file.full().tensors[other.tensor].definition()->reads;
                if (reads[f.left] == theirs[other.left] && f.sums == other.sums &&
                    pointsOf(m_file.tensor(f.tensor), f.sums) == pointsOf(m_file.tensor(other.tensor), other.sums))
                    fits = &s;
            }
            if (!fits) {
                m_groups.emplace_back();
                fits = &m_groups.back();
                fits->left = std::make_unique<Operand>(m_file, m_text, f, f.left, f.rows, "left", "row");
            }
            fits->forms.push_back(k);
            fits->rights.push_back(std::make_unique<Operand>(m_file, m_text, f, f.right, f.columns, "right", "column"));
        }
    }

    void place() {
        m_rows = m_text.number(pointsOf(m_tensor, m_form.rows), "rowCount");
        m_columns = m_text.number(pointsOf(m_tensor, m_form.columns), "columnCount");
        std::size_t most = 0;
        for (const Shared& s : m_groups)
            most = std::max(most, s.forms.size());
        m_text.line("static_assert(ownRows % 16 == 0 && ownColumns % 16 == 0, \"a warp makes whole fragments\");");
        m_text.line("// Rows of a tile are 8 elements longer than it, so that they begin in different banks.");
        m_text.line(
            "constexpr int leftSize = (tileRows + 8) * (tileSums + 8), rightSize = (tileColumns + 8) * (tileSums + 8);");
        m_text.line(fmt::format("constexpr int stageSize = leftSize + {} * rightSize; // of 16 bits", most));
        m_text.line(fmt::format("constexpr int sumSize = {} * warpsDeep * tileRows * (tileColumns + 4) * 2;",
                                m_unit.forms.size()));
        m_text.line("constexpr int sharedSize = stages * stageSize > sumSize ? stages * stageSize : sumSize;");
        m_text.line("__shared__ __align__(16) unsigned short shared[sharedSize];");
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
        m_text.line("const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;");
        m_text.line("const int down = warp % warpsDown, across = warp / warpsDown % warpsAcross;");
        m_text.line("const int deep = warp / (warpsDown * warpsAcross);");
        m_text.line(fmt::format("float sum[{}][ownRows / 16][ownColumns / 8][4] = {{}};", m_unit.forms.size()));
    }

    /// One factor's tile on its way to `to`.
    void copyTile(const Operand& o, const std::string& to, const std::string& tile, const std::string& line,
                  const std::string& first, const std::string& lines, const std::string& whole) {
        m_text.open(
            fmt::format("for (int eight = threadIdx.x; eight < {} * tileSums / 8; eight += productThreads) {{", tile));
        const std::string at = o.at();
        const std::string cast = fmt::format("reinterpret_cast<const unsigned short*>({})", at);
        if (o.along() == Operand::Along::sums) {
            m_text.line("const int own = eight / (tileSums / 8), term = eight % (tileSums / 8) * 8;");
            m_text.line(fmt::format("const Index {} = {} + own;", line, first));
            writeAddress(m_text, "k", cast);
            m_text.line(fmt::format("const Index count = {} < {} ? end - start - term : 0;", line, lines));
            m_text.line(fmt::format("unsigned short* const place = {} + own * (tileSums + 8) + term;", to));
            m_text.line(fmt::format("copyEight(place, from, start + term, count, {});", whole));
        } else {
            m_text.line(fmt::format("const int own = eight % ({} / 8) * 8, term = eight / ({} / 8);", tile, tile));
            m_text.line("const Index k = start + term;");
            writeAddress(m_text, line, cast);
            m_text.line(fmt::format("const Index count = k < end ? {} - {} - own : 0;", lines, first));
            m_text.line(fmt::format("unsigned short* const place = {} + term * ({} + 8) + own;", to, tile));
            m_text.line(fmt::format("copyEight(place, from, {} + own, count, {});", first, whole));
        }
        m_text.close();
    }

    void accumulate(const Shared& s, std::size_t g) {
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
        m_text.line("unsigned short* const leftTile = shared + stage * stageSize;");
        copyTile(*s.left, "leftTile", "tileRows", "row", "firstRow", m_rows, wholeName(*s.left, "left"));
        for (std::size_t k = 0; k < s.rights.size(); ++k)
            copyTile(*s.rights[k],
                     k == 0 ? "leftTile + leftSize" : fmt::format("leftTile + leftSize + {} * rightSize", k),
                     "tileColumns", "column", "firstColumn", m_columns, wholeName(*s.rights[k], "right"));
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
        m_text.line("if (next < end) load(next, (stage + stages - 1) % stages);");
        m_text.line("endOfStage();");
        m_text.line("const unsigned short* const leftTile = shared + stage * stageSize;");
        m_text.line("#pragma unroll");
        m_text.open("for (int k = deep * 16; k < tileSums; k += warpsDeep * 16) {");
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
            const std::string tile =
                n == 0 ? "leftTile + leftSize" : fmt::format("leftTile + leftSize + {} * rightSize", n);
            m_text.line(fmt::format("const unsigned short* const rightTile = {};", tile));
            m_text.line("const int column = across * ownColumns + j * 16;");
            m_text.line("unsigned b[4];");
            if (s.rights[n]->along() == Operand::Along::sums) {
                m_text.line("const int own = column + lane / 16 * 8 + lane % 8, term = k + lane / 8 % 2 * 8;");
                m_text.line("loadFragment<false>(b, rightTile + own * (tileSums + 8) + term);");
            } else {
                m_text.line("const int own = column + lane / 16 * 8, term = k + lane / 8 % 2 * 8 + lane % 8;");
                m_text.line("loadFragment<true>(b, rightTile + term * (tileColumns + 8) + own);");
            }
            m_text.line("#pragma unroll");
            m_text.open("for (int i = 0; i < ownRows / 16; ++i) {");
            m_text.line(fmt::format("multiplyFragments(sum[{}][i][2 * j], a[i], b[0], b[1]);", s.forms[n]));
            m_text.line(fmt::format("multiplyFragments(sum[{}][i][2 * j + 1], a[i], b[2], b[3]);", s.forms[n]));
            m_text.close();
            m_text.close();
        }
        m_text.close();
        m_text.line("stage = (stage + 1) % stages;");
        m_text.close();
        m_text.line("waitForCopies<0>();");
        if (isInner) m_text.close();
    }

    [[nodiscard]] std::string wholeName(const Operand& o, const std::string& side) {
        const std::string condition = o.whole(m_file);
        if (condition == "true" || condition == "false") return condition;
        for (const auto& [name, text] : m_conditions)
            if (text == condition) return name;
        m_conditions.emplace_back(fmt::format("{}Whole{}", side, m_conditions.size()), condition);
        return m_conditions.back().first;
    }

    /// Through shared memory, where a warp's lanes find neighbours of a row.
    void finish() {
        const Offsets own(m_tensor);
        m_text.line("__syncthreads(); // the tiles are read, their place is free");
        m_text.line("float* const sums = reinterpret_cast<float*>(shared);");
        m_text.line(fmt::format("#pragma unroll"));
        m_text.open(fmt::format("for (int n = 0; n < {}; ++n) {{", m_unit.forms.size()));
        m_text.line("float* const own = sums + (n * warpsDeep + deep) * tileRows * (tileColumns + 4);");
        m_text.line("#pragma unroll");
        m_text.open("for (int e = 0; e < ownRows / 16 * (ownColumns / 8) * 4; ++e) {");
        m_text.line("const int v = e % 4, j = e / 4 % (ownColumns / 8), i = e / 4 / (ownColumns / 8);");
        m_text.line("const int ownRow = down * ownRows + i * 16 + lane / 4 + v / 2 * 8;");
        m_text.line("const int ownColumn = across * ownColumns + j * 8 + lane % 4 * 2 + v % 2;");
        m_text.line("own[ownRow * (tileColumns + 4) + ownColumn] = sum[n][i][j][v];");
        m_text.close();
        m_text.close();
        m_text.line("__syncthreads();");
        if (isSplit()) storeParts();
        openElements();
        PointNames names;
        for (std::size_t k = 0; k < m_unit.forms.size(); ++k)
            names.sums.push_back(sumsName(k));
        if (isSplit()) {
            declareSums();
            m_text.line("// The parts in their order; this block's own comes from memory as well.");
            m_text.open("for (Index p = 0; p < parts; ++p) {");
            for (std::size_t k = 0; k < m_unit.forms.size(); ++k)
                m_text.line(fmt::format("{} += {};", names.sums[k], partAt("p", k)));
            m_text.close();
        } else {
            addWarps();
        }
        names.batch = m_form.batch.empty() ? "0" : "batch";
        names.row = "row", names.column = "column", names.element = "element";
        m_text.line(fmt::format("const Index element = {};",
                                sumOf({own.part(m_text, m_form.batch, "batch"), own.part(m_text, m_form.rows, "row"),
                                       own.part(m_text, m_form.columns, "column")})));
        writeFormulas(m_file, m_text, m_unit, m_inlined, names, [&](TensorId id, const std::string& value) {
            const tensor::DType dtype = m_file.full().tensors[id].dtype;
            const std::string out = m_text.pointer(id, dtype, identifier(m_file.full().tensors[id].name) + "Out", true);
            m_text.line(fmt::format("{}[element] = {};", out, stored(value, dtype)));
        });
        m_text.close();
    }

    [[nodiscard]] std::string sumsName(std::size_t k) const {
        return m_unit.forms.size() == 1 ? "total" : fmt::format("total{}", k);
    }
    void declareSums() {
        for (std::size_t k = 0; k < m_unit.forms.size(); ++k)
            m_text.line(fmt::format("float {} = 0.0f;", sumsName(k)));
    }
    /// The element's place among the partial sums.
    [[nodiscard]] std::string partAt(const std::string& part, std::size_t k) const {
        const std::string product = m_unit.forms.size() == 1
                                        ? fmt::format("(tile * parts + {})", part)
                                        : fmt::format("((tile * parts + {}) * {} + {})", part, m_unit.forms.size(), k);
        return fmt::format("partials[{} * tileRows * tileColumns + e]", product);
    }
    void openElements() {
        m_text.open("for (int e = threadIdx.x; e < tileRows * tileColumns; e += productThreads) {");
        m_text.line("const Index row = firstRow + e / tileColumns, column = firstColumn + e % tileColumns;");
        m_text.line(fmt::format("if (row >= {} || column >= {}) continue;", m_rows, m_columns));
    }
    /// What the warps that share a sum have of it.
    void addWarps() {
        m_text.line("const int place = e / tileColumns * (tileColumns + 4) + e % tileColumns;");
        declareSums();
        for (std::size_t k = 0; k < m_unit.forms.size(); ++k) {
            m_text.open("for (int w = 0; w < warpsDeep; ++w)");
            const std::string warp = k == 0 ? "w" : fmt::format("({} * warpsDeep + w)", k);
            m_text.line(fmt::format("{} += sums[{} * tileRows * (tileColumns + 4) + place];", sumsName(k), warp));
            m_text.indent(-1);
        }
    }
    void storeParts() {
        openElements();
        addWarps();
        for (std::size_t k = 0; k < m_unit.forms.size(); ++k)
            m_text.line(fmt::format("{} = {};", partAt("part", k), sumsName(k)));
        m_text.close();
        m_text.line("if (!isLast(&finished[tile], parts)) return;");
    }

    void launch() {
        const auto number = [&](const Group& group) { return m_file.number(pointsOf(m_tensor, group)); };
        std::string grid =
            fmt::format("blocks({}, tileRows) * blocks({}, tileColumns)", number(m_form.rows), number(m_form.columns));
        if (!m_form.batch.empty()) grid += " * " + asFactor(number(m_form.batch));
        std::string lastParameters;
        std::vector<std::string> last;
        for (const auto& [name, condition] : m_conditions) {
            lastParameters += (lastParameters.empty() ? "bool " : ", bool ") + name;
            last.push_back(condition);
        }
        if (isSplit()) {
            const std::string tiles = m_file.takeName("tiles"), parts = m_file.takeName("parts");
            const std::string partials = m_file.takeName("partials");
            m_file.hostLine(fmt::format("const int64_t {} = {};", tiles, grid));
            m_file.hostLine(fmt::format("const int64_t {} = {} <= mostCounted ? {} : 1;", parts, tiles, m_mostParts));
            const std::string each = m_unit.forms.size() == 1 ? "" : fmt::format("{} * ", m_unit.forms.size());
            m_file.hostLine(fmt::format("const auto {} = torch::empty({{{}{} * {}, tileRows * tileColumns}}, "
                                        "options.dtype(torch::kFloat32));",
                                        partials, each, tiles, parts));
            grid = fmt::format("{} * {}", tiles, parts);
            lastParameters += fmt::format("{}Index parts, float* partials", lastParameters.empty() ? "" : ", ");
            last.push_back(parts);
            last.push_back(partials + ".data_ptr<float>()");
        }
        const std::string comment = fmt::format(
            "A tile of {} for each block by tensor cores, sums in float32, and the formulas after {}.",
            m_unit.forms.size() == 1 ? "the product" : "the products", m_unit.forms.size() == 1 ? "it" : "them");
        const std::string kernel =
            m_file.addKernel(m_file.full().tensors[m_unit.stored.back()].name + "Product", comment, m_text,
                             lastParameters, "__launch_bounds__(productThreads) ");
        m_file.launch(kernel, grid, m_text, {}, last, "productThreads");
    }

    KernelFile& m_file;
    const ProductUnit& m_unit;
    const ProductForm& m_form;
    int m_partsWanted;
    const std::set<std::size_t>& m_inlined;
    Each<Tensor> m_tensor;
    KernelText m_text;
    std::string m_mostParts;
    std::vector<Shared> m_groups;
    std::string m_rows, m_columns;
    std::vector<std::pair<std::string, std::string>> m_conditions;
};

} // namespace

HalfTiles halfTilesFor(double rows, double products) {
    constexpr double fewRows = 16;
    // Few rows: the right factor is read once and nothing is left to share, so that many small blocks stream it.
    if (rows <= fewRows) return {16, 32, 64, products > 1 ? 3 : 4, 1, 1, 4};
    HalfTiles t{64, 64, 32, 3, 2, 2, 1};
    // What a block may have without asking: lines of a tile are 8 elements longer than it, and so are their numbers.
    constexpr double mostShared = 48 << 10;
    const auto bytes = [&] {
        return 2.0 * t.stages * (t.tileSums + 8) * (t.tileRows + 8 + products * (t.tileColumns + 8));
    };
    while (bytes() > mostShared && t.stages > 2)
        --t.stages;
    while (bytes() > mostShared && t.tileColumns > 16)
        t.tileColumns /= 2, t.warpsAcross = 1;
    return t;
}

int HalfTiles::parts(double batch, double rows, double columns, double sums) const {
    constexpr double wanted = 4 * 132, leastTerms = 512; // blocks; terms of a part
    if (warpsDeep == 1) return 1;
    const double tiles = batch * std::ceil(rows / tileRows) * std::ceil(columns / tileColumns);
    int parts = 1;
    while (tiles * parts < wanted && sums / (2 * parts) >= leastTerms)
        parts *= 2;
    return parts;
}

void addHalfTiles(KernelFile& file, const HalfTiles& t) {
    file.constant(fmt::format("constexpr int tileRows = {}; // tune: pow2 16..64", t.tileRows));
    file.constant(fmt::format("constexpr int tileColumns = {}; // tune: pow2 16..64", t.tileColumns));
    file.constant(fmt::format("constexpr int tileSums = {}; // tune: pow2 16..64", t.tileSums));
    file.constant(fmt::format("constexpr int stages = {}; // tune: 2..5 # tiles in shared memory", t.stages));
    file.constant(fmt::format("constexpr int warpsDown = {}; // tune: pow2 1..4", t.warpsDown));
    file.constant(fmt::format("constexpr int warpsAcross = {}; // tune: pow2 1..4", t.warpsAcross));
    file.constant(fmt::format("constexpr int warpsDeep = {}; // tune: pow2 1..4 # they share the sum", t.warpsDeep));
    file.constant("constexpr int productThreads = 32 * warpsDown * warpsAcross * warpsDeep; // of a block");
    file.constant("constexpr int ownRows = tileRows / warpsDown; // of a warp");
    file.constant("constexpr int ownColumns = tileColumns / warpsAcross; // of a warp");
}

void addHalfProduct(KernelFile& file, const ProductUnit& unit, int parts, const std::set<std::size_t>& inlined) {
    HalfKernel(file, unit, parts, inlined).run();
}

} // namespace kernelarium::kernelgen::products
