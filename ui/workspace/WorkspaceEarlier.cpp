// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of the text from before: by the archive's verdicts, and by the session.
#include "ui/workspace/Workspace.h"

namespace kernelarium::ui {

const EarlierVerdict* Workspace::earlierVerdict() const {
    return m_earlier && m_earlier->source == m_source ? &*m_earlier : nullptr;
}

void Workspace::lookForEarlier() {
    m_earlier.reset();
    if (m_kernel.isEmpty()) return;
    const auto& known = m_verdicts.verdicts();
    const QString label = m_kernel.row ? QString::fromStdString(m_kernel.row->label()) : QString();
    if (const auto found = known.constFind(label); m_kernel.row && !isEdited() && found != known.constEnd()) {
        m_earlier = EarlierVerdict{QString::fromStdString(found->verdict), found->timeMs,
                                   m_verdicts.stale().contains(label), 0, m_source};
        Q_EMIT earlierVerdictChanged();
        return;
    }
    session::AttemptFilter filter;
    filter.kernelKey = m_kernel.key.toStdString();
    m_session.list(filter, "earlier", [this, key = m_kernel.key](Result<SessionDesk::Attempts> attempts) {
        if (!attempts || key != m_kernel.key) return; // a list that cannot be read is said by those who show it
        const session::AttemptSummary* newest = nullptr;
        for (const auto& attempt : **attempts)
            if (!attempt.verdict.empty() && (!newest || attempt.id > newest->id)) newest = &attempt;
        if (newest) takeEarlier(key, *newest);
    });
}

void Workspace::takeEarlier(const QString& key, const session::AttemptSummary& attempt) {
    EarlierVerdict earlier{QString::fromStdString(attempt.verdict), attempt.createdMs, false, attempt.id, {}};
    m_session.derive<QString>(
        {attempt.id}, "earlier",
        [](std::vector<session::Attempt> read) -> Result<QString> {
            return QString::fromStdString(read.front().source);
        },
        [this, key, earlier](Result<QString> source) mutable {
            if (!source || key != m_kernel.key || m_earlier) return;
            earlier.source = std::move(*source);
            m_earlier = std::move(earlier);
            Q_EMIT earlierVerdictChanged();
        });
}

void Workspace::showEarlier() {
    const EarlierVerdict* earlier = earlierVerdict();
    if (!earlier) return;
    if (earlier->attempt == 0) {
        showJudged();
        return;
    }
    m_session.fetch(earlier->attempt, [this, key = m_kernel.key](Result<session::Attempt> attempt) {
        if (attempt && key == m_kernel.key && !attempt->verdictJson.empty())
            showVerdictOf(*attempt);
        else if (!attempt && attempt.error().code != "cancelled")
            post(QString::fromStdString(attempt.error().text()), true);
    });
}

} // namespace kernelarium::ui
