// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/fused/RowWriter.h"

#include "core/kernelgen/fused/RowGroups.h"
#include "core/kernelgen/fused/RowSizes.h"
#include "core/kernelgen/fused/RowText.h"

#include <algorithm>

namespace kernelarium::kernelgen {

using algebra::Combine;
using algebra::Definition;
using algebra::Graph;
using algebra::Tensor;
using algebra::TensorId;
using tensor::DType;

RowWriter::RowWriter(KernelFile& file, const Plan& plan, std::size_t number)
    : m_file(file)
    , m_plan(plan)
    , m_group(plan.groups[number])
    , m_graph(file.graphs().each())
    , m_suffix(number == 0 ? "" : std::to_string(number + 1))
    , m_isColumns(m_group.layout.kind == RowLayout::Kind::columns)
    , m_stages(rowStages(m_graph, m_file.full(), m_group))
    , m_dependents(algebra::dependents(m_file.full(), m_group.members())) {
    addHelpers();
    const auto outputs = m_group.split && writesElements() ? allReductions() : m_group.stored;
    for (const TensorId id : m_group.reductions)
        if (outputs.contains(id)) m_file.declare(id);
    for (const auto* list : {&m_group.maps, &m_group.totals})
        for (const TensorId id : *list)
            m_file.declare(id);
    sizes();
}

std::set<TensorId> RowWriter::allReductions() const {
    return {m_group.reductions.begin(), m_group.reductions.end()};
}

bool RowWriter::isOfElements(TensorId map) const {
    return m_file.tensor(map).values([](const Tensor& t) { return algebra::pointCount(t.extents); }) !=
           m_group.layout.rows;
}

bool RowWriter::writesElements() const {
    return std::any_of(m_group.maps.begin(), m_group.maps.end(), [this](TensorId m) { return isOfElements(m); });
}

bool RowWriter::isElementTotal(TensorId id) const {
    return m_file.tensor(id).values([](const Tensor& t) { return algebra::pointCount(t.definition()->reduction); }) !=
           m_group.layout.rows;
}

void RowWriter::addHelpers() {
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
    const auto& tensors = m_file.full().tensors;
    const bool hasShort = !m_group.split && std::any_of(tensors.begin(), tensors.end(), [](const Tensor& t) {
        return isLoadable(t.dtype) && t.dtype != DType::Float32;
    });
    if (!m_isColumns && hasShort) m_file.helper(loadShortText);
    if (!m_isColumns && hasShort && writesElements()) m_file.helper(storeShortText);
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

bool RowWriter::hasAbout() const {
    return std::any_of(m_stages.begin(), m_stages.end(), [](const RowStage& s) { return !s.about.empty(); });
}

std::string RowWriter::product(TensorId id, std::size_t from, std::size_t to) const {
    const auto t = m_file.tensor(id);
    std::string text;
    for (std::size_t a = from; a < to; ++a) {
        if (isAlways(spaceExtent(t, a), 1)) continue;
        const std::string part = m_file.number(spaceExtent(t, a));
        text += (text.empty() ? "" : " * ") + (part.find(' ') == std::string::npos ? part : "(" + part + ")");
    }
    return text.empty() ? "1" : text;
}

void RowWriter::sizes() {
    const TensorId id = m_group.reductions[0];
    const std::size_t rank = m_file.full().tensors[id].extents.size();
    const std::size_t all = algebra::spaceOf(m_file.full().tensors[id]).size();
    m_rows = m_file.takeName("rows");
    m_length = m_file.takeName("length");
    m_file.hostLine(
        fmt::format("const int64_t {} = {}, {} = {};", m_rows, product(id, 0, rank), m_length, product(id, rank, all)));
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

void RowWriter::chooseUnit() {
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

void RowWriter::launch(const std::string& kernel, const std::string& grid, const KernelText& text,
                       const std::vector<std::string>& last, const std::string& block) {
    const std::string unit = !m_unit.empty() ? m_unit : m_inner.empty() ? m_length : m_inner;
    if (m_isOnce)
        launchOnce(kernel, unit, grid, text, last, block);
    else if (m_isColumns)
        m_file.launch(kernel, grid, text, {}, last, block);
    else
        m_file.launchByWidth(kernel, unit, grid, text, last, block);
}

void RowWriter::launchOnce(const std::string& kernel, const std::string& unit, const std::string& grid,
                           const KernelText& text, const std::vector<std::string>& last, const std::string& block) {
    const std::string chunk = "rowChunk" + m_suffix;
    std::string condition = fmt::format("{} <= {}", m_length, chunk);
    bool isSo = m_file.shownValue(m_length) <= m_file.shownValue(chunk);
    if (m_isColumns) {
        m_file.launchEither(condition, isSo, kernel + "<true>", kernel + "<false>", grid, text, last, block);
        return;
    }
    const bool byFour = m_unitAt[m_file.graphs().full] % 4 == 0;
    if (byFour) {
        condition =
            fmt::format("{} % 4 == 0 && {}", unit.find(' ') == std::string::npos ? unit : "(" + unit + ")", condition);
        isSo = isSo && m_file.shownValue(unit) % 4 == 0;
    }
    m_file.launchEither(condition, isSo, kernel + (byFour ? "<4, true>" : "<1, true>"), kernel + "<1, false>", grid,
                        text, last, block);
}

std::string RowWriter::templated() const {
    if (m_isOnce) return m_isColumns ? "template <bool once>\n" : "template <int width, bool once>\n";
    return m_isColumns ? "" : "template <int width>\n";
}

std::string RowWriter::blockThreads() const {
    return fmt::format(fmt::runtime(m_isColumns     ? "rowThreads{0} * columnsPerBlock{0}"
                                    : m_group.split ? "rowThreads{0}"
                                                    : "rowThreads{0} * rowsPerBlock{0}"),
                       m_suffix);
}

std::string RowWriter::blockShape() const {
    return fmt::format(fmt::runtime(m_isColumns     ? "dim3(columnsPerBlock{0}, rowThreads{0})"
                                    : m_group.split ? "rowThreads{0}"
                                                    : "dim3(rowThreads{0}, rowsPerBlock{0})"),
                       m_suffix);
}

void RowWriter::reserve(KernelText& text) {
    for (const char* word : {"row", "rows", "length", "part", "parts", "each", "begin", "end", "column", "tile",
                             "tiles", "isInside", "isFirst", "count", "away", "p"})
        (void)text.fresh(word);
    m_outs.clear();
    m_names.clear();
}

RowLoop RowWriter::loop() {
    RowLoop loop(m_file, m_plan, m_group, m_suffix, m_kept);
    if (!m_unit.empty()) loop.shareAxes();
    if (m_isOnce) loop.haveOnce();
    return loop;
}

void RowWriter::reduce(KernelText& text, RowLoop& loop, const std::vector<TensorId>& ids, const Names& rowValues,
                       Names& to) {
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

void RowWriter::multiplyIn(KernelText& text, TensorId id, const std::string& variable) {
    const Terms terms = termsOf(m_file.tensor(id));
    if (terms.factor.empty()) return;
    std::string factor = text.factor(terms.factor);
    if (factor.front() == '(') factor = factor.substr(1, factor.size() - 2);
    text.line(fmt::format("{} *= {};", variable, factor));
}

AtHand RowWriter::rowHand() const {
    AtHand h;
    h.inlined = m_plan.inlined;
    h.layout = RowLayout::single(m_group.layout.rows);
    h.element = h.row = "row";
    h.rowValues = m_names;
    return h;
}

void RowWriter::writeRowFormulas(KernelText& text, const std::vector<TensorId>& readers) {
    std::set<TensorId> needed, seen;
    for (const TensorId id : readers)
        addNeeded(id, needed, seen);
    for (const TensorId id : needed) {
        if (m_names.contains(id)) continue;
        const std::string value = pointValue(text, m_graph, m_file.tensor(id), rowHand(), rowNames);
        const std::string variable = text.fresh(name(id));
        text.line(fmt::format("const float {} = {};", variable, value));
        m_names[id] = variable;
    }
}

void RowWriter::addNeeded(TensorId id, std::set<TensorId>& needed, std::set<TensorId>& seen) const {
    for (const TensorId s : algebra::sourcesOf(m_file.full().tensors[id])) {
        if (!m_plan.inlined.contains(s) || !seen.insert(s).second) continue;
        addNeeded(s, needed, seen);
        const Each<Tensor> t = m_file.tensor(s);
        const bool isOne =
            t.values([](const Tensor& x) { return algebra::pointCount(x.extents); }) == m_group.layout.rows;
        if (isOne && t.first().definition()->domain.empty() && m_dependents[s] &&
            isOfRows(m_file.graphs(), m_plan.inlined, m_group, s))
            needed.insert(s);
    }
}

void RowWriter::writeRowMaps(KernelText& text, const std::string& isWriter) {
    for (const TensorId id : m_group.maps) {
        if (isOfElements(id)) continue;
        const DType dtype = m_file.full().tensors[id].dtype;
        const std::string out = text.pointer(id, dtype, "rowOut", true);
        writeRowFormulas(text, {id});
        const std::string value = pointValue(text, m_graph, m_file.tensor(id), rowHand(), rowNames);
        text.line(fmt::format("if ({}) {}[row] = {};", isWriter, out, stored(value, dtype)));
    }
}

void RowWriter::writeElementMaps(KernelText& text, RowLoop& loop) {
    std::vector<TensorId> elements;
    std::set<TensorId> vectors;
    ElementReads reads = this->reads();
    for (const TensorId id : m_group.maps) {
        if (!isOfElements(id)) continue;
        elements.push_back(id);
        reads.add(id, false);
        const DType dtype = m_file.full().tensors[id].dtype;
        if (dtype == DType::Float32 || (isLoadable(dtype) && !m_group.split)) vectors.insert(id);
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

void RowWriter::storeRow(KernelText& text, TensorId id, const std::string& variable, const std::string& isWriter) {
    const DType dtype = m_file.full().tensors[id].dtype;
    const std::string out = text.pointer(id, dtype, name(id) + "Out", true);
    const std::string value = isPlace(definition(id).combine) ? variable + ".place" : variable;
    text.line(fmt::format("if ({}) {}[row] = {};", isWriter, out, stored(value, dtype)));
}

} // namespace kernelarium::kernelgen
