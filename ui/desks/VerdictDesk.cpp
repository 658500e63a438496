// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desks/VerdictDesk.h"

#include <utility>

namespace kernelarium::ui {

VerdictDesk::VerdictDesk(QObject* parent)
    : QObject(parent) {}

VerdictDesk::~VerdictDesk() = default;

void VerdictDesk::follow(const QString& archive) {
    const quint64 serial = ++m_serial;
    const std::filesystem::path file = audit::verdictsPathFor(archive.toStdString());
    const QString path = QString::fromStdString(file.string());
    if (path != m_path) {
        m_path = path;
        m_verdicts.clear();
        m_words.clear();
        m_stale.clear();
        m_smallOnly.clear();
        m_own = std::make_shared<archive::OwnVerdicts>();
        m_ownIsShared = false;
        Q_EMIT changed();
    }
    ask<std::shared_ptr<Read>>(
        m_thread, this, "follow",
        [file](const std::stop_token&) -> Result<std::shared_ptr<Read>> {
            auto read = std::make_shared<Read>();
            auto store = audit::VerdictStore::openExisting(file);
            if (!store) return store.error();
            if (!*store) return read;
            auto all = (*store)->all();
            if (!all) return all.error();
            audit::TodaysVersions today;
            for (const audit::StoredVerdict& v : *all)
                if (!audit::isOfToday(v, today.of(v.key.level, v.key.task)))
                    read->stale.insert(QString::fromStdString(v.key.label()));
            read->verdicts = std::move(*all);
            return read;
        },
        [this, serial](Result<std::shared_ptr<Read>> read) {
            if (serial != m_serial) return;
            if (!read) {
                if (read.error().code != "cancelled") Q_EMIT failed(QString::fromStdString(read.error().text()));
                return;
            }
            for (const audit::StoredVerdict& verdict : (*read)->verdicts)
                take(verdict, (*read)->stale.contains(QString::fromStdString(verdict.key.label())));
            Q_EMIT changed();
        });
}

archive::OwnVerdictsPointer VerdictDesk::own() const {
    m_ownIsShared = true;
    return m_own;
}

archive::OwnVerdicts& VerdictDesk::ownToChange() {
    if (std::exchange(m_ownIsShared, false)) m_own = std::make_shared<archive::OwnVerdicts>(*m_own);
    return *m_own;
}

void VerdictDesk::take(const audit::StoredVerdict& verdict, bool stale) {
    const QString label = QString::fromStdString(verdict.key.label());
    const auto known = m_verdicts.constFind(label);
    if (known != m_verdicts.constEnd() && known->timeMs > verdict.timeMs) return; // learnt while the file was read
    m_verdicts.insert(label, verdict);
    const audit::VerdictKey& key = verdict.key;
    ownToChange().put(key.level, key.task, key.name, key.codeHash, audit::ownVerdict(verdict, m_today));
    m_words.insert(label, QString::fromStdString(verdict.verdict));
    if (stale)
        m_stale.insert(label);
    else
        m_stale.remove(label);
    if (audit::smallSizeOnly(verdict))
        m_smallOnly.insert(label);
    else
        m_smallOnly.remove(label);
}

void VerdictDesk::learn(const QString& path, const std::vector<audit::StoredVerdict>& verdicts) {
    if (path != m_path) return;
    for (const audit::StoredVerdict& v : verdicts)
        take(v, !audit::isOfToday(v, m_today.of(v.key.level, v.key.task)));
    Q_EMIT changed();
}

void VerdictDesk::keep(audit::JudgedKernel kernel) {
    learn(m_path, {kernel.verdict});
    m_thread.postToFinish([this, path = m_path, kernel = std::move(kernel)] {
        auto store = audit::VerdictStore::open(path.toStdString());
        const Result<void> kept = store ? store->put(kernel) : store.error();
        if (kept) return;
        deliver(this, [this, text = QString::fromStdString(kept.error().text())] { Q_EMIT failed(text); });
    });
}

void VerdictDesk::fetch(const audit::VerdictKey& key, std::function<void(Result<VerdictPointer>)> done) {
    ask<VerdictPointer>(
        m_thread, this, "fetch",
        [path = m_path, key](const std::stop_token&) -> Result<VerdictPointer> {
            auto store = audit::VerdictStore::openExisting(path.toStdString());
            if (!store) return store.error();
            if (!*store) return VerdictPointer();
            auto json = (*store)->evidence(key);
            if (!json) return json.error();
            return *json ? readVerdict(std::move(**json)) : VerdictPointer();
        },
        std::move(done));
}

} // namespace kernelarium::ui
