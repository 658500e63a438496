// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/Liveness.h"

#include <algorithm>

namespace kernelarium::task {

namespace {

void note(const Argument& argument, std::size_t user, LastUses& last) {
    if (const auto* node = std::get_if<NodeRef>(&argument.kind)) last.nodes[node->name] = user;
    if (const auto* t = std::get_if<CardTensorRef>(&argument.kind); t && t->index < last.tensors.size()) {
        last.tensors[t->index] = user;
        last.firstOfTensors[t->index] = std::min(last.firstOfTensors[t->index], user);
    }
    if (const auto* list = std::get_if<ArgumentList>(&argument.kind))
        for (const Argument& a : *list)
            note(a, user, last);
    if (const auto* dict = std::get_if<ArgumentDict>(&argument.kind))
        for (const auto& [key, a] : *dict)
            note(a, user, last);
}

} // namespace

LastUses lastUses(const Card& card) {
    LastUses last;
    last.tensors.assign(card.tensors.size(), 0);
    constexpr std::size_t never = ~std::size_t(0);
    last.firstOfTensors.assign(card.tensors.size(), never);
    for (std::size_t i = 0; i < card.graph.size(); ++i) {
        last.nodes[card.graph[i].name] = i;
        for (const Argument& a : card.graph[i].arguments)
            note(a, i, last);
        for (const auto& [key, a] : card.graph[i].keywords)
            note(a, i, last);
    }
    note(card.output, card.graph.size(), last);
    std::replace(last.firstOfTensors.begin(), last.firstOfTensors.end(), never, std::size_t(0));
    return last;
}

} // namespace kernelarium::task
