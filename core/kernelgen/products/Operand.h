// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"
#include "core/kernelgen/products/ProductForm.h"

#include <set>
#include <string>
#include <vector>

namespace kernelarium::kernelgen::products {

/// One factor of a product as a kernel reads it.
class Operand {
public:
    enum class Along {
        sums,  ///< neighbours of the sum are neighbours in memory
        lines, ///< neighbouring rows (of the left) or columns (of the right) are
        none,
    };
    /// `lines` are the rows or columns, counted by the variable `line`; `name` becomes the pointer's.
    Operand(KernelFile& file, KernelText& text, const ProductForm& form, std::size_t read, const Group& lines,
            const std::string& name, const std::string& line);

    [[nodiscard]] Along along() const { return m_along; }
    /// The variable that counts its lines.
    [[nodiscard]] const std::string& line() const { return m_line; }
    /// Writes a pointer to the batch's first element where that is not the tensor's.
    void pointerTo();
    /// The address of an element, by the variables of the line and "k".
    [[nodiscard]] std::string at() const { return address(); }
    [[nodiscard]] tensor::DType dtype() const { return m_dtype; }
    [[nodiscard]] std::size_t source() const { return m_source; }
    /// A condition on the host: whether neighbours that begin at multiples of 16 bytes' elements can be read at once.
    [[nodiscard]] std::string whole(const KernelFile& file) const;
    /// Whether its numbers are so at a size.
    [[nodiscard]] bool isWhole(std::size_t size) const;

private:
    [[nodiscard]] std::string address() const;
    [[nodiscard]] std::vector<Values> borders() const;
    [[nodiscard]] std::int64_t onceRead() const { return m_dtype == tensor::DType::Float32 ? 4 : 8; }

    KernelText& m_text;
    const ProductForm& m_form;
    Group m_lines;
    Offsets m_offsets;
    Along m_along = Along::none;
    tensor::DType m_dtype;
    std::size_t m_source;
    std::string m_name, m_pointer, m_base, m_at;
    std::string m_line;
};

/// What has to hold on the host together, each condition once.
class Conditions {
public:
    /// `condition` as Operand::whole gives it; `isSo`: it holds at the shown size.
    void require(const std::string& condition, bool isSo);
    [[nodiscard]] bool empty() const { return m_text.empty(); }
    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] bool isSo() const { return m_isSo; }

private:
    std::set<std::string> m_seen;
    std::string m_text;
    bool m_isSo = true;
};

/// The helper that conditions on the host call.
extern const char* const onBorder;

/// A condition on the host: these numbers are divisible by `each`, and these variables' data begin on 16 bytes.
[[nodiscard]] std::string wholeOf(const KernelFile& file, const std::vector<Values>& borders, std::int64_t each,
                                  const std::vector<std::string>& variables);

} // namespace kernelarium::kernelgen::products
