// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/attention/AttentionForm.h"
#include "core/kernelgen/file/KernelFile.h"
#include "core/kernelgen/products/Epilogue.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>

namespace kernelarium::kernelgen::attention {

/// What a warp makes of the scores of a step's keys, from the product of queries and keys to the left factor of the
/// values' product, in the registers that have them.
class AttentionScores {
public:
    /// `given`: variables of what is read of the statistics; `rows`: their count as the kernel has it.
    AttentionScores(KernelFile& file, KernelText& text, const AttentionUnit& unit, const std::set<std::size_t>& inlined,
                    const std::map<std::size_t, std::string>& given, std::string rows);

    /// The maps after the product, and the step's maxima; -infinity beyond the keys.
    void writeLogits();
    /// Running maxima and totals, and what of the sums so far is left by them; e^(logit - maximum) of the scores.
    void writeRescale();
    /// The map of the share; the share's division is done at the end, since it is the same for all keys.
    void writeWeights();

private:
    /// "element", where the formulas mention it.
    void writeElement(const products::ProductUnit& unit);

    KernelFile& m_file;
    KernelText& m_text;
    const AttentionUnit& m_unit;
    const std::set<std::size_t>& m_inlined;
    products::PointNames m_names;
    std::string m_rows;
};

} // namespace kernelarium::kernelgen::attention
