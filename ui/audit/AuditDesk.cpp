// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/audit/AuditDesk.h"

#include "gpu/protocol/TrialJudge.h"
#include "ui/desks/ArchiveDesk.h"
#include "ui/desks/Desks.h"
#include "ui/desks/VerdictDesk.h"
#include "ui/threads/Ask.h"
#include "ui/workspace/Notices.h"

#include <QTimer>

namespace kernelarium::ui {

namespace {

/// Faster than an eye follows a table.
constexpr int heardEveryMs = 150;

struct AuditFiles {
    std::filesystem::path archive;
    std::filesystem::path verdicts;
    std::string program;
    std::filesystem::path cards; ///< exported ones
};

Result<audit::AuditPlan> planOn(const AuditFiles& files, const archive::KernelTable& table,
                                const AuditRequest& request) {
    auto store = audit::VerdictStore::openExisting(files.verdicts);
    if (!store) return store.error();
    std::vector<audit::StoredVerdict> known;
    if (*store) {
        auto all = (*store)->all();
        if (!all) return all.error();
        known = std::move(*all);
    }
    std::vector<audit::Candidate> candidates;
    candidates.reserve(request.rows.size());
    for (const std::uint32_t row : request.rows)
        candidates.push_back(audit::candidateOf(table, row));
    audit::TodaysVersions today;
    return audit::planAudit(candidates, audit::indexOf(std::move(known)), request.plan, today);
}

} // namespace

AuditDesk::AuditDesk(const Around& around, QObject* parent)
    : QObject(parent)
    , m_with(around) {
    connect(&around.archive, &ArchiveDesk::changed, this, [this] {
        const ArchiveDesk& desk = m_with.archive;
        if (desk.stage() == Stage::finished && desk.path() != state().archive)
            pause(); // it would be about another list
    });
}

AuditDesk::~AuditDesk() = default;

void AuditDesk::start(AuditRequest request) {
    const ArchiveDesk& desk = m_with.archive;
    if (isRunning() || !desk.table() || request.rows.empty()) return;
    const auto ticket = m_work.begin();
    m_work.details().archive = desk.path();
    const QString verdictsPath = m_with.verdicts.path();
    const AuditFiles files{desk.path().toStdString(), verdictsPath.toStdString(), m_with.paths.program.toStdString(),
                           (m_with.paths.dataFolder + QStringLiteral("/tasks")).toStdString()};
    const auto mailbox = std::make_shared<Mailbox>();
    Q_EMIT changed();
    ask<std::int64_t>(
        m_thread, this, "audit",
        [this, files, verdictsPath, mailbox, table = desk.table(),
         request = std::move(request)](const std::stop_token& stop) -> Result<std::int64_t> {
            const auto plan = planOn(files, *table, request);
            if (!plan) return plan.error();
            const std::int64_t due = std::int64_t(plan->due.size());
            deliver(this, [this, selected = std::int64_t(plan->selected.size()), current = plan->current, due] {
                AuditState& state = m_work.details();
                state.selected = selected;
                state.current = current;
                state.progress.total = due;
                Q_EMIT changed();
            });
            audit::AuditOptions options;
            options.settings = request.plan.settings;
            options.jobs = request.jobs;
            auto commands = protocol::TrialJudge::sharingCommandsFor(files.program, request.jobs);
            commands.archive = files.archive;
            commands.cards = files.cards;
            options.makeJudge = [commands] { return std::make_unique<protocol::TrialJudge>(commands); };
            options.judged = [this, verdictsPath, mailbox](const audit::Candidate& candidate,
                                                           const audit::JudgedKernel& kernel,
                                                           const audit::AuditProgress& progress) {
                const std::lock_guard lock(mailbox->mutex);
                mailbox->verdicts.push_back(kernel.verdict);
                mailbox->progress = progress;
                mailbox->last = QString::fromStdString(candidate.key.label());
                if (std::exchange(mailbox->announced, true)) return;
                deliver(this, [this, verdictsPath, mailbox] {
                    QTimer::singleShot(heardEveryMs, this,
                                       [this, verdictsPath, mailbox] { collect(verdictsPath, mailbox); });
                });
            };
            return audit::runAudit(files.archive, files.verdicts, plan->due, options, stop);
        },
        [this, ticket, verdictsPath, mailbox](Result<std::int64_t> result) {
            collect(verdictsPath, mailbox);
            m_work.end(ticket, std::move(result));
            if (state().stage == Stage::failed) m_with.notices.postError(state().error);
            Q_EMIT changed();
        });
}

void AuditDesk::collect(const QString& verdictsPath, const std::shared_ptr<Mailbox>& mailbox) {
    std::vector<audit::StoredVerdict> verdicts;
    {
        const std::lock_guard lock(mailbox->mutex);
        verdicts.swap(mailbox->verdicts);
        mailbox->announced = false;
        if (verdicts.empty()) return;
        m_work.details().progress = mailbox->progress;
        m_work.details().last = mailbox->last;
    }
    m_with.verdicts.learn(verdictsPath, verdicts);
    Q_EMIT changed();
}

void AuditDesk::pause() {
    m_thread.cancel("audit");
}

} // namespace kernelarium::ui
