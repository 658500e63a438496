// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/attention/AttentionForm.h"
#include "core/kernelgen/file/KernelFile.h"
#include "core/kernelgen/products/Operand.h"

#include <cstddef>
#include <functional>
#include <map>
#include <string>

namespace kernelarium::kernelgen::attention {

/// Sums over the elements of a query or of a key's values, made of what the attention has loaded anyway.
class AttentionStatistics {
public:
    AttentionStatistics(KernelFile& file, KernelText& text, const AttentionUnit& unit)
        : m_file(file)
        , m_text(text)
        , m_unit(unit) {}

    /// Variables of what is read of the sums over queries, for a lane's two rows, and of those over the keys' values.
    void declare();
    /// What the scores' formulas find there, by tensor (AtHand::given).
    [[nodiscard]] const std::map<std::size_t, std::string>& given() const { return m_given; }
    /// Of the queries' fragments "q".
    void writeOfQueries(const products::Operand& queries);
    /// Of the tile "values", by the whole block, which waits for it.
    void writeOfValues(const products::Operand& values);

private:
    /// Lines that add what "term" gives to the variables of the sums.
    void addTerm(const AttentionUnit::Statistics& of, std::size_t source, const std::map<std::size_t, std::string>& to);
    /// What is read of sums that are in variables, to where `to` says.
    void store(const AttentionUnit::Statistics& of, const std::map<std::size_t, std::string>& sums,
               const std::function<std::string(std::size_t)>& to);
    [[nodiscard]] std::map<std::size_t, std::string> variablesOf(const AttentionUnit::Statistics& of,
                                                                 const std::string& ending);

    KernelFile& m_file;
    KernelText& m_text;
    const AttentionUnit& m_unit;
    std::map<std::size_t, std::string> m_given, m_variables;
};

} // namespace kernelarium::kernelgen::attention
