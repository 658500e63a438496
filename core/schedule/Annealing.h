// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/MoveDraw.h"
#include "core/schedule/StaticCost.h"
#include "core/schedule/Step.h"
#include "core/schedule/Subject.h"
#include "core/tuning/search/Candidate.h"

#include <set>
#include <unordered_map>
#include <vector>

namespace kernelarium::schedule {

/// Simulated annealing over legal schedules as SIP (2024) describes it: one move a step, accepted by Metropolis. Unlike
/// there an energy is percent of the original's time, a difference counts only as far as it is beyond its noise, moves
/// are those of MoveDraw, of which a model of one warp chooses one in two steps of three, and what it finds worse than
/// the present schedule is not measured. Once, after three fifths of the steps, it goes back to the best and is heated
/// to a third of the best's gain.
///
/// All chance of a step comes from the seed and the step's number, and what it decides, from what it has heard: hearing
/// the kept steps again, in their order, brings it to where it was.
class Annealing : public tuning::Proposer {
public:
    Annealing(const Subject& subject, const Settings& settings);

    [[nodiscard]] std::vector<tuning::Candidate> propose(std::size_t most) override;
    void hear(const tuning::Candidate& candidate, const tuning::Outcome& outcome) override;
    [[nodiscard]] std::optional<std::uint64_t> total() const override { return m_settings.steps; }

    /// The step that was proposed and not heard of yet: its fate is open. Its code, to be proved and measured.
    [[nodiscard]] const Step& proposed() const { return m_proposed; }
    [[nodiscard]] const std::vector<sass::Word>& proposedWords() const { return m_proposedWords; }

    /// All steps that were heard of, in their order.
    [[nodiscard]] const std::vector<Step>& steps() const { return m_steps; }
    /// Of these, the schedules that were looked at: without the start and the controls.
    [[nodiscard]] std::uint64_t looked() const { return m_looked; }
    /// The schedule that the search began with and the best one: code of the kernel.
    [[nodiscard]] const std::vector<sass::Word>& startWords() const { return m_startWords; }
    [[nodiscard]] const std::vector<sass::Word>& bestWords() const { return m_bestWords; }
    /// Steps whose moves lead from the start to the best, in their order.
    [[nodiscard]] const std::vector<std::uint64_t>& bestPath() const { return m_bestPath; }
    [[nodiscard]] std::optional<std::uint64_t> best() const;                       ///< the step of the least energy
    [[nodiscard]] const std::string& currentHash() const { return m_currentHash; } ///< of the present schedule
    [[nodiscard]] double currentEnergy() const { return m_current.energy; }
    [[nodiscard]] double temperature() const;
    /// Percent: half of the interval of the widest control, or its distance from 100 where that is more. Nothing
    /// without controls.
    [[nodiscard]] std::optional<double> noiseFloor() const;
    [[nodiscard]] double originalCost() const { return m_cost.original().cost(); } ///< MODELLED
    [[nodiscard]] double startCost() const { return m_startCost; }                 ///< MODELLED
    /// Legal moves that have made the start worse: fewer than were asked for where no more were found.
    [[nodiscard]] std::size_t worsened() const { return m_worsening.size(); }

    /// The best without one of its path's moves; nothing where the later ones are not legal then.
    [[nodiscard]] std::optional<std::vector<sass::Word>> withoutMove(std::uint64_t step) const;

    /// The kept steps are not of this search: what does not fit. Empty: they are.
    [[nodiscard]] const std::string& disagreement() const { return m_disagreement; }
    /// Different proved schedules that faulted or gave other bits; the last of so many ends the search.
    [[nodiscard]] int faults() const { return int(m_faulted.size()); }
    static constexpr int mostFaults = 3;

private:
    struct Known {
        double energy = 100, low = 100, high = 100;
        std::uint64_t step = 0;
    };
    void worsen();
    [[nodiscard]] Step stepOf(const tuning::Candidate& candidate);
    bool take(const sass::Move& move, Step& step);
    bool drawStep();
    void fill(Step& step, const tuning::Outcome& outcome);
    void learn(Step& step);
    void decide(Step& step);
    void enterBest(Step& step);
    void goBackWhereDue();
    [[nodiscard]] double cooled(std::uint64_t looked) const;

    Settings m_settings;
    sass::Rescheduler m_walk;
    StaticCost m_cost;
    MoveDraw m_draw;
    std::vector<sass::Move> m_worsening;
    std::vector<sass::Word> m_originalWords, m_startWords, m_bestWords, m_proposedWords;
    double m_startCost = 0;
    Step m_proposed;
    bool m_isOpen = false; ///< m_proposed was not heard of yet
    std::vector<Step> m_steps;
    std::vector<std::uint64_t> m_path, m_bestPath;
    std::unordered_map<std::string, Known> m_known; ///< by hash
    Known m_current;
    std::string m_currentHash;
    double m_currentCost = 0;
    std::optional<Known> m_best;
    std::uint64_t m_looked = 0, m_wentBack = 0; ///< the latter: when; 0: not yet
    double m_reheated = 0;                      ///< to which temperature
    std::set<std::string> m_faulted;            ///< hashes
    bool m_isUsedUp = false;                    ///< nothing can be moved, or the start has no energy
    std::string m_disagreement;
};

/// What tells schedules apart: SHA-256 of the code, 16 digits.
[[nodiscard]] std::string hashOf(const std::vector<sass::Word>& words);

} // namespace kernelarium::schedule
