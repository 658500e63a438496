// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"
#include "core/kernelgen/fused/ElementReads.h"
#include "core/kernelgen/fused/Plan.h"

#include <functional>

namespace kernelarium::kernelgen {

/// Writes the passes over a row's elements, or over those from `begin` to before `end`: in chunks, of which one at a
/// time is kept in registers. Passes go back and forth, so that each begins with the chunk that is there.
class RowLoop {
public:
    /// `suffix` is that of the group's constants; `kept` are the tensors of which a chunk is kept.
    RowLoop(KernelFile& file, const Plan& plan, const RowGroup& group, std::string suffix, std::set<std::size_t> kept)
        : m_file(file)
        , m_plan(plan)
        , m_group(group)
        , m_suffix(std::move(suffix))
        , m_kept(std::move(kept)) {}

    [[nodiscard]] bool isColumns() const { return m_group.layout.kind == RowLayout::Kind::columns; }
    /// Before the first of so many passes; `row`, `rows`, `length`, `begin` and `end` have been declared.
    void begin(KernelText& text, int passes);
    /// Of neighbours that are loaded together, all have the place's axes of the first.
    void shareAxes() { m_sharesAxes = true; }
    /// The kernel's template has a parameter `once`: whether a row is one chunk, which then stays in registers.
    void haveOnce() { m_hasOnce = true; }
    /// What is at hand in a pass, without values.
    [[nodiscard]] AtHand hand() const;
    /// A pass. `each` writes what is done with an element, of which it is given what is at hand and the names; `stores`
    /// are tensors of elements that it assigns (name + "At").
    using Each = std::function<void(const AtHand&, const PointNames&)>;
    void pass(KernelText& text, const ElementReads& reads, const std::map<std::size_t, std::string>& rowValues,
              const std::set<std::size_t>& stores, const std::map<std::size_t, std::string>& outs, const Each& each);
    /// The name of the element that a stored tensor's value is assigned to.
    [[nodiscard]] std::string storedAt(std::size_t id) const;

private:
    [[nodiscard]] std::string name(std::size_t id) const;
    [[nodiscard]] std::string pointerTo(KernelText& text, std::size_t id) const;
    [[nodiscard]] std::string elementAt() const;
    [[nodiscard]] std::string placeOfChunk() const;

    KernelFile& m_file;
    const Plan& m_plan;
    const RowGroup& m_group;
    std::string m_suffix;
    std::set<std::size_t> m_kept;
    int m_passes = 0;
    bool m_sharesAxes = false, m_hasOnce = false;
};

} // namespace kernelarium::kernelgen
