// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/superopt/search/UnitSearch.h"

#include "core/tuning/store/StoreReader.h"

#include <chrono>
#include <mutex>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace kernelarium::superopt {

namespace {

using tuning::Judged;
using tuning::JudgedKind;
using tuning::Outcome;
using Clock = std::chrono::steady_clock;

constexpr auto saidEvery = std::chrono::milliseconds(100);

std::int64_t wallMilliseconds() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

double since(Clock::time_point begun) {
    return std::chrono::duration<double>(Clock::now() - begun).count();
}

/// Draws the units of a shard in their order.
class UnitProposer : public tuning::Proposer {
public:
    explicit UnitProposer(std::vector<std::string> keys)
        : m_keys(std::move(keys)) {}
    std::vector<tuning::Candidate> propose(std::size_t most) override {
        std::vector<tuning::Candidate> drawn;
        for (; m_next < m_keys.size() && drawn.size() < most; ++m_next)
            if (!m_earlier.contains(m_keys[m_next])) drawn.push_back({m_keys[m_next]});
        return drawn;
    }
    void hear(const tuning::Candidate& unit, const Outcome& /*outcome*/) override {
        if (m_next == 0) m_earlier.insert(unit.key);
    }
    [[nodiscard]] std::optional<std::uint64_t> total() const override { return m_keys.size(); }

private:
    std::vector<std::string> m_keys;
    std::size_t m_next = 0;
    std::unordered_set<std::string> m_earlier;
};

/// What all threads of a search share: the store, the table, and what is counted. Keeps units for tuning::runSearch.
class UnitKeeper : public tuning::Keeper {
public:
    UnitKeeper(tuning::Store& store, const UnitSearchWatch& watch)
        : m_store(store)
        , m_watch(watch) {}

    Result<void> each(const std::function<void(const Judged&)>& take) override;
    Result<void> keep(const Judged& unit) override;

    /// Whether nobody knows the graph, or looks at it now: then it is the caller's, until keepCandidate() or leave().
    bool claim(const std::string& hash);
    void leave(const std::string& hash);
    Result<void> keepCandidate(Judged candidate);

    void explores(const std::string& unit, const StateCounts& counts);
    void explored(std::uint64_t states, double seconds);
    void climbed(double seconds);
    void leaves(const std::string& unit); ///< it ended without an outcome
    void hear(const tuning::Progress& units);
    [[nodiscard]] UnitProgress progress() const;

private:
    [[nodiscard]] UnitProgress progressLocked() const;
    void say(bool now);
    void tell(JudgedKind kind, const Judged& judged);

    tuning::Store& m_store;
    const UnitSearchWatch& m_watch;
    mutable std::mutex m_mutex;
    std::mutex m_saying, m_telling;
    FoundTable m_table;
    std::set<std::string> m_claimed;
    std::unordered_map<std::string, StateCounts> m_open; ///< units under way
    std::uint64_t m_earlierStates = 0;                   ///< of earlier runs
    std::uint64_t m_exploredStates = 0;
    double m_exploring = 0, m_climbing = 0;
    tuning::Progress m_units;
    tuning::RunningTime m_time;
    Clock::time_point m_said = Clock::now() - saidEvery;
};

Result<void> UnitKeeper::each(const std::function<void(const Judged&)>& take) {
    auto reader = tuning::StoreReader::open(m_store.path());
    if (!reader) return reader.error();
    const std::scoped_lock lock(m_mutex);
    auto read = tuning::eachJudged(*reader, [&](JudgedKind kind, const Judged& judged) {
        m_table.take(kind, judged);
        if (kind == JudgedKind::unit) take(judged);
    });
    m_earlierStates = m_table.counts().counts.states;
    return read;
}

Result<void> UnitKeeper::keep(const Judged& unit) {
    {
        const std::scoped_lock lock(m_mutex);
        auto kept = m_store.keepUnit(unit);
        if (!kept) return kept;
        m_table.take(JudgedKind::unit, unit);
        m_open.erase(unit.candidate.key);
    }
    tell(JudgedKind::unit, unit);
    return {};
}

void UnitKeeper::tell(JudgedKind kind, const Judged& judged) {
    if (!m_watch.judged) return;
    const std::scoped_lock telling(m_telling);
    m_watch.judged(kind, judged);
}

bool UnitKeeper::claim(const std::string& hash) {
    const std::scoped_lock lock(m_mutex);
    return !m_table.knows(hash) && m_claimed.insert(hash).second;
}

void UnitKeeper::leave(const std::string& hash) {
    const std::scoped_lock lock(m_mutex);
    m_claimed.erase(hash);
}

Result<void> UnitKeeper::keepCandidate(Judged candidate) {
    candidate.when = wallMilliseconds();
    {
        const std::scoped_lock lock(m_mutex);
        m_claimed.erase(candidate.candidate.key);
        if (auto kept = m_store.keep(candidate); !kept) return kept;
        m_table.take(JudgedKind::candidate, candidate);
    }
    tell(JudgedKind::candidate, candidate);
    return {};
}

void UnitKeeper::explores(const std::string& unit, const StateCounts& counts) {
    {
        const std::scoped_lock lock(m_mutex);
        m_open[unit] = counts;
    }
    say(false);
}

void UnitKeeper::explored(std::uint64_t states, double seconds) {
    const std::scoped_lock lock(m_mutex);
    m_exploredStates += states;
    m_exploring += seconds;
}

void UnitKeeper::climbed(double seconds) {
    const std::scoped_lock lock(m_mutex);
    m_climbing += seconds;
}

void UnitKeeper::leaves(const std::string& unit) {
    const std::scoped_lock lock(m_mutex);
    m_open.erase(unit);
}

void UnitKeeper::hear(const tuning::Progress& units) {
    bool turned = false;
    {
        const std::scoped_lock lock(m_mutex);
        turned = units.paused != m_units.paused;
        if (turned && units.paused) m_time.hold();
        if (turned && !units.paused) m_time.goOn();
        m_units = units;
    }
    say(turned);
}

UnitProgress UnitKeeper::progress() const {
    const std::scoped_lock lock(m_mutex);
    return progressLocked();
}

UnitProgress UnitKeeper::progressLocked() const {
    UnitProgress progress;
    progress.units = m_units;
    progress.found = m_table.counts();
    for (const auto& [unit, counts] : m_open) {
        progress.found.counts.states += counts.states;
        for (const auto& [reason, states] : counts.pruned)
            progress.found.counts.pruned[reason] += states;
    }
    const double seconds = m_time.seconds();
    const std::uint64_t now = progress.found.counts.states - m_earlierStates;
    progress.statesPerSecond = seconds > 0 ? double(now) / seconds : 0;
    progress.exploring = m_exploring;
    progress.climbing = m_climbing;
    progress.statesPerThreadSecond = m_exploring > 0 ? double(m_exploredStates) / m_exploring : 0;
    if (const Judged* best = m_table.best()) progress.best = m_table.find(best->candidate.key);
    return progress;
}

void UnitKeeper::say(bool now) {
    if (!m_watch.progress) return;
    const std::scoped_lock telling(m_saying);
    UnitProgress progress;
    {
        const std::scoped_lock lock(m_mutex);
        if (!now && Clock::now() - m_said < saidEvery) return;
        m_said = Clock::now();
        progress = progressLocked();
    }
    m_watch.progress(progress);
}

class UnitEvaluation : public tuning::Evaluation {
public:
    UnitEvaluation(const UnitSource& source, UnitKeeper& keeper, std::unordered_map<std::string, std::uint64_t> numbers)
        : m_source(source)
        , m_keeper(keeper)
        , m_numbers(std::move(numbers)) {}

    Result<Outcome> evaluate(const tuning::Candidate& unit, std::stop_token stop) override {
        Result<Outcome> outcome = explore(unit.key, stop);
        if (!outcome) m_keeper.leaves(unit.key);
        return outcome;
    }

private:
    Result<Outcome> explore(const std::string& unit, const std::stop_token& stop) {
        const auto begun = Clock::now();
        Result<Exploration> explored = m_source.explore(
            unit, [&](const StateCounts& counts) { m_keeper.explores(unit, counts); }, stop);
        if (!explored) return explored.error();
        m_keeper.explored(explored->counts.states, since(begun));
        m_keeper.explores(unit, explored->counts);
        for (const FoundGraph& graph : explored->found)
            if (Result<void> climbed = climb(graph, stop); !climbed) return climbed.error();
        return outcomeOfUnit(*explored, m_numbers.at(unit));
    }

    Result<void> climb(const FoundGraph& graph, const std::stop_token& stop) {
        if (!m_keeper.claim(graph.hash)) return {};
        const auto begun = Clock::now();
        Result<Climb> climbed = m_source.climb(graph, stop);
        if (!climbed) {
            m_keeper.leave(graph.hash);
            return climbed.error();
        }
        Judged candidate = judgedOf(graph, *climbed);
        candidate.seconds = since(begun);
        m_keeper.climbed(candidate.seconds);
        return m_keeper.keepCandidate(std::move(candidate));
    }

    const UnitSource& m_source;
    UnitKeeper& m_keeper;
    std::unordered_map<std::string, std::uint64_t> m_numbers;
};

} // namespace

Result<UnitSearchEnd> runUnitSearch(UnitSource& source, tuning::Store& store, const tuning::Shard& shard,
                                    const UnitSearchOptions& options, const UnitSearchWatch& watch,
                                    const std::stop_token& stop) {
    Result<std::vector<std::string>> units = source.units(stop);
    if (!units) return units.error();
    std::vector<std::string> own;
    std::unordered_map<std::string, std::uint64_t> numbers;
    for (std::size_t i = 0; i < units->size(); ++i) {
        numbers.emplace((*units)[i], i + 1);
        if (shard.has(i)) own.push_back((*units)[i]);
    }
    UnitKeeper keeper(store, watch);
    UnitProposer proposer(std::move(own));
    UnitEvaluation evaluation(source, keeper, std::move(numbers));
    tuning::SearchOptions how;
    how.jobs = options.threads;
    how.budget = options.budget;
    how.retryFailed = true;
    tuning::SearchParts parts{proposer, evaluation, &keeper};
    parts.progress = [&](const tuning::Progress& progress) { keeper.hear(progress); };
    parts.pause = watch.pause;
    Result<tuning::Ended> ended = tuning::runSearch(parts, how, stop);
    if (!ended) return ended.error();
    UnitSearchEnd end{ended->why, keeper.progress()};
    end.progress.units = ended->progress;
    return end;
}

} // namespace kernelarium::superopt
