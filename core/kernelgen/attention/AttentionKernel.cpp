// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/attention/AttentionKernel.h"

#include "core/kernelgen/naive/DefinitionKernel.h"
#include "core/kernelgen/products/Epilogue.h"
#include "core/kernelgen/products/Fragments.h"
#include "core/kernelgen/products/Operand.h"
#include "core/kernelgen/text/Names.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen::attention {

using algebra::Tensor;
using products::Group;
using products::Operand;
using products::PointNames;
using products::ProductForm;
using tensor::DType;

namespace {

constexpr std::int64_t longestHead = 128;

const char* const overFour = "/// Over the four lanes that have a row's elements; each gets the result.\n"
                             "__device__ float largestOfRow(float x) {\n"
                             "    x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 1));\n"
                             "    return fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 2));\n"
                             "}\n\n"
                             "__device__ float sumOfRow(float x) {\n"
                             "    x += __shfl_xor_sync(0xffffffffu, x, 1);\n"
                             "    return x + __shfl_xor_sync(0xffffffffu, x, 2);\n"
                             "}\n\n";

std::string pairText(DType dtype) {
    const char* type = dtype == DType::Float16 ? "f16x2" : "bf16x2";
    return fmt::format("/// Two neighbours in 16 bits each, the first below.\n"
                       "__device__ unsigned pairOf(float first, float second) {{\n"
                       "    unsigned pair;\n"
                       "    asm(\"cvt.rn.{}.f32 %0, %1, %2;\" : \"=r\"(pair) : \"f\"(second), \"f\"(first));\n"
                       "    return pair;\n"
                       "}}\n\n",
                       type);
}

KernelText textOfAttention(const KernelFile& file) {
    KernelText text = file.kernel();
    for (const char* word :
         {"rowTiles", "firstRow", "batch",    "end",    "begin",    "warp",     "lane",    "shared", "row",
          "column",   "k",        "n",        "i",      "j",        "eight",    "own",     "term",   "from",
          "count",    "queries",  "keys",     "values", "q",        "b",        "a",       "score",  "sum",
          "largest",  "total",    "part",     "start",  "copyTile", "logit",    "rescale", "shift",  "v",
          "element",  "partials", "largests", "totals", "line",     "lines",    "parts",   "each",   "stage",
          "load",     "place",    "weight",   "place",  "firstKey", "lineSize", "own"})
        (void)text.fresh(word);
    return text;
}

class AttentionKernel {
public:
    AttentionKernel(KernelFile& file, const AttentionUnit& unit, const std::set<std::size_t>& inlined)
        : m_file(file)
        , m_unit(unit)
        , m_score(unit.logits.first())
        , m_output(unit.output.first())
        , m_inlined(inlined)
        , m_scores(file.tensor(m_score.tensor))
        , m_tensor(file.tensor(m_output.tensor))
        , m_text(textOfAttention(file))
        , m_queries(file, m_text, m_score, m_score.left, m_score.rows, "queries", "row")
        , m_keys(file, m_text, m_score, m_score.right, m_score.columns, "keys", "column")
        , m_values(file, m_text, m_output, m_output.right, m_output.columns, "values", "column") {}

    void run() {
        const DType dtype = m_queries.dtype();
        if ((dtype != DType::Float16 && dtype != DType::BFloat16) || m_keys.dtype() != dtype ||
            m_values.dtype() != dtype)
            throw Refusal("an attention of elements that are not of one 16-bit type");
        const std::size_t full = m_file.graphs().full;
        const std::int64_t head = products::pointsOf(m_scores, m_score.sums)[full],
                           width = products::pointsOf(m_tensor, m_output.columns)[full];
        if (head > longestHead || width > longestHead)
            throw Refusal(fmt::format("an attention with heads of {} elements", std::max(head, width)));
        m_file.helper(products::copyEightText);
        m_file.helper(products::loadFragmentText);
        m_file.helper(products::multiplyFragmentsText(dtype));
        m_file.helper(pairText(dtype));
        m_file.helper(overFour);
        m_file.helper(products::onBorder);
        constants(head, width);
        for (const std::size_t id : m_unit.output.stored)
            m_file.declare(id);
        place();
        copies();
        loop();
        storeParts();
        launch();
    }

private:
    void constants(std::int64_t head, std::int64_t width) {
        const auto rounded = [](std::int64_t n) { return (n + 15) / 16 * 16; };
        const std::size_t full = m_file.graphs().full;
        const double rows = double(products::pointsOf(m_tensor, m_output.rows)[full]) *
                            double(products::pointsOf(m_tensor, m_output.batch)[full]);
        const double keys = double(products::pointsOf(m_scores, m_score.columns)[full]);
        constexpr double wanted = 132, rowsOfBlock = 64, fewestKeys = 128;
        int parts = 1;
        while (parts < 64 && rows / rowsOfBlock * parts * 2 <= 2 * wanted && keys / (parts * 2) >= fewestKeys)
            parts *= 2;
        m_file.constant("constexpr int rowWarps = 4; // of a block, 16 rows each; tune: pow2 1..8");
        m_file.constant("constexpr int keyTile = 64; // keys at a time; tune: pow2 16..64");
        m_file.constant(fmt::format("constexpr int headTile = {}; // at least the queries' length", rounded(head)));
        m_file.constant(fmt::format("constexpr int widthTile = {}; // at least the values' length", rounded(width)));
        m_file.constant(
            fmt::format("constexpr int keyParts = {}; // blocks for the keys of a row; tune: pow2 1..64", parts));
        m_file.constant("constexpr int attentionThreads = 32 * rowWarps; // of a block");
    }

    void place() {
        m_rows = m_text.number(products::pointsOf(m_tensor, m_output.rows), "rowCount");
        m_keyCount = m_text.number(products::pointsOf(m_scores, m_score.columns), "keyCount");
        m_head = m_text.number(products::pointsOf(m_scores, m_score.sums), "headSize");
        m_width = m_text.number(products::pointsOf(m_tensor, m_output.columns), "width");
        m_text.line("// Lines of a tile are 8 elements longer than it, so that they begin in different banks.");
        m_text.line("__shared__ __align__(16) unsigned short queries[(rowWarps * 16 + 8) * (headTile + 8)];");
        m_text.line("__shared__ __align__(16) unsigned short keys[(keyTile + 8) * (headTile + 8)];");
        m_text.line("__shared__ __align__(16) unsigned short values[(keyTile + 8) * (widthTile + 8)];");
        m_text.line("const Index part = Index(blockIdx.x) % keyParts;");
        m_text.line(fmt::format("const Index rowTiles = ({} + rowWarps * 16 - 1) / (rowWarps * 16);", m_rows));
        m_text.line("const Index firstRow = Index(blockIdx.x) / keyParts % rowTiles * (rowWarps * 16);");
        m_text.line("const Index batch = Index(blockIdx.x) / keyParts / rowTiles;");
        m_text.line(fmt::format("const Index each = ({} + keyParts * keyTile - 1) / (keyParts * keyTile) * keyTile;",
                                m_keyCount));
        m_text.line("const Index begin = part * each;");
        m_text.line(fmt::format("const Index end = min({}, begin + each);", m_keyCount));
        m_text.line("const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;");
        m_queries.pointerTo();
        m_keys.pointerTo();
        m_values.pointerTo();
    }

    /// Lines of an operand that begin at `first`, `count` of them, and their terms 0 to `terms` on their way.
    void copyTile(const Operand& o, const std::string& to, const std::string& lines, const std::string& terms,
                  const std::string& line, const std::string& firstLine, const std::string& lineEnd,
                  const std::string& firstTerm, const std::string& termEnd, const std::string& whole) {
        m_text.open(fmt::format("for (int eight = threadIdx.x; eight < {} * {} / 8; eight += attentionThreads) {{",
                                lines, terms));
        const std::string cast = fmt::format("reinterpret_cast<const unsigned short*>({})", o.at());
        if (o.along() == Operand::Along::sums) {
            m_text.line(fmt::format("const int own = eight / ({} / 8), term = eight % ({} / 8) * 8;", terms, terms));
            m_text.line(fmt::format("const Index {} = {} + own;", line, firstLine));
            products::writeAddress(m_text, "k", cast);
            m_text.line(
                fmt::format("const Index count = {} < {} ? {} - {} - term : 0;", line, lineEnd, termEnd, firstTerm));
            m_text.line(fmt::format("unsigned short* const place = {} + own * ({} + 8) + term;", to, terms));
            m_text.line(fmt::format("copyEight(place, from, {} + term, count, {});", firstTerm, whole));
        } else {
            m_text.line(fmt::format("const int own = eight % ({} / 8) * 8, term = eight / ({} / 8);", lines, lines));
            m_text.line(fmt::format("const Index k = {} + term;", firstTerm));
            products::writeAddress(m_text, line, cast);
            m_text.line(fmt::format("const Index count = k < {} ? {} - {} - own : 0;", termEnd, lineEnd, firstLine));
            m_text.line(fmt::format("unsigned short* const place = {} + term * ({} + 8) + own;", to, lines));
            m_text.line(fmt::format("copyEight(place, from, {} + own, count, {});", firstLine, whole));
        }
        m_text.close();
    }

    [[nodiscard]] std::string wholeName(const Operand& o, const std::string& name) {
        const std::string condition = o.whole(m_file);
        if (condition == "true" || condition == "false") return condition;
        m_conditions.emplace_back(name, condition);
        return name;
    }

    void copies() {
        m_text.open("const auto copyKeys = [&](Index start) {");
        copyTile(m_keys, "keys", "keyTile", "headTile", "column", "start", "end", "0", m_head,
                 wholeName(m_keys, "keysWhole"));
        m_text.close("};");
        m_text.open("const auto copyValues = [&](Index start) {");
        copyTile(m_values, "values", "widthTile", "keyTile", "column", "0", m_width, "start", "end",
                 wholeName(m_values, "valuesWhole"));
        m_text.close("};");
        copyTile(m_queries, "queries", "(rowWarps * 16)", "headTile", "row", "firstRow", m_rows, "0", m_head,
                 wholeName(m_queries, "queriesWhole"));
        m_text.line("if (begin < end) copyKeys(begin);");
        m_text.line("endOfStage();");
    }

    /// Of the left factor the second matrix has the next rows, of the right one the next terms.
    void fragment(const Operand& o, const std::string& to, const std::string& tile, const std::string& lines,
                  const std::string& terms, const std::string& line, const std::string& term, bool isLeft) {
        const std::string eighth = "lane / 8 % 2 * 8", sixteenth = "lane / 16 * 8";
        const std::string lineAt = isLeft ? eighth : sixteenth, termAt = isLeft ? sixteenth : eighth;
        const bool isAlong = o.along() == Operand::Along::sums;
        m_text.line(fmt::format("const int own = {} + {}{}, term = {} + {}{};", line, lineAt,
                                isAlong ? " + lane % 8" : "", term, termAt, isAlong ? "" : " + lane % 8"));
        if (isAlong)
            m_text.line(fmt::format("loadFragment<false>({}, {} + own * ({} + 8) + term);", to, tile, terms));
        else
            m_text.line(fmt::format("loadFragment<true>({}, {} + term * ({} + 8) + own);", to, tile, lines));
    }

    void loop() {
        m_text.line("float largest[2] = {-INFINITY, -INFINITY}, total[2] = {0.0f, 0.0f};");
        m_text.line("float sum[widthTile / 8][4] = {};");
        m_text.line("unsigned q[headTile / 16][4];");
        m_text.open("for (Index start = begin; start < end; start += keyTile) {");
        m_text.line("waitForCopies<0>();");
        m_text.line("__syncthreads(); // the keys are there, and the values before are read");
        m_text.line("copyValues(start);");
        m_text.line("endOfStage();");
        m_text.open("if (start == begin) {");
        m_text.line("#pragma unroll");
        m_text.open("for (int k = 0; k < headTile / 16; ++k) {");
        fragment(m_queries, "q[k]", "queries", "rowWarps * 16", "headTile", "warp * 16", "k * 16", true);
        m_text.close();
        m_text.close();
        m_text.line("float score[keyTile / 8][4] = {};");
        m_text.line("#pragma unroll");
        m_text.open("for (int k = 0; k < headTile / 16; ++k) {");
        m_text.line("#pragma unroll");
        m_text.open("for (int j = 0; j < keyTile / 16; ++j) {");
        m_text.line("unsigned b[4];");
        fragment(m_keys, "b", "keys", "keyTile", "headTile", "j * 16", "k * 16", false);
        m_text.line("multiplyFragments(score[2 * j], q[k], b[0], b[1]);");
        m_text.line("multiplyFragments(score[2 * j + 1], q[k], b[2], b[3]);");
        m_text.close();
        m_text.close();
        logits();
        rescale();
        m_text.line("waitForCopies<0>();");
        m_text.line("__syncthreads(); // the values are there, and the keys are read");
        m_text.line("if (start + keyTile < end) copyKeys(start + keyTile);");
        m_text.line("endOfStage();");
        m_text.line("#pragma unroll");
        m_text.open("for (int k = 0; k < keyTile / 16; ++k) {");
        m_text.line("// What the product left in a lane is what the next one's left factor has there.");
        m_text.line(
            "const unsigned a[4] = {pairOf(score[2 * k][0], score[2 * k][1]), pairOf(score[2 * k][2], score[2 * k][3]),");
        m_text.line("                       pairOf(score[2 * k + 1][0], score[2 * k + 1][1]),");
        m_text.line("                       pairOf(score[2 * k + 1][2], score[2 * k + 1][3])};");
        m_text.line("#pragma unroll");
        m_text.open("for (int j = 0; j < widthTile / 16; ++j) {");
        m_text.line("unsigned b[4];");
        fragment(m_values, "b", "values", "widthTile", "keyTile", "j * 16", "k * 16", false);
        m_text.line("multiplyFragments(sum[2 * j], a, b[0], b[1]);");
        m_text.line("multiplyFragments(sum[2 * j + 1], a, b[2], b[3]);");
        m_text.close();
        m_text.close();
        m_text.close();
        m_text.line("waitForCopies<0>();");
    }

    /// Element v of fragment n: row lane / 4 of the warp's, 8 more for the second half; column lane % 4 * 2.
    void eachScore() {
        m_text.line("#pragma unroll");
        m_text.open("for (int n = 0; n < keyTile / 8; ++n) {");
        m_text.line("#pragma unroll");
        m_text.open("for (int v = 0; v < 4; ++v) {");
    }
    void pointOfScore() {
        m_text.line("const Index row = firstRow + warp * 16 + lane / 4 + v / 2 * 8;");
        m_text.line("const Index column = start + n * 8 + lane % 4 * 2 + v % 2;");
    }

    void elementOfScore(const products::ProductUnit& unit, const PointNames& names) {
        if (!mentions(products::formulasTried(m_file, unit, m_inlined, names), "element")) return;
        const products::Offsets own(m_scores);
        m_text.line(fmt::format(
            "const Index element = {};",
            products::sumOf({own.part(m_text, m_score.batch, "batch"), own.part(m_text, m_score.rows, "row"),
                             own.part(m_text, m_score.columns, "column")})));
    }

    void logits() {
        m_text.line("float tileLargest[2] = {-INFINITY, -INFINITY};");
        eachScore();
        pointOfScore();
        m_text.line("float logit = -INFINITY; // beyond the keys");
        m_text.open(fmt::format("if (row < {} && column < end) {{", m_rows));
        PointNames names;
        names.batch = m_score.batch.empty() ? "0" : "batch";
        names.row = "row", names.column = "column", names.element = "element";
        names.sums = {"score[n][v]"};
        products::writeFormulas(
            m_file, m_text, m_unit.logits, m_inlined, names,
            [&](std::size_t, const std::string& value) { m_text.line(fmt::format("logit = {};", value)); });
        m_text.close();
        m_text.line("score[n][v] = logit;");
        m_text.line("tileLargest[v / 2] = fmaxf(tileLargest[v / 2], logit);");
        m_text.close();
        m_text.close();
    }

    void rescale() {
        m_text.line("float shift[2]; // what is subtracted from the logits: 0 where all are -infinity");
        m_text.line("#pragma unroll");
        m_text.open("for (int i = 0; i < 2; ++i) {");
        m_text.line("const float before = largest[i];");
        m_text.line("largest[i] = fmaxf(before, largestOfRow(tileLargest[i]));");
        m_text.line("shift[i] = largest[i] == -INFINITY ? 0.0f : largest[i];");
        m_text.line("const float rescale = expf(before - shift[i]);");
        m_text.line("total[i] *= rescale;");
        m_text.line("#pragma unroll");
        m_text.open("for (int j = 0; j < widthTile / 8; ++j) {");
        m_text.line("sum[j][2 * i] *= rescale;");
        m_text.line("sum[j][2 * i + 1] *= rescale;");
        m_text.close();
        m_text.close();
        eachScore();
        m_text.line("score[n][v] = expf(score[n][v] - shift[v / 2]);");
        m_text.line("total[v / 2] += score[n][v];");
        if (m_unit.weight != m_unit.share) {
            pointOfScore();
            m_text.open(fmt::format("if (row < {} && column < end) {{", m_rows));
            weights();
            m_text.close();
        }
        m_text.close();
        m_text.close();
    }

    /// The map of the share; the share's division is done at the end, since it is the same for all keys.
    void weights() {
        products::ProductUnit map;
        map.forms = {m_score};
        map.members = {m_unit.share, m_unit.weight};
        map.stored = {m_unit.weight};
        map.forms[0].tensor = m_unit.share; // its value is at hand
        map.forms[0].factor = 1;
        PointNames names;
        names.batch = m_score.batch.empty() ? "0" : "batch";
        names.row = "row", names.column = "column", names.element = "element";
        names.sums = {"score[n][v]"};
        elementOfScore(map, names);
        products::writeFormulas(m_file, m_text, map, m_inlined, names, [&](std::size_t, const std::string& value) {
            m_text.line(fmt::format("score[n][v] = {};", value));
        });
    }

    void storeParts() {
        m_text.line(fmt::format("const Index lines = lineCount; // rows of all batches"));
        m_text.line("#pragma unroll");
        m_text.open("for (int i = 0; i < 2; ++i) {");
        m_text.line("const Index row = firstRow + warp * 16 + lane / 4 + i * 8;");
        m_text.line("total[i] = sumOfRow(total[i]);");
        m_text.line(fmt::format("if (row >= {}) continue;", m_rows));
        m_text.line(fmt::format("const Index line = part * lines + batch * {} + row;", m_rows));
        m_text.open("if (lane % 4 == 0) {");
        m_text.line("largests[line] = largest[i];");
        m_text.line("totals[line] = total[i];");
        m_text.close();
        m_text.line("#pragma unroll");
        m_text.open("for (int j = 0; j < widthTile / 8; ++j) {");
        m_text.line("const Index column = j * 8 + lane % 4 * 2;");
        m_text.line(fmt::format("if (column < {0}) partials[line * {0} + column] = sum[j][2 * i];", m_width));
        m_text.line(
            fmt::format("if (column + 1 < {0}) partials[line * {0} + column + 1] = sum[j][2 * i + 1];", m_width));
        m_text.close();
        m_text.close();
    }

    void launch() {
        const auto number = [&](const Each<Tensor>& t, const Group& group) {
            return group.empty() ? std::string("1") : m_file.number(products::pointsOf(t, group));
        };
        const std::string rows = number(m_tensor, m_output.rows), width = number(m_tensor, m_output.columns);
        const std::string batch = number(m_tensor, m_output.batch);
        m_file.hostLine(fmt::format("TORCH_CHECK({} <= headTile && {} <= widthTile, \"heads longer than a tile\");",
                                    number(m_scores, m_score.sums), width));
        const std::string out = m_file.variable(m_unit.output.stored.front());
        const std::string lines = m_file.takeName("lines"), partials = m_file.takeName("partials"),
                          largests = m_file.takeName("largests"), totals = m_file.takeName("totals");
        m_file.hostLine(fmt::format("const int64_t {} = {}.numel() / {}; // rows of all batches", lines, out,
                                    products::asFactor(width)));
        m_file.hostLine(fmt::format("const auto {} = torch::empty({{keyParts, {}, {}}}, "
                                    "options.dtype(torch::kFloat32));",
                                    partials, lines, width));
        for (const std::string& name : {largests, totals})
            m_file.hostLine(fmt::format(
                "const auto {} = torch::empty({{keyParts, {}}}, options.dtype(torch::kFloat32));", name, lines));
        std::string parameters = "Index lineCount, float* partials, float* largests, float* totals";
        std::vector<std::string> last{lines, partials + ".data_ptr<float>()", largests + ".data_ptr<float>()",
                                      totals + ".data_ptr<float>()"};
        const std::vector<std::string> left = last;
        for (const auto& [name, condition] : m_conditions) {
            parameters += ", bool " + name;
            last.push_back(condition);
        }
        const std::string kernel = m_file.addKernel(
            m_file.full().tensors[m_unit.output.stored.back()].name + "Attention",
            "Some rows and a part of the keys for each block: scores, their maximum and sum so far, and the values "
            "weighted by them; nothing of the scores' size is stored.",
            m_text, parameters, "__launch_bounds__(attentionThreads) ");
        const std::string grid = m_file.takeName("attentionBlocks");
        m_file.hostLine(fmt::format("const int64_t {} = blocks({}, rowWarps * 16) * {} * keyParts;", grid, rows,
                                    products::asFactor(batch)));
        m_file.launch(kernel, grid, m_text, {}, last, "attentionThreads");
        products::ElementKernel finish;
        finish.comment = "The parts of a row, each by its own maximum, put together in their order.";
        finish.words = {"line", "lineCount", "partials", "largests", "totals", "largest", "total", "value", "weight"};
        finish.parameters = "Index lineCount, const float* partials, const float* largests, const float* totals";
        finish.arguments = left;
        finish.line = true;
        finish.sums = [](KernelText& text) {
            text.line("float largest = -INFINITY;");
            text.open("for (int part = 0; part < keyParts; ++part)");
            text.line("largest = fmaxf(largest, largests[part * lineCount + line]);");
            text.indent(-1);
            text.line("const float shift = largest == -INFINITY ? 0.0f : largest;");
            text.line("float total = 0.0f, value = 0.0f;");
            text.open("for (int part = 0; part < keyParts; ++part) {");
            text.line("const float weight = expf(largests[part * lineCount + line] - shift);");
            text.line("total += weight * totals[part * lineCount + line];");
            text.line("value += weight * partials[part * count + i];");
            text.close();
            text.line("value /= total;");
            return std::vector<std::string>{"value"};
        };
        products::addElements(m_file, m_unit.output, m_inlined, finish);
    }

    KernelFile& m_file;
    const AttentionUnit& m_unit;
    const ProductForm& m_score;
    const ProductForm& m_output;
    const std::set<std::size_t>& m_inlined;
    Each<Tensor> m_scores, m_tensor;
    KernelText m_text;
    Operand m_queries, m_keys, m_values;
    std::string m_rows, m_keyCount, m_head, m_width;
    std::vector<std::pair<std::string, std::string>> m_conditions;
};

} // namespace

void addAttention(KernelFile& file, const AttentionUnit& unit, const std::set<std::size_t>& inlined) {
    AttentionKernel(file, unit, inlined).run();
}

} // namespace kernelarium::kernelgen::attention
