// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::verify {

namespace {

std::string placeOf(const Fault& race) {
    const auto triple = [](const std::array<std::uint32_t, 3>& t) { return fmt::format("({}, {}, {})", t[0], t[1], t[2]); };
    std::string text = fmt::format("{}: block {} thread {} at line {}", race.kernel, triple(race.block),
                                   triple(race.thread), race.line);
    if (race.other)
        text += fmt::format(" and block {} thread {} at line {}", triple(race.other->block), triple(race.other->thread),
                            race.other->line);
    return text;
}

/// Several threads at one line, load and store of what another has stored: `sum += x` without an atomic. One of two such
/// updates is lost when they happen at once, which no order of whole warps shows.
bool losesUpdates(const Fault& race) { return race.other && race.line > 0 && race.line == race.other->line; }

/// Accesses to the same bytes that nothing orders, and results that hang on the order of blocks through atomics. Other
/// orders of blocks and warps are tried.
class RacesCheck : public Check {
public:
    std::string_view name() const override { return "races"; }
    bool runsKernel() const override { return true; }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const Case& base = evidence.base();
        std::vector<const Fault*> telling;
        const Fault* harmless = nullptr;
        for (const Fault& fault : base.run.faults) {
            if (fault.kind != "race") continue;
            if (fault.sameValue) harmless = &fault;
            else telling.push_back(&fault);
        }
        for (const Fault* race : telling)
            if (losesUpdates(*race))
                return notes.fail(VerdictKind::fault, "race",
                                  "Threads update the same place without an atomic, so updates can be lost: " +
                                      placeOf(*race) + ".");
        if (!evidence.runner().capabilities().tracksWrites) return notes.skip("Accesses are not looked at here.");
        if (telling.empty() && !base.run.usesAtomics) return sayQuiet(harmless, notes);
        if (!evidence.runner().capabilities().schedules)
            return leave(telling, "This backend executes blocks and warps in one order only.", notes);
        if (!tryOrders(evidence, telling.empty() ? nullptr : telling.front(), notes)) return;
        if (telling.empty()) return sayQuiet(harmless, notes);
        notes.remark("race", "Nothing orders these accesses, although none of the orders that were tried changes the result: " +
                                 placeOf(*telling.front()) + ".");
    }

private:
    static constexpr std::uint64_t fallingOrder = 1;
    static constexpr std::uint64_t shuffledOrder = 2;

    static void sayQuiet(const Fault* harmless, CheckNotes& notes) {
        if (harmless)
            return notes.remark("benign_race", "Several threads store the same value in the same place: " +
                                                   placeOf(*harmless) + ".");
        notes.pass("Every two accesses to the same bytes are ordered, or both only read.");
    }

    /// What was seen is said, although other orders could not be tried.
    static void leave(const std::vector<const Fault*>& telling, const std::string& why, CheckNotes& notes) {
        if (telling.empty()) return notes.skip(why);
        notes.remark("race", "Nothing orders these accesses: " + placeOf(*telling.front()) + ". " + why);
    }

    /// False when the matter is decided.
    static bool tryOrders(Evidence& evidence, const Fault* race, CheckNotes& notes) {
        const Case& base = evidence.base();
        for (const std::uint64_t schedule : {fallingOrder, shuffledOrder}) {
            if (!evidence.affordable()) {
                leave(race ? std::vector{race} : std::vector<const Fault*>(), "There was no time for another order.", notes);
                return false;
            }
            Variation variation;
            variation.schedule = schedule;
            const Case other = evidence.makeCase(base.seed, base.inputs.tensors, variation, base.expected);
            const std::string order = schedule == fallingOrder ? "With blocks and warps in falling order " : "With blocks and warps shuffled ";
            if (other.run.end == RunEnd::timeout) {
                // A deadlock is of this order; a limit that ran out is of the machine's load.
                if (other.run.reason.find("would never end") != std::string::npos)
                    notes.fail(VerdictKind::fault, "race", order + other.run.reason);
                else
                    leave(race ? std::vector{race} : std::vector<const Fault*>(), "Another order ran out of time.", notes);
                return false;
            }
            if (!noteEnd(other.run, notes)) return false;
            if (!resultsDiffer(evidence, base, other)) continue;
            notes.fail(VerdictKind::fault, "race",
                       order + "the result is another" + (race ? ": " + placeOf(*race) : std::string()) + ".");
            return false;
        }
        return true;
    }
};
} // namespace

std::unique_ptr<Check> makeRacesCheck() { return std::make_unique<RacesCheck>(); }

} // namespace kernelarium::verify
