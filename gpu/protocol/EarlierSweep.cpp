// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/EarlierSweep.h"

#include "core/quantities/Quantities.h"
#include "core/tuning/store/Store.h"
#include "core/tuning/store/StoreReader.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <unordered_map>

namespace kernelarium::protocol {

namespace {

using tuning::Judged;
using tuning::Outcome;

std::string differenceOfPoints(const tuning::Header& earlier, const tuning::Header& wanted) {
    const auto only = [](const tuning::Header& header) {
        tuning::Header some;
        for (const char* name : {"search", "source", "space", "task", "arch", "options"})
            if (const auto at = header.search.find(name); at != header.search.end()) some.search.insert(*at);
        return some;
    };
    return tuning::differenceOf(only(earlier), only(wanted), "there", "in this sweep");
}

} // namespace

Result<tuning::Filter> earlierFilter(const EarlierSweep& earlier, const tuning::Header& wanted,
                                     const std::string& always, tuning::Filter next) {
    Result<tuning::StoreReader> reader = tuning::StoreReader::open(earlier.store);
    if (!reader) return reader.error();
    const std::string difference = differenceOfPoints(reader->header(), wanted);
    if (!difference.empty())
        return Error{"other_search", fmt::format("{} is of other points: {}.", earlier.store.string(), difference),
                     "Give the store of a sweep of this very text."};
    std::vector<Judged> all;
    Result<void> read = tuning::eachCandidate(*reader, [&](const Judged& judged) {
        if (judged.candidate.effort >= 1) all.push_back(judged);
    });
    if (!read) return read.error();
    std::optional<double> best;
    for (const Judged& judged : all)
        if (judged.leads()) best = std::min(best.value_or(*judged.outcome.value), *judged.outcome.value);
    auto reasons = std::make_shared<std::unordered_map<std::string, std::string>>();
    for (const Judged& judged : all) {
        const Outcome& outcome = judged.outcome;
        if (outcome.kind == Outcome::Kind::refused || outcome.kind == Outcome::Kind::wrong)
            reasons->insert_or_assign(judged.candidate.key,
                                      fmt::format("{} before: {}",
                                                  outcome.kind == Outcome::Kind::wrong ? "wrong" : "refused",
                                                  outcome.reason));
        else if (best && judged.ranks() && earlier.within > 0 && judged.candidate.key != always &&
                 *outcome.value > earlier.within * *best)
            reasons->insert_or_assign(judged.candidate.key,
                                      fmt::format("{} of the best before", quantities::times(*outcome.value / *best)));
    }
    return tuning::Filter([reasons, next = std::move(next)](const tuning::Candidate& candidate) {
        const auto at = reasons->find(candidate.key);
        if (at != reasons->end()) return std::optional(at->second);
        return next ? next(candidate) : std::nullopt;
    });
}

} // namespace kernelarium::protocol
