// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/fused/WholeRows.h"

#include "core/kernelgen/fused/RowText.h"
#include "core/kernelgen/fused/RowWriter.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen {

using algebra::Combine;
using tensor::DType;

namespace {

class WholeRowsWriter : RowWriter {
public:
    using RowWriter::RowWriter;

    int run() {
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

private:
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
};

} // namespace

int addWholeRows(KernelFile& file, const Plan& plan, std::size_t group) {
    return WholeRowsWriter(file, plan, group).run();
}

} // namespace kernelarium::kernelgen
