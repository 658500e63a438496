// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/run/KeptOutputs.h"

#include "core/verify/TensorHash.h"
#include "gpu/host/backend/Raised.h"

#include <algorithm>

namespace kernelarium::host {

namespace {

void collectViews(const PyValue& value, const TensorTable& table, std::vector<TensorView>& views) {
    if (const auto* t = value.as<TensorRef>(); t && t->handle != 0) views.push_back(table.at(t->handle));
    if (const auto* list = value.as<ListRef>())
        for (const PyValue& item : *list->items)
            collectViews(item, table, views);
    if (const auto* dict = value.as<DictRef>())
        for (const auto& [key, item] : *dict->entries)
            collectViews(item, table, views);
}

/// First byte and the one after the last.
std::pair<std::uint64_t, std::uint64_t> rangeOf(const TensorView& view) {
    if (view.count() == 0) return {0, 0};
    const auto [low, high] = view.reach();
    const std::uint64_t width = tensor::byteSize(view.dtype);
    return {view.storage->address + std::uint64_t(low) * width, view.storage->address + std::uint64_t(high) * width};
}

bool overlap(const TensorView& a, const TensorView& b) {
    const auto [a0, a1] = rangeOf(a);
    const auto [b0, b1] = rangeOf(b);
    return a0 < b1 && b0 < a1;
}

} // namespace

void KeptOutputs::keep(const PyValue& returned, const std::vector<std::int64_t>& arguments) {
    ++m_calls;
    std::vector<TensorView> views;
    collectViews(returned, m_table, views);
    for (std::size_t i = 0; i < views.size(); ++i) {
        const bool given = std::any_of(arguments.begin(), arguments.end(),
                                       [&](std::int64_t handle) { return overlap(views[i], m_table.at(handle)); });
        if (given || views[i].count() == 0) continue;
        Output output{m_calls, i, std::move(views[i]), {}, {}};
        if (m_calls <= m_most) {
            if (m_keeper && !output.view.storage->onHost) {
                // Without room for a copy, only the memory's reuse is seen.
                if (Result<tensor::Tensor> copy = m_keeper->keep(output.view); copy) output.copy = std::move(*copy);
            } else {
                output.hash = verify::hashOf(m_table.peek(output.view));
            }
        }
        m_outputs.push_back(std::move(output));
    }
}

bool KeptOutputs::isChanged(const Output& output) const {
    try {
        if (output.hash) return verify::hashOf(m_table.peek(output.view)) != *output.hash;
        if (!output.copy) return false;
        const Result<bool> same = m_keeper->holds(output.view, *output.copy);
        return same && !*same;
    } catch (const Raised&) {
        return true; // its memory has been given back
    }
}

std::vector<verify::ReusedOutput> KeptOutputs::reused(const PyValue& returned) const {
    std::vector<TensorView> last;
    collectViews(returned, m_table, last);
    std::vector<verify::ReusedOutput> found;
    for (std::size_t i = 0; i < m_outputs.size(); ++i) {
        const Output& output = m_outputs[i];
        const bool changed = isChanged(output);
        bool again =
            std::any_of(last.begin(), last.end(), [&](const TensorView& v) { return overlap(v, output.view); });
        for (std::size_t j = i + 1; j < m_outputs.size() && !again; ++j)
            again = m_outputs[j].call != output.call && overlap(m_outputs[j].view, output.view);
        if (changed || again) found.push_back({output.call, output.number, changed});
    }
    return found;
}

} // namespace kernelarium::host
