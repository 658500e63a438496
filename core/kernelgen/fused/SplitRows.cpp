// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/fused/SplitRows.h"

#include "core/kernelgen/fused/RowText.h"
#include "core/kernelgen/fused/RowWriter.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen {

using tensor::DType;

namespace {

class SplitRowsWriter : RowWriter {
public:
    using RowWriter::RowWriter;

    int run() {
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

private:
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
};

} // namespace

int addSplitRows(KernelFile& file, const Plan& plan, std::size_t group) {
    return SplitRowsWriter(file, plan, group).run();
}

} // namespace kernelarium::kernelgen
