// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/LastBench.h"

#include "ui/workspace/Workspace.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

namespace kernelarium::ui {

namespace {

const auto archiveKey = QStringLiteral("archive");
const auto kernelKey = QStringLiteral("kernel");

bool isOfArchive(const QString& kernel) {
    return kernel.startsWith(QLatin1String("archive:"));
}

} // namespace

LastBench::LastBench(Workspace& workspace, QObject* parent)
    : QObject(parent)
    , m_workspace(workspace) {}

void LastBench::save() {
    const QJsonObject bench{{archiveKey, m_workspace.archive().path()}, {kernelKey, m_workspace.kernel().key}};
    m_workspace.session().setValue(key(), QJsonDocument(bench).toJson(QJsonDocument::Compact));
}

void LastBench::restore() {
    const QJsonObject bench = QJsonDocument::fromJson(m_workspace.session().value(key())).object();
    QString archive = bench[archiveKey].toString();
    if (archive.isEmpty() || !QFileInfo::exists(archive)) archive = m_workspace.paths().starterArchive;
    const QString kernel = bench[kernelKey].toString();
    if (!archive.isEmpty() && QFileInfo::exists(archive)) {
        m_workspace.archive().open(archive);
        restoreAfterArchive(kernel);
    } else if (!isOfArchive(kernel)) {
        m_workspace.openKey(kernel);
    }
}

/// A kernel of the archive waits until that is open, and is dropped when the user was quicker.
void LastBench::restoreAfterArchive(const QString& kernel) {
    auto* once = new QObject(this);
    connect(&m_workspace.archive(), &ArchiveDesk::changed, once,
            [this, once, kernel, openings = m_workspace.openings()] {
                ArchiveDesk& desk = m_workspace.archive();
                if (isBusy(desk.stage())) return;
                once->deleteLater();
                disconnect(&desk, nullptr, once, nullptr);
                const bool lost = desk.stage() == Stage::failed; // which was said
                if (openings == m_workspace.openings() && !(lost && isOfArchive(kernel))) m_workspace.openKey(kernel);
                const QString& starter = m_workspace.paths().starterArchive;
                if (lost && desk.path() != starter && QFileInfo::exists(starter)) desk.open(starter);
            });
}

} // namespace kernelarium::ui
