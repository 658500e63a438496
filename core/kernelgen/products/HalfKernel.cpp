// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/products/HalfKernel.h"

#include "core/kernelgen/fused/RowText.h"
#include "core/kernelgen/naive/DefinitionKernel.h"
#include "core/kernelgen/products/Epilogue.h"
#include "core/kernelgen/products/Fragments.h"
#include "core/kernelgen/products/Operand.h"
#include "core/kernelgen/text/Names.h"

#include <algorithm>
#include <memory>

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
        sizes();
        place();
        for (std::size_t g = 0; g < m_groups.size(); ++g)
            accumulate(m_groups[g], g);
        join();
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

    /// What the file's constants say of a block's shared memory.
    void sizes() {
        std::size_t most = 0;
        std::set<bool> left, right; // whether neighbours in memory are terms
        for (const Shared& s : m_groups) {
            most = std::max(most, s.forms.size());
            left.insert(s.left->along() == Operand::Along::sums);
            for (const auto& r : s.rights)
                right.insert(r->along() == Operand::Along::sums);
        }
        const auto tile = [](const std::set<bool>& along, const char* lines) {
            if (along.size() == 2) return fmt::format("({} + 8) * (tileSums + 8)", lines);
            return halfTileSize(lines, *along.begin());
        };
        m_leftSize = m_file.takeName("leftSize"), m_rightSize = m_file.takeName("rightSize");
        m_stageSize = m_file.takeName("stageSize"), m_shared = m_file.takeName("productShared");
        for (const std::string& name : {m_leftSize, m_rightSize, m_stageSize, m_shared})
            (void)m_text.fresh(name);
        const std::string sums = m_file.takeName("sumSize");
        m_file.constant(fmt::format("constexpr int {} = {}; // of 16 bits, 8 more in a line: in other banks",
                                    m_leftSize, tile(left, "tileRows")));
        m_file.constant(fmt::format("constexpr int {} = {}; // of 16 bits", m_rightSize, tile(right, "tileColumns")));
        m_file.constant(fmt::format("constexpr int {} = {} + {}{};", m_stageSize, m_leftSize,
                                    most == 1 ? "" : fmt::format("{} * ", most), m_rightSize));
        m_file.constant(fmt::format("constexpr int {} = {}std::max(1, warpsDeep - 1) * tileRows * (tileColumns + 4);",
                                    sums, timesForms()));
        m_file.constant(
            fmt::format("constexpr int {} = std::max(2 * stages * {}, 4 * {}); // bytes", m_shared, m_stageSize, sums));
    }

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
        m_text.line(fmt::format("constexpr int fragments = {}fragmentsDown * fragmentsAcross;", timesForms()));
        m_text.line("float sum[fragments][4] = {};");
    }

    /// One factor's tile on its way to `to`.
    void copyTile(const Operand& o, const std::string& to, const std::string& tile, const std::string& line,
                  const std::string& first, const std::string& lines, const std::string& whole) {
        m_text.line("#pragma unroll");
        m_text.open(fmt::format("for (int i = 0; i < {} * tileSums / 8; i += productThreads) {{", tile));
        m_text.line("const int eight = i + threadIdx.x;");
        m_text.line(
            fmt::format("if ({0} * tileSums / 8 % productThreads > 0 && eight >= {0} * tileSums / 8) break;", tile));
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
        m_text.line(fmt::format("unsigned short* const leftTile = shared + stage * {};", m_stageSize));
        copyTile(*s.left, "leftTile", "tileRows", "row", "firstRow", m_rows, wholeName(*s.left));
        for (std::size_t k = 0; k < s.rights.size(); ++k)
            copyTile(*s.rights[k], rightTile(k), "tileColumns", "column", "firstColumn", m_columns,
                     wholeName(*s.rights[k]));
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
        m_text.line(fmt::format("const unsigned short* const leftTile = shared + stage * {};", m_stageSize));
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
            m_text.line(fmt::format("const unsigned short* const rightTile = {};", rightTile(n)));
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

    [[nodiscard]] std::string rightTile(std::size_t k) const {
        if (k == 0) return fmt::format("leftTile + {}", m_leftSize);
        return k == 1 ? fmt::format("leftTile + {} + {}", m_leftSize, m_rightSize)
                      : fmt::format("leftTile + {} + {} * {}", m_leftSize, k, m_rightSize);
    }
    /// "whole", the kernel's parameter, where it depends on sizes.
    [[nodiscard]] std::string wholeName(const Operand& o) {
        const std::string condition = o.whole(m_file);
        if (condition == "true" || condition == "false") return condition;
        m_whole.require(condition, o.isWhole(m_file.graphs().shown));
        return "whole";
    }

    /// "2 * " where there are two products.
    [[nodiscard]] std::string timesForms() const {
        return m_unit.forms.size() == 1 ? "" : fmt::format("{} * ", m_unit.forms.size());
    }
    /// A product's fragment down from its first.
    [[nodiscard]] static std::string fragmentRow(std::size_t form, const std::string& i) {
        if (form == 0) return i;
        return form == 1 ? fmt::format("(fragmentsDown + {})", i) : fmt::format("({} * fragmentsDown + {})", form, i);
    }

    /// Each thread's sums, those of the other warps and blocks added: a thread finds them where it has its own.
    void join() {
        m_text.line("constexpr int sides = 32 * warpsDown * warpsAcross; // threads with sums of their own");
        m_text.line("const int side = threadIdx.x % sides;");
        m_text.line("__syncthreads(); // the tiles are read, their place is free");
        m_text.open("if (warpsDeep > 1) {");
        m_text.line("float4* const others = reinterpret_cast<float4*>(shared) + side;");
        storeFragments("deep > 0", "others[((deep - 1) * fragments + f) * sides]");
        m_text.line("__syncthreads();");
        m_text.open("for (int w = 0; w < warpsDeep - 1 && deep == 0; ++w) {");
        addFragments("others[(w * fragments + f) * sides]");
        m_text.close();
        m_text.line("__syncthreads();");
        m_text.close();
        if (!isSplit()) return;
        m_text.open("if (parts > 1) {");
        m_text.line(
            "float4* const mine = reinterpret_cast<float4*>(partials) + tile * parts * fragments * sides + side;");
        storeFragments("deep == 0", "mine[(part * fragments + f) * sides]");
        m_text.line("if (!isLast(&finished[tile], parts)) return;");
        m_text.line("// The parts in their order; this block's own comes from memory as well.");
        m_text.open("for (Index p = 0; p < parts && deep == 0; ++p) {");
        m_text.line("const float4* const theirs = mine + p * fragments * sides;");
        m_text.line("float4 other[fragments]; // all of them are on their way at the same time");
        m_text.line("#pragma unroll");
        m_text.open("for (int f = 0; f < fragments; ++f)");
        m_text.line("other[f] = __ldcg(theirs + f * sides);");
        m_text.indent(-1);
        addFragments("other[f]", "if (p == 0) sum[f][0] = sum[f][1] = sum[f][2] = sum[f][3] = 0.0f;");
        m_text.close();
        m_text.close();
    }
    void storeFragments(const std::string& condition, const std::string& place) {
        m_text.open(fmt::format("if ({}) {{", condition));
        m_text.line("#pragma unroll");
        m_text.open("for (int f = 0; f < fragments; ++f)");
        m_text.line(fmt::format("{} = make_float4(sum[f][0], sum[f][1], sum[f][2], sum[f][3]);", place));
        m_text.indent(-1);
        m_text.close();
    }
    void addFragments(const std::string& other, const std::string& before = "") {
        m_text.line("#pragma unroll");
        m_text.open("for (int f = 0; f < fragments; ++f) {");
        if (!before.empty()) m_text.line(before);
        m_text.line(fmt::format("const float4 four = {};", other));
        m_text.line("sum[f][0] += four.x, sum[f][1] += four.y, sum[f][2] += four.z, sum[f][3] += four.w;");
        m_text.close();
    }

    /// Through shared memory, where a warp's lanes find neighbours of a row.
    void finish() {
        const Offsets own(m_tensor);
        const bool isOne = m_unit.forms.size() == 1;
        m_text.line("float* const sums = reinterpret_cast<float*>(shared);");
        m_text.open("if (deep == 0) {");
        m_text.line("#pragma unroll");
        m_text.open("for (int f = 0; f < fragments; ++f) {");
        if (!isOne)
            m_text.line("const int n = f / fragmentsAcross / fragmentsDown, i = f / fragmentsAcross % fragmentsDown;");
        m_text.line(fmt::format("const int row = {}down * ownRows + {} * 16 + lane / 4;",
                                isOne ? "" : "n * tileRows + ", isOne ? "f / fragmentsAcross" : "i"));
        m_text.line("const int column = across * ownColumns + f % fragmentsAcross * 8 + lane % 4 * 2;");
        m_text.line("float* const place = sums + row * (tileColumns + 4) + column;");
        m_text.line("*reinterpret_cast<float2*>(place) = make_float2(sum[f][0], sum[f][1]);");
        m_text.line("*reinterpret_cast<float2*>(place + 8 * (tileColumns + 4)) = make_float2(sum[f][2], sum[f][3]);");
        m_text.close();
        m_text.close();
        m_text.line("__syncthreads();");
        m_text.line("#pragma unroll 4");
        m_text.open("for (int e = threadIdx.x; e < tileRows * tileColumns; e += productThreads) {");
        m_text.line("const Index row = firstRow + e / tileColumns, column = firstColumn + e % tileColumns;");
        const bool isAnywhere = readsProductsAlone(m_file, m_unit); // without branches, several at the same time
        if (!isAnywhere) m_text.line(fmt::format("if (row >= {} || column >= {}) continue;", m_rows, m_columns));
        m_text.line("const float* const place = sums + e / tileColumns * (tileColumns + 4) + e % tileColumns;");
        PointNames names;
        for (std::size_t k = 0; k < m_unit.forms.size(); ++k)
            names.sums.push_back(k == 0   ? "place[0]"
                                 : k == 1 ? "place[tileRows * (tileColumns + 4)]"
                                          : fmt::format("place[{} * tileRows * (tileColumns + 4)]", k));
        names.batch = m_form.batch.empty() ? "0" : "batch";
        names.row = "row", names.column = "column", names.element = "element";
        m_text.line(fmt::format("const Index element = {};",
                                sumOf({own.part(m_text, m_form.batch, "batch"), own.part(m_text, m_form.rows, "row"),
                                       own.part(m_text, m_form.columns, "column")})));
        writeFormulas(m_file, m_text, m_unit, m_inlined, names, [&](TensorId id, const std::string& value) {
            const tensor::DType dtype = m_file.full().tensors[id].dtype;
            const std::string out = m_text.pointer(id, dtype, identifier(m_file.full().tensors[id].name) + "Out", true);
            const std::string where = isAnywhere ? fmt::format("if (row < {} && column < {}) ", m_rows, m_columns) : "";
            m_text.line(fmt::format("{}{}[element] = {};", where, out, stored(value, dtype)));
        });
        m_text.close();
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
                                        partials, timesForms(), tiles, parts));
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
            m_file.allowShared(kernel, m_shared);
            return m_file.launch(kernel, grid, m_text, {}, last, "productThreads", m_shared);
        }
        m_file.launchEither(m_whole.text(), m_whole.isSo(), kernel + "<true>", kernel + "<false>", grid, m_text, last,
                            "productThreads", m_shared);
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
    std::string m_leftSize, m_rightSize, m_stageSize, m_shared; ///< names in the file
    Conditions m_whole;
};

} // namespace

void addHalfProduct(KernelFile& file, const ProductUnit& unit, int parts, const std::set<std::size_t>& inlined) {
    HalfKernel(file, unit, parts, inlined).run();
}

} // namespace kernelarium::kernelgen::products
