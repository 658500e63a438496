// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/attention/AttentionKernel.h"

#include "core/kernelgen/attention/AttentionText.h"
#include "core/kernelgen/fused/RowText.h"
#include "core/kernelgen/naive/DefinitionKernel.h"
#include "core/kernelgen/products/Epilogue.h"
#include "core/kernelgen/products/Fragments.h"
#include "core/kernelgen/products/Operand.h"
#include "core/kernelgen/text/Names.h"

#include <algorithm>
#include <functional>

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
        joinWarps();
        finish();
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

    [[nodiscard]] static std::string after(const std::string& begin) { return begin == "0" ? "" : begin + " + "; }
    /// Lines of an operand that begin at `first`, `count` of them, and their terms 0 to `terms` on their way.
    void copyTile(const Operand& o, const std::string& to, const std::string& lines, const std::string& terms,
                  const std::string& line, const std::string& firstLine, const std::string& lineEnd,
                  const std::string& firstTerm, const std::string& termEnd, const std::string& whole) {
        m_text.line("#pragma unroll 4");
        m_text.open(fmt::format("for (int eight = threadIdx.x; eight < {} * {} / 8; eight += attentionThreads) {{",
                                lines, terms));
        const std::string cast = fmt::format("reinterpret_cast<const unsigned short*>({})", o.at());
        if (o.along() == Operand::Along::sums) {
            m_text.line(fmt::format("const int own = eight / ({} / 8), term = eight % ({} / 8) * 8;", terms, terms));
            m_text.line(fmt::format("const Index {} = {} + own;", line, firstLine));
            products::writeAddress(m_text, "k", cast);
            m_text.line(fmt::format("const Index count = {} < {} ? {} - {} : 0;", line, lineEnd, termEnd,
                                    firstTerm == "0" ? "term" : firstTerm + " - term"));
            m_text.line(fmt::format("unsigned short* const place = {} + own * ({} + 8) + term;", to, terms));
            m_text.line(fmt::format("copyEight(place, from, {}term, count, {});", after(firstTerm), whole));
        } else {
            m_text.line(fmt::format("const int own = eight % ({} / 8) * 8, term = eight / ({} / 8);", lines, lines));
            m_text.line(fmt::format("const Index k = {}term;", after(firstTerm)));
            products::writeAddress(m_text, line, cast);
            m_text.line(fmt::format("const Index count = k < {} ? {} - {} : 0;", termEnd, lineEnd,
                                    firstLine == "0" ? "own" : firstLine + " - own"));
            m_text.line(fmt::format("unsigned short* const place = {} + term * ({} + 8) + own;", to, lines));
            m_text.line(fmt::format("copyEight(place, from, {}own, count, {});", after(firstLine), whole));
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
        copyTile(m_keys, "keys", "attentionKeys", "headTile", "column", "start", "end", "0", m_head,
                 wholeName(m_keys, "keysWhole"));
        m_text.line("endOfStage();");
        m_text.close("};");
        m_text.open("const auto copyValues = [&](Index start) {");
        copyTile(m_values, "values", "widthTile", "attentionKeys", "column", "0", m_width, "start", "end",
                 wholeName(m_values, "valuesWhole"));
        m_text.line("endOfStage();");
        m_text.close("};");
        copyTile(m_queries, "queries", "attentionRows", "headTile", "row", "firstRow", m_rows, "0", m_head,
                 wholeName(m_queries, "queriesWhole"));
        m_text.open("if (begin < end) {");
        m_text.line("copyKeys(begin);");
        m_text.line("copyValues(begin);");
        m_text.close();
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
        declareStatistics();
        m_text.open("for (Index start = begin; start < end; start += attentionKeys) {");
        m_text.line("waitForCopies<1>(); // the values may be on their way");
        m_text.line("__syncthreads();");
        m_text.open("if (start == begin) {");
        m_text.line("#pragma unroll");
        m_text.open("for (int k = 0; k < headTile / 16; ++k) {");
        fragment(m_queries, "q[k]", "queries", "attentionRows", "headTile", "down * 16", "k * 16", true);
        m_text.close();
        queryStatistics();
        m_text.close();
        m_text.line("float score[keyTile / 8][4] = {};");
        m_text.line("#pragma unroll");
        m_text.open("for (int k = 0; k < headTile / 16; ++k) {");
        m_text.line("#pragma unroll");
        m_text.open("for (int j = 0; j < keyTile / 16; ++j) {");
        m_text.line("unsigned b[4];");
        fragment(m_keys, "b", "keys", "attentionKeys", "headTile", "across * keyTile + j * 16", "k * 16", false);
        m_text.line("multiplyFragments(score[2 * j], q[k], b[0], b[1]);");
        m_text.line("multiplyFragments(score[2 * j + 1], q[k], b[2], b[3]);");
        m_text.close();
        m_text.close();
        logits();
        rescale();
        m_text.line("waitForCopies<0>();");
        m_text.line("__syncthreads(); // the values are there, and the keys are read");
        m_text.line("const Index next = start + attentionKeys;");
        m_text.line("if (next < end) copyKeys(next);");
        valueStatistics();
        if (m_unit.weight != m_unit.share) weights();
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
        fragment(m_values, "b", "values", "widthTile", "attentionKeys", "j * 16", "across * keyTile + k * 16", false);
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

    /// Variables of what is read of the sums over queries, for a lane's two rows, and of those over the keys' values.
    void declareStatistics() {
        for (const std::size_t id : m_unit.ofQueries.read) {
            const std::string variable = m_text.fresh(identifier(m_file.full().tensors[id].name) + "Row");
            m_text.line(fmt::format("float {}[2];", variable));
            m_given[id] = variable + "[v / 2]";
            m_variables[id] = variable;
        }
        for (const std::size_t id : m_unit.ofValues.read) {
            const std::string variable = m_text.fresh(identifier(m_file.full().tensors[id].name) + "Keys");
            m_text.line(fmt::format("__shared__ float {}[attentionKeys];", variable));
            m_given[id] = variable + "[column - start]";
            m_variables[id] = variable;
        }
    }
    /// Lines that add what "term" gives to the variables of the sums.
    void addTerm(const AttentionUnit::Statistics& of, std::size_t source,
                 const std::map<std::size_t, std::string>& to) {
        for (const std::size_t id : of.sums) {
            AtHand hand;
            hand.withReduction = true;
            hand.element = "e";
            hand.values[source] = "term";
            const Each<Tensor> t = m_file.tensor(id);
            const Terms terms = termsOf(t);
            PointText point(m_text, m_file.graphs().each(), t, algebra::axisNames(t.first()), hand);
            m_text.line(fmt::format("{} += {};", to.at(id), point.valueOf(terms.each())));
        }
    }
    /// What is read of sums that are in variables, to where `to` says.
    void storeStatistics(const AttentionUnit::Statistics& of, const std::map<std::size_t, std::string>& sums,
                         const std::function<std::string(std::size_t)>& to) {
        AtHand hand;
        hand.inlined.insert(of.maps.begin(), of.maps.end());
        for (const std::size_t id : of.sums) {
            const Terms terms = termsOf(m_file.tensor(id));
            hand.given[id] = sums.at(id);
            if (!terms.factor.empty()) m_text.line(fmt::format("{} *= {};", sums.at(id), m_text.factor(terms.factor)));
        }
        for (const std::size_t id : of.read) {
            std::string value;
            if (const auto it = hand.given.find(id); it != hand.given.end()) {
                value = it->second;
            } else {
                const Each<Tensor> t = m_file.tensor(id);
                const std::vector<std::string> axes(t.first().extents.size(), "0");
                value = PointText(m_text, m_file.graphs().each(), t, axes, hand).body();
            }
            m_text.line(fmt::format("{} = {};", to(id), value));
        }
    }
    [[nodiscard]] std::map<std::size_t, std::string> variablesOf(const AttentionUnit::Statistics& of,
                                                                 const std::string& ending) {
        std::map<std::size_t, std::string> out;
        for (const std::size_t id : of.sums)
            out[id] = m_text.fresh(identifier(m_file.full().tensors[id].name) + ending);
        return out;
    }
    void queryStatistics() {
        const AttentionUnit::Statistics& of = m_unit.ofQueries;
        if (of.sums.empty()) return;
        auto sums = variablesOf(of, "Part");
        for (auto& [id, name] : sums) {
            m_text.line(fmt::format("float {}[2] = {{}};", name));
            name += "[e / 2 % 2]";
        }
        m_text.line("#pragma unroll");
        m_text.open("for (int e = 0; e < headTile / 2; ++e) {");
        m_text.line("const float term = numberOf(q[e / 8][e / 2 % 4] >> (e % 2 * 16)); // of row lane / 4, or 8 below");
        addTerm(of, m_queries.source(), sums);
        m_text.close();
        m_text.line("#pragma unroll");
        m_text.open("for (int i = 0; i < 2; ++i) {");
        for (auto& [id, name] : sums) {
            const std::string part = name.substr(0, name.find('[')) + "[i]";
            name = m_text.fresh(identifier(m_file.full().tensors[id].name));
            m_text.line(fmt::format("float {} = sumOfRow({});", name, part));
        }
        storeStatistics(of, sums, [this](std::size_t id) { return m_variables.at(id) + "[i]"; });
        m_text.close();
    }
    void valueStatistics() {
        const AttentionUnit::Statistics& of = m_unit.ofValues;
        if (of.sums.empty()) return;
        const auto sums = variablesOf(of, "");
        m_text.open("for (int key = threadIdx.x; key < attentionKeys; key += attentionThreads) {");
        for (const auto& [id, name] : sums)
            m_text.line(fmt::format("float {} = 0.0f;", name));
        m_text.line("#pragma unroll");
        if (m_values.along() == Operand::Along::sums) {
            m_text.open("for (int e = 0; e < widthTile; ++e) {");
            m_text.line("const float term = numberOf(values[e * (attentionKeys + 8) + key]);");
        } else {
            m_text.open("for (int i = 0; i < widthTile; i += 8) {");
            m_text.line("const uint4 eight = *reinterpret_cast<const uint4*>(values + key * (widthTile + 8) + i);");
            m_text.line("const unsigned terms[4] = {eight.x, eight.y, eight.z, eight.w};");
            m_text.line("#pragma unroll");
            m_text.open("for (int e = 0; e < 8; ++e) {");
            m_text.line("const float term = numberOf(terms[e / 2] >> (e % 2 * 16));");
        }
        addTerm(of, m_values.source(), sums);
        m_text.close();
        if (m_values.along() != Operand::Along::sums) m_text.close();
        storeStatistics(of, sums, [this](std::size_t id) { return m_variables.at(id) + "[key]"; });
        m_text.close();
        m_text.line("__syncthreads();");
    }

    /// Element v of fragment n: row lane / 4 of the warp's, 8 more for the second half; column lane % 4 * 2.
    void eachScore() {
        m_text.line("#pragma unroll");
        m_text.open("for (int n = 0; n < keyTile / 8; ++n) {");
        m_text.line("#pragma unroll");
        m_text.open("for (int v = 0; v < 4; ++v) {");
    }
    void pointOfScore() {
        m_text.line("const Index row = firstRow + down * 16 + lane / 4 + v / 2 * 8;");
        m_text.line("const Index column = start + across * keyTile + n * 8 + lane % 4 * 2 + v % 2;");
    }
    [[nodiscard]] PointNames namesOfScore() const {
        PointNames names;
        names.batch = m_score.batch.empty() ? "0" : "batch";
        names.row = "row", names.column = "column", names.element = "element";
        names.sums = {"score[n][v]"};
        names.given = m_given;
        return names;
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
        const PointNames names = namesOfScore();
        elementOfScore(m_unit.logits, names);
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
        const PointNames names = namesOfScore();
        eachScore();
        pointOfScore();
        m_text.open(fmt::format("if (row < {} && column < end) {{", m_rows));
        elementOfScore(map, names);
        products::writeFormulas(m_file, m_text, map, m_inlined, names, [&](std::size_t, const std::string& value) {
            m_text.line(fmt::format("score[n][v] = {};", value));
        });
        m_text.close();
        m_text.close();
        m_text.close();
    }

    /// What the warps of a row have of it, in place of the tiles.
    void joinWarps() {
        m_text.line("waitForCopies<0>();");
        m_text.line("__syncthreads(); // the tiles are read, their place is free");
        m_text.line("float* const valuesOf = reinterpret_cast<float*>(keys);");
        m_text.line("float* const largestOf = valuesOf + keyWarps * attentionRows * (widthTile + 8);");
        m_text.line("float* const totalOf = largestOf + keyWarps * attentionRows;");
        m_text.line("#pragma unroll");
        m_text.open("for (int i = 0; i < 2; ++i) {");
        m_text.line("const int line = across * attentionRows + down * 16 + lane / 4 + i * 8;");
        m_text.line("total[i] = sumOfRow(total[i]);");
        m_text.line("if (lane % 4 == 0) largestOf[line] = largest[i], totalOf[line] = total[i];");
        m_text.line("#pragma unroll");
        m_text.open("for (int j = 0; j < widthTile / 8; ++j) {");
        m_text.line("float* const place = valuesOf + line * (widthTile + 8) + j * 8 + lane % 4 * 2;");
        m_text.line("*reinterpret_cast<float2*>(place) = make_float2(sum[j][2 * i], sum[j][2 * i + 1]);");
        m_text.close();
        m_text.close();
        m_text.line("__syncthreads();");
    }

    void finish() {
        m_text.open("const auto finish = [&](Index row, int at, const Joined& all) {");
        m_text.open(fmt::format("for (int v = 0; v < 4 && at + v < {}; ++v) {{", m_width));
        m_text.line("const Index column = at + v;");
        m_text.line("const float value = all.sum[v] / all.total;");
        PointNames names;
        names.batch = m_output.batch.empty() ? "0" : "batch";
        names.row = "row", names.column = "column", names.element = "element";
        names.sums = {"value"};
        const products::Offsets own(m_tensor);
        m_text.line(fmt::format(
            "const Index element = {};",
            products::sumOf({own.part(m_text, m_output.batch, "batch"), own.part(m_text, m_output.rows, "row"),
                             own.part(m_text, m_output.columns, "column")})));
        products::writeFormulas(
            m_file, m_text, m_unit.output, m_inlined, names, [&](std::size_t id, const std::string& value) {
                const DType dtype = m_file.full().tensors[id].dtype;
                const std::string out =
                    m_text.pointer(id, dtype, identifier(m_file.full().tensors[id].name) + "Out", true);
                m_text.line(fmt::format("{}[element] = {};", out, stored(value, dtype)));
            });
        m_text.close();
        m_text.close("};");
        fours();
        m_text.line("const Joined all = joinParts(");
        m_text.line("    keyWarps, [&](int w) { return largestOf[w * attentionRows + own]; },");
        m_text.line("    [&](int w) { return totalOf[w * attentionRows + own]; },");
        m_text.open("    [&](int w) {");
        m_text.line("    const float* const from = valuesOf + (w * attentionRows + own) * (widthTile + 8) + at;");
        m_text.line("    return *reinterpret_cast<const float4*>(from);");
        m_text.close("    });");
        m_text.open("if (parts == 1) {");
        m_text.line("finish(row, at, all);");
        m_text.line("continue;");
        m_text.close();
        m_text.line("const Index line = (tile * parts + part) * attentionRows + own;");
        m_text.line("float4* const place = reinterpret_cast<float4*>(partials + line * widthTile + at);");
        m_text.line("*place = make_float4(all.sum[0], all.sum[1], all.sum[2], all.sum[3]);");
        m_text.line("if (at == 0) largests[line] = all.largest, totals[line] = all.total;");
        m_text.close();
        m_text.line("if (parts == 1 || !isLast(&finished[tile], parts)) return;");
        fours();
        m_text.line("const Index first = tile * parts * attentionRows + own;");
        m_text.line("finish(row, at,");
        m_text.line("       joinParts(");
        m_text.line("           parts, [&](int p) { return __ldcg(largests + first + p * attentionRows); },");
        m_text.line("           [&](int p) { return __ldcg(totals + first + p * attentionRows); },");
        m_text.open("           [&](int p) {");
        m_text.line("           const float* const from = partials + (first + p * attentionRows) * widthTile + at;");
        m_text.line("           return __ldcg(reinterpret_cast<const float4*>(from));");
        m_text.close("           }));");
        m_text.close();
    }
    /// A loop over the tile's rows and fours of columns.
    void fours() {
        m_text.open("for (int e = threadIdx.x; e < attentionRows * widthTile / 4; e += attentionThreads) {");
        m_text.line("const int own = e / (widthTile / 4), at = e % (widthTile / 4) * 4;");
        m_text.line("const Index row = firstRow + own;");
        m_text.line(fmt::format("if (row >= {} || at >= {}) continue;", m_rows, m_width));
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
    std::string m_rows, m_keyCount, m_head, m_width;
    std::map<std::size_t, std::string> m_given, m_variables; ///< of what is read of the statistics
    std::vector<std::pair<std::string, std::string>> m_conditions;
};

} // namespace

void addAttention(KernelFile& file, const AttentionUnit& unit, const std::set<std::size_t>& inlined) {
    AttentionKernel(file, unit, inlined).run();
}

} // namespace kernelarium::kernelgen::attention
