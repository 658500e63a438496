// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/similar/TaskOperators.h"

#include "core/audit/RowCard.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <set>

namespace kernelarium::similar {
namespace {

/// "aten.relu_.default" is relu.
std::string plainOperator(std::string_view op) {
    if (op.starts_with("aten.")) op.remove_prefix(5);
    op = op.substr(0, op.find('.'));
    while (op.ends_with('_'))
        op.remove_suffix(1);
    if (op == "mm" || op == "bmm" || op == "addmm" || op == "baddbmm") return "matmul";
    if (op == "multiply") return "mul";
    if (op == "rsub" || op == "subtract") return "sub";
    if (op == "divide") return "div";
    return std::string(op);
}

bool movesOnly(std::string_view op) {
    static const std::set<std::string_view> moving{"view",      "reshape",
                                                   "transpose", "permute",
                                                   "cat",       "stack",
                                                   "slice",     "slice_scatter",
                                                   "select",    "unsqueeze",
                                                   "squeeze",   "expand",
                                                   "expand_as", "flatten",
                                                   "unflatten", "contiguous",
                                                   "clone",     "detach",
                                                   "to",        "t",
                                                   "numpy_T",   "split",
                                                   "chunk",     "roll",
                                                   "flip",      "pad",
                                                   "unfold",    "zeros_like",
                                                   "ones_like", "zeros",
                                                   "ones",      "empty",
                                                   "full",      "arange",
                                                   "index",     "dropout",
                                                   "alias",     "broadcast_tensors",
                                                   "diag",      "repeat",
                                                   "_to_copy",  "copy"};
    return moving.contains(op) || op.starts_with("<");
}

/// Of the built-in cards, which never change: each is read once.
std::optional<Operators> builtIn(int level, int task) {
    static std::mutex mutex;
    static std::map<std::pair<int, int>, std::optional<Operators>> known;
    const std::lock_guard lock(mutex);
    const auto [found, isNew] = known.try_emplace({level, task});
    if (isNew)
        if (const auto card = task::loadCard(level, task); card) found->second = operatorsOf(*card);
    return found->second;
}

} // namespace

Operators operatorsOf(const task::Card& card) {
    std::set<std::string> computing, all;
    for (const task::Node& node : card.graph) {
        std::string op = plainOperator(node.op);
        if (!movesOnly(op)) computing.insert(op);
        all.insert(std::move(op));
    }
    const auto& chosen = computing.empty() ? all : computing;
    return {chosen.begin(), chosen.end()};
}

SharedOperators sharedOperators(const Operators& a, const Operators& b) {
    SharedOperators shared;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(shared.names));
    const std::size_t all = a.size() + b.size() - shared.names.size();
    if (all > 0) shared.share = double(shared.names.size()) / double(all);
    return shared;
}

std::optional<Operators> TaskOperators::read(const Key& key, std::int64_t kernel) {
    if (audit::isBuiltInTask(key.level, key.task, key.opName)) return builtIn(key.level, key.task);
    if (m_cards.empty()) return std::nullopt;
    const auto row = audit::readRowTask(m_archive, kernel);
    if (!row) return std::nullopt;
    const auto card = audit::cardForRow(*row, m_cards);
    return card ? std::optional(operatorsOf(*card)) : std::nullopt;
}

const Operators* TaskOperators::of(const archive::KernelTable& table, std::size_t row) {
    Key key{table.level[row], table.task[row], table.opName[row]};
    auto found = m_found.find(key);
    if (found == m_found.end()) {
        auto operators = read(key, table.id[row]);
        found = m_found.emplace(std::move(key), std::move(operators)).first;
    }
    return found->second ? &*found->second : nullptr;
}

std::size_t TaskOperators::tasksWithoutCard() const {
    return std::size_t(std::count_if(m_found.begin(), m_found.end(), [](const auto& entry) { return !entry.second; }));
}

} // namespace kernelarium::similar
