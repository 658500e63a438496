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

/// Accesses to the same bytes that nothing orders. Whether they matter shows in another order of blocks and warps.
class RacesCheck : public Check {
public:
    std::string_view name() const override { return "races"; }
    bool runsKernel() const override { return true; }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const Case& base = evidence.base();
        std::vector<const Fault*> races;
        for (const Fault& fault : base.run.faults)
            if (fault.kind == "race") races.push_back(&fault);
        if (races.empty()) return notes.pass("Every two accesses to the same bytes are ordered, or both only read.");
        const auto telling = std::find_if(races.begin(), races.end(), [](const Fault* race) { return !race->sameValue; });
        if (telling == races.end())
            return notes.remark("benign_race", "Several threads store the same value in the same place: " +
                                                   placeOf(*races.front()) + ".");
        if (!evidence.runner().capabilities().schedules)
            return notes.remark("race", "This backend cannot tell whether it matters: " + placeOf(**telling) + ".");
        for (const std::uint64_t schedule : {fallingOrder, shuffledOrder}) {
            if (!evidence.affordable()) return notes.remark("race", "There was no time to see whether it matters: " +
                                                                        placeOf(**telling) + ".");
            Variation variation;
            variation.schedule = schedule;
            const Case other = evidence.makeCase(base.seed, base.inputs.tensors, variation, base.expected);
            if (other.run.end == RunEnd::timeout) return notes.skip("The time limit leaves no room for another run.");
            if (!noteEnd(other.run, notes)) return;
            if (resultsDiffer(evidence, base, other))
                return notes.fail(VerdictKind::fault, "race",
                                  "With blocks and warps in another order the result is another: " + placeOf(**telling) + ".");
        }
        notes.remark("benign_race", "The result is the same in other orders of blocks and warps: " + placeOf(**telling) + ".");
    }

private:
    static constexpr std::uint64_t fallingOrder = 1;
    static constexpr std::uint64_t shuffledOrder = 2;
};
} // namespace

std::unique_ptr<Check> makeRacesCheck() { return std::make_unique<RacesCheck>(); }

} // namespace kernelarium::verify
