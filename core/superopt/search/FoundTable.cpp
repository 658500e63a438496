// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/superopt/search/FoundTable.h"

#include "core/tuning/store/StoreReader.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::superopt {

namespace {

using nlohmann::json;
using tuning::Judged;
using tuning::Outcome;
using Verdict = FoundCandidate::Verdict;

constexpr std::array<std::string_view, 4> verdictWords{"right", "undecided", "refused", "failed"};
constexpr std::array<std::string_view, 3> standingWords{"stood", "fell", "undecided"};

/// Of what the store has taken as an object; what is not as it should be is passed over, and says nothing.
json objectOf(const std::string& details) {
    json read = json::parse(details, nullptr, false);
    return read.is_object() ? read : json::object();
}

std::string textAt(const json& object, const char* member) {
    const auto at = object.find(member);
    return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

std::uint64_t numberAt(const json& object, const char* member) {
    const auto at = object.find(member);
    return at != object.end() && at->is_number_unsigned() ? at->get<std::uint64_t>() : 0;
}

Verdict verdictOf(const Judged& judged) {
    switch (judged.outcome.kind) {
    case Outcome::Kind::valued: return judged.leads() && judged.rung > 0 ? Verdict::right : Verdict::undecided;
    case Outcome::Kind::wrong:
    case Outcome::Kind::refused: return Verdict::refused;
    case Outcome::Kind::failed: break;
    }
    return Verdict::failed;
}

std::vector<RungVerdict> rungsOf(const json& details) {
    std::vector<RungVerdict> rungs;
    const auto at = details.find("rungs");
    if (at == details.end() || !at->is_array()) return rungs;
    for (const json& rung : *at) {
        if (!rung.is_object()) continue;
        const auto word = std::find(standingWords.begin(), standingWords.end(), textAt(rung, "said"));
        if (word == standingWords.end()) continue;
        rungs.push_back(
            {textAt(rung, "rung"), RungVerdict::Standing(word - standingWords.begin()), textAt(rung, "evidence")});
    }
    return rungs;
}

FoundCandidate readFrom(const Judged& judged) {
    FoundCandidate candidate;
    candidate.hash = judged.candidate.key;
    candidate.verdict = verdictOf(judged);
    candidate.bound = judged.outcome.value.value_or(0);
    candidate.rung = judged.rung;
    candidate.when = judged.when;
    const json details = objectOf(judged.outcome.details);
    candidate.rungs = rungsOf(details);
    candidate.fault = textAt(details, "fault");
    if (const auto graph = details.find("graph"); graph != details.end()) candidate.graph = graph->dump();
    return candidate;
}

} // namespace

std::string_view name(Verdict verdict) {
    return verdictWords[std::size_t(verdict)];
}

Outcome outcomeOfUnit(const Exploration& exploration, std::uint64_t number) {
    json found = json::array();
    std::optional<double> least;
    for (const FoundGraph& graph : exploration.found) {
        found.push_back(json::array({graph.hash, graph.state}));
        least = least ? std::min(*least, graph.bound) : graph.bound;
    }
    Outcome outcome;
    outcome.kind = least ? Outcome::Kind::valued : Outcome::Kind::refused;
    outcome.value = least;
    outcome.unproven = least.has_value(); // the ladder speaks of candidates
    if (!least) outcome.reason = "Nothing was found in it.";
    outcome.details = json{{"number", number},
                           {"states", exploration.counts.states},
                           {"pruned", exploration.counts.pruned},
                           {"found", std::move(found)}}
                          .dump();
    return outcome;
}

Judged judgedOf(const FoundGraph& graph, const Climb& climb) {
    Judged judged;
    judged.candidate.key = graph.hash;
    json rungs = json::array();
    unsigned number = 0;
    for (const RungVerdict& rung : climb.rungs) {
        ++number;
        rungs.push_back(
            {{"rung", rung.name}, {"said", standingWords[std::size_t(rung.standing)]}, {"evidence", rung.evidence}});
        if (rung.standing != RungVerdict::Standing::undecided) judged.rung = number;
        if (rung.standing != RungVerdict::Standing::fell) continue;
        judged.outcome.reason = fmt::format("{}: {}", rung.name, rung.evidence);
        break;
    }
    judged.outcome.kind = judged.outcome.reason.empty() ? Outcome::Kind::valued : Outcome::Kind::wrong;
    judged.outcome.value = graph.bound;
    judged.outcome.unproven = !climb.proven;
    json details{{"graph", json::parse(graph.graph, nullptr, false)}, {"rungs", std::move(rungs)}};
    if (!climb.fault.empty()) details["fault"] = climb.fault;
    judged.outcome.details = details.dump(-1, ' ', false, json::error_handler_t::replace);
    return judged;
}

Result<FoundTable> FoundTable::read(const std::filesystem::path& store) {
    auto reader = tuning::StoreReader::open(store);
    if (!reader) return reader.error();
    FoundTable table;
    auto read =
        tuning::eachJudged(*reader, [&](tuning::JudgedKind kind, const Judged& judged) { table.take(kind, judged); });
    if (!read) return read.error();
    return table;
}

void FoundTable::take(tuning::JudgedKind kind, const Judged& judged) {
    if (kind == tuning::JudgedKind::unit)
        takeUnit(judged);
    else
        takeCandidate(judged);
}

void FoundTable::takeUnit(const Judged& unit) {
    const std::string& key = unit.candidate.key;
    if (unit.outcome.kind == Outcome::Kind::failed) {
        if (!m_doneKeys.contains(key)) m_failedUnits.insert(key);
        m_counts.failedUnits = m_failedUnits.size();
        return;
    }
    if (!m_doneKeys.insert(key).second) return;
    m_failedUnits.erase(key);
    m_counts.units = m_doneKeys.size();
    m_counts.failedUnits = m_failedUnits.size();
    const json details = objectOf(unit.outcome.details);
    const std::uint64_t number = numberAt(details, "number"), explored = numberAt(details, "states");
    m_units[number] = {key, explored};
    m_counts.counts.states += explored;
    if (const auto pruned = details.find("pruned"); pruned != details.end() && pruned->is_object())
        for (const auto& [reason, states] : pruned->items())
            if (states.is_number_unsigned()) m_counts.counts.pruned[reason] += states.get<std::uint64_t>();
    const auto found = details.find("found");
    if (found == details.end() || !found->is_array()) return;
    for (const json& graph : *found) {
        if (!graph.is_array() || graph.size() != 2 || !graph[0].is_string() || !graph[1].is_number_unsigned()) continue;
        const std::pair at{number, graph[1].get<std::uint64_t>()};
        const auto [known, isNew] = m_foundAt.try_emplace(graph[0].get<std::string>(), at);
        if (!isNew) known->second = std::min(known->second, at);
    }
}

void FoundTable::takeCandidate(const Judged& candidate) {
    const auto [at, isNew] = m_candidates.try_emplace(candidate.candidate.key);
    Known& known = at->second;
    if (!isNew) count(known, false);
    if (isNew || known.judged.standing() < candidate.standing()) {
        known.read = readFrom(candidate);
        known.judged = candidate;
        known.judged.outcome.details = {};
    }
    if (candidate.fell())
        known.fell = known.fell == 0 ? candidate.rung : std::min(known.fell, candidate.rung);
    else if (candidate.outcome.kind == Outcome::Kind::valued)
        known.stood = std::max(known.stood, candidate.rung);
    count(known, true);
}

void FoundTable::count(const Known& known, bool in) {
    const Judged& judged = known.judged;
    const Verdict verdict = verdictOf(judged);
    std::uint64_t& ofVerdict = verdict == Verdict::right       ? m_counts.right
                               : verdict == Verdict::undecided ? m_counts.undecided
                               : verdict == Verdict::refused   ? m_counts.refused
                                                               : m_counts.failed;
    const std::uint64_t one = in ? 1 : ~std::uint64_t(0);
    ofVerdict += one;
    if (!known.read.fault.empty() || known.contradicts()) m_counts.faults += one;
    if (verdict != Verdict::right) return;
    const std::pair<double, std::string> place{*judged.outcome.value, judged.candidate.key};
    if (in)
        m_right.insert(place);
    else
        m_right.erase(place);
}

bool FoundTable::knows(const std::string& hash) const {
    const auto at = m_candidates.find(hash);
    return at != m_candidates.end() && at->second.judged.outcome.kind != Outcome::Kind::failed;
}

const Judged* FoundTable::best() const {
    return m_right.empty() ? nullptr : &m_candidates.at(m_right.begin()->second).judged;
}

FoundCandidate FoundTable::candidateOf(const Known& known) const {
    FoundCandidate candidate = known.read;
    if (known.contradicts())
        candidate.fault += fmt::format("{}One look says that it stood rung {}, another that rung {} refused it.",
                                       candidate.fault.empty() ? "" : " ", known.stood, known.fell);
    if (const auto at = m_foundAt.find(candidate.hash); at != m_foundAt.end()) {
        const auto [unit, state] = at->second;
        candidate.at = FoundAt{unit, state, m_units.at(unit).key, 0};
    }
    return candidate;
}

std::optional<FoundCandidate> FoundTable::find(const std::string& hash) const {
    const auto at = m_candidates.find(hash);
    if (at == m_candidates.end()) return std::nullopt;
    std::vector<FoundCandidate> one{candidateOf(at->second)};
    placeAmongAll(one);
    return one.front();
}

std::vector<FoundCandidate> FoundTable::all() const {
    std::vector<FoundCandidate> candidates;
    candidates.reserve(m_candidates.size());
    for (const auto& [hash, known] : m_candidates)
        candidates.push_back(candidateOf(known));
    placeAmongAll(candidates);
    std::sort(candidates.begin(), candidates.end(), [](const FoundCandidate& a, const FoundCandidate& b) {
        return std::tie(a.verdict, a.bound, a.hash) < std::tie(b.verdict, b.bound, b.hash);
    });
    return candidates;
}

std::vector<FoundCandidate> FoundTable::bestSoFar() const {
    std::vector<const Known*> byTime;
    for (const auto& [bound, hash] : m_right)
        byTime.push_back(&m_candidates.at(hash));
    std::stable_sort(byTime.begin(), byTime.end(),
                     [](const Known* a, const Known* b) { return a->judged.when < b->judged.when; });
    std::vector<FoundCandidate> steps;
    for (const Known* known : byTime)
        if (steps.empty() || *known->judged.outcome.value < steps.back().bound) steps.push_back(candidateOf(*known));
    placeAmongAll(steps);
    return steps;
}

void FoundTable::placeAmongAll(std::vector<FoundCandidate>& candidates) const {
    std::map<std::uint64_t, std::uint64_t> before; // states of all units before it, where they are all known
    std::uint64_t next = 1, states = 0;
    for (const auto& [number, unit] : m_units) {
        if (number != next++) break;
        before[number] = states;
        states += unit.states;
    }
    for (FoundCandidate& candidate : candidates) {
        if (!candidate.at) continue;
        const auto at = before.find(candidate.at->unit);
        if (at != before.end()) candidate.at->ofAll = at->second + candidate.at->state;
    }
}

json toJson(const FoundCandidate& candidate, bool withGraph) {
    json j{{"hash", candidate.hash},
           {"verdict", name(candidate.verdict)},
           {"bound_us", candidate.bound * 1e6},
           {"rung", candidate.rung}};
    if (candidate.at) {
        j["found"] = {{"unit", candidate.at->unit}, {"prefix", candidate.at->key}, {"state", candidate.at->state}};
        if (candidate.at->ofAll > 0) j["found"]["state_of_all"] = candidate.at->ofAll;
    }
    if (!candidate.fault.empty()) j["fault"] = candidate.fault;
    if (!withGraph) return j;
    j["graph"] = json::parse(candidate.graph, nullptr, false);
    j["rungs"] = json::array();
    for (const RungVerdict& rung : candidate.rungs)
        j["rungs"].push_back(
            {{"rung", rung.name}, {"said", standingWords[std::size_t(rung.standing)]}, {"evidence", rung.evidence}});
    return j;
}

json toJson(const FoundTable& table, bool withGraphs) {
    const FoundCounts& counts = table.counts();
    json candidates = json::array();
    for (const FoundCandidate& candidate : table.all())
        candidates.push_back(toJson(candidate, withGraphs));
    json best;
    if (const Judged* judged = table.best()) best = judged->candidate.key;
    return {{"units", counts.units},
            {"failed_units", counts.failedUnits},
            {"states", counts.counts.states},
            {"pruned", counts.counts.pruned},
            {"right", counts.right},
            {"undecided", counts.undecided},
            {"refused", counts.refused},
            {"failed", counts.failed},
            {"faults", counts.faults},
            {"best", std::move(best)},
            {"candidates", std::move(candidates)}};
}

} // namespace kernelarium::superopt
