// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/BenchReopener.h"

#include "ui/desks/ArchiveDesk.h"
#include "ui/desks/Desks.h"
#include "ui/workspace/Bench.h"
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
    if (archive.isEmpty() || !QFileInfo::exists(archive)) archive = m_with.paths.starterArchive;
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
        if (openings == m_with.bench.openings() && !(lost && isOfArchive(kernel))) m_with.bench.openKey(kernel);
        const QString& starter = m_with.paths.starterArchive;
        if (lost && desk.path() != starter && QFileInfo::exists(starter)) desk.open(starter);
    });
}

} // namespace kernelarium::ui
