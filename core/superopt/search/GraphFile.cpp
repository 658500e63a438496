// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/superopt/search/GraphFile.h"

#include "core/kernelgen/graphs/GraphEmitter.h"
#include "core/mugraph/target/ProblemOf.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::superopt {

Result<FoundCandidate> foundGraph(const FoundTable& table, const std::string& hashOrNumber) {
    const std::vector<FoundCandidate> all = table.all();
    std::vector<const FoundCandidate*> matching;
    for (const FoundCandidate& found : all) {
        if (found.hash == hashOrNumber) return found;
        if (!hashOrNumber.empty() && found.hash.starts_with(hashOrNumber)) matching.push_back(&found);
    }
    std::size_t number = 0;
    const char* const end = hashOrNumber.data() + hashOrNumber.size();
    const auto [read, problem] = std::from_chars(hashOrNumber.data(), end, number);
    const bool isNumber = problem == std::errc() && read == end;
    if (isNumber && number >= 1 && number <= all.size()) return all[number - 1];
    if (matching.size() == 1) return *matching.front();
    return Error{"bad_input",
                 !matching.empty() ? fmt::format("{} graphs begin with {}.", matching.size(), hashOrNumber)
                 : isNumber        ? fmt::format("There is no graph number {}: {} were found.", number, all.size())
                                   : fmt::format("No graph `{}` was found.", hashOrNumber),
                 "`superopt found STORE` lists those that were."};
}

Result<kernelgen::Emitted> fileOf(const GraphSearch& search, const FoundCandidate& found) {
    const Result<task::Symbols> symbols = search.card.size(search.size);
    if (!symbols) return symbols.error();
    const Result<mugraph::Problem> problem = mugraph::problemOf(search.card, *symbols);
    if (!problem) return problem.error();
    const auto graph = mugraph::muGraphFrom(*problem, nlohmann::json::parse(found.graph, nullptr, false));
    if (!graph) return graph.error();
    const perf::DeviceSpec* device = perf::findDeviceSpec(search.limits.device);
    if (!device) return Error{"bad_input", fmt::format("There is no device \"{}\".", search.limits.device)};
    return kernelgen::graphs::emitGraph(search.card, *graph, search.size, *device);
}

tuning::Judged withFileRung(const FoundCandidate& found, RungVerdict said) {
    Climb climb;
    climb.rungs = found.rungs;
    std::erase_if(climb.rungs, [](const RungVerdict& rung) { return rung.name == fileRung; });
    const bool stoodAll = std::none_of(climb.rungs.begin(), climb.rungs.end(), [](const RungVerdict& rung) {
        return rung.standing == RungVerdict::Standing::fell;
    });
    climb.proven = found.verdict == FoundCandidate::Verdict::right ||
                   (found.verdict == FoundCandidate::Verdict::refused && stoodAll);
    if (climb.proven && said.standing == RungVerdict::Standing::fell)
        climb.fault = "All rungs before let it pass and its emitted file is refused.";
    said.name = fileRung;
    climb.rungs.push_back(std::move(said));
    return judgedOf({found.hash, found.graph, 1, found.bound}, climb);
}

} // namespace kernelarium::superopt
