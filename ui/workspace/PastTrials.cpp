// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/PastTrials.h"

#include "core/files/Sha256.h"
#include "ui/desks/Desks.h"
#include "ui/workspace/Assignment.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/Place.h"
#include "ui/workspace/TrialPlan.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace kernelarium::ui {

PastTrials::PastTrials(const Around& around, QObject* parent)
    : QObject(parent)
    , m_with(around) {
    // They are read after the archive, and come one by one in an audit.
    connect(&m_with.desks.verdicts, &VerdictDesk::changed, this, [this] {
        if (m_with.bench.kernel().row) Q_EMIT knownChanged();
    });
    connect(&m_with.desks.session, &SessionDesk::changed, this, &PastTrials::readKnown);
    connect(&m_with.place, &Place::changed, this, &PastTrials::knownChanged);
    connect(&m_with.assignment, &Assignment::changed, this, &PastTrials::readKnown);
}

void PastTrials::kernelPut() {
    m_known.clear();
    Q_EMIT knownChanged(); // of the kernel before
    readKnown();
    const TrialPlan::Shown shown = m_with.plan.takeShown(m_with.bench.openings());
    if (shown.attempt > 0) show(shown.attempt);
    if (shown.judged && m_with.bench.kernel().row) showJudged();
}

// --- attempts

void PastTrials::read(qint64 attempt, const std::string& tag, std::function<void(const Read&)> done) {
    m_with.desks.session.derive<Read>(
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
                m_with.notices.postFailure(read.error());
        });
}

void PastTrials::restore(qint64 attempt) {
    read(attempt, "restore", [this](const Read& read) {
        const session::Attempt& found = read.attempt;
        if (found.kernelKey != m_with.bench.kernel().key.toStdString()) {
            m_with.notices.post(tr("Attempt %1 belongs to %2: open that kernel first.")
                                    .arg(found.id)
                                    .arg(QString::fromStdString(found.kernelTitle)),
                                true);
            return;
        }
        const QJsonObject made = QJsonDocument::fromJson(QByteArray::fromStdString(found.optionsJson)).object();
        m_with.assignment.setBuild(made[QStringLiteral("settings")].toString(),
                                   made[QStringLiteral("function")].toString());
        m_with.bench.replaceSource(QString::fromStdString(found.source));
        showVerdict(read);
        m_with.notices.post(tr("Attempt %1 is back in the editor (undo brings your text back).").arg(found.id));
    });
}

void PastTrials::show(qint64 attempt) {
    read(attempt, "show", [this](const Read& read) {
        const QString key = QString::fromStdString(read.attempt.kernelKey);
        if (key != m_with.bench.kernel().key) { // its kernel first; the attempt follows when that is on the bench
            m_with.plan.showAttempt(read.attempt.id);
            m_with.bench.openKey(key);
            return;
        }
        showVerdict(read);
        Q_EMIT attemptShown(read.attempt.id);
    });
}

void PastTrials::showVerdict(const Read& read) {
    if (!read.problem.code.empty()) m_with.notices.postError(read.problem);
    if (!read.verdict) return;
    // Of the text as it stands only where that is the attempt's.
    const quint64 of = m_with.bench.source().toStdString() == read.attempt.source ? m_with.bench.generation() : 0;
    m_with.desks.runner.showVerdict(of, read.verdict);
}

void PastTrials::list(std::function<void(const std::vector<session::AttemptSummary>&)> done) {
    const Kernel& kernel = m_with.bench.kernel();
    session::AttemptFilter filter;
    if (kernel.task)
        filter.task = session::AttemptFilter::TaskNumber{kernel.task->level, kernel.task->task};
    else
        filter.kernelKey = kernel.key.toStdString();
    m_with.desks.session.list(filter, "known", [this, done = std::move(done)](Result<SessionDesk::Attempts> attempts) {
        if (attempts)
            done(**attempts);
        else if (attempts.error().code != "session_refused") // that was said
            m_with.notices.postFailure(attempts.error());
    });
}

// --- the archive's verdicts

void PastTrials::openJudged(qint64 id) {
    m_with.bench.openArchived(id);
    m_with.plan.showJudged(m_with.bench.openings());
}

void PastTrials::showJudged() {
    const archive::KernelSummary& row = *m_with.bench.kernel().row;
    const audit::VerdictKey verdict{int(row.level), int(row.task), row.name, row.codeHash};
    m_with.desks.verdicts.fetch(verdict, [this, key = m_with.bench.kernel().key,
                                          generation = m_with.bench.generation()](Result<VerdictPointer> found) {
        if (!found) {
            m_with.notices.postFailure(found.error());
            return;
        }
        // Something newer is on its way, or on the bench.
        if (!*found || key != m_with.bench.kernel().key || m_with.desks.runner.verifyState().stage != Stage::idle)
            return;
        const bool ofThisText = generation == m_with.bench.generation() && !m_with.bench.isEdited();
        m_with.desks.runner.showVerdict(ofThisText ? generation : 0, *found);
        Q_EMIT judgedShown();
    });
}

// --- what is known of the text from before

void PastTrials::readKnown() {
    if (m_with.bench.kernel().isEmpty()) {
        m_known.clear();
        Q_EMIT knownChanged();
        return;
    }
    list([this, key = m_with.bench.kernel().key](const std::vector<session::AttemptSummary>& attempts) {
        if (key != m_with.bench.kernel().key) return;
        m_known = attempts;
        Q_EMIT knownChanged();
    });
}

const std::string& PastTrials::textHash() const {
    if (m_hashedAt != m_with.bench.generation() || m_hash.empty()) {
        m_hash = files::toHex(files::sha256(m_with.bench.source().toStdString()));
        m_hashedAt = m_with.bench.generation();
    }
    return m_hash;
}

bool PastTrials::isOfThisText(const session::AttemptSummary& attempt) const {
    const Kernel& kernel = m_with.bench.kernel();
    return attempt.kernelKey == kernel.key.toStdString() && attempt.sourceHash == textHash() &&
           attempt.optionsJson == m_with.place.optionsFor(kernel);
}

std::optional<EarlierVerdict> PastTrials::earlier() const {
    const Kernel& kernel = m_with.bench.kernel();
    if (kernel.isEmpty()) return std::nullopt;
    std::optional<EarlierVerdict> newest;
    const auto& judged = m_with.desks.verdicts.verdicts();
    const QString label = kernel.row ? QString::fromStdString(kernel.row->label()) : QString();
    if (const auto found = judged.constFind(label);
        kernel.row && !m_with.bench.isEdited() && found != judged.constEnd())
        newest = EarlierVerdict{QString::fromStdString(found->verdict), found->timeMs,
                                m_with.desks.verdicts.stale().contains(label), 0};
    for (const session::AttemptSummary& attempt : m_known)
        if (!attempt.verdict.empty() && (!newest || attempt.createdMs > newest->timeMs) && isOfThisText(attempt))
            newest = EarlierVerdict{QString::fromStdString(attempt.verdict), attempt.createdMs, false, attempt.id};
    return newest;
}

void PastTrials::showEarlier() {
    const std::optional<EarlierVerdict> known = earlier();
    if (!known) return;
    if (known->attempt == 0) {
        showJudged();
        return;
    }
    read(known->attempt, "evidence", [this, key = m_with.bench.kernel().key](const Read& read) {
        if (key == m_with.bench.kernel().key) showVerdict(read);
    });
}

} // namespace kernelarium::ui
