// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/rungs/Rungs.h"

#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kernelarium::proof {

namespace {

bool isSame(const algebra::Definition& a, const algebra::Definition& b,
            const std::vector<std::optional<algebra::TensorId>>& twinsOfB) {
    if (a.combine != b.combine || a.reduction != b.reduction || a.domain != b.domain || a.outside != b.outside ||
        a.reads.size() != b.reads.size() || !(a.body == b.body))
        return false;
    for (std::size_t i = 0; i < a.reads.size(); ++i) {
        algebra::Read read = b.reads[i];
        if (!twinsOfB[read.source]) return false;
        read.source = *twinsOfB[read.source];
        if (!(a.reads[i] == read)) return false;
    }
    return true;
}

} // namespace

Pair::Pair(const algebra::Graph& first, const algebra::Graph& second)
    : original(first)
    , rewritten(second)
    , features(featuresOf(first))
    , twins(second.tensors.size()) {
    features.add(featuresOf(second));
    for (algebra::TensorId id = 0; id < second.tensors.size(); ++id) {
        const algebra::Tensor& t = second.tensors[id];
        for (algebra::TensorId other = 0; other < first.tensors.size() && !twins[id]; ++other) {
            const algebra::Tensor& o = first.tensors[other];
            if (o.extents != t.extents) continue;
            const bool sameInput = t.input() && o.input() && t.input()->cardTensor == o.input()->cardTensor;
            const bool sameFormula =
                t.definition() && o.definition() && isSame(*o.definition(), *t.definition(), twins);
            if (sameInput || sameFormula) twins[id] = other;
        }
    }
}

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
