// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/rungs/Rungs.h"

#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kernelarium::proof {

std::string Pair::extents() const {
    std::string text;
    for (algebra::TensorId o : original.outputs)
        text += fmt::format("{}[{}]", text.empty() ? "outputs " : ", ", fmt::join(original.at(o).extents, ", "));
    return text;
}

std::vector<std::int64_t> placeOf(std::size_t element, const algebra::Extents& extents) {
    std::vector<std::int64_t> place(extents.size(), 0);
    auto rest = std::int64_t(element);
    for (std::size_t a = extents.size(); a-- > 0;) {
        place[a] = rest % extents[a];
        rest /= extents[a];
    }
    return place;
}

Result<void> checkPair(const algebra::Graph& original, const algebra::Graph& rewritten) {
    for (const algebra::Graph* g : {&original, &rewritten})
        if (Result<void> sound = algebra::checkGraph(*g); !sound) return sound;
    if (original.outputs.size() != rewritten.outputs.size())
        return Error{"bad_graph", fmt::format("The rewritten graph has {} outputs instead of {}.",
                                              rewritten.outputs.size(), original.outputs.size())};
    for (std::size_t o = 0; o < original.outputs.size(); ++o) {
        const algebra::Tensor &a = original.at(original.outputs[o]), &b = rewritten.at(rewritten.outputs[o]);
        if (a.extents != b.extents)
            return Error{"bad_graph",
                         fmt::format("Output {} of the rewritten graph has the extents [{}] instead of [{}].", o,
                                     fmt::join(b.extents, ", "), fmt::join(a.extents, ", "))};
    }
    std::map<std::size_t, const algebra::Tensor*> inputs;
    for (const algebra::Graph* g : {&original, &rewritten})
        for (const algebra::Tensor& t : g->tensors) {
            if (!t.input()) continue;
            const auto [at, isNew] = inputs.emplace(t.input()->cardTensor, &t);
            if (!isNew && (at->second->extents != t.extents || at->second->input()->structure != t.input()->structure))
                return Error{"bad_graph", fmt::format("The input {} is another one in the rewritten graph.", t.name)};
        }
    return {};
}

} // namespace kernelarium::proof
