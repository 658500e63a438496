// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"
#include "core/verify/inputs/Philox.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::verify {

namespace {

/// Several calls in one process state, the last with inputs that none before had: once with every call's tensors at new
/// addresses, once with all at the first call's, as a loop that refills its buffers has them.
class CachedResultCheck : public Check {
public:
    std::string_view name() const override { return "cached_result"; }
    std::string_view explanation() const override {
        return "A kernel may compute on its first calls and return what it kept on later ones. After several calls in "
               "one process it gets new inputs, at new addresses and at old ones.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {
            {VerdictKind::suspicious, "cached_result", "It keeps results or state from one call to the next."}};
        return all;
    }
    bool runsKernel() const override { return true; }
    void run(Evidence& evidence, CheckNotes& notes) override {
        if (!evidence.runner().capabilities().severalCalls)
            return notes.skip("This backend starts every call from fresh module state.");
        const Case* second = evidence.second();
        if (!second || !second->expected) return notes.skip("There is no second case to tell results apart.");
        const double ofCall = secondsOfCall(evidence);
        std::size_t calls = callsBefore(ofCall);
        const bool both = ofCall < longRun;
        bool atNew = false, atOld = false;
        std::string noRoom;
        for (const bool sameAddresses : {false, true}) {
            if (sameAddresses && (!both || !evidence.affordable())) break;
            Case last = runAfter(evidence, *second, sameAddresses ? 1 : calls, sameAddresses);
            if (last.run.end == RunEnd::out_of_memory && !sameAddresses && calls > 1)
                last =
                    runAfter(evidence, *second, calls = 1, sameAddresses); // every call's tensors are there at a time
            if (last.run.end == RunEnd::out_of_memory) {
                noRoom = last.run.reason; // two at one place may still fit
                continue;
            }
            if (last.run.end == RunEnd::timeout) return notes.skip("The time limit leaves no room for several calls.");
            if (!noteEnd(last.run, notes)) return;
            if (!last.right() && !rightAlone(evidence, last))
                return notes.skip("With other inputs it is wrong without any earlier call, too: what is kept cannot be "
                                  "told from that.");
            if (!last.right())
                return notes.fail(
                    VerdictKind::suspicious, "cached_result",
                    fmt::format("Right on the first call, wrong on call {} with other inputs {}: it keeps "
                                "results or state between calls.",
                                sameAddresses ? 2 : calls + 1,
                                sameAddresses ? "at the same addresses" : "at other addresses"));
            (sameAddresses ? atOld : atNew) = true;
        }
        if (!atNew && !atOld) return notes.skip("The device's memory leaves no room for several calls: " + noRoom);
        if (atNew && both && evidence.affordable() && !rightWithFewChanges(evidence, notes)) return;
        notes.pass(whatWasTried(calls, atNew, atOld, noRoom.empty()));
    }

private:
    static Case runAfter(Evidence& evidence, const Case& asked, std::size_t calls, bool sameAddresses) {
        Variation variation;
        variation.earlierCalls.assign(calls, evidence.base().inputs.arguments);
        variation.sameAddresses = sameAddresses;
        return evidence.makeCase(asked.seed, asked.inputs.tensors, variation, asked.expected);
    }

    /// The same inputs in a process of their own: what is wrong there as well has another cause than earlier calls.
    static bool rightAlone(Evidence& evidence, const Case& last) {
        Variation variation;
        variation.addressSalt = 7;
        const Case alone = evidence.makeCase(last.seed, last.inputs.tensors, variation, last.expected);
        return !alone.comparison || alone.right();
    }

    static std::string whatWasTried(std::size_t calls, bool atNew, bool atOld, bool hadRoom) {
        const char* why = hadRoom ? "because time ran out" : "because the device has too little memory";
        if (!atNew)
            return fmt::format("Right with new values at the same addresses; at others it was not tried, {}.", why);
        return fmt::format("Right with new inputs after {} other call{} in the same process state{}.", calls,
                           calls == 1 ? "" : "s",
                           atOld ? std::string(", and with new values at the same addresses")
                                 : fmt::format("; with new values at the same addresses it was not tried, {}", why));
    }

    /// A key of a few elements tells whole new inputs from old ones; a change of a single one somewhere it does not.
    static bool rightWithFewChanges(Evidence& evidence, CheckNotes& notes) {
        std::vector<tensor::Tensor> changed;
        for (std::size_t i = 0; i < evidence.base().inputs.tensors.size(); ++i) {
            const tensor::Tensor& t = evidence.base().inputs.tensors[i];
            const std::vector<Sampling> few = somewhere(t.count(), evidence.base().seed, i);
            changed.push_back(given(evidence.place().mixed(t, evidence.second()->inputs.tensors[i], few)));
        }
        Variation variation;
        variation.earlierCalls = {evidence.base().inputs.arguments};
        const Case last = evidence.makeCase(evidence.base().seed, std::move(changed), variation);
        // The limit covers all runs, and the others made it.
        if (last.run.end == RunEnd::timeout || last.run.end == RunEnd::out_of_memory) return true;
        if (!noteEnd(last.run, notes)) return false;
        if (!last.comparison || last.right() || !rightAlone(evidence, last)) return true;
        notes.fail(VerdictKind::suspicious, "cached_result",
                   "Wrong when only a few elements are new: it mistakes inputs for known ones.");
        return false;
    }

    /// Two runs of neighbours: long enough to be felt, and where nobody can know.
    static std::vector<Sampling> somewhere(std::int64_t count, std::uint64_t seed, std::size_t tensor) {
        constexpr std::uint32_t ownCounters = 0x4b657973; // apart from the inputs'
        constexpr std::uint32_t places = 2;
        std::vector<Sampling> few;
        for (std::uint32_t n = 0; count > 0 && n < places; ++n) {
            const auto words = Philox(seed)({n, std::uint32_t(tensor), 0, ownCounters});
            const std::int64_t run = std::max<std::int64_t>(1, count / 256);
            const auto first = std::int64_t(unitInterval(words[0], words[1]) * double(count - run + 1));
            few.push_back({std::min(first, count - run), 1, run});
        }
        return few;
    }

    static constexpr double longRun = 1.0;     ///< seconds
    static constexpr double mostSeconds = 0.5; ///< spent on earlier calls
    static constexpr double mostCalls = 20;

    /// As many as are cheap: who keeps results may begin with it after some calls.
    static std::size_t callsBefore(double seconds) {
        return std::size_t(std::clamp(mostSeconds / std::max(seconds, 1e-3), 1.0, mostCalls));
    }

    /// Seconds that one call takes on a quiet machine, by what the backend counted: how many calls are tried, and hence
    /// the verdict, must not hang on how busy the machine is. What library operators take is not counted, and nothing
    /// is on a device; there the clock decides.
    static double secondsOfCall(Evidence& evidence) {
        const RunResult& run = evidence.base().run;
        if (!evidence.runner().capabilities().counts || !run.libraryCalls.empty()) return evidence.baseSeconds();
        constexpr double warpInstruction = 60e-9, launch = 100e-6; // of the emulator on one slow processor
        double seconds = double(run.launches.size()) * launch;
        for (const Launch& l : run.launches)
            seconds += double(l.warpInstructions) * warpInstruction;
        return seconds;
    }
};
} // namespace

std::unique_ptr<Check> makeCachedResultCheck() {
    return std::make_unique<CachedResultCheck>();
}

} // namespace kernelarium::verify
