// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/products/Operand.h"
#include "core/kernelgen/products/Units.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::kernelgen::products {

/// The factors of a strip unit's products as its kernel reads them: the left one by all, and the right ones of the pass
/// over its rows. Those are of the products that read it, and then of the inner ones.
class StripFactors {
public:
    StripFactors(KernelFile& file, KernelText& text, const ProductUnit& unit);

    /// A product whose left factor is read from memory.
    [[nodiscard]] const ProductForm& direct() const { return *m_direct; }
    [[nodiscard]] const Operand& left() const { return *m_left; }
    /// How many are on the right, and which of them is a form's, or its left factor's where that is an inner product.
    [[nodiscard]] std::size_t count() const { return m_rights.size(); }
    [[nodiscard]] std::size_t place(std::size_t form) const { return m_place.at(form); }
    /// "2 * " where there are two on the right.
    [[nodiscard]] std::string timesCount() const;
    /// What has to hold for neighbours to be read at once; nothing where it never does.
    [[nodiscard]] std::optional<Conditions> whole() const;

    void writePointers();
    /// "load": a step of the warp on its way to registers. `rows` and `columns`: counts as the kernel has them.
    void writeLoad(const std::string& rows, const std::string& columns);
    /// The right factors of products whose left one the block makes itself: they are there when it is.
    void writeInnerTiles(const std::string& columns);
    [[nodiscard]] const std::string& innerTile(std::size_t form) const { return m_innerTiles.at(form); }

private:
    struct Right {
        const ProductForm* form;
        std::unique_ptr<Operand> operand;
        bool isInner = false;
    };

    KernelFile& m_file;
    KernelText& m_text;
    const ProductUnit& m_unit;
    const ProductForm* m_direct = nullptr;
    std::unique_ptr<Operand> m_left;
    std::vector<Right> m_rights;
    std::map<std::size_t, std::size_t> m_place;
    std::map<std::size_t, std::string> m_innerTiles; ///< by form
};

} // namespace kernelarium::kernelgen::products
