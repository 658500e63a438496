// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"
#include "core/kernelgen/fused/Plan.h"
#include "core/kernelgen/fused/RowLoop.h"
#include "core/kernelgen/fused/RowStages.h"
#include "core/kernelgen/text/Names.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace kernelarium::kernelgen {

/// What the kernels of a row group have in common, whether a block has whole rows or a part of one: the group's
/// constants and device functions, its sizes on the host, and the pieces of a kernel's text that reduce elements, write
/// formulas of rows and store.
class RowWriter {
public:
    /// Declares what the group writes, and its constants, functions and sizes.
    RowWriter(KernelFile& file, const Plan& plan, std::size_t number);

protected:
    using TensorId = algebra::TensorId;
    using Names = std::map<std::size_t, std::string>;

    ~RowWriter() = default;

    [[nodiscard]] const algebra::Definition& definition(TensorId id) const {
        return *m_file.full().tensors[id].definition();
    }
    [[nodiscard]] std::string name(TensorId id) const { return identifier(m_file.full().tensors[id].name); }
    [[nodiscard]] std::set<TensorId> allReductions() const;
    [[nodiscard]] bool isOfElements(TensorId map) const;
    [[nodiscard]] bool writesElements() const;
    /// Totals of all elements, which are reduced within the rows first; the others are of the rows' values.
    [[nodiscard]] bool isElementTotal(TensorId id) const;

    void addHelpers();
    [[nodiscard]] bool hasAbout() const;

    [[nodiscard]] std::string product(TensorId id, std::size_t from, std::size_t to) const;
    void sizes();
    /// Formulas that need axes of the place: neighbours share all but the last of these where 4 divides what these
    /// count.
    void chooseUnit();
    /// Launches of the two instances of a kernel, with loads of four and of single elements.
    void launch(const std::string& kernel, const std::string& grid, const KernelText& text,
                const std::vector<std::string>& last, const std::string& block);
    /// Of the instances the one of the published size, else the one that is right for all.
    void launchOnce(const std::string& kernel, const std::string& unit, const std::string& grid, const KernelText& text,
                    const std::vector<std::string>& last, const std::string& block);
    [[nodiscard]] std::string templated() const;
    [[nodiscard]] std::string blockThreads() const;
    [[nodiscard]] std::string qualifier() const { return fmt::format("__launch_bounds__({}) ", blockThreads()); }
    [[nodiscard]] std::string blockShape() const;

    void reserve(KernelText& text);
    [[nodiscard]] ElementReads reads() const { return {m_graph, m_plan.inlined, m_group.layout, !m_group.split}; }
    [[nodiscard]] RowLoop loop();

    /// The pass that reduces these, each to a variable of its name + "Row".
    void reduce(KernelText& text, RowLoop& loop, const std::vector<TensorId>& ids, const Names& rowValues, Names& to);
    void multiplyIn(KernelText& text, TensorId id, const std::string& variable);

    [[nodiscard]] AtHand rowHand() const;

    inline static const PointNames rowNames{"row", "row", "row", "", ""};

    /// Formulas of rows alone that the members from here on read: once, before the loop over the elements.
    void writeRowFormulas(KernelText& text, const std::vector<TensorId>& readers);
    void addNeeded(TensorId id, std::set<TensorId>& needed, std::set<TensorId>& seen) const;

    void writeRowMaps(KernelText& text, const std::string& isWriter);
    void writeElementMaps(KernelText& text, RowLoop& loop);
    void storeRow(KernelText& text, TensorId id, const std::string& variable, const std::string& isWriter);

    KernelFile& m_file;
    const Plan& m_plan;
    const RowGroup& m_group;
    Each<algebra::Graph> m_graph;
    std::string m_suffix;
    bool m_isColumns, m_isOnce = false; ///< m_isOnce: a row of the published size is one chunk
    std::vector<RowStage> m_stages;
    Values m_unitAt; ///< what m_unit counts, by size
    std::set<std::size_t> m_kept;
    std::vector<bool> m_dependents; ///< by tensor: whether it needs a member of the group
    Names m_names, m_outs;          ///< variables of rows' values; pointers to maps of elements
    std::string m_rows, m_length, m_inner, m_unit, m_lastParameters;
    std::vector<std::string> m_lastArguments;
};

} // namespace kernelarium::kernelgen
