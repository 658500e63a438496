// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/attention/AttentionKernel.h"

#include "core/kernelgen/attention/AttentionJoin.h"
#include "core/kernelgen/attention/AttentionScores.h"
#include "core/kernelgen/attention/AttentionStatistics.h"
#include "core/kernelgen/attention/AttentionText.h"
#include "core/kernelgen/fused/RowText.h"
#include "core/kernelgen/products/Epilogue.h"
#include "core/kernelgen/products/Fragments.h"
#include "core/kernelgen/products/Operand.h"
#include "core/kernelgen/products/TileReads.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace kernelarium::kernelgen::attention {

using algebra::Tensor;
using products::Group;
using products::Operand;
using products::ProductForm;
using products::SharedTile;
using products::TileRange;
using tensor::DType;

namespace {

constexpr std::int64_t longestHead = 128;

SharedTile tileOfQueries() {
    return {"queries", "attentionRows", "headTile"};
}
SharedTile tileOfKeys() {
    return {"keys", "attentionKeys", "headTile"};
}
SharedTile tileOfValues() {
    return {"values", "widthTile", "attentionKeys"};
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
        , m_values(file, m_text, m_output, m_output.right, m_output.columns, "values", "column")
        , m_statistics(file, m_text, unit) {}

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
        if (!m_unit.ofQueries.sums.empty() || !m_unit.ofValues.sums.empty())
            m_file.helper(products::numberOfText(dtype));
        m_file.helper(overFourText);
        m_file.helper(isLastText);
        m_file.helper(joinPartsText);
        m_file.helper(products::onBorder);
        constants(head, width);
        for (const std::size_t id : m_unit.output.stored)
            m_file.declare(id);
        place();
        copies();
        loop();
        writeWarpsJoin(m_text);
        writeAttentionFinish(m_file, m_text, m_unit, m_inlined, m_rows, m_width);
        launch();
    }

private:
    void constants(std::int64_t head, std::int64_t width) {
        const auto rounded = [](std::int64_t n) { return (n + 15) / 16 * 16; };
        const AttentionTiles t = attentionTilesFor(rounded(head), rounded(width));
        m_file.constant(
            fmt::format("constexpr int rowWarps = {}; // tune: pow2 1..8 # of a block, 16 rows each", t.rowWarps));
        m_file.constant(
            fmt::format("constexpr int keyWarps = {}; // tune: pow2 1..8 # of a block, side by side", t.keyWarps));
        m_file.constant(
            fmt::format("constexpr int keyTile = {}; // tune: pow2 16..128 # of a warp at a time", t.keyTile));
        m_file.constant(fmt::format("constexpr int headTile = {}; // at least the queries' length", rounded(head)));
        m_file.constant(fmt::format("constexpr int widthTile = {}; // at least the values' length", rounded(width)));
        m_file.constant(fmt::format("constexpr int attentionBlocks = {}; // tune: 66..528 # so many part the keys",
                                    AttentionTiles::blocks));
        m_file.constant("constexpr int attentionRows = 16 * rowWarps; // of a block");
        m_file.constant("constexpr int attentionKeys = keyTile * keyWarps; // of a block at a time");
        m_file.constant("constexpr int attentionThreads = 32 * rowWarps * keyWarps; // of a block");
        m_file.constant("constexpr int querySize = (attentionRows + 8) * (headTile + 8); // of 16 bits");
        m_file.constant("constexpr int keySize = (attentionKeys + 8) * (headTile + 8); // of 16 bits");
        m_file.constant("constexpr int valueSize = (attentionKeys + 8) * (widthTile + 8); // of 16 bits");
        m_file.constant("constexpr int joinedSize = keyWarps * attentionRows * (widthTile + 10); // of 32 bits");
        m_file.constant("constexpr int tilesSize = std::max(keySize + valueSize, 2 * joinedSize); // of 16 bits");
        m_file.constant("constexpr int attentionShared = 2 * (querySize + tilesSize); // bytes");
    }

    void place() {
        m_rows = m_text.number(products::pointsOf(m_tensor, m_output.rows), "rowCount");
        m_keyCount = m_text.number(products::pointsOf(m_scores, m_score.columns), "keyCount");
        m_head = m_text.number(products::pointsOf(m_scores, m_score.sums), "headSize");
        m_width = m_text.number(products::pointsOf(m_tensor, m_output.columns), "width");
        m_text.line("// Lines of a tile are 8 elements longer than it, so that they begin in different banks.");
        m_text.line("extern __shared__ __align__(16) unsigned short shared[];");
        m_text.line(
            "unsigned short *const queries = shared, *const keys = queries + querySize, *const values = keys + keySize;");
        m_text.line(fmt::format("const Index rowTiles = ({} + attentionRows - 1) / attentionRows;", m_rows));
        m_text.line("const Index tile = Index(blockIdx.x) / parts, part = Index(blockIdx.x) % parts;");
        m_text.line("const Index firstRow = tile % rowTiles * attentionRows, batch = tile / rowTiles;");
        m_text.line(fmt::format(
            "const Index each = ({} + parts * attentionKeys - 1) / (parts * attentionKeys) * attentionKeys;",
            m_keyCount));
        m_text.line(fmt::format("const Index begin = part * each, end = min({}, begin + each);", m_keyCount));
        m_text.line("if (parts > 1) expect(&finished[tile]);");
        m_text.line("const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;");
        m_text.line("const int down = warp % rowWarps, across = warp / rowWarps; // of its rows, of its keys");
        m_queries.pointerTo();
        m_keys.pointerTo();
        m_values.pointerTo();
    }

    /// A factor's tile on its way to shared memory.
    void copyTile(const Operand& o, const SharedTile& to, const TileRange& lines, const TileRange& terms,
                  const std::string& whole) {
        m_text.line("#pragma unroll 4");
        m_text.open(fmt::format("for (int eight = threadIdx.x; eight < {} * {} / 8; eight += attentionThreads) {{",
                                to.lines, to.terms));
        products::writeTileCopy(m_text, o, to, lines, terms, whole);
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
        copyTile(m_keys, tileOfKeys(), {"start", "end"}, {"0", m_head}, wholeName(m_keys, "keysWhole"));
        m_text.line("endOfStage();");
        m_text.close("};");
        m_text.open("const auto copyValues = [&](Index start) {");
        copyTile(m_values, tileOfValues(), {"0", m_width}, {"start", "end"}, wholeName(m_values, "valuesWhole"));
        m_text.line("endOfStage();");
        m_text.close("};");
        copyTile(m_queries, tileOfQueries(), {"firstRow", m_rows}, {"0", m_head}, wholeName(m_queries, "queriesWhole"));
        m_text.open("if (begin < end) {");
        m_text.line("copyKeys(begin);");
        m_text.line("copyValues(begin);");
        m_text.close();
    }

    void loop() {
        m_text.line("float largest[2] = {-INFINITY, -INFINITY}, total[2] = {0.0f, 0.0f};");
        m_text.line("float sum[widthTile / 8][4] = {};");
        m_text.line("unsigned q[headTile / 16][4];");
        m_statistics.declare();
        AttentionScores scores(m_file, m_text, m_unit, m_inlined, m_statistics.given(), m_rows);
        m_text.open("for (Index start = begin; start < end; start += attentionKeys) {");
        m_text.line("waitForCopies<1>(); // the values may be on their way");
        m_text.line("__syncthreads();");
        m_text.open("if (start == begin) {");
        m_text.line("#pragma unroll");
        m_text.open("for (int k = 0; k < headTile / 16; ++k) {");
        products::writeFragmentLoad(m_text, m_queries, tileOfQueries(), "q[k]", "down * 16", "k * 16", true);
        m_text.close();
        if (!m_unit.ofQueries.sums.empty()) m_statistics.writeOfQueries(m_queries);
        m_text.close();
        m_text.line("float score[keyTile / 8][4] = {};");
        m_text.line("#pragma unroll");
        m_text.open("for (int k = 0; k < headTile / 16; ++k) {");
        m_text.line("#pragma unroll");
        m_text.open("for (int j = 0; j < keyTile / 16; ++j) {");
        m_text.line("unsigned b[4];");
        products::writeFragmentLoad(m_text, m_keys, tileOfKeys(), "b", "across * keyTile + j * 16", "k * 16", false);
        m_text.line("multiplyFragments(score[2 * j], q[k], b[0], b[1]);");
        m_text.line("multiplyFragments(score[2 * j + 1], q[k], b[2], b[3]);");
        m_text.close();
        m_text.close();
        scores.writeLogits();
        scores.writeRescale();
        m_text.line("waitForCopies<0>();");
        m_text.line("__syncthreads(); // the values are there, and the keys are read");
        m_text.line("const Index next = start + attentionKeys;");
        m_text.line("if (next < end) copyKeys(next);");
        if (!m_unit.ofValues.sums.empty()) m_statistics.writeOfValues(m_values);
        if (m_unit.weight != m_unit.share) scores.writeWeights();
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
        products::writeFragmentLoad(m_text, m_values, tileOfValues(), "b", "j * 16", "across * keyTile + k * 16",
                                    false);
        m_text.line("multiplyFragments(sum[2 * j], a, b[0], b[1]);");
        m_text.line("multiplyFragments(sum[2 * j + 1], a, b[2], b[3]);");
        m_text.close();
        m_text.close();
        m_text.open("if (next < end) {");
        m_text.line("__syncthreads(); // the values are read");
        m_text.line("copyValues(next);");
        m_text.close();
        m_text.close();
    }

    void launch() {
        const auto number = [&](const Each<Tensor>& t, const Group& group) {
            return group.empty() ? std::string("1") : m_file.number(products::pointsOf(t, group));
        };
        const std::string rows = number(m_tensor, m_output.rows), width = number(m_tensor, m_output.columns);
        const std::string batch = number(m_tensor, m_output.batch), keys = number(m_scores, m_score.columns);
        m_file.hostLine(fmt::format("TORCH_CHECK({} <= headTile && {} <= widthTile, \"heads longer than a tile\");",
                                    number(m_scores, m_score.sums), width));
        const std::string tiles = m_file.takeName("tiles"), parts = m_file.takeName("parts"),
                          partials = m_file.takeName("partials"), largests = m_file.takeName("largests"),
                          totals = m_file.takeName("totals"), most = m_file.takeName("mostParts");
        m_file.hostLine(
            fmt::format("const int64_t {} = blocks({}, attentionRows) * {};", tiles, rows, products::asFactor(batch)));
        m_file.hostLine(fmt::format("const int64_t {} = std::min<int64_t>(blocks({}, attentionKeys), "
                                    "attentionBlocks / {});",
                                    most, keys, tiles));
        m_file.hostLine(
            fmt::format("const int64_t {} = {} <= mostCounted ? std::max<int64_t>(1, {}) : 1;", parts, tiles, most));
        m_file.hostLine(fmt::format("const auto {} = torch::empty({{{} * {} * attentionRows, widthTile}}, "
                                    "options.dtype(torch::kFloat32));",
                                    partials, tiles, parts));
        for (const std::string& name : {largests, totals})
            m_file.hostLine(fmt::format("const auto {} = torch::empty({{{} * {} * attentionRows}}, "
                                        "options.dtype(torch::kFloat32));",
                                        name, tiles, parts));
        std::string parameters = "Index parts, float* partials, float* largests, float* totals";
        std::vector<std::string> last{parts, partials + ".data_ptr<float>()", largests + ".data_ptr<float>()",
                                      totals + ".data_ptr<float>()"};
        for (const auto& [name, condition] : m_conditions) {
            parameters += ", bool " + name;
            last.push_back(condition);
        }
        const std::string kernel = m_file.addKernel(
            m_file.full().tensors[m_unit.output.stored.back()].name + "Attention",
            "Some rows and a part of the keys for each block, whose warps take keys beside one another: scores, their "
            "maximum and sum so far, and the values weighted by them; nothing of the scores' size is stored. The last "
            "block of some rows puts the parts together.",
            m_text, parameters, "__launch_bounds__(attentionThreads) ");
        m_file.allowShared(kernel, "attentionShared");
        m_file.launch(kernel, fmt::format("{} * {}", tiles, parts), m_text, {}, last, "attentionThreads",
                      "attentionShared");
    }

    KernelFile& m_file;
    const AttentionUnit& m_unit;
    const ProductForm& m_score;
    const ProductForm& m_output;
    const std::set<std::size_t>& m_inlined;
    Each<Tensor> m_scores, m_tensor;
    KernelText m_text;
    Operand m_queries, m_keys, m_values;
    AttentionStatistics m_statistics;
    std::string m_rows, m_keyCount, m_head, m_width;
    std::vector<std::pair<std::string, std::string>> m_conditions;
};

} // namespace

void addAttention(KernelFile& file, const AttentionUnit& unit, const std::set<std::size_t>& inlined) {
    AttentionKernel(file, unit, inlined).run();
}

} // namespace kernelarium::kernelgen::attention
