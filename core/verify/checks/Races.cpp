// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

#include <fmt/format.h>

namespace kernelarium::verify {

namespace {

std::string placeOf(const Fault& race) {
    const auto triple = [](const std::array<std::uint32_t, 3>& t) {
        return fmt::format("({}, {}, {})", t[0], t[1], t[2]);
    };
    std::string text = fmt::format("{}: block {} thread {} at line {}", race.kernel, triple(race.block),
                                   triple(race.thread), race.line);
    if (race.other)
        text += fmt::format(" and block {} thread {} at line {}", triple(race.other->block), triple(race.other->thread),
                            race.other->line);
    return text;
}

/// One of the orders in which a run can be repeated.
struct OtherOrder {
    std::uint64_t schedule;
    bool contraryLanes;
    const char* words;
};
constexpr OtherOrder falling{1, false, "With blocks and warps in falling order "};
constexpr OtherOrder shuffled{2, false, "With blocks and warps shuffled "};
constexpr OtherOrder fallingWarps{1 | warpsOnly, false, "With the warps of a block in falling order "};
constexpr OtherOrder shuffledWarps{2 | warpsOnly, false, "With the warps of a block shuffled "};
constexpr OtherOrder contrary{
    0, true,
    "With a warp's lanes taking turns the other way round (the other side of divergent branches first, an "
    "atomic's last lane first) "};

/// The races of a run, by what they mean.
struct Races {
    const Fault* deciding = nullptr; ///< changes results whatever the order of whole warps
    const Fault* telling = nullptr;
    const Fault* harmless = nullptr;
    const Fault* lanes = nullptr;    ///< of one warp
    const Fault* unfenced = nullptr; ///< volatile stores whose order is relied on
    bool guarded = false;

    explicit Races(const std::vector<Fault>& faults) {
        for (const Fault& fault : faults) {
            if (fault.kind != "race") continue;
            if (fault.effect == RaceEffect::lanes)
                noteFirst(lanes, fault);
            else if (fault.effect == RaceEffect::unfenced)
                noteFirst(unfenced, fault);
            else if (fault.sameValue)
                noteFirst(harmless, fault);
            else if (fault.effect == RaceEffect::guarded)
                guarded = true;
            else
                noteFirst(telling, fault);
            const bool decides =
                fault.effect == RaceEffect::lost_update || fault.effect == RaceEffect::undefined_winner;
            if (decides) noteFirst(deciding, fault);
        }
    }

private:
    static void noteFirst(const Fault*& place, const Fault& fault) {
        if (!place) place = &fault;
    }
};

/// Accesses to the same bytes that nothing orders, results that hang on the order of blocks through atomics,
/// and such that hang on the order in which the lanes of a warp take turns. Other orders are tried.
class RacesCheck : public Check {
public:
    std::string_view name() const override { return "races"; }
    std::string_view explanation() const override {
        return "Two threads that access the same bytes with nothing between them to order it give one result today "
               "and another tomorrow. Every access is compared with those before it; where two are not ordered, "
               "blocks and warps are executed in other orders, and the result must not change. It also must not "
               "change when the lanes of a warp take turns the other way round at divergent branches and in atomics.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {
            {VerdictKind::fault, "race", "Accesses to the same bytes that nothing orders."},
            {{}, "race", "Accesses to the same bytes that nothing orders."},
            {{}, "benign_race", "Accesses to the same bytes that nothing orders, without effect on the result."},
            {{}, "lockstep", "Lanes of a warp read what others of it stored, without __syncwarp in between."},
            {{}, "unfenced_handoff", "Data is handed over through volatile accesses that no fence keeps in order."}};
        return all;
    }
    bool runsKernel() const override { return true; }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const RunResult& base = evidence.base().run;
        const Races races(base.faults);
        if (races.deciding) return notes.fail(VerdictKind::fault, "race", decidingSentence(*races.deciding));
        if (!evidence.runner().capabilities().tracksWrites) return notes.skip("Accesses are not checked here.");
        noteUndefined(races, notes);
        const bool ofWarps = races.telling || races.guarded || base.usesAtomics || base.looseOrder;
        // Shared memory is of one block: blocks, which may wait for those before them, keep their order.
        if (!ofWarps && base.usesSharedAtomics && evidence.runner().capabilities().schedules &&
            !(stays(evidence, fallingWarps, nullptr, notes) && stays(evidence, shuffledWarps, nullptr, notes)))
            return;
        if (!ofWarps && !base.lanesTookTurns) return sayQuiet(races.harmless, notes);
        if (!evidence.runner().capabilities().schedules)
            return leave(races.telling, "This backend executes blocks and warps in one order only.", notes);
        if (ofWarps &&
            !(stays(evidence, falling, races.telling, notes) && stays(evidence, shuffled, races.telling, notes)))
            return;
        if (base.lanesTookTurns && !stays(evidence, contrary, races.telling, notes)) return;
        if (!races.telling) return sayQuiet(races.harmless, notes);
        notes.remark("race", "Nothing orders these accesses, although none of the orders that were tried "
                             "changes the result: " +
                                 placeOf(*races.telling) + ".");
    }

private:
    static std::string decidingSentence(const Fault& race) {
        if (race.effect == RaceEffect::lost_update)
            return "Threads update the same place without an atomic, so updates can be lost: " + placeOf(race) + ".";
        return "Threads store different values in the same place in one instruction, and which one remains is not "
               "defined: " +
               placeOf(race) + ".";
    }

    /// What the order of warps and lanes here cannot show: a GPU may keep to another one.
    static void noteUndefined(const Races& races, CheckNotes& notes) {
        if (races.lanes)
            notes.remark("lockstep", "A lane reads what another lane of its warp stored, and no __syncwarp makes them "
                                     "meet in between; lanes need not run in lockstep: " +
                                         placeOf(*races.lanes) + ".");
        if (races.unfenced)
            notes.remark("unfenced_handoff",
                         "Data is read after a flag or counter was seen, and no fence keeps the two stores in this "
                         "order: volatile alone does not. " +
                             placeOf(*races.unfenced) + ".");
    }

    static void sayQuiet(const Fault* harmless, CheckNotes& notes) {
        if (harmless)
            return notes.remark("benign_race",
                                "Several threads store the same value in the same place: " + placeOf(*harmless) + ".");
        notes.pass("Every two accesses to the same bytes are ordered, both only read, or an atomic decides.");
    }

    /// What was seen is said, although other orders could not be tried.
    static void leave(const Fault* telling, const std::string& why, CheckNotes& notes) {
        if (!telling) return notes.skip(why);
        notes.remark("race", "Nothing orders these accesses: " + placeOf(*telling) + ". " + why);
    }

    /// Whether the result is the same in this order. False when the matter is decided, or is left.
    static bool stays(Evidence& evidence, const OtherOrder& order, const Fault* telling, CheckNotes& notes) {
        const Case& base = evidence.base();
        if (!evidence.affordable()) return leave(telling, "There was no time for another order.", notes), false;
        Variation variation;
        variation.schedule = order.schedule;
        variation.contraryLanes = order.contraryLanes;
        const Case other = evidence.makeCase(base.seed, base.inputs.tensors, variation, base.expected);
        if (other.run.end == RunEnd::timeout) {
            // A deadlock is of this order; a limit that ran out is of the machine's load.
            if (other.run.reason.find("would never end") != std::string::npos)
                notes.fail(VerdictKind::fault, "race", order.words + other.run.reason);
            else
                leave(telling, "Another order ran out of time.", notes);
            return false;
        }
        if (!noteEnd(other.run, notes)) return false;
        if (!resultsDiffer(evidence, base, other)) return true;
        const std::string hint =
            order.contraryLanes ? ", so that they rely on one another without __syncwarp, or on their turn" : "";
        notes.fail(VerdictKind::fault, "race",
                   order.words + std::string("the result differs") + hint +
                       (telling ? ": " + placeOf(*telling) : std::string()) + ".");
        return false;
    }
};
} // namespace

std::unique_ptr<Check> makeRacesCheck() {
    return std::make_unique<RacesCheck>();
}

} // namespace kernelarium::verify
