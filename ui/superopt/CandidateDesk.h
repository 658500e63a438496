// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/Session.h"
#include "core/superopt/candidates/Candidates.h"
#include "ui/threads/SerialThread.h"
#include "ui/threads/Work.h"

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <vector>

namespace kernelarium::ui {

class SessionDesk;

/// Of which task, at which size, on which device files are listed.
struct CandidateQuestion {
    std::shared_ptr<const task::Card> card;
    std::string size;
    const perf::DeviceSpec* device = nullptr;
};

struct CandidateList {
    CandidateQuestion question;
    superopt::Candidates candidates;
    std::vector<std::string> textHashes; ///< of the candidates' texts, as attempts have them (sourceHash)
};
using CandidateListPointer = std::shared_ptr<const CandidateList>;

/// What is known of a candidate besides the list: found on request, or by trials of its text.
struct CandidateFindings {
    std::shared_ptr<const proof::Proof> proof; ///< null: it was not asked for
    Error noProof;                             ///< why there is none; no code: nothing was refused
    std::string verdict;                       ///< of the newest attempt with its text; empty: none was verified
    double measuredSeconds = 0;                ///< at the list's size on its device, the best; 0: never measured
};

/// A proof that was asked for, by the candidate's name.
struct CandidateProof {
    std::string candidate;
    std::shared_ptr<const proof::Proof> proof;
    Error refusal;
};

/// Lists the kernel files that could be written for a task, and proves them, on threads of their own. A newer question
/// replaces an older one, and a proof of an older list is not heard.
class CandidateDesk : public QObject {
    Q_OBJECT
public:
    explicit CandidateDesk(SessionDesk& session, QObject* parent = nullptr);

    void ask(CandidateQuestion question);
    void prove(const std::string& candidate); ///< of the list
    void cancel();                            ///< the list or the proof that is under way, at once
    void clear();
    void readAttempts(); ///< what trials found of the candidates' texts

    [[nodiscard]] const WorkState<CandidateListPointer>& state() const { return m_list.state(); }
    [[nodiscard]] const WorkState<CandidateProof>& proofState() const { return m_proof.state(); }
    [[nodiscard]] bool isListing() const { return m_list.isBusy(); }
    [[nodiscard]] bool isProving() const { return m_proof.isBusy(); }
    [[nodiscard]] const std::string& proving() const { return m_proving; } ///< the candidate's name
    [[nodiscard]] CandidateFindings findings(const std::string& candidate) const;

Q_SIGNALS:
    void changed();         ///< of the list
    void findingsChanged(); ///< proofs, verdicts, times

private:
    void takeAttempts(const std::vector<session::AttemptSummary>& attempts);

    SessionDesk& m_session;
    Work<CandidateListPointer> m_list;
    Work<CandidateProof> m_proof;
    std::string m_proving;
    std::map<std::string, CandidateFindings> m_findings; ///< by the candidate's name
    SerialThread m_lister, m_prover;
};

} // namespace kernelarium::ui
