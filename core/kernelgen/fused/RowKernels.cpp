// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/fused/RowKernels.h"

#include "core/kernelgen/fused/RowGroups.h"
#include "core/kernelgen/fused/RowLoop.h"
#include "core/kernelgen/fused/RowSizes.h"
#include "core/kernelgen/fused/RowStages.h"
#include "core/kernelgen/fused/RowText.h"
#include "core/kernelgen/text/Names.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen {

using algebra::Combine;
using algebra::Definition;
using algebra::Graph;
using algebra::Tensor;
using algebra::TensorId;
using tensor::DType;

namespace {

class RowKernels {
public:
    RowKernels(KernelFile& file, const Plan& plan, std::size_t number)
        : m_file(file)
        , m_plan(plan)
        , m_group(plan.groups[number])
        , m_graph(file.graphs().each())
        , m_suffix(number == 0 ? "" : std::to_string(number + 1))
        , m_isColumns(m_group.layout.kind == RowLayout::Kind::columns) {}

    int run() {
        m_stages = rowStages(m_graph, m_file.full(), m_group);
        addHelpers();
        const auto outputs = m_group.split && writesElements() ? allReductions() : m_group.stored;
        for (const TensorId id : m_group.reductions)
            if (outputs.contains(id)) m_file.declare(id);
        for (const auto* list : {&m_group.maps, &m_group.totals})
            for (const TensorId id : *list)
                m_file.declare(id);
        sizes();
        return m_group.split ? splitKernels() : wholeKernel();
    }

private:
    using Names = std::map<std::size_t, std::string>;

    [[nodiscard]] const Definition& definition(TensorId id) const { return *m_file.full().tensors[id].definition(); }
    [[nodiscard]] std::string name(TensorId id) const { return identifier(m_file.full().tensors[id].name); }
    [[nodiscard]] std::set<TensorId> allReductions() const {
        return {m_group.reductions.begin(), m_group.reductions.end()};
    }
    [[nodiscard]] bool isOfElements(TensorId map) const {
        return m_file.tensor(map).values([](const Tensor& t) { return algebra::pointCount(t.extents); }) !=
               m_group.layout.rows;
    }
    [[nodiscard]] bool writesElements() const {
        return std::any_of(m_group.maps.begin(), m_group.maps.end(), [this](TensorId m) { return isOfElements(m); });
    }
    /// Totals of all elements, which are reduced within the rows first; the others are of the rows' values.
    [[nodiscard]] bool isElementTotal(TensorId id) const {
        return m_file.tensor(id).values([](const Tensor& t) {
            return algebra::pointCount(t.definition()->reduction);
        }) != m_group.layout.rows;
    }

    void addHelpers() {
        std::set<Combine> combines, totals;
        for (const TensorId id : m_group.reductions)
            combines.insert(definition(id).combine);
        for (const TensorId id : m_group.totals) {
            totals.insert(definition(id).combine);
            if (isElementTotal(id)) combines.insert(definition(id).combine);
        }
        const RowSizes chosen = rowSizes(m_file.graphs(), m_plan, m_group, m_stages.size() > 1 || hasAbout());
        for (const std::string& line : constantsOf(chosen, m_group, m_suffix))
            m_file.constant(line);
        m_kept = chosen.kept;
        m_isOnce = !m_group.split && m_stages.size() + m_group.maps.size() + m_group.totals.size() > 1 &&
                   m_group.layout.length[m_file.graphs().full] <= chosen.threads * chosen.values;
        if (!m_isColumns) m_file.helper(loadText);
        if (!m_isColumns && writesElements()) m_file.helper(storeText);
        if (combines.contains(Combine::argMax) || combines.contains(Combine::argMin))
            m_file.helper("struct Placed {\n    float value;\n    Index place;\n};\n\n");
        for (const Combine c : combines) {
            if (isPlace(c)) m_file.helper(placedText(c));
            m_file.helper(combinerText(c, m_group.layout.kind, m_suffix));
        }
        if (m_group.split || !totals.empty()) m_file.helper(isLastText);
        for (const Combine c : totals)
            m_file.helper(blockCombinerText(c, m_suffix));
    }
    [[nodiscard]] bool hasAbout() const {
        return std::any_of(m_stages.begin(), m_stages.end(), [](const RowStage& s) { return !s.about.empty(); });
    }

    // ------------------------------------------------------------------ sizes on the host
    [[nodiscard]] std::string product(TensorId id, std::size_t from, std::size_t to) const {
        const auto t = m_file.tensor(id);
        std::string text;
        for (std::size_t a = from; a < to; ++a) {
            if (isAlways(spaceExtent(t, a), 1)) continue;
            const std::string part = m_file.number(spaceExtent(t, a));
            text += (text.empty() ? "" : " * ") + (part.find(' ') == std::string::npos ? part : "(" + part + ")");
        }
        return text.empty() ? "1" : text;
    }
    void sizes() {
        const TensorId id = m_group.reductions[0];
        const std::size_t rank = m_file.full().tensors[id].extents.size();
        const std::size_t all = algebra::spaceOf(m_file.full().tensors[id]).size();
        m_rows = m_file.takeName("rows");
        m_length = m_file.takeName("length");
        m_file.hostLine(fmt::format("const int64_t {} = {}, {} = {};", m_rows, product(id, 0, rank), m_length,
                                    product(id, rank, all)));
        m_unitAt = m_group.innerAxes == 0 ? m_group.layout.length : m_group.layout.inner;
        chooseUnit();
        m_lastParameters = "Index rows, Index length";
        m_lastArguments = {m_rows, m_length};
        if (m_group.innerAxes == 0) return;
        const std::size_t end = m_isColumns ? rank : all;
        m_inner = m_file.takeName("inner");
        m_file.hostLine(fmt::format("const int64_t {} = {};", m_inner, product(id, end - m_group.innerAxes, end)));
        m_lastParameters += ", Index inner";
        m_lastArguments.push_back(m_inner);
    }
    /// Formulas that need axes of the place: neighbours share all but the last of these where 4 divides what these
    /// count.
    void chooseUnit() {
        if (m_group.layout.kind != RowLayout::Kind::rows) return;
        std::set<Values> units;
        AtHand hand = loop().hand();
        for (const auto* list : {&m_group.reductions, &m_group.totals, &m_group.maps})
            for (const TensorId id : *list) {
                const bool isMap = list == &m_group.maps;
                if ((isMap && !isOfElements(id)) || (list == &m_group.totals && !isElementTotal(id))) continue;
                hand.withReduction = !isMap;
                const Each<Tensor> t = m_file.tensor(id);
                const std::vector<bool> used = usedAxes(m_graph, t, hand, m_file.quantities());
                std::size_t end = used.size();
                while (end > 0 && !used[end - 1])
                    --end;
                const Values unit = t.values([end](const Tensor& x) {
                    const algebra::Extents space = algebra::spaceOf(x);
                    std::int64_t count = 1;
                    for (std::size_t a = end; a < space.size(); ++a)
                        count *= space[a];
                    return count;
                });
                bool isOfRow = true; // axes of the rows alone
                for (std::size_t s = 0; s < unit.size(); ++s)
                    isOfRow = isOfRow && unit[s] % m_group.layout.length[s] == 0;
                if (!isOfRow) units.insert(unit);
            }
        if (units.size() != 1 || isAlways(*units.begin(), 1)) return;
        const auto unit = m_file.quantities().of(*units.begin());
        if (unit) m_unit = unit->text, m_unitAt = *units.begin();
    }
    /// Launches of the two instances of a kernel, with loads of four and of single elements.
    void launch(const std::string& kernel, const std::string& grid, const KernelText& text,
                const std::vector<std::string>& last, const std::string& block) {
        const std::string unit = !m_unit.empty() ? m_unit : m_inner.empty() ? m_length : m_inner;
        if (m_isOnce)
            launchOnce(kernel, unit, grid, text, last, block);
        else if (m_isColumns)
            m_file.launch(kernel, grid, text, {}, last, block);
        else
            m_file.launchByWidth(kernel, unit, grid, text, last, block);
    }
    /// Of the instances the one of the published size, else the one that is right for all.
    void launchOnce(const std::string& kernel, const std::string& unit, const std::string& grid, const KernelText& text,
                    const std::vector<std::string>& last, const std::string& block) {
        const std::string chunk = "rowChunk" + m_suffix;
        std::string condition = fmt::format("{} <= {}", m_length, chunk);
        bool isSo = m_file.shownValue(m_length) <= m_file.shownValue(chunk);
        if (m_isColumns) {
            m_file.launchEither(condition, isSo, kernel + "<true>", kernel + "<false>", grid, text, last, block);
            return;
        }
        const bool byFour = m_unitAt[m_file.graphs().full] % 4 == 0;
        if (byFour) {
            condition = fmt::format("{} % 4 == 0 && {}", unit.find(' ') == std::string::npos ? unit : "(" + unit + ")",
                                    condition);
            isSo = isSo && m_file.shownValue(unit) % 4 == 0;
        }
        m_file.launchEither(condition, isSo, kernel + (byFour ? "<4, true>" : "<1, true>"), kernel + "<1, false>", grid,
                            text, last, block);
    }
    [[nodiscard]] std::string templated() const {
        if (m_isOnce) return m_isColumns ? "template <bool once>\n" : "template <int width, bool once>\n";
        return m_isColumns ? "" : "template <int width>\n";
    }
    [[nodiscard]] std::string blockThreads() const {
        return fmt::format(fmt::runtime(m_isColumns     ? "rowThreads{0} * columnsPerBlock{0}"
                                        : m_group.split ? "rowThreads{0}"
                                                        : "rowThreads{0} * rowsPerBlock{0}"),
                           m_suffix);
    }
    [[nodiscard]] std::string qualifier() const { return fmt::format("__launch_bounds__({}) ", blockThreads()); }
    [[nodiscard]] std::string blockShape() const {
        return fmt::format(fmt::runtime(m_isColumns     ? "dim3(columnsPerBlock{0}, rowThreads{0})"
                                        : m_group.split ? "rowThreads{0}"
                                                        : "dim3(rowThreads{0}, rowsPerBlock{0})"),
                           m_suffix);
    }

    // ------------------------------------------------------------------ parts of kernels
    void reserve(KernelText& text) {
        for (const char* word : {"row", "rows", "length", "part", "parts", "each", "begin", "end", "column", "tile",
                                 "tiles", "isInside", "isFirst", "count", "away", "p"})
            (void)text.fresh(word);
        m_outs.clear();
        m_names.clear();
    }
    [[nodiscard]] ElementReads reads() const { return ElementReads(m_graph, m_plan.inlined, m_group.layout); }
    [[nodiscard]] RowLoop loop() {
        RowLoop loop(m_file, m_plan, m_group, m_suffix, m_kept);
        if (!m_unit.empty()) loop.shareAxes();
        if (m_isOnce) loop.haveOnce();
        return loop;
    }

    /// The pass that reduces these, each to a variable of its name + "Row".
    void reduce(KernelText& text, RowLoop& loop, const std::vector<TensorId>& ids, const Names& rowValues, Names& to) {
        ElementReads reads = this->reads();
        for (const TensorId id : ids) {
            reads.add(id, true);
            const Combine c = definition(id).combine;
            to[id] = text.fresh(name(id) + "Row");
            text.line(isPlace(c) ? fmt::format("Placed {} = {{{}, 0}};", to[id], startOf(c))
                                 : fmt::format("float {} = {};", to[id], startOf(c)));
        }
        loop.pass(text, reads, rowValues, {}, {}, [&](AtHand hand, const PointNames& names) {
            for (const TensorId id : ids) {
                hand.withReduction = true;
                const Terms terms = termsOf(m_file.tensor(id));
                const Each<algebra::Expression> body = terms.each();
                const std::string value = pointValue(text, m_graph, m_file.tensor(id), hand, names, &body);
                const Combine c = definition(id).combine;
                text.line(isPlace(c) ? fmt::format("{0} = {1}({0}, Placed{{{2}, {3}}});", to[id],
                                                   c == Combine::argMax ? "larger" : "smaller", value, hand.place)
                                     : combined(c, to[id], value));
            }
        });
        for (const TensorId id : ids)
            text.line(fmt::format("{0} = {1}({0});", to[id], combinerName(definition(id).combine, m_suffix)));
    }
    void multiplyIn(KernelText& text, TensorId id, const std::string& variable) {
        const Terms terms = termsOf(m_file.tensor(id));
        if (terms.factor.empty()) return;
        std::string factor = text.factor(terms.factor);
        if (factor.front() == '(') factor = factor.substr(1, factor.size() - 2);
        text.line(fmt::format("{} *= {};", variable, factor));
    }

    [[nodiscard]] AtHand rowHand() const {
        AtHand h;
        h.inlined = m_plan.inlined;
        h.layout = RowLayout::single(m_group.layout.rows);
        h.element = h.row = "row";
        h.rowValues = m_names;
        return h;
    }
    const PointNames rowNames{"row", "row", "row", "", ""};

    /// Formulas of rows alone that the members from here on read: once, before the loop over the elements.
    void writeRowFormulas(KernelText& text, const std::vector<TensorId>& readers) {
        std::set<TensorId> needed;
        for (const TensorId id : readers)
            addNeeded(id, needed);
        for (const TensorId id : needed) {
            if (m_names.contains(id)) continue;
            const std::string value = pointValue(text, m_graph, m_file.tensor(id), rowHand(), rowNames);
            const std::string variable = text.fresh(name(id));
            text.line(fmt::format("const float {} = {};", variable, value));
            m_names[id] = variable;
        }
    }
    void addNeeded(TensorId id, std::set<TensorId>& needed) const {
        for (const TensorId s : algebra::sourcesOf(m_file.full().tensors[id])) {
            if (!m_plan.inlined.contains(s)) continue;
            addNeeded(s, needed);
            const Each<Tensor> t = m_file.tensor(s);
            const bool isOne =
                t.values([](const Tensor& x) { return algebra::pointCount(x.extents); }) == m_group.layout.rows;
            if (isOne && t.first().definition()->domain.empty() && dependsOn(m_file.full(), s, m_group) &&
                isOfRows(m_file.graphs(), m_plan.inlined, m_group, s))
                needed.insert(s);
        }
    }

    void writeRowMaps(KernelText& text, const std::string& isWriter) {
        for (const TensorId id : m_group.maps) {
            if (isOfElements(id)) continue;
            const DType dtype = m_file.full().tensors[id].dtype;
            const std::string out = text.pointer(id, dtype, "rowOut", true);
            writeRowFormulas(text, {id});
            const std::string value = pointValue(text, m_graph, m_file.tensor(id), rowHand(), rowNames);
            text.line(fmt::format("if ({}) {}[row] = {};", isWriter, out, stored(value, dtype)));
        }
    }
    void writeElementMaps(KernelText& text, RowLoop& loop) {
        std::vector<TensorId> elements;
        std::set<TensorId> vectors;
        ElementReads reads = this->reads();
        for (const TensorId id : m_group.maps) {
            if (!isOfElements(id)) continue;
            elements.push_back(id);
            reads.add(id, false);
            const DType dtype = m_file.full().tensors[id].dtype;
            if (dtype == DType::Float32) vectors.insert(id);
            m_outs[id] = text.pointer(id, dtype, "out", true);
        }
        if (elements.empty()) return;
        writeRowFormulas(text, elements);
        loop.pass(text, reads, m_names, vectors, m_outs, [&](const AtHand& hand, const PointNames& names) {
            for (const TensorId id : elements) {
                const std::string value = pointValue(text, m_graph, m_file.tensor(id), hand, names);
                if (vectors.contains(id))
                    text.line(fmt::format("{} = {};", loop.storedAt(id), value));
                else
                    text.line(fmt::format("{}[{}] = {};", m_outs.at(id), hand.element,
                                          stored(value, m_file.full().tensors[id].dtype)));
            }
        });
    }
    void storeRow(KernelText& text, TensorId id, const std::string& variable, const std::string& isWriter) {
        const DType dtype = m_file.full().tensors[id].dtype;
        const std::string out = text.pointer(id, dtype, name(id) + "Out", true);
        const std::string value = isPlace(definition(id).combine) ? variable + ".place" : variable;
        text.line(fmt::format("if ({}) {}[row] = {};", isWriter, out, stored(value, dtype)));
    }

    // ------------------------------------------------------------------ a block for whole rows
    int wholeKernel() {
        KernelText text = m_file.kernel();
        reserve(text);
        const bool hasTotals = !m_group.totals.empty();
        std::string isWriter = "threadIdx.x == 0";
        if (m_isColumns) {
            text.line(
                fmt::format("const Index column = Index(blockIdx.x) * columnsPerBlock{} + threadIdx.x;", m_suffix));
            text.line("const Index row = min(column, rows - 1), begin = 0, end = column < rows ? length : 0;");
            isWriter = "column < rows && threadIdx.y == 0";
        } else if (hasTotals) {
            text.line(fmt::format("const Index part = Index(blockIdx.x) * rowsPerBlock{} + threadIdx.y;", m_suffix));
            text.line("const Index row = min(part, rows - 1), begin = 0, end = part < rows ? length : 0;");
            isWriter = "part < rows && threadIdx.x == 0";
        } else {
            text.line(fmt::format("const Index row = Index(blockIdx.x) * rowsPerBlock{} + threadIdx.y;", m_suffix));
            text.line("if (row >= rows) return; // a whole warp, or the whole block");
            text.line("const Index begin = 0, end = length;");
        }
        if (hasTotals) text.line("expect(finished);");
        RowLoop loop = this->loop();
        const bool hasElementTotal = std::any_of(m_group.totals.begin(), m_group.totals.end(),
                                                 [this](TensorId id) { return isElementTotal(id); });
        int passes = int(writesElements()) + int(hasElementTotal);
        for (const RowStage& stage : m_stages)
            passes += int(!stage.plain.empty()) + int(!stage.about.empty());
        loop.begin(text, passes);
        for (const RowStage& stage : m_stages)
            for (const std::vector<TensorId>& ids : {stage.plain, stage.aboutIds()}) {
                if (ids.empty()) continue;
                writeRowFormulas(text, ids);
                Names variables;
                reduce(text, loop, ids, m_names, variables);
                for (const TensorId id : ids) {
                    multiplyIn(text, id, variables[id]);
                    if (!isPlace(definition(id).combine)) m_names[id] = variables[id];
                    if (m_group.stored.contains(id)) storeRow(text, id, variables[id], isWriter);
                }
            }
        writeRowMaps(text, isWriter);
        writeElementMaps(text, loop);
        std::string parameters = m_lastParameters;
        std::vector<std::string> arguments = m_lastArguments;
        if (hasTotals) writeTotals(text, loop, isWriter, parameters, arguments);
        const TensorId last = hasTotals              ? m_group.totals.back()
                              : m_group.maps.empty() ? m_group.reductions.back()
                                                     : m_group.maps.back();
        const std::string what =
            m_isColumns ? "Lanes lie along the rows' neighbours, and several warps share a row's elements."
            : hasTotals ? "Some threads for each row; the block that ends last puts the rows' values together."
                        : "Some threads for each row, which keep its elements between the passes.";
        const std::string kernel =
            m_file.addKernel(m_file.full().tensors[last].name + (m_isColumns ? "Columns" : "Rows"), what, text,
                             parameters, qualifier(), templated());
        launch(kernel,
               fmt::format("blocks({}, {}{})", m_rows, m_isColumns ? "columnsPerBlock" : "rowsPerBlock", m_suffix),
               text, arguments, blockShape());
        return 1;
    }

    /// What a row gives to each total is left for the block that ends last.
    void writeTotals(KernelText& text, RowLoop& loop, const std::string& isWriter, std::string& parameters,
                     std::vector<std::string>& arguments) {
        std::vector<std::string> lists;
        std::vector<TensorId> ofElements;
        for (const TensorId id : m_group.totals)
            if (isElementTotal(id)) ofElements.push_back(id);
        writeRowFormulas(text, m_group.totals);
        Names variables;
        if (!ofElements.empty()) reduce(text, loop, ofElements, m_names, variables);
        for (const TensorId id : m_group.totals) {
            if (!isElementTotal(id)) {
                AtHand hand = rowHand();
                hand.withReduction = true;
                const Terms terms = termsOf(m_file.tensor(id));
                const Each<algebra::Expression> body = terms.each();
                const std::string value = pointValue(text, m_graph, m_file.tensor(id), hand, rowNames, &body);
                variables[id] = text.fresh(name(id) + "Row");
                text.line(fmt::format("const float {} = {};", variables[id], value));
            }
            lists.push_back(text.fresh(name(id) + "Terms"));
            text.line(fmt::format("if ({}) {}[row] = {};", isWriter, lists.back(), variables[id]));
            const std::string list = m_file.takeName(m_file.full().tensors[id].name + "_terms");
            m_file.hostLine(fmt::format("const auto {} = torch::empty({{{}}}, options);", list, m_rows));
            parameters += fmt::format(", float* {}", lists.back());
            arguments.push_back(list + ".data_ptr<float>()");
        }
        text.line("if (!isLast(finished, gridDim.x)) return;");
        text.line(fmt::format("const Index thread = threadIdx.y * rowThreads{} + threadIdx.x;", m_suffix));
        for (std::size_t n = 0; n < m_group.totals.size(); ++n) {
            const TensorId id = m_group.totals[n];
            const Combine c = definition(id).combine;
            const std::string value = text.fresh(name(id));
            text.line(fmt::format("float {} = {};", value, startOf(c)));
            text.open(fmt::format("for (Index p = thread; p < rows; p += {})", blockThreads()));
            text.line(combined(c, value, fmt::format("__ldcg({} + p)", lists[n])));
            text.indent(-1);
            text.line(fmt::format("{0} = {1}({0});", value, blockCombinerName(c, m_suffix)));
            multiplyIn(text, id, value);
            const DType dtype = m_file.full().tensors[id].dtype;
            const std::string out = text.pointer(id, dtype, name(id) + "Out", true);
            text.line(fmt::format("if (thread == 0) {}[0] = {};", out, stored(value, dtype)));
        }
    }

    // ------------------------------------------------------------------ several blocks for a row
    void partOfRow(KernelText& text, bool isBack) {
        const std::string part = isBack ? "parts - 1 - blockIdx.x / {}" : "blockIdx.x / {}";
        if (m_isColumns) {
            text.line(
                fmt::format("const Index tiles = (rows + columnsPerBlock{0} - 1) / columnsPerBlock{0};", m_suffix));
            text.line(fmt::format("const Index tile = blockIdx.x % tiles, part = {};",
                                  fmt::format(fmt::runtime(part), "tiles")));
            text.line(fmt::format("const Index column = tile * columnsPerBlock{} + threadIdx.x;", m_suffix));
            text.line("const Index row = min(column, rows - 1), begin = part * each;");
            text.line("const Index end = column < rows ? min(length, begin + each) : begin;");
        } else {
            text.line(fmt::format("const Index row = blockIdx.x % rows, part = {};",
                                  fmt::format(fmt::runtime(part), "rows")));
            text.line("const Index begin = part * each, end = min(length, begin + each);");
        }
    }
    [[nodiscard]] std::string isWriter() const {
        return m_isColumns ? "column < rows && threadIdx.y == 0" : "threadIdx.x == 0";
    }
    void loadRows(KernelText& text, std::size_t stages) {
        for (std::size_t s = 0; s < stages; ++s)
            for (const TensorId id : m_stages[s].all()) {
                const std::string from = text.pointer(id, DType::Float32, m_file.full().tensors[id].name, false);
                m_names[id] = text.fresh(name(id) + "Row");
                text.line(fmt::format("const float {} = {}[row];", m_names[id], from));
            }
    }

    int splitKernels() {
        const std::string tiles = m_isColumns ? m_file.takeName("tiles") : m_rows;
        const std::string chunks = m_file.takeName("chunks"), each = m_file.takeName("each");
        const std::string parts = m_file.takeName("parts");
        if (m_isColumns)
            m_file.hostLine(fmt::format("const int64_t {} = blocks({}, columnsPerBlock{});", tiles, m_rows, m_suffix));
        m_file.hostLine(fmt::format("const int64_t {} = blocks({}, rowChunk{});", chunks, m_length, m_suffix));
        m_file.hostLine(
            fmt::format("const int64_t {} = rowChunk{} * ({} > mostCounted ? {} : blocks({} * {}, mostBlocks{}));",
                        each, m_suffix, tiles, chunks, tiles, chunks, m_suffix));
        m_file.hostLine(fmt::format("const int64_t {} = blocks({}, {});", parts, m_length, each));
        const std::string grid = fmt::format("{} * {}", tiles, parts);
        std::vector<std::string> arguments = m_lastArguments;
        arguments.push_back(each), arguments.push_back(parts);
        int launches = 0;
        for (std::size_t stage = 0; stage < m_stages.size(); ++stage, ++launches)
            stageKernel(stage, grid, arguments, parts);
        if (!writesElements()) return launches;
        KernelText text = m_file.kernel();
        reserve(text);
        partOfRow(text, true);
        loadRows(text, m_stages.size());
        RowLoop loop = this->loop();
        loop.begin(text, 1);
        writeRowMaps(text, "part == 0 && " + isWriter());
        writeElementMaps(text, loop);
        const std::string kernel =
            m_file.addKernel(m_file.full().tensors[m_group.maps.back()].name + "Maps",
                             "A part of a row for each block, the last first: they may be in the cache yet.", text,
                             m_lastParameters + ", Index each, Index parts", qualifier(), templated());
        launch(kernel, grid, text, arguments, blockShape());
        return launches + 1;
    }

    void stageKernel(std::size_t number, const std::string& grid, std::vector<std::string> arguments,
                     const std::string& hostParts) {
        const RowStage& stage = m_stages[number];
        const bool isLastStage = number + 1 == m_stages.size();
        KernelText text = m_file.kernel();
        reserve(text);
        partOfRow(text, false);
        loadRows(text, number);
        RowLoop loop = this->loop();
        text.line(fmt::format("expect(finished + {});", m_isColumns ? "tile" : "row"));
        loop.begin(text, stage.about.empty() ? 1 : 2);
        // Of the part alone.
        Names here = m_names, variables;
        writeRowFormulas(text, stage.plain);
        here = m_names;
        reduce(text, loop, stage.plain, here, variables);
        for (const auto& [id, mean] : stage.about)
            if (!here.contains(mean)) {
                here[mean] = text.fresh(name(mean) + "Here");
                text.line(fmt::format("const float {} = {} / float(end - begin);", here[mean], variables[mean]));
            }
        if (!stage.about.empty()) reduce(text, loop, stage.aboutIds(), here, variables);
        std::string parameters = m_lastParameters + ", Index each, Index parts";
        Names lists;
        for (const TensorId id : stage.all()) {
            lists[id] = text.fresh(name(id) + "Parts");
            parameters += fmt::format(", float* {}", lists[id]);
            const std::string list = m_file.takeName(m_file.full().tensors[id].name + "_parts");
            m_file.hostLine(fmt::format("const auto {} = torch::empty({{{}, {}}}, options);", list, hostParts, m_rows));
            arguments.push_back(list + ".data_ptr<float>()");
            text.line(fmt::format("if ({}) {}[part * rows + row] = {};", isWriter(), lists[id], variables[id]));
        }
        text.line(fmt::format("if (!isLast(finished + {}, parts)) return;", m_isColumns ? "tile" : "row"));
        // Of the whole row.
        const std::string thread = m_isColumns ? "threadIdx.y" : "threadIdx.x";
        const auto all = [&](TensorId id, auto&& add) {
            m_names[id] = text.fresh(name(id));
            text.line(fmt::format("float {} = {};", m_names[id], startOf(definition(id).combine)));
            text.open(fmt::format("for (Index p = {}; p < parts; p += rowThreads{}) {{", thread, m_suffix));
            add();
            text.close();
            text.line(fmt::format("{0} = {1}({0});", m_names[id], combinerName(definition(id).combine, m_suffix)));
            multiplyIn(text, id, m_names[id]);
        };
        const auto left = [&](TensorId id) { return fmt::format("__ldcg({} + p * rows + row)", lists[id]); };
        for (const TensorId id : stage.plain)
            all(id, [&, id = id] { text.line(combined(definition(id).combine, m_names[id], left(id))); });
        for (const auto& [id, mean] : stage.about)
            all(id, [&, id = id, mean = mean] {
                // Squares about the part's mean are fewer by what their mean is away from the row's.
                text.line("const float count = float(min(each, length - p * each));");
                text.line(fmt::format("const float away = {} / count - {};", left(mean), m_names.at(mean)));
                text.line(fmt::format("{} += {} + count * away * away;", m_names[id], left(id)));
            });
        const auto outputs = writesElements() || !isLastStage ? allReductions() : m_group.stored;
        for (const TensorId id : stage.all())
            if (outputs.contains(id)) storeRow(text, id, m_names[id], isWriter());
        if (isLastStage && !writesElements()) writeRowMaps(text, isWriter());
        const std::string kernel = m_file.addKernel(
            m_file.full().tensors[stage.all().back()].name + "Parts",
            "A part of a row for each block; of each row the block that ends last puts the parts together.", text,
            parameters, qualifier(), templated());
        launch(kernel, grid, text, arguments, blockShape());
    }

    KernelFile& m_file;
    const Plan& m_plan;
    const RowGroup& m_group;
    Each<Graph> m_graph;
    std::string m_suffix;
    bool m_isColumns, m_isOnce = false; ///< m_isOnce: a row of the published size is one chunk
    std::vector<RowStage> m_stages;
    Values m_unitAt;
    std::set<std::size_t> m_kept;
    Names m_names, m_outs; ///< variables of rows' values; pointers to maps of elements
    std::string m_rows, m_length, m_inner, m_unit, m_lastParameters;
    std::vector<std::string> m_lastArguments;
};

} // namespace

int addRowKernels(KernelFile& file, const Plan& plan, std::size_t group) {
    return RowKernels(file, plan, group).run();
}

} // namespace kernelarium::kernelgen
