// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Verifier.h"

#include "core/quantities/Quantities.h"
#include "core/verify/Check.h"
#include "core/verify/LastWriter.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <new>

namespace kernelarium::verify {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void addOnce(std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

/// Collects the notes of all checks into a verdict.
class VerdictMaker {
public:
    explicit VerdictMaker(Evidence& evidence)
        : m_evidence(evidence) {}

    void hold(Check& check) {
        CheckNotes notes;
        const auto start = Clock::now();
        const int before = m_evidence.runs();
        if (const std::string why = whyNot(check); !why.empty())
            notes.skip(why);
        else
            check.run(m_evidence, notes);
        m_verdict.checks.push_back({std::string(check.name()), notes.state(), notes.detail(), secondsSince(start),
                                    m_evidence.runs() - before});
        m_judged.push_back(check.judged(m_evidence));
        for (const CheckNote& note : notes.all())
            m_notes.push_back(note);
        m_ended = m_ended || m_evidence.base().run.end != RunEnd::finished;
    }

    Verdict close() {
        decide();
        describeRuns();
        traceWriter();
        return std::move(m_verdict);
    }

private:
    /// Empty when the check is to be made.
    std::string whyNot(const Check& check) const {
        if (m_ended) return "The first run did not finish.";
        if (!check.runsKernel()) return {};
        for (const CheckNote& note : m_notes)
            if (note.kind && *note.kind < VerdictKind::suspicious) return "Already decided.";
        if (check.alwaysRuns()) return {};
        if (!m_evidence.options().checks) return "Checks were switched off.";
        if (!m_evidence.affordable()) return "The time limit leaves no room for another run.";
        return {};
    }

    void decide() {
        for (const CheckNote& note : m_notes)
            if (note.kind) m_verdict.kind = std::min(m_verdict.kind, *note.kind);
        for (const CheckNote& note : m_notes) {
            if (!note.kind) {
                addOnce(m_verdict.remarks, note.name);
                continue;
            }
            if (*note.kind != m_verdict.kind) continue;
            addOnce(m_verdict.reasons, note.name);
            if (m_verdict.message.empty()) {
                m_verdict.message = note.sentence;
                m_verdict.stage = note.stage;
            }
        }
        if (m_verdict.kind == VerdictKind::wrong)
            if (const std::string cause = causeOfWrongValues(); !cause.empty()) m_verdict.message += ' ' + cause;
        // Graver or not, what speaks against the kernel is not lost.
        for (const CheckNote& note : m_notes)
            if (note.kind && *note.kind != m_verdict.kind) addOnce(m_verdict.remarks, note.name);
    }

    /// A fault that the run had as well, or a race, which says more than the first wrong element; empty: none is known.
    [[nodiscard]] std::string causeOfWrongValues() const {
        for (const CheckNote& note : m_notes)
            if (note.kind == VerdictKind::fault && !note.sentence.empty()) return note.sentence;
        for (const Fault& fault : m_evidence.base().run.faults) {
            const bool harmless = fault.sameValue || fault.effect == RaceEffect::lanes ||
                                  fault.effect == RaceEffect::unfenced || fault.effect == RaceEffect::guarded;
            if (fault.kind == "race" && !harmless) return "A race may be the cause: " + fault.message;
        }
        return {};
    }

    void describeRuns() {
        const Case& base = m_evidence.base();
        m_verdict.launches = base.run.launches;
        m_verdict.unsaid = base.run.unsaid;
        if (base.run.functions.size() > 1) m_verdict.functions = base.run.functions;
        m_verdict.share = base.share;
        m_verdict.libraryCalls = base.run.libraryCalls;
        m_verdict.notes = base.run.remarks;
        if (m_verdict.kind != VerdictKind::verified) explainRefusal(base.run);
        m_verdict.printed = base.run.printed;
        m_verdict.faults = base.run.faults;
        if (const Case* second = m_evidence.second(); second && m_verdict.faults.empty())
            m_verdict.faults = second->run.faults;
        addComparison(base);
        if (const Case* second = m_evidence.second()) addComparison(*second);
    }

    /// A kernel that somebody timed ran somewhere: whoever doubts this verdict needs to see where it went otherwise
    /// here.
    void explainRefusal(const RunResult& run) {
        for (const std::string& call : run.refusedCalls)
            m_verdict.notes.push_back("A call of host code failed: " + call + ".");
        const std::optional<ClaimedTime>& claim = m_evidence.options().claim;
        if (!claim || m_verdict.kind == VerdictKind::unsupported || m_verdict.kind == VerdictKind::timeout ||
            m_verdict.kind == VerdictKind::unverifiable)
            return;
        m_verdict.notes.push_back(fmt::format("This contradicts a measured claim: {} has a time of {} for it on {}.",
                                              claim->source, quantities::seconds(claim->seconds), claim->device.name));
    }

    void addComparison(const Case& c) {
        if (!c.comparison || !c.comparison->structureError.empty()) return;
        const Comparison& found = *c.comparison;
        const auto worst = [](std::optional<double>& field, double value) {
            field = std::max(field.value_or(0), value);
        };
        worst(m_verdict.maxAbsoluteError, found.maxAbsoluteError);
        worst(m_verdict.maxRelativeError, found.maxRelativeError);
        worst(m_verdict.rmsError, found.rmsError);
        worst(m_verdict.referenceRms, found.referenceRms);
        worst(m_verdict.mismatchShare, found.mismatchShare());
        if (!m_verdict.firstMismatch) {
            m_verdict.firstMismatch = found.firstBeyondLegacy ? found.firstBeyondLegacy : found.firstBeyondStrict;
            m_mismatched = &c;
        }
        const bool isRight = m_verdict.kind == VerdictKind::verified; // a verdict that somebody reads
        if (found.firstBeyondLegacy && !m_verdict.errorMap && (isRight || m_evidence.options().explain))
            m_verdict.errorMap = m_evidence.errorMapOf(c, found.firstBeyondLegacy->output);
    }

    /// Who wrote the first wrong element; told by the check that found it, too.
    void traceWriter() {
        if (!m_evidence.options().explain) return;
        if (m_verdict.kind != VerdictKind::wrong || !m_verdict.firstMismatch) return;
        m_verdict.lastWriter = findLastWriter(m_evidence, *m_mismatched, *m_verdict.firstMismatch);
        if (!m_verdict.lastWriter) return;
        const std::string sentence = writerSentence(*m_verdict.firstMismatch, *m_verdict.lastWriter);
        for (std::size_t i = 0; i < m_judged.size(); ++i)
            if (m_judged[i] == m_mismatched) m_verdict.checks[i].detail += " " + sentence;
    }

    Evidence& m_evidence;
    const Case* m_mismatched = nullptr; ///< the case of the verdict's firstMismatch
    Verdict m_verdict;
    std::vector<const Case*> m_judged; ///< by the verdict's checks
    std::vector<CheckNote> m_notes;
    bool m_ended = false;
};

void describeReference(const Reference& reference, Verdict& verdict) {
    verdict.reference = reference.describe();
    if (std::string remark = reference.remark(); !remark.empty()) verdict.notes.push_back(std::move(remark));
    if (reference.preparationSeconds() > 0) verdict.seconds["reference kernels"] = reference.preparationSeconds();
}

} // namespace

Result<Verdict> verify(Runner& runner, Reference* reference, const InputPlan& plan, const VerifyOptions& options) {
    const auto start = Clock::now();
    Evidence evidence(runner, reference, plan, options);
    try {
        VerdictMaker maker(evidence);
        for (const std::unique_ptr<Check>& check : standardChecks())
            maker.hold(*check);
        Verdict verdict = maker.close();
        verdict.backend = runner.backend();
        verdict.size = options.size;
        verdict.seed = options.seed;
        verdict.tolerance = options.tolerance;
        verdict.seconds = evidence.seconds();
        if (reference) describeReference(*reference, verdict);
        verdict.seconds["total"] = secondsSince(start);
        return verdict;
    } catch (const Interrupted& interrupted) {
        return interrupted.error;
    } catch (const std::bad_alloc&) {
        return Error{"out_of_memory", "There was not enough memory to verify this.", "Use a smaller size."};
    } catch (const std::exception& failure) {
        return Error{"internal", std::string("The verification failed: ") + failure.what() + "."};
    }
}

Verdict compileErrorVerdict(const std::string& stage, const std::string& message) {
    Verdict verdict;
    const bool unsupported = stage == "unsupported";
    verdict.kind = unsupported ? VerdictKind::unsupported : VerdictKind::compile_error;
    if (!unsupported) verdict.stage = stage;
    verdict.message = message;
    verdict.reasons = {stage};
    return verdict;
}

} // namespace kernelarium::verify
