// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/products/HalfShared.h"

#include "core/kernelgen/products/HalfTiles.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace kernelarium::kernelgen::products {

std::vector<HalfGroup> halfGroupsOf(KernelFile& file, KernelText& text, const ProductUnit& unit) {
    std::vector<HalfGroup> groups;
    for (std::size_t k = 0; k < unit.forms.size(); ++k) {
        const ProductForm& f = unit.forms[k];
        const auto& reads = file.full().tensors[f.tensor].definition()->reads;
        HalfGroup* fits = nullptr;
        for (HalfGroup& g : groups) {
            const ProductForm& other = unit.forms[g.forms[0]];
            const auto& theirs = file.full().tensors[other.tensor].definition()->reads;
            if (reads[f.left] == theirs[other.left] && f.sums == other.sums &&
                pointsOf(file.tensor(f.tensor), f.sums) == pointsOf(file.tensor(other.tensor), other.sums))
                fits = &g;
        }
        if (!fits) {
            groups.emplace_back();
            fits = &groups.back();
            fits->left = std::make_unique<Operand>(file, text, f, f.left, f.rows, "left", "row");
        }
        fits->forms.push_back(k);
        fits->rights.push_back(std::make_unique<Operand>(file, text, f, f.right, f.columns, "right", "column"));
    }
    return groups;
}

HalfShared addHalfShared(KernelFile& file, KernelText& text, const ProductUnit& unit,
                         const std::vector<HalfGroup>& groups) {
    HalfShared names;
    std::size_t most = 0;
    std::set<bool> left, right; // whether neighbours in memory are terms
    for (const HalfGroup& g : groups) {
        most = std::max(most, g.forms.size());
        left.insert(g.left->along() == Operand::Along::sums);
        for (const auto& r : g.rights)
            right.insert(r->along() == Operand::Along::sums);
    }
    const auto tile = [](const std::set<bool>& along, const char* lines) {
        if (along.size() == 2) return fmt::format("({} + 8) * (tileSums + 8)", lines);
        return halfTileSize(lines, *along.begin());
    };
    names.leftSize = file.takeName("leftSize"), names.rightSize = file.takeName("rightSize");
    names.stageSize = file.takeName("stageSize"), names.bytes = file.takeName("productShared");
    for (const std::string& name : {names.leftSize, names.rightSize, names.stageSize, names.bytes})
        (void)text.fresh(name);
    const std::string sums = file.takeName("sumSize");
    file.constant(fmt::format("constexpr int {} = {}; // of 16 bits, 8 more in a line: in other banks", names.leftSize,
                              tile(left, "tileRows")));
    file.constant(fmt::format("constexpr int {} = {}; // of 16 bits", names.rightSize, tile(right, "tileColumns")));
    file.constant(fmt::format("constexpr int {} = {} + {}{};", names.stageSize, names.leftSize,
                              most == 1 ? "" : fmt::format("{} * ", most), names.rightSize));
    file.constant(fmt::format("constexpr int {} = {}std::max(1, warpsDeep - 1) * tileRows * (tileColumns + 4);", sums,
                              timesForms(unit)));
    file.constant(fmt::format("constexpr int {} = std::max(2 * stages * {}, 4 * {}); // bytes", names.bytes,
                              names.stageSize, sums));
    return names;
}

SharedTile HalfShared::right(std::size_t k) const {
    std::string at = "leftTile + " + leftSize;
    if (k == 1) at += " + " + rightSize;
    if (k > 1) at += fmt::format(" + {} * {}", k, rightSize);
    return {std::move(at), "tileColumns", "tileSums"};
}

std::string timesForms(const ProductUnit& unit) {
    return unit.forms.size() == 1 ? "" : fmt::format("{} * ", unit.forms.size());
}

} // namespace kernelarium::kernelgen::products
