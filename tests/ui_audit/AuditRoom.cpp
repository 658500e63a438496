// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_audit/AuditRoom.h"

#include "core/archive/store/Archive.h"
#include "core/audit/AuditPlan.h"

#include <QtTest>

namespace kernelarium::ui {

QHash<QString, audit::StoredVerdict> AuditRoom::stored() const {
    QHash<QString, audit::StoredVerdict> found;
    auto store = audit::VerdictStore::openExisting(database().toStdString() + ".verdicts");
    if (!store || !*store) return found;
    auto all = (*store)->all();
    if (!all) return found;
    for (const auto& verdict : *all)
        found.insert(QString::fromStdString(verdict.key.label()), verdict);
    return found;
}

void AuditRoom::store(qint64 row, verify::VerdictKind kind, const std::string& reason, bool stale) const {
    auto archive = archive::Archive::open(database().toStdString());
    auto kernel = archive->find(std::to_string(row));
    auto store = audit::VerdictStore::open(database().toStdString() + ".verdicts");
    if (!kernel || !store) qFatal("the test's files cannot be opened");
    const audit::VerdictKey key = audit::candidateOf(*kernel).key;
    verify::Verdict verdict;
    verdict.kind = kind;
    verdict.size = "small";
    verdict.seed = 1;
    verdict.backend = "emulator";
    verdict.message = "what was found";
    if (!reason.empty()) verdict.reasons = {reason};
    audit::TodaysVersions today;
    audit::Versions versions = today.of(key.level, key.task);
    if (stale) versions.checks -= 1;
    audit::JudgedKernel judged = audit::judged(key, verdict, {}, versions);
    judged.verdict.seconds = 0.25 + double(row) / 8;
    judged.verdict.timeMs = 1000 + row;
    if (!store->put(judged)) qFatal("the test's verdict was not taken");
}

} // namespace kernelarium::ui
