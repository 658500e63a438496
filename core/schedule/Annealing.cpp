// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/Annealing.h"

#include "core/files/Sha256.h"
#include "core/sass/instruction/Decoder.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::schedule {

namespace {

constexpr int mostDraws = 20000;       ///< of a step, until one is legal and not plainly worse
constexpr int triesOfWorsening = 1000; ///< of each move
constexpr double goesBackAfter = 0.6;  ///< of the steps
constexpr std::uint64_t worseningStream = ~std::uint64_t(0);
constexpr double equal = 1e-9;
constexpr double guidedShare = 2.0 / 3; ///< of the steps
constexpr int movesCompared = 64;       ///< legal ones, of a guided step

// Two streams of chance a step: what it draws, and whether it is accepted.
std::uint64_t drawStream(std::uint64_t step) {
    return 2 * step;
}
std::uint64_t acceptStream(std::uint64_t step) {
    return 2 * step + 1;
}

constexpr std::string_view startWord = "start", controlWord = "control";

} // namespace

std::string hashOf(const std::vector<sass::Word>& words) {
    const std::vector<std::byte> bytes = sass::bytesOf(words);
    return files::toHex(files::sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()}), 16);
}

Annealing::Annealing(const Subject& subject, const Settings& settings)
    : m_settings(settings)
    , m_walk(subject.words(), subject.code().listed, subject.original.computeCapability(), sass::minedDistances(),
             sass::StallRule::tighten)
    , m_cost(m_walk.code(), m_walk.blocks(), subject.original.computeCapability())
    , m_draw(m_walk, m_cost)
    , m_originalWords(subject.words()) {
    worsen();
    m_startWords = m_bestWords = m_walk.words();
    m_startCost = m_currentCost = m_cost.of(m_walk).cost();
    m_currentHash = hashOf(m_startWords);
}

/// A walk that never makes the model's cost less: what is lost is the search's to win back.
void Annealing::worsen() {
    tuning::Random random(m_settings.seed, worseningStream);
    double cost = m_cost.of(m_walk).cost();
    const std::int64_t mostTries = std::int64_t(m_settings.worsen) * triesOfWorsening;
    std::int64_t tries = 0;
    for (int left = m_settings.worsen; left > 0 && tries < mostTries; ++tries) {
        const std::optional<sass::Move> move = m_draw.slide(m_walk, random, 8);
        if (!move || !m_walk.apply(*move)) continue;
        const double now = m_cost.of(m_walk).cost();
        if (now < cost) {
            m_walk.undo();
            continue;
        }
        cost = now;
        m_worsening.push_back(*move);
        --left;
    }
}

double Annealing::cooled(std::uint64_t looked) const {
    const double done = double(looked) / double(std::max<std::uint64_t>(m_settings.steps, 1));
    return m_settings.startTemperature * std::pow(m_settings.stopTemperature / m_settings.startTemperature, done);
}

double Annealing::temperature() const {
    if (m_reheated <= 0) return cooled(m_looked);
    const double done =
        double(m_looked - m_wentBack) / double(std::max<std::uint64_t>(m_settings.steps - m_wentBack, 1));
    return m_reheated * std::pow(m_settings.stopTemperature / m_reheated, done);
}

std::optional<std::uint64_t> Annealing::best() const {
    return m_best ? std::optional(m_best->step) : std::nullopt;
}

std::optional<double> Annealing::noiseFloor() const {
    std::optional<double> floor;
    for (const Step& step : m_steps)
        if (step.fate == Fate::control && step.energy)
            floor = std::max({floor.value_or(0), (step.high - step.low) / 2, std::abs(*step.energy - 100)});
    return floor;
}

std::vector<tuning::Candidate> Annealing::propose(std::size_t most) {
    if (most == 0 || m_isOpen || m_isUsedUp || !m_disagreement.empty() || faults() >= mostFaults) return {};
    const std::uint64_t number = m_steps.size();
    m_proposed = {};
    m_proposed.number = number;
    m_proposed.temperature = temperature();
    std::string words;
    const bool controlIsDue = m_settings.mode == Mode::measured && m_settings.controlEvery > 0 && m_looked > 0 &&
                              m_looked % m_settings.controlEvery == 0 && !m_steps.back().isControl();
    if (number == 0) {
        words = startWord;
        m_proposed.fate = Fate::start;
        m_proposed.hash = hashOf(m_startWords);
        m_proposed.staticCost = m_startCost;
        m_proposedWords = m_startWords;
    } else if (controlIsDue) {
        words = controlWord;
        m_proposed.fate = Fate::control;
        m_proposed.hash = hashOf(m_originalWords);
        m_proposed.staticCost = originalCost();
        m_proposedWords = m_originalWords;
    } else if (m_looked >= m_settings.steps) {
        return {};
    } else if (drawStep()) {
        words = wordsOf(m_proposed.move);
    } else {
        m_isUsedUp = true;
        return {};
    }
    m_isOpen = true;
    return {{fmt::format("{} {}", number, words)}};
}

/// Draws until a move is legal and not plainly worse; the walk stays where it is. Two steps of three are the
/// model's own choice of several such moves: a loss that it knows of is won back in few steps.
bool Annealing::drawStep() {
    tuning::Random random(m_settings.seed, drawStream(m_proposed.number));
    const int wanted = random.uniform() < guidedShare ? movesCompared : 1;
    int found = 0;
    for (int tries = 0; tries < mostDraws && found < wanted && !m_draw.isEmpty(); ++tries) {
        const std::optional<sass::Move> move = m_draw.draw(m_walk, random);
        if (!move) {
            ++m_proposed.drawn[std::string(name(sass::Blocked::order))];
            continue;
        }
        const std::string text = textOf(*move, m_walk);
        if (const sass::Blocked blocked = m_walk.tryMove(*move); blocked != sass::Blocked::none) {
            ++m_proposed.drawn[std::string(name(blocked))];
            continue;
        }
        const double cost = m_cost.of(m_walk).cost();
        const bool isPlateau = m_settings.mode == Mode::modelled || cost <= m_currentCost + equal;
        found += isPlateau;
        if (!isPlateau) {
            ++m_proposed.drawn["worse"];
        } else if (found > 1) {
            ++m_proposed.drawn["outdone"]; // it, or what it takes the place of
        }
        if (isPlateau && (found == 1 || cost < m_proposed.staticCost - equal)) {
            m_proposed.move = *move;
            m_proposed.text = text;
            m_proposed.staticCost = cost;
            m_proposedWords = m_walk.words();
        }
        m_walk.undo();
    }
    if (found > 0) m_proposed.hash = hashOf(m_proposedWords);
    return found > 0;
}

/// Carries a step's move out.
bool Annealing::take(const sass::Move& move, Step& step) {
    if (m_walk.tryMove(move) != sass::Blocked::none) return false;
    step.staticCost = m_cost.of(m_walk).cost();
    return true;
}

/// The step that a candidate stands for: what was proposed just now, or what an earlier run has kept.
Step Annealing::stepOf(const tuning::Candidate& candidate) {
    std::uint64_t number = 0;
    const char *begin = candidate.key.data(), *end = begin + candidate.key.size();
    const auto [rest, error] = std::from_chars(begin, end, number);
    const std::string_view words = rest < end ? std::string_view(rest + 1, end) : std::string_view();
    Step step;
    step.number = number;
    step.temperature = temperature();
    const auto bad = [&](const char* what) {
        m_disagreement = fmt::format("step {} (`{}`) {}", m_steps.size(), candidate.key, what);
        return step;
    };
    if (error != std::errc{} || number != m_steps.size()) return bad("is not the one that comes next");
    if (m_isOpen && m_proposed.number == number) return m_proposed;
    if (words == startWord || words == controlWord) {
        const bool isStart = words == startWord;
        if (isStart != (number == 0)) return bad("is out of place");
        step.fate = isStart ? Fate::start : Fate::control;
        step.hash = hashOf(isStart ? m_startWords : m_originalWords);
        step.staticCost = isStart ? m_startCost : originalCost();
        return step;
    }
    const std::optional<sass::Move> move = moveFrom(words);
    if (!move || number == 0) return bad("is none");
    step.move = *move;
    if (move->from < 0 || std::size_t(move->from) >= m_walk.code().size()) return bad("is outside of the code");
    step.text = textOf(*move, m_walk);
    if (!take(*move, step)) return bad("is not legal where it stands");
    step.hash = hashOf(m_walk.words());
    m_walk.undo();
    return step;
}

/// What an outcome says of the step.
void Annealing::fill(Step& step, const tuning::Outcome& outcome) {
    using Kind = tuning::Outcome::Kind;
    step.reason = outcome.reason;
    if (outcome.kind == Kind::wrong) step.fate = Fate::faulted;
    if (outcome.kind == Kind::refused) step.fate = Fate::unproved;
    if (outcome.kind == Kind::failed) step.fate = Fate::failed;
    const nlohmann::json details = nlohmann::json::parse(outcome.details, nullptr, false);
    if (details.is_object()) try {
            step.pairs = details.value("pairs", step.pairs);
            step.low = details.value("low", 0.0);
            step.high = details.value("high", 0.0);
            if (details.contains("drawn")) step.drawn = details.at("drawn").get<std::map<std::string, int>>();
        } catch (const nlohmann::json::exception& e) {
            m_disagreement = fmt::format("step {} has an account that cannot be read: {}", step.number, e.what());
        }
    if (outcome.kind != Kind::valued || !outcome.value) return;
    step.energy = outcome.value;
    if (const auto known = m_known.find(step.hash); known != m_known.end() && step.fate != Fate::control) {
        step.sameAs = known->second.step;
        step.low = known->second.low;
        step.high = known->second.high;
    } else if (!(step.low > 0) || step.high < step.low) {
        step.low = step.high = *step.energy;
    }
}

void Annealing::hear(const tuning::Candidate& candidate, const tuning::Outcome& outcome) {
    if (!m_disagreement.empty()) return;
    Step step = stepOf(candidate);
    m_isOpen = false;
    if (!m_disagreement.empty()) return;
    fill(step, outcome);
    if (!m_disagreement.empty()) return;
    learn(step);
    m_steps.push_back(std::move(step));
    goBackWhereDue();
}

void Annealing::learn(Step& step) {
    if (step.fate == Fate::faulted) m_faulted.insert(step.hash);
    if (step.number == 0) {
        if (step.energy) {
            m_current = {*step.energy, step.low, step.high, 0};
            m_known.emplace(step.hash, m_current);
            enterBest(step);
        } else {
            m_isUsedUp = true;
        }
        return;
    }
    if (step.isControl()) return;
    ++m_looked;
    if (!step.energy) return;
    const Known known{*step.energy, step.low, step.high, step.number};
    m_known.try_emplace(step.hash, known);
    decide(step);
    if (step.fate != Fate::accepted) return;
    m_walk.apply(step.move);
    m_path.push_back(step.number);
    m_current = known;
    m_currentHash = step.hash;
    m_currentCost = step.staticCost;
    enterBest(step);
}

/// Metropolis, on what of the difference is beyond the noise of both: of the two intervals, which need not be
/// symmetric, the parts that lie between the energies.
void Annealing::decide(Step& step) {
    const double difference = *step.energy - m_current.energy;
    const double noise = std::hypot(*step.energy - step.low, m_current.high - m_current.energy);
    const double beyond = std::max(0.0, difference - noise);
    tuning::Random random(m_settings.seed, acceptStream(step.number));
    const bool isAccepted = beyond <= 0 || random.uniform() < std::exp(-beyond / std::max(step.temperature, equal));
    step.fate = isAccepted ? Fate::accepted : Fate::refused;
}

void Annealing::enterBest(Step& step) {
    if (m_best && *step.energy >= m_best->energy - equal) return;
    step.isBest = true;
    m_best = Known{*step.energy, step.low, step.high, step.number};
    m_bestWords = m_walk.words();
    m_bestPath = m_path;
}

void Annealing::goBackWhereDue() {
    const auto due = std::uint64_t(std::ceil(goesBackAfter * double(m_settings.steps)));
    if (m_wentBack > 0 || m_looked == 0 || m_looked < due || !m_best) return;
    const double before = temperature();
    m_wentBack = m_looked;
    const double gain = m_steps.front().energy.value_or(100) - m_best->energy;
    m_reheated = std::max(before, gain / 3);
    m_walk.reset();
    for (const sass::Move& move : m_worsening)
        m_walk.apply(move);
    for (const std::uint64_t step : m_bestPath)
        m_walk.apply(m_steps[step].move);
    m_path = m_bestPath;
    m_current = *m_best;
    m_currentHash = hashOf(m_bestWords);
    m_currentCost = m_cost.of(m_walk).cost();
}

std::optional<std::vector<sass::Word>> Annealing::withoutMove(std::uint64_t without) const {
    if (std::find(m_bestPath.begin(), m_bestPath.end(), without) == m_bestPath.end()) return std::nullopt;
    sass::Rescheduler walk = m_walk;
    walk.reset();
    for (const sass::Move& move : m_worsening)
        walk.apply(move);
    // A move names places: what stands there differs once an earlier one is missing, so it is followed by instruction.
    sass::Rescheduler as = walk;
    for (const std::uint64_t step : m_bestPath) {
        const sass::Move& move = m_steps[step].move;
        const int id = as.at(move.from);
        if (step != without) {
            sass::Move same = move;
            same.from = walk.placeOf(id);
            same.to = same.from + (move.to - move.from);
            if (!walk.apply(same)) return std::nullopt;
        }
        as.apply(move);
    }
    return walk.words();
}

} // namespace kernelarium::schedule
