// SPDX-License-Identifier: GPL-3.0-or-later
// How many states of the enumerating search one core visits in a second, and what a card's search finds: on one thread,
// from the card alone. Then what the proof says of the candidates, with the five best that are right.
//
//   benchmark_enumeration CARD.json [OPERATORS [SIZE]]      12 operators, full
//
// To compare with: Mirage, 860 states a second and thread, 183 s for its RMSNorm without threads (its authors).
#include "core/mugraph/check/Check.h"
#include "core/mugraph/graph/MuGraph.h"
#include "core/mugraph/search/Units.h"
#include "core/mugraph/target/ProblemOf.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace kernelarium;
using namespace kernelarium::mugraph;

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fputs("usage: benchmark_enumeration CARD.json [OPERATORS [SIZE]]\n", stderr);
        return 2;
    }
    std::ifstream file(argv[1]);
    const auto card = task::parseCard(std::string(std::istreambuf_iterator<char>(file), {}));
    if (!card) {
        fmt::print(stderr, "{}\n", card.error().text());
        return 2;
    }
    Limits limits;
    if (argc > 2) limits.operators = std::atoi(argv[2]);
    const auto size = card->size(argc > 3 ? argv[3] : "full");
    const auto problem = size ? problemOf(*card, *size) : Result<Problem>(size.error());
    const auto work = problem ? units(*problem, limits) : Result<std::vector<Unit>>(problem.error());
    if (!work) {
        fmt::print(stderr, "{}\n", work.error().text());
        return 2;
    }
    const auto now = [] {
        return double(std::clock()) / CLOCKS_PER_SEC;
    }; // of the processor: other work may run beside
    const double begin = now();
    Result<Explorer> explorer = Explorer::of(*problem, limits);
    std::vector<UnitResult> results;
    for (const Unit& unit : *work) {
        auto result = explorer->explore(unit);
        if (!result) {
            fmt::print(stderr, "{}\n", result.error().text());
            return 1;
        }
        results.push_back(*std::move(result));
    }
    const double seconds = now() - begin;
    const auto merged = merge(*work, results);
    if (!merged) return 1;
    const Counts& c = merged->counts;
    fmt::print("{}: {} operators, {} units, {} states, {} extensions, {:.2f} s of one core: {:.0f} states/s, {:.0f} "
               "extensions/s\n",
               card->name, limits.operators, merged->units, c.states, c.extensions, seconds, double(c.states) / seconds,
               double(c.extensions) / seconds);
    fmt::print("dropped: {} by expression, {} by reach, {} by memory, {} by bound, {} redundant, {} unfinished\n",
               c.expression, c.reach, c.memory, c.bound, c.redundant, c.unfinished);
    fmt::print("{} candidates\n", merged->candidates.size());
    std::map<std::string, std::size_t> verdicts;
    std::size_t shown = 0;
    const double checked = now();
    for (const auto& candidate : merged->candidates) {
        const auto graph = muGraphFrom(*problem, nlohmann::json::parse(candidate.found.graph));
        const auto proof = graph ? prove(*card, *graph) : Result<proof::Proof>(graph.error());
        if (!proof) {
            fmt::print(stderr, "{}\n", proof.error().text());
            return 1;
        }
        ++verdicts[std::string(name(proof->verdict))];
        if (proof->verdict != proof::Verdict::equal || ++shown > 5) continue;
        fmt::print("{} state {} at least {:.2f} us\n{}", candidate.found.hash, candidate.state,
                   candidate.found.seconds * 1e6, toText(*problem, *graph));
    }
    for (const auto& [verdict, count] : verdicts)
        fmt::print("{} {}  ", count, verdict);
    fmt::print("({:.2f} s)\n", now() - checked);
    return 0;
}
