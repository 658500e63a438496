// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/superopt/CandidateDesk.h"

#include "core/files/Sha256.h"
#include "ui/desks/SessionDesk.h"
#include "ui/threads/Ask.h"
#include "ui/words/Quantities.h"

namespace kernelarium::ui {

namespace {

constexpr const char* listTag = "list";
constexpr const char* proveTag = "prove";

Result<CandidateListPointer> listed(const CandidateQuestion& question, const superopt::CandidateOptions& options) {
    auto candidates = superopt::candidatesOf(*question.card, question.size, *question.device, options);
    if (!candidates) return candidates.error();
    CandidateList list{question, std::move(*candidates), {}};
    for (const superopt::Candidate& candidate : list.candidates.all)
        list.textHashes.push_back(files::toHex(files::sha256(candidate.file.text)));
    return std::make_shared<const CandidateList>(std::move(list));
}

Result<CandidateProof> proved(const CandidateList& list, const std::string& name, const std::stop_token& stop) {
    const superopt::Candidate* found = list.candidates.find(name);
    if (!found) return Error{"bad_input", "There is no candidate " + name + "."};
    superopt::Candidate candidate = *found;
    proof::Options how;
    how.stop = stop;
    const auto done = superopt::proveCandidate(*list.question.card, list.candidates, candidate, how);
    if (!done && done.error().code == "cancelled") return done.error();
    if (!done) return CandidateProof{name, nullptr, done.error()};
    return CandidateProof{name, std::make_shared<const proof::Proof>(std::move(*candidate.proof)), {}};
}

} // namespace

CandidateDesk::CandidateDesk(SessionDesk& session, QObject* parent)
    : QObject(parent)
    , m_session(session) {}

void CandidateDesk::ask(CandidateQuestion question) {
    m_prover.cancel(proveTag);
    m_proof.clear();
    m_findings.clear();
    const auto ticket = m_list.begin();
    Q_EMIT changed();
    const auto tell = [this, ticket](const std::string& what, std::size_t done, std::size_t all) {
        deliver(this, [this, ticket, what, done, all] {
            const QString step = tr("%1 (%2 of %3)").arg(QString::fromStdString(what)).arg(done + 1).arg(all);
            if (m_list.progress(ticket, step)) Q_EMIT changed();
        });
    };
    ui::ask<CandidateListPointer>(
        m_lister, this, listTag,
        [question = std::move(question), tell](const std::stop_token& stop) {
            superopt::CandidateOptions options;
            options.stop = stop;
            options.progress = tell;
            return listed(question, options);
        },
        [this, ticket](Result<CandidateListPointer> answer) {
            if (!m_list.end(ticket, std::move(answer))) return;
            Q_EMIT changed();
            readAttempts();
        });
}

void CandidateDesk::prove(const std::string& candidate) {
    const CandidateListPointer list = state().answer;
    if (!list || isListing()) return;
    const auto ticket = m_proof.begin();
    m_proving = candidate;
    Q_EMIT findingsChanged();
    ui::ask<CandidateProof>(
        m_prover, this, proveTag,
        [list, candidate](const std::stop_token& stop) { return proved(*list, candidate, stop); },
        [this, ticket](Result<CandidateProof> answer) {
            if (!m_proof.end(ticket, std::move(answer))) return;
            if (proofState().stage == Stage::finished) {
                const CandidateProof& found = proofState().answer;
                m_findings[found.candidate].proof = found.proof;
                m_findings[found.candidate].noProof = found.refusal;
            }
            if (proofState().stage == Stage::failed) m_findings[m_proving].noProof = proofState().error;
            Q_EMIT findingsChanged();
        });
}

void CandidateDesk::cancel() {
    m_lister.cancel(listTag);
    m_prover.cancel(proveTag);
    if (m_list.cancel()) Q_EMIT changed();
    if (m_proof.cancel()) Q_EMIT findingsChanged();
}

void CandidateDesk::clear() {
    m_lister.cancel(listTag);
    m_prover.cancel(proveTag);
    m_list.clear();
    m_proof.clear();
    m_findings.clear();
    Q_EMIT changed();
}

CandidateFindings CandidateDesk::findings(const std::string& candidate) const {
    const auto found = m_findings.find(candidate);
    return found == m_findings.end() ? CandidateFindings() : found->second;
}

void CandidateDesk::readAttempts() {
    const CandidateListPointer list = state().answer;
    if (!list) return;
    session::AttemptFilter filter;
    filter.task = session::AttemptFilter::TaskNumber{list->question.card->level, list->question.card->task};
    m_session.list(filter, "candidates", [this, list](const Result<SessionDesk::Attempts>& attempts) {
        if (attempts && list == state().answer) takeAttempts(**attempts);
    });
}

/// Attempts whose text is a candidate's, as it was written: an edited one is another kernel.
void CandidateDesk::takeAttempts(const std::vector<session::AttemptSummary>& attempts) {
    const CandidateList& list = *state().answer;
    for (std::size_t i = 0; i < list.textHashes.size(); ++i) {
        CandidateFindings& found = m_findings[list.candidates.all[i].name];
        found.verdict.clear();
        found.measuredSeconds = 0;
        for (const session::AttemptSummary& attempt : attempts) {
            if (attempt.sourceHash != list.textHashes[i]) continue;
            if (!attempt.verdict.empty()) found.verdict = attempt.verdict; // the newest is the last
            for (const session::Timing& time : attempt.timings) {
                if (time.origin != session::Timing::Origin::measured || time.size != list.question.size ||
                    time.device != list.question.device->name)
                    continue;
                const double seconds = time.milliseconds / 1e3;
                if (found.measuredSeconds == 0 || seconds < found.measuredSeconds) found.measuredSeconds = seconds;
            }
        }
    }
    Q_EMIT findingsChanged();
}

} // namespace kernelarium::ui
