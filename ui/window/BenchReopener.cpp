// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/BenchReopener.h"

#include "ui/desks/ArchiveDesk.h"
#include "ui/desks/Desks.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/Settings.h"

#include <QFileInfo>

namespace kernelarium::ui {

namespace {

bool isOfArchive(const QString& kernel) {
    return kernel.startsWith(QLatin1String("archive:"));
}

} // namespace

BenchReopener::BenchReopener(const Around& around, QObject* parent)
    : QObject(parent)
    , m_with(around) {}

void BenchReopener::save() {
    m_with.settings.set(setting::bench, LastBench{m_with.archive.path(), m_with.bench.kernel().key});
}

void BenchReopener::restore() {
    const LastBench last = m_with.settings.get(setting::bench);
    const QString& kernel = last.kernel;
    QString archive = last.archive;
    const bool gone = !archive.isEmpty() && !QFileInfo::exists(archive);
    if (archive.isEmpty() || gone) archive = m_with.paths.starterArchive;
    if (gone) sayGone(last.archive);
    if (!archive.isEmpty() && QFileInfo::exists(archive)) {
        m_with.archive.open(archive);
        restoreAfterArchive(kernel);
    } else if (!isOfArchive(kernel)) {
        m_with.bench.openKey(kernel);
    }
}

/// A kernel of the archive waits until that is open, and is dropped when the user was quicker.
void BenchReopener::restoreAfterArchive(const QString& kernel) {
    auto* once = new QObject(this);
    connect(&m_with.archive, &ArchiveDesk::changed, once, [this, once, kernel, openings = m_with.bench.openings()] {
        ArchiveDesk& desk = m_with.archive;
        if (isBusy(desk.stage())) return;
        once->deleteLater();
        disconnect(&desk, nullptr, once, nullptr);
        const bool lost = desk.stage() == Stage::failed; // which was said
        if (openings == m_with.bench.openings() && isThere(kernel)) m_with.bench.openKey(kernel);
        const QString& starter = m_with.paths.starterArchive;
        if (lost && desk.path() != starter && QFileInfo::exists(starter)) desk.open(starter);
    });
}

/// A kernel of another archive than the open one is not: the archive may have been changed after it was opened.
bool BenchReopener::isThere(const QString& kernel) const {
    return !isOfArchive(kernel) || (m_with.archive.table() && m_with.archive.rowOfLabel(kernel.mid(8)) >= 0);
}

void BenchReopener::sayGone(const QString& archive) {
    const bool hasStarter = !m_with.paths.starterArchive.isEmpty();
    m_with.notices.postLasting(
        (hasStarter ? tr("%1 is gone; the starter archive is open instead.") : tr("%1 is gone.")).arg(archive) +
        tr(" File, Open an archive takes another one, or the same from its new place."));
}

} // namespace kernelarium::ui
