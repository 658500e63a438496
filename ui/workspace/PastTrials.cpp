// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/PastTrials.h"

#include "ui/desks/Desks.h"
#include "ui/workspace/Assignment.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/TrialPlan.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace kernelarium::ui {

PastTrials::PastTrials(Bench& bench, Assignment& assignment, Desks& desks, Notices& notices, TrialPlan& plan,
                       QObject* parent)
    : QObject(parent)
    , m_bench(bench)
    , m_assignment(assignment)
    , m_desks(desks)
    , m_notices(notices)
    , m_plan(plan) {
    // They are read after the archive, and come one by one in an audit.
    connect(&m_desks.verdicts, &VerdictDesk::changed, this, [this] {
        const Kernel& kernel = m_bench.kernel();
        if (kernel.row && !m_earlier && m_desks.verdicts.words().contains(QString::fromStdString(kernel.row->label())))
            lookForEarlier();
    });
}

void PastTrials::kernelPut() {
    lookForEarlier();
    const TrialPlan::Shown shown = m_plan.takeShown(m_bench.openings());
    if (shown.attempt > 0) show(shown.attempt);
    if (shown.judged && m_bench.kernel().row) showJudged();
}

// --- attempts

void PastTrials::read(qint64 attempt, const std::string& tag, std::function<void(const Read&)> done) {
    m_desks.session.derive<Read>(
        {attempt}, tag,
        [](std::vector<session::Attempt> found) -> Result<Read> {
            Read read;
            read.attempt = std::move(found.front());
            if (read.attempt.verdictJson.empty()) return read;
            if (auto verdict = readVerdict(read.attempt.verdictJson))
                read.verdict = *verdict;
            else
                read.problem = verdict.error();
            return read;
        },
        [this, done = std::move(done)](const Result<Read>& read) {
            if (read)
                done(*read);
            else
                m_notices.postFailure(read.error());
        });
}

void PastTrials::restore(qint64 attempt) {
    m_desks.session.fetch(attempt, [this](Result<session::Attempt> found) {
        if (!found) {
            m_notices.postFailure(found.error());
            return;
        }
        if (found->kernelKey != m_bench.kernel().key.toStdString()) {
            m_notices.post(tr("Attempt %1 belongs to %2: open that kernel first.")
                               .arg(found->id)
                               .arg(QString::fromStdString(found->kernelTitle)),
                           true);
            return;
        }
        const QJsonObject made = QJsonDocument::fromJson(QByteArray::fromStdString(found->optionsJson)).object();
        m_assignment.setBuild(made[QStringLiteral("settings")].toString(), made[QStringLiteral("function")].toString());
        m_bench.replaceSource(QString::fromStdString(found->source));
        m_notices.post(tr("Attempt %1 is back in the editor (undo brings your text back).").arg(found->id));
    });
}

void PastTrials::show(qint64 attempt) {
    read(attempt, "show", [this](const Read& read) {
        const QString key = QString::fromStdString(read.attempt.kernelKey);
        if (key != m_bench.kernel().key) { // its kernel first; the attempt follows when that is on the bench
            m_plan.showAttempt(read.attempt.id);
            m_bench.openKey(key);
            return;
        }
        showVerdict(read);
        Q_EMIT attemptShown(read.attempt.id);
    });
}

void PastTrials::showVerdict(const Read& read) {
    if (!read.problem.code.empty()) m_notices.postError(read.problem);
    if (!read.verdict) return;
    // Of the text as it stands only where that is the attempt's.
    const quint64 of = m_bench.source().toStdString() == read.attempt.source ? m_bench.generation() : 0;
    m_desks.runner.showVerdict(of, read.verdict);
}

void PastTrials::list(const std::string& tag, std::function<void(const std::vector<session::AttemptSummary>&)> done) {
    const Kernel& kernel = m_bench.kernel();
    session::AttemptFilter filter;
    if (kernel.task)
        filter.task = session::AttemptFilter::TaskNumber{kernel.task->level, kernel.task->task};
    else
        filter.kernelKey = kernel.key.toStdString();
    m_desks.session.list(filter, tag, [this, done = std::move(done)](Result<SessionDesk::Attempts> attempts) {
        if (attempts)
            done(**attempts);
        else if (attempts.error().code != "session_refused") // that was said
            m_notices.postFailure(attempts.error());
    });
}

// --- the archive's verdicts

void PastTrials::openJudged(qint64 id) {
    m_bench.openArchived(id);
    m_plan.showJudged(m_bench.openings());
}

void PastTrials::showJudged() {
    const archive::KernelSummary& row = *m_bench.kernel().row;
    const audit::VerdictKey verdict{int(row.level), int(row.task), row.name, row.codeHash};
    m_desks.verdicts.fetch(
        verdict, [this, key = m_bench.kernel().key, generation = m_bench.generation()](Result<VerdictPointer> found) {
            if (!found) {
                m_notices.postFailure(found.error());
                return;
            }
            // Something newer is on its way, or on the bench.
            if (!*found || key != m_bench.kernel().key || m_desks.runner.verifyState().stage != Stage::idle) return;
            const bool ofThisText = generation == m_bench.generation() && !m_bench.isEdited();
            m_desks.runner.showVerdict(ofThisText ? generation : 0, *found);
            Q_EMIT judgedShown();
        });
}

// --- what is known of the text from before

const EarlierVerdict* PastTrials::earlier() const {
    return m_earlier && m_earlier->source == m_bench.source() ? &*m_earlier : nullptr;
}

void PastTrials::lookForEarlier() {
    m_earlier.reset();
    const Kernel& kernel = m_bench.kernel();
    if (kernel.isEmpty()) return;
    const auto& known = m_desks.verdicts.verdicts();
    const QString label = kernel.row ? QString::fromStdString(kernel.row->label()) : QString();
    if (const auto found = known.constFind(label); kernel.row && !m_bench.isEdited() && found != known.constEnd()) {
        m_earlier = EarlierVerdict{QString::fromStdString(found->verdict), found->timeMs,
                                   m_desks.verdicts.stale().contains(label), 0, m_bench.source()};
        Q_EMIT earlierChanged();
        return;
    }
    session::AttemptFilter filter;
    filter.kernelKey = kernel.key.toStdString();
    m_desks.session.list(filter, "earlier", [this, key = kernel.key](Result<SessionDesk::Attempts> attempts) {
        if (!attempts || key != m_bench.kernel().key) return; // a list that cannot be read is said by who shows it
        const session::AttemptSummary* newest = nullptr;
        for (const auto& attempt : **attempts)
            if (!attempt.verdict.empty() && (!newest || attempt.id > newest->id)) newest = &attempt;
        if (newest) take(key, *newest);
    });
}

void PastTrials::take(const QString& key, const session::AttemptSummary& attempt) {
    EarlierVerdict earlier{QString::fromStdString(attempt.verdict), attempt.createdMs, false, attempt.id, {}};
    m_desks.session.derive<QString>(
        {attempt.id}, "earlier",
        [](std::vector<session::Attempt> read) -> Result<QString> {
            return QString::fromStdString(read.front().source);
        },
        [this, key, earlier](Result<QString> source) mutable {
            if (!source || key != m_bench.kernel().key || m_earlier) return;
            earlier.source = std::move(*source);
            m_earlier = std::move(earlier);
            Q_EMIT earlierChanged();
        });
}

void PastTrials::showEarlier() {
    const EarlierVerdict* known = earlier();
    if (!known) return;
    if (known->attempt == 0) {
        showJudged();
        return;
    }
    read(known->attempt, "evidence", [this, key = m_bench.kernel().key](const Read& read) {
        if (key == m_bench.kernel().key) showVerdict(read);
    });
}

} // namespace kernelarium::ui
