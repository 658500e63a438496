// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/superopt/search/GraphSource.h"

#include "core/files/Sha256.h"
#include "core/mugraph/check/Check.h"
#include "core/mugraph/target/ProblemOf.h"
#include "core/superopt/search/Ladder.h"

#include <array>
#include <mutex>
#include <nlohmann/json.hpp>

namespace kernelarium::superopt {

namespace {

/// Another one is another search: counted up with whatever changes which graphs are found, or at which states.
constexpr const char* generatorVersion = "1";

StateCounts countsOf(const mugraph::Counts& counts) {
    const std::array<std::pair<const char*, std::uint64_t>, 6> dropped{{{"expression", counts.expression},
                                                                        {"reach", counts.reach},
                                                                        {"memory", counts.memory},
                                                                        {"bound", counts.bound},
                                                                        {"redundant", counts.redundant},
                                                                        {"unfinished", counts.unfinished}}};
    StateCounts told{counts.states, {}};
    for (const auto& [reason, states] : dropped)
        if (states > 0) told.pruned.emplace(reason, states);
    return told;
}

class GraphSource : public UnitSource {
public:
    GraphSource(GraphSearch search, mugraph::Problem problem)
        : m_search(std::move(search))
        , m_problem(std::move(problem)) {}

    [[nodiscard]] std::map<std::string, std::string> identity() const override {
        return {{"task", m_search.card.key() + " " + m_search.card.name},
                {"card", files::toHex(files::sha256(task::writeCard(m_search.card)), 32)},
                {"size", m_search.size},
                {"generator", generatorVersion},
                {"limits", mugraph::toJson(m_search.limits).dump()}};
    }

    [[nodiscard]] Result<std::vector<std::string>> units(const std::stop_token& /*stop*/) override {
        Result<std::vector<mugraph::Unit>> units = mugraph::units(m_problem, m_search.limits);
        if (!units) return units.error();
        std::vector<std::string> keys;
        for (mugraph::Unit& unit : *units)
            keys.push_back(std::move(unit.key));
        return keys;
    }

    [[nodiscard]] Result<Exploration> explore(const std::string& unit,
                                              const std::function<void(const StateCounts&)>& tell,
                                              const std::stop_token& stop) const override {
        Result<std::unique_ptr<mugraph::Explorer>> explorer = takeExplorer();
        if (!explorer) return explorer.error();
        Result<mugraph::UnitResult> result =
            (*explorer)->explore({unit}, stop, [&](const mugraph::Counts& counts) { tell(countsOf(counts)); });
        giveBack(std::move(*explorer));
        if (!result) return result.error();
        Exploration exploration{countsOf(result->counts), {}};
        for (mugraph::Found& found : result->found)
            exploration.found.push_back({found.hash, std::move(found.graph), found.state, found.seconds});
        return exploration;
    }

    [[nodiscard]] Result<Climb> climb(const FoundGraph& graph, const std::stop_token& stop) const override;

private:
    /// One for each thread that explores at a time: what it has learnt makes the next unit faster.
    Result<std::unique_ptr<mugraph::Explorer>> takeExplorer() const {
        {
            const std::scoped_lock lock(m_mutex);
            if (!m_free.empty()) {
                auto explorer = std::move(m_free.back());
                m_free.pop_back();
                return explorer;
            }
        }
        Result<mugraph::Explorer> made = mugraph::Explorer::of(m_problem, m_search.limits);
        if (!made) return made.error();
        return std::make_unique<mugraph::Explorer>(std::move(*made));
    }
    void giveBack(std::unique_ptr<mugraph::Explorer> explorer) const {
        const std::scoped_lock lock(m_mutex);
        m_free.push_back(std::move(explorer));
    }

    GraphSearch m_search;
    mugraph::Problem m_problem;
    mutable std::mutex m_mutex;
    mutable std::vector<std::unique_ptr<mugraph::Explorer>> m_free;
};

Result<Climb> GraphSource::climb(const FoundGraph& found, const std::stop_token& stop) const {
    const auto json = nlohmann::json::parse(found.graph, nullptr, false);
    Result<mugraph::MuGraph> graph = mugraph::muGraphFrom(m_problem, json);
    if (!graph) return graph.error(); // the generator's own: nothing it finds can be trusted then
    proof::Options how;
    how.stop = stop;
    Result<proof::Proof> proof = mugraph::prove(m_search.card, *graph, how);
    if (proof) return climbOf(*proof);
    if (proof.error().code == "cancelled" || stop.stop_requested()) return proof.error();
    Climb none;
    none.rungs.push_back({"proof", RungVerdict::Standing::undecided, proof.error().text()});
    return none;
}

} // namespace

nlohmann::json toJson(const GraphSearch& search) {
    return {{"card", task::writeCard(search.card)}, // as text: a card's order is lost in an object
            {"size", search.size},
            {"limits", mugraph::toJson(search.limits)}};
}

Result<GraphSearch> graphSearchFrom(const nlohmann::json& json) {
    const auto card = json.find("card"), size = json.find("size"), limits = json.find("limits");
    if (!json.is_object() || card == json.end() || !card->is_string() || size == json.end() || !size->is_string() ||
        limits == json.end())
        return Error{"bad_input", "What is searched lacks its card, its size or its limits.", {}};
    Result<task::Card> read = task::parseCard(card->get<std::string>());
    if (!read) return read.error();
    Result<mugraph::Limits> taken = mugraph::limitsFrom(*limits);
    if (!taken) return taken.error();
    return GraphSearch{std::move(*read), size->get<std::string>(), std::move(*taken)};
}

Result<std::unique_ptr<UnitSource>> makeGraphSource(const GraphSearch& search) {
    Result<task::Symbols> symbols = search.card.size(search.size);
    if (!symbols) return symbols.error();
    Result<mugraph::Problem> problem = mugraph::problemOf(search.card, *symbols);
    if (!problem) return problem.error();
    return std::unique_ptr<UnitSource>(std::make_unique<GraphSource>(search, std::move(*problem)));
}

} // namespace kernelarium::superopt
