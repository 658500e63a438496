// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

#include "core/quantities/Quantities.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::verify {

namespace {
/// Graver states hide milder ones.
int gravity(CheckState state) {
    switch (state) {
    case CheckState::failed: return 3;
    case CheckState::remarked: return 2;
    case CheckState::passed: return 1;
    case CheckState::skipped: return 0;
    }
    return 0;
}
} // namespace

std::span<const Reason> commonReasons() {
    static constexpr Reason all[] = {
        {VerdictKind::launch_error, "launch", ""},
        {VerdictKind::compile_error, "import", ""},
        {VerdictKind::unsupported, "unsupported", ""},
        {VerdictKind::timeout, "timeout", ""},
        {VerdictKind::wrong, "host_exception", ""},
        {VerdictKind::wrong, "structure", ""},
        {VerdictKind::wrong, "values", ""},
        {VerdictKind::wrong, "nan", ""},
        {VerdictKind::fault, "crashed", ""},
        {{}, "ill_conditioned", "Float32 arithmetic itself misses the tolerance here; the kernel is no worse."}};
    return all;
}

void CheckNotes::say(CheckState state, std::string detail) {
    if (m_state && gravity(state) < gravity(*m_state)) return;
    const bool add = m_state == state && !m_detail.empty();
    m_detail = add ? m_detail + " " + detail : std::move(detail);
    m_state = state;
}

void CheckNotes::remark(std::string name, std::string sentence) {
    say(CheckState::remarked, sentence);
    m_notes.push_back({std::nullopt, std::move(name), std::move(sentence), {}});
}

void CheckNotes::fail(VerdictKind kind, std::string reason, std::string sentence, std::string stage) {
    say(CheckState::failed, sentence);
    m_notes.push_back({kind, std::move(reason), std::move(sentence), std::move(stage)});
}

bool noteEnd(const RunResult& run, CheckNotes& notes) {
    const std::string why = run.reason;
    switch (run.end) {
    case RunEnd::finished: return true;
    case RunEnd::launch_refused: notes.fail(VerdictKind::launch_error, "launch", why); break;
    case RunEnd::import_error: notes.fail(VerdictKind::compile_error, "import", why, "import"); break;
    case RunEnd::unsupported:
        notes.fail(VerdictKind::unsupported, "unsupported", "Not supported by this backend: " + why);
        break;
    case RunEnd::out_of_memory:
        notes.fail(VerdictKind::unsupported, "unsupported", "The device does not have enough memory: " + why);
        break;
    case RunEnd::timeout: notes.fail(VerdictKind::timeout, "timeout", why); break;
    case RunEnd::beyond_sample: notes.fail(VerdictKind::unverifiable, "beyond_sample", why); break;
    case RunEnd::host_exception: notes.fail(VerdictKind::wrong, "host_exception", "forward threw: " + why); break;
    case RunEnd::crashed: notes.fail(VerdictKind::fault, "crashed", why); break;
    case RunEnd::cancelled: break; // never reaches a check
    }
    return false;
}

bool resultsDiffer(const Evidence& evidence, const Case& base, const Case& again) {
    if (again.comparison && base.right() != again.right()) return true;
    if (base.withinFloat32Noise) return false;
    return !given(evidence.place().compare(again.run.output, base.run.output, {}, evidence.options().tolerance))
                .rightStrictly();
}

std::string describe(const Mismatch& m) {
    return fmt::format("output {} at {}: expected {:.9g}, got {:.9g}", m.output, tensor::toString(m.index), m.expected,
                       m.got);
}

bool noteComparison(const Case& judged, CheckNotes& notes) {
    const Comparison& c = *judged.comparison;
    // Whether an update is really lost changes from run to run; the verdict is not to.
    const std::vector<Fault>& faults = judged.run.faults;
    const bool losesUpdates = std::any_of(faults.begin(), faults.end(), [](const Fault& fault) {
        return fault.kind == "race" && fault.effect == RaceEffect::lost_update;
    });
    if (losesUpdates && !judged.right() && c.structureError.empty()) {
        notes.fail(
            VerdictKind::fault, "race",
            fmt::format("{} of {} elements are beyond the tolerance, and threads update the same place without an "
                        "atomic: updates are lost.",
                        c.beyondLegacy, c.elements));
        return false;
    }
    if (judged.withinFloat32Noise) {
        notes.remark("ill_conditioned",
                     fmt::format("{} of {} elements are beyond the tolerance, but a plain float32 evaluation is as far "
                                 "off: RMS error {:.3g}.",
                                 c.beyondLegacy, c.elements, c.rmsError));
        return true;
    }
    if (!c.structureError.empty()) {
        notes.fail(VerdictKind::wrong, "structure", c.structureError + ".");
        return false;
    }
    if (c.unexpectedNan)
        notes.fail(VerdictKind::wrong, "nan",
                   fmt::format("{} of {} elements are NaN where the reference has none.", c.unexpectedNan, c.elements));
    if (c.beyondLegacy > c.unexpectedNan)
        notes.fail(VerdictKind::wrong, "values",
                   fmt::format("{} of {} elements ({}) are beyond the tolerance; first {}.", c.beyondLegacy, c.elements,
                               quantities::percent(c.mismatchShare()), describe(*c.firstBeyondLegacy)));
    return c.right();
}

} // namespace kernelarium::verify
