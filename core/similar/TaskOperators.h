// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/Archive.h"
#include "core/task/Card.h"

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::similar {

/// The operators that a task's graph computes with, by PyTorch's names ("conv2d", "relu"): sorted, each once. Those
/// that only move or cut data (view, transpose, cat, slice, ...) or that do nothing in inference (dropout) say nothing
/// of what is computed and are left out, unless the task has no others. Overloads are one operator, and so are mm, bmm,
/// addmm and matmul.
using Operators = std::vector<std::string>;

[[nodiscard]] Operators operatorsOf(const task::Card& card);

/// Which operators both have, and which share that is of all that either has (the Jaccard index).
struct SharedOperators {
    Operators names;
    double share = 0;
};
[[nodiscard]] SharedOperators sharedOperators(const Operators& a, const Operators& b);

/// The operators of an archive's tasks, from their cards: the built-in ones, and those exported for this user.
class TaskOperators {
public:
    /// `cards`: the folder of exported cards (audit::userCardFolder()); empty: the built-in ones alone.
    TaskOperators(archive::Archive& archive, std::filesystem::path cards)
        : m_archive(archive)
        , m_cards(std::move(cards)) {}

    /// Of the row's task; null where it has no card. What was found is kept.
    [[nodiscard]] const Operators* of(const archive::KernelTable& table, std::size_t row);
    [[nodiscard]] std::size_t tasksWithoutCard() const;

private:
    struct Key {
        std::int32_t level, task;
        std::string opName;
        auto operator<=>(const Key&) const = default;
    };
    [[nodiscard]] std::optional<Operators> read(const Key& key, std::int64_t kernel);

    archive::Archive& m_archive;
    std::filesystem::path m_cards;
    std::map<Key, std::optional<Operators>> m_found;
};

} // namespace kernelarium::similar
