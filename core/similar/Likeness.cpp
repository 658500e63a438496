// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/similar/Likeness.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace kernelarium::similar {
namespace {

constexpr double notAsked = std::numeric_limits<double>::quiet_NaN();

Standing standingBy(const archive::OwnVerdict& verdict, Standing claim) {
    if (verdict.verdict == "verified") return verdict.stale ? Standing::verifiedEarlier : Standing::verified;
    for (const char* against : {"wrong", "fault", "suspicious", "compile_error", "launch_error", "timeout"})
        if (verdict.verdict == against) return Standing::refuted;
    return claim; // it could not be judged
}

struct Search {
    const archive::KernelTable& table;
    const Subject& subject;
    const LikeQuery& query;
    TaskOperators& tasks;
    std::vector<float> code = {}; ///< by row; empty: not asked for

    [[nodiscard]] bool isOwnTask(std::size_t row) const {
        return subject.task != 0 && table.level[row] == subject.level && table.task[row] == subject.task &&
               (subject.opName.empty() || table.opName[row] == subject.opName);
    }

    /// Whether the row is like the subject, and how.
    bool compare(std::size_t row, Alike& alike) {
        alike.row = std::uint32_t(row);
        alike.code = alike.operators = notAsked;
        bool isLike = false;
        if (!code.empty()) {
            alike.code = code[row];
            isLike = alike.code >= query.leastCode;
        }
        if (query.byOperators && !subject.operators.empty()) {
            if (const Operators* operators = tasks.of(table, row)) {
                SharedOperators shared = sharedOperators(subject.operators, *operators);
                alike.operators = shared.share;
                alike.shared = std::move(shared.names);
                isLike = isLike || (!alike.shared.empty() && alike.operators >= query.leastOperators);
            }
        }
        return isLike;
    }

    void measure(Alike& alike) const {
        const double runtime = table.runtime[alike.row], speedup = table.speedupNative[alike.row];
        if (isOwnTask(alike.row) && runtime > 0 && subject.runtime > 0) {
            alike.measure = Measure::time;
            alike.gain = subject.runtime / runtime;
        } else if (speedup > 0 && subject.speedup > 0) {
            alike.measure = Measure::speedup;
            alike.gain = speedup / subject.speedup;
        } else if (speedup > 0 && !(subject.runtime > 0)) {
            alike.measure = Measure::ownSpeedup;
            alike.gain = speedup;
        }
    }
};

double orLast(double value) {
    return std::isnan(value) ? -1 : value;
}

bool isBefore(const Alike& a, const Alike& b) {
    const auto likeness = [](const Alike& alike) { return std::max(orLast(alike.code), orLast(alike.operators)); };
    return std::make_tuple(a.standing, -orLast(a.gain), -likeness(a), -orLast(a.code), a.row) <
           std::make_tuple(b.standing, -orLast(b.gain), -likeness(b), -orLast(b.code), b.row);
}

bool isNearer(const Alike& a, const Alike& b) {
    const auto key = [](const Alike& alike) {
        return std::make_tuple(-std::max(orLast(alike.code), orLast(alike.operators)), -orLast(alike.code));
    };
    return key(a) != key(b) ? key(a) < key(b) : isBefore(a, b);
}

/// Of kernels of a task with the same code but for comments and white space the first stands for all.
std::vector<Alike> folded(const archive::KernelTable& table, std::vector<Alike> found) {
    std::map<std::tuple<std::int32_t, std::int32_t, std::string_view, archive::CodeShape>, std::size_t> places;
    std::vector<Alike> kept;
    for (Alike& alike : found) {
        const std::size_t row = alike.row;
        const auto [place, isNew] =
            places.try_emplace({table.level[row], table.task[row], table.opName[row], table.shape[row]}, kept.size());
        if (isNew)
            kept.push_back(std::move(alike));
        else
            kept[place->second].same.push_back(std::uint32_t(row));
    }
    return kept;
}

Error cancelledQuestion() {
    return {"cancelled", "Looking for similar kernels was cancelled."};
}

} // namespace

std::string_view name(Standing standing) {
    switch (standing) {
    case Standing::verified: return "verified";
    case Standing::verifiedEarlier: return "verified_earlier";
    case Standing::claimed: return "claimed";
    case Standing::unknown: return "unknown";
    case Standing::refuted: return "refuted";
    }
    return "unknown";
}

Standing standingOf(const archive::KernelTable& table, std::size_t row, const archive::OwnVerdicts* verdicts) {
    using Correct = archive::KernelTable::Correct;
    const Standing claim = table.correct[row] == Correct::yes  ? Standing::claimed
                           : table.correct[row] == Correct::no ? Standing::refuted
                                                               : Standing::unknown;
    const archive::OwnVerdict* verdict = verdicts ? verdicts->of(table, row) : nullptr;
    return verdict ? standingBy(*verdict, claim) : claim;
}

Result<Subject> archivedSubject(archive::Archive& archive, const archive::KernelSummary& kernel) {
    auto code = archive.text(kernel.id, archive::TextKind::cudaCode);
    if (!code) return code.error();
    Subject subject;
    subject.code = std::move(*code).value_or("");
    subject.kernel = kernel.id;
    subject.level = std::int32_t(kernel.level);
    subject.task = std::int32_t(kernel.task);
    subject.opName = kernel.opName;
    subject.runtime = kernel.runtime.value_or(subject.runtime);
    subject.speedup = kernel.speedupNative.value_or(subject.speedup);
    return subject;
}

Result<LikeResult> kernelsLike(archive::Archive& archive, const PieceIndex& index, TaskOperators& tasks,
                               const Subject& subject, const LikeQuery& query, const std::stop_token& stop) {
    LikeResult result;
    result.operatorsUnknown = query.byOperators && subject.operators.empty();
    if (!query.byCode && !query.byOperators)
        return Error{"bad_input", "Neither code nor operators are to be compared.", "Ask for one of them, or both."};
    if (!query.byCode && result.operatorsUnknown)
        return Error{"bad_input", "The operators of this kernel are not known, because its task has no card.",
                     "Name its task, or look for similar code."};
    auto table = archive.sharedTable();
    if (!table) return table.error();
    Search search{**table, subject, query, tasks};
    if (query.byCode) {
        auto code = index.likeness(**table, piecesOf(subject.code), stop);
        if (!code) return code.error();
        search.code = std::move(*code);
    }
    std::vector<Alike> found;
    for (std::size_t row = 0; row < (*table)->size(); ++row) {
        if (row % 1024 == 0 && stop.stop_requested()) return cancelledQuestion();
        if ((*table)->id[row] == subject.kernel || (query.otherTasks && search.isOwnTask(row))) continue;
        Alike alike;
        if (!search.compare(row, alike)) continue;
        alike.standing = standingOf(**table, row, query.verdicts.get());
        search.measure(alike);
        found.push_back(std::move(alike));
    }
    std::sort(found.begin(), found.end(), query.nearestFirst ? isNearer : isBefore);
    result.found = folded(**table, std::move(found));
    if (query.limit > 0 && result.found.size() > query.limit) {
        result.more = result.found.size() - query.limit;
        result.found.resize(query.limit);
    }
    result.withoutCard = tasks.tasksWithoutCard();
    return result;
}

} // namespace kernelarium::similar
