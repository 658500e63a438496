// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/products/FloatKernel.h"

#include "core/kernelgen/naive/DefinitionKernel.h"
#include "core/kernelgen/products/Epilogue.h"
#include "core/kernelgen/products/Operand.h"
#include "core/kernelgen/text/Names.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen::products {

using algebra::Tensor;
using algebra::TensorId;

namespace {

const char* const fourAlong =
    "/// Four elements from number `first` on, of which `count` exist; zeros stand for the others. `whole`: they are\n"
    "/// neighbours in memory and begin on a border of 16 bytes. `at` gives the place of an element.\n"
    "template <class At> __device__ float4 fourAlong(At at, Index first, Index count, bool whole) {\n"
    "    if (whole && count >= 4) return *reinterpret_cast<const float4*>(at(first));\n"
    "    float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);\n"
    "    if (count > 0) four.x = *at(first);\n"
    "    if (count > 1) four.y = *at(first + 1);\n"
    "    if (count > 2) four.z = *at(first + 2);\n"
    "    if (count > 3) four.w = *at(first + 3);\n"
    "    return four;\n"
    "}\n\n";
const char* const keepAlong = "/// Keeps neighbours along the tile's rows or columns.\n"
                              "__device__ void keepFour(float* to, float4 four) {\n"
                              "    *reinterpret_cast<float4*>(to) = four;\n"
                              "}\n\n";
const char* const keepAcross = "/// Keeps neighbours along the sum: each belongs to another line of the tile.\n"
                               "template <int line> __device__ void keepAcross(float* to, float4 four) {\n"
                               "    to[0] = four.x, to[line] = four.y, to[2 * line] = four.z, to[3 * line] = four.w;\n"
                               "}\n\n";
const char* const multiply =
    "/// The tiles' product, added to the thread's own elements: fours of rows and columns that lie a part of the tile\n"
    "/// apart, so that a warp reads its operands without conflicts.\n"
    "__device__ void multiplyTiles(float (&sum)[rowsEach][columnsEach], const float (*leftTile)[tileRows + 4],\n"
    "                              const float (*rightTile)[tileColumns + 4], int ownRow, int ownColumn) {\n"
    "#pragma unroll\n"
    "    for (int k = 0; k < tileSums; ++k) {\n"
    "        __align__(16) float a[rowsEach], b[columnsEach];\n"
    "#pragma unroll\n"
    "        for (int r = 0; r < rowsEach; r += 4)\n"
    "            *reinterpret_cast<float4*>(a + r) =\n"
    "                *reinterpret_cast<const float4*>(&leftTile[k][ownRow + r * (tileRows / rowsEach)]);\n"
    "#pragma unroll\n"
    "        for (int c = 0; c < columnsEach; c += 4)\n"
    "            *reinterpret_cast<float4*>(b + c) =\n"
    "                *reinterpret_cast<const float4*>(&rightTile[k][ownColumn + c * (tileColumns / columnsEach)]);\n"
    "#pragma unroll\n"
    "        for (int r = 0; r < rowsEach; ++r)\n"
    "#pragma unroll\n"
    "            for (int c = 0; c < columnsEach; ++c)\n"
    "                sum[r][c] += a[r] * b[c];\n"
    "    }\n"
    "}\n\n";
const char* const storeFour =
    "/// Four neighbours, of which `count` exist.\n"
    "__device__ void storeFour(float* to, const float (&from)[4], Index count, bool whole) {\n"
    "    if (whole && count >= 4) {\n"
    "        *reinterpret_cast<float4*>(to) = make_float4(from[0], from[1], from[2], from[3]);\n"
    "        return;\n"
    "    }\n"
    "#pragma unroll\n"
    "    for (int v = 0; v < 4; ++v)\n"
    "        if (v < count) to[v] = from[v];\n"
    "}\n\n";

/// A kernel's text in which these names are the kernel's own.
KernelText textWithNames(const KernelFile& file) {
    KernelText text = file.kernel();
    for (const char* word :
         {"rows",        "columns",   "sums",   "work",      "rowTiles",   "columnTiles", "tile",       "firstRow",
          "firstColumn", "batch",     "begin",  "end",       "ownRow",     "ownColumn",   "nextLeft",   "nextRight",
          "leftTile",    "rightTile", "sum",    "load",      "keep",       "copy",        "row",        "column",
          "k",           "n",         "r",      "c",         "v",          "four",        "start",      "element",
          "partials",    "part",      "across", "warp",      "lane",       "each",        "firstOwn",   "firstElement",
          "values",      "count",     "more",   "leftLoads", "rightLoads", "leftWhole",   "rightWhole", "outWhole",
          "from"})
        (void)text.fresh(word);
    return text;
}

class FloatKernel {
public:
    FloatKernel(KernelFile& file, const ProductUnit& unit, const FloatTiles& tiles,
                const std::set<std::size_t>& inlined)
        : m_file(file)
        , m_unit(unit)
        , m_form(unit.first())
        , m_tiles(tiles)
        , m_inlined(inlined)
        , m_tensor(file.tensor(m_form.tensor))
        , m_text(textWithNames(file))
        , m_left(file, m_text, m_form, m_form.left, m_form.rows, "left", "row")
        , m_right(file, m_text, m_form, m_form.right, m_form.columns, "right", "column") {}

    void run() {
        m_file.helper(fourAlong);
        if (m_left.along() != Operand::Along::sums || m_right.along() != Operand::Along::sums) m_file.helper(keepAlong);
        if (m_left.along() == Operand::Along::sums || m_right.along() == Operand::Along::sums)
            m_file.helper(keepAcross);
        m_file.helper(multiply);
        m_file.helper(storeFour);
        m_file.helper(onBorder);
        for (const TensorId id : m_unit.stored)
            m_file.declare(id);
        const bool isSplit = m_tiles.parts > 1;
        const std::string name = m_file.full().tensors[m_form.tensor].name;
        if (isSplit) {
            m_parts = m_file.takeName(identifier(name) + "Parts");
            m_file.constant(fmt::format("constexpr int {} = {}; // tune: pow2 1..64", m_parts, m_tiles.parts));
        }
        place();
        loaders();
        loop();
        if (isSplit)
            storeSums();
        else
            storeValues();
        launch(isSplit, name);
    }

private:
    [[nodiscard]] std::string count(const Group& group, const std::string& name) {
        return m_text.number(pointsOf(m_tensor, group), name);
    }

    void place() {
        m_rows = count(m_form.rows, "rowCount");
        m_columns = count(m_form.columns, "columnCount");
        m_sums = count(m_form.sums, "sumCount");
        m_text.line("__shared__ __align__(16) float leftTile[2][tileSums][tileRows + 4];");
        m_text.line("__shared__ __align__(16) float rightTile[2][tileSums][tileColumns + 4];");
        m_text.line(fmt::format("const Index columnTiles = ({} + tileColumns - 1) / tileColumns;", m_columns));
        m_text.line("const Index firstColumn = Index(blockIdx.x) % columnTiles * tileColumns;");
        std::string rest = "Index(blockIdx.x) / columnTiles";
        const bool more = !m_form.batch.empty() || m_tiles.parts > 1;
        if (more) {
            m_text.line(fmt::format("const Index rowTiles = ({} + tileRows - 1) / tileRows;", m_rows));
            m_text.line(fmt::format("const Index firstRow = {} % rowTiles * tileRows;", rest));
            rest += " / rowTiles";
        } else {
            m_text.line(fmt::format("const Index firstRow = {} * tileRows;", rest));
        }
        if (m_tiles.parts > 1) {
            if (!m_form.batch.empty()) m_text.line(fmt::format("const Index batch = {} / {};", rest, m_parts));
            const std::string part = m_form.batch.empty() ? rest : fmt::format("{} % {}", rest, m_parts);
            m_text.line(fmt::format("const Index part = {};", part));
            m_text.line(fmt::format("const Index each = ({} + {} * tileSums - 1) / ({} * tileSums) * tileSums;", m_sums,
                                    m_parts, m_parts));
            m_text.line("Index begin = part * each;");
            m_text.line(fmt::format("Index end = min({}, begin + each);", m_sums));
        } else {
            if (!m_form.batch.empty()) m_text.line(fmt::format("const Index batch = {};", rest));
            m_text.line("Index begin = 0;");
            m_text.line(fmt::format("Index end = {};", m_sums));
        }
        triangles();
        m_text.line("// A warp's threads have 4 by 8 fours of the tile, its warps one another's neighbours.");
        m_text.line("constexpr int across = tileColumns / columnsEach / 8;");
        m_text.line("const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;");
        m_text.line("const int ownRow = (warp / across * 4 + lane / 8) * 4;");
        m_text.line("const int ownColumn = (warp % across * 8 + lane % 8) * 4;");
    }

    /// Where a factor is a triangle of zeros, terms outside of it are left out.
    void triangles() {
        const auto structureOf = [&](std::size_t read) {
            const algebra::Input* in = m_file.full().tensors[m_tensor.first().definition()->reads[read].source].input();
            return in ? in->structure : algebra::Input::Structure::none;
        };
        using S = algebra::Input::Structure;
        const bool isPlain = m_form.rows.size() == 1 && m_form.columns.size() == 1 && m_form.sums.size() == 1;
        if (!isPlain) return;
        const auto isNormal = [&](std::size_t read, std::size_t first, std::size_t second) {
            const auto& map = m_tensor.first().definition()->reads[read].map;
            return map.size() >= 2 && map[map.size() - 2] == algebra::Index::axis(int(first)) &&
                   map.back() == algebra::Index::axis(int(second));
        };
        const std::size_t row = m_form.rows[0], column = m_form.columns[0], sum = m_form.sums[0];
        const S left = isNormal(m_form.left, row, sum) ? structureOf(m_form.left) : S::none;
        const S right = isNormal(m_form.right, sum, column) ? structureOf(m_form.right) : S::none;
        const auto cut = [this](const std::string& why, const std::string& line) {
            m_text.line(fmt::format("// As the card states, {} diagonal.", why));
            m_text.line(line);
        };
        const std::string rowBegin = "begin = max(begin, firstRow / tileSums * tileSums);";
        const std::string columnBegin = "begin = max(begin, firstColumn / tileSums * tileSums);";
        if (left == S::upperTriangle) cut("the left factor is 0 below its", rowBegin);
        if (left == S::lowerTriangle) cut("the left factor is 0 above its", "end = min(end, firstRow + tileRows);");
        if (right == S::upperTriangle)
            cut("the right factor is 0 below its", "end = min(end, firstColumn + tileColumns);");
        if (right == S::lowerTriangle) cut("the right factor is 0 above its", columnBegin);
    }

    void loaders() {
        m_text.line("constexpr int leftLoads = tileRows * tileSums / 4 / productThreads;");
        m_text.line("constexpr int rightLoads = tileColumns * tileSums / 4 / productThreads;");
        m_text.line("float4 nextLeft[leftLoads], nextRight[rightLoads];");
        m_left.pointerTo();
        m_right.pointerTo();
        m_text.open("const auto load = [&](Index start) {");
        loadOne(m_left, "left", "Left", "row", "tileRows", "firstRow", m_rows);
        loadOne(m_right, "right", "Right", "column", "tileColumns", "firstColumn", m_columns);
        m_text.close("};");
        m_text.open("const auto keep = [&](int copy) {");
        keepOne(m_left, "left", "Left", "tileRows");
        keepOne(m_right, "right", "Right", "tileColumns");
        m_text.close("};");
    }

    void loadOne(const Operand& o, const std::string& side, const std::string& Side, const std::string& line,
                 const std::string& tile, const std::string& first, const std::string& lines) {
        m_text.line("#pragma unroll");
        m_text.open(fmt::format("for (int n = 0; n < {}Loads; ++n) {{", side));
        m_text.line("const int four = n * productThreads + threadIdx.x;");
        if (o.along() == Operand::Along::sums) {
            m_text.line(fmt::format("const Index {} = {} + four / 2 % {};", line, first, tile));
            m_text.line(fmt::format("const Index k = start + four / (2 * {}) * 8 + four % 2 * 4;", tile));
            writeAddress(m_text, "k", o.at());
            m_text.line(fmt::format("next{}[n] = fourAlong(from, k, {} < {} ? end - k : 0, {}Whole);", Side, line,
                                    lines, side));
        } else {
            m_text.line(fmt::format("const Index {} = {} + four % ({} / 4) * 4;", line, first, tile));
            m_text.line(fmt::format("const Index k = start + four / ({} / 4);", tile));
            writeAddress(m_text, line, o.at());
            m_text.line(fmt::format("next{}[n] = fourAlong(from, {}, k < end ? {} - {} : 0, {}Whole);", Side, line,
                                    lines, line, side));
        }
        m_text.close();
    }

    void keepOne(const Operand& o, const std::string& side, const std::string& Side, const std::string& tile) {
        m_text.line("#pragma unroll");
        m_text.open(fmt::format("for (int n = 0; n < {}Loads; ++n) {{", side));
        m_text.line("const int four = n * productThreads + threadIdx.x;");
        if (o.along() == Operand::Along::sums) {
            m_text.line(fmt::format("const int k = four / (2 * {}) * 8 + four % 2 * 4;", tile));
            m_text.line(
                fmt::format("keepAcross<{} + 4>(&{}Tile[copy][k][four / 2 % {}], next{}[n]);", tile, side, tile, Side));
        } else {
            m_text.line(fmt::format("keepFour(&{}Tile[copy][four / ({} / 4)][four % ({} / 4) * 4], next{}[n]);", side,
                                    tile, tile, Side));
        }
        m_text.close();
    }

    void loop() {
        m_text.line("float sum[rowsEach][columnsEach] = {};");
        m_text.open("if (begin < end) {");
        m_text.line("load(begin);");
        m_text.line("keep(0);");
        m_text.close();
        m_text.line("__syncthreads();");
        m_text.line("int copy = 0;");
        m_text.open("for (Index start = begin; start < end; start += tileSums) {");
        m_text.line("const bool more = start + tileSums < end; // the same for the whole block");
        m_text.line("if (more) load(start + tileSums);");
        m_text.line("multiplyTiles(sum, leftTile[copy], rightTile[copy], ownRow, ownColumn);");
        m_text.line("if (more) keep(copy ^ 1); // everyone left this copy at the last barrier");
        m_text.line("__syncthreads();");
        m_text.line("copy ^= 1;");
        m_text.close();
    }

    /// The loop over a thread's fours; `each` writes what is done with one.
    template <class F> void fours(F&& each) {
        const Offsets own(m_tensor);
        m_text.line("#pragma unroll");
        m_text.open("for (int r = 0; r < rowsEach; ++r) {");
        m_text.line("const Index row = firstRow + ownRow + r / 4 * (tileRows / rowsEach * 4) + r % 4;");
        m_text.line(fmt::format("if (row >= {}) continue;", m_rows));
        m_text.line("#pragma unroll");
        m_text.open("for (int c = 0; c < columnsEach; c += 4) {");
        m_text.line("const Index firstOwn = firstColumn + ownColumn + c * (tileColumns / columnsEach);");
        m_text.line(fmt::format("if (firstOwn >= {}) continue;", m_columns));
        m_text.line(fmt::format("const Index firstElement = {};",
                                sumOf({own.part(m_text, m_form.batch, "batch"), own.part(m_text, m_form.rows, "row"),
                                       own.part(m_text, m_form.columns, "firstOwn")})));
        each();
        m_text.close();
        m_text.close();
    }

    void storeSums() {
        fours([&] {
            m_text.line("const float values[4] = {sum[r][c], sum[r][c + 1], sum[r][c + 2], sum[r][c + 3]};");
            m_text.line(fmt::format(
                "storeFour(partials + (part * count + firstElement), values, {} - firstOwn, outWhole);", m_columns));
        });
    }

    void storeValues() {
        fours([&] {
            for (const TensorId id : m_unit.stored) {
                m_four[id] = m_text.fresh(identifier(m_file.full().tensors[id].name) + "Four");
                m_text.line(fmt::format("float {}[4];", m_four[id]));
            }
            m_text.line("#pragma unroll");
            m_text.open("for (int v = 0; v < 4; ++v) {");
            m_text.line("const Index column = firstOwn + v;");
            m_text.line(fmt::format("if (column >= {}) break;", m_columns));
            PointNames names = namesOfPoint(m_form);
            names.sums = {"sum[r][c + v]"};
            if (mentions(formulasTried(m_file, m_unit, m_inlined, names), "element"))
                m_text.line("const Index element = firstElement + v;");
            writeFormulas(m_file, m_text, m_unit, m_inlined, names, [&](TensorId id, const std::string& value) {
                m_text.line(fmt::format("{}[v] = {};", m_four.at(id), value));
            });
            m_text.close();
            for (const TensorId id : m_unit.stored) {
                const tensor::DType dtype = m_file.full().tensors[id].dtype;
                if (dtype != tensor::DType::Float32)
                    throw Refusal("a product of float32 whose results are of another type");
                const std::string out =
                    m_text.pointer(id, dtype, identifier(m_file.full().tensors[id].name) + "Out", true);
                m_text.line(fmt::format("storeFour({} + firstElement, {}, {} - firstOwn, outWhole);", out,
                                        m_four.at(id), m_columns));
            }
        });
    }

    void launch(bool isSplit, const std::string& name) {
        const Offsets own(m_tensor);
        std::vector<std::string> last{m_left.whole(m_file), m_right.whole(m_file),
                                      wholeOf(m_file, own.borders(m_form.columns), 4, {})};
        std::string lastParameters = "bool leftWhole, bool rightWhole, bool outWhole";
        std::string grid =
            fmt::format("blocks({}, tileRows) * blocks({}, tileColumns)", number(m_form.rows), number(m_form.columns));
        if (!m_form.batch.empty()) grid += " * " + asFactor(number(m_form.batch));
        std::string partials;
        if (isSplit) {
            grid += " * " + m_parts;
            partials = m_file.takeName(identifier(name) + "_partials");
            const std::string count = m_file.variable(m_unit.stored.front()) + ".numel()";
            m_file.hostLine(fmt::format("const auto {} = torch::empty({{{}, {}}}, options.dtype(torch::kFloat32));",
                                        partials, m_parts, count));
            lastParameters += ", Index count, float* partials";
            last.push_back(count);
            last.push_back(partials + ".data_ptr<float>()");
        }
        const std::string comment =
            isSplit
                ? "A tile of the product for each block and part of the sum; the next launch puts the parts together."
                : "A tile of the product for each block, and the formulas after it in registers.";
        const std::string kernel = m_file.addKernel(name + "Product", comment, m_text, lastParameters,
                                                    "__launch_bounds__(productThreads, productBlocks) ");
        const std::string grown = m_file.takeName(identifier(name) + "Blocks");
        m_file.hostLine(fmt::format("const int64_t {} = {};", grown, grid));
        m_file.launch(kernel, grown, m_text, {}, last, "productThreads");
        if (isSplit) addFinish(m_file, m_unit, m_inlined, partials, m_parts);
    }
    [[nodiscard]] std::string number(const Group& group) const { return m_file.number(pointsOf(m_tensor, group)); }

    KernelFile& m_file;
    const ProductUnit& m_unit;
    const ProductForm& m_form;
    FloatTiles m_tiles;
    const std::set<std::size_t>& m_inlined;
    Each<Tensor> m_tensor;
    KernelText m_text;
    Operand m_left, m_right;
    std::string m_rows, m_columns, m_sums, m_parts;
    std::map<TensorId, std::string> m_four;
};

} // namespace

void addFloatTiles(KernelFile& file, const FloatTiles& t) {
    file.constant(
        fmt::format("constexpr int tileRows = {}; // tune: pow2 {}..128", t.tileRows, t.tileRows == 16 ? 16 : 32));
    file.constant(fmt::format("constexpr int tileColumns = {}; // tune: pow2 32..128", t.tileColumns));
    file.constant(fmt::format("constexpr int tileSums = {}; // tune: pow2 8..32", t.tileSums));
    file.constant(fmt::format("constexpr int rowsEach = {}; // tune: pow2 4..8 # a thread's rows", t.rowsEach));
    file.constant(
        fmt::format("constexpr int columnsEach = {}; // tune: pow2 4..8 # a thread's columns", t.columnsEach));
    file.helper(
        "constexpr int productThreads = tileRows / rowsEach * (tileColumns / columnsEach); // of a block\n"
        "constexpr int productBlocks = 512 / productThreads; // of a multiprocessor, for 128 registers a thread\n\n");
}

void addFloatProduct(KernelFile& file, const ProductUnit& unit, const FloatTiles& tiles,
                     const std::set<std::size_t>& inlined) {
    FloatKernel(file, unit, tiles, inlined).run();
}

} // namespace kernelarium::kernelgen::products
