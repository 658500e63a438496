// SPDX-License-Identifier: GPL-3.0-or-later
// What the window remembers from one start to the next.
#include "ui/archive/ArchivePanel.h"
#include "ui/audit/AuditPage.h"
#include "ui/hgemm/HgemmPage.h"
#include "ui/lessons/LessonDesk.h"
#include "ui/statistics/StatisticsPage.h"
#include "ui/window/Actions.h"
#include "ui/window/EditorArea.h"
#include "ui/window/InterruptedImport.h"
#include "ui/window/MainWindow.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace kernelarium::ui {

namespace {

const auto windowKey = QStringLiteral("window");
const auto benchKey = QStringLiteral("bench");

QString encoded(const QByteArray& bytes) {
    return QString::fromLatin1(bytes.toBase64());
}

QByteArray decoded(const QJsonValue& value) {
    return QByteArray::fromBase64(value.toString().toLatin1());
}

} // namespace

QStringList MainWindow::rememberedKeys() {
    return {windowKey, benchKey, InterruptedImport::key(), LessonDesk::progressKey()};
}

void MainWindow::stateChangedSoon() {
    if (!m_restoring && m_workspace.session().isReady() && isVisible()) m_statePause.start();
}

void MainWindow::saveState_() {
    m_statePause.stop();
    if (!m_workspace.session().isReady()) return;
    QJsonObject window;
    window[QStringLiteral("geometry")] = encoded(saveGeometry());
    window[QStringLiteral("docks")] = encoded(isShowingPage() ? m_benchState : QMainWindow::saveState());
    window[QStringLiteral("archive_panel")] = encoded(m_archive->saveState());
    window[QStringLiteral("audit_page")] = encoded(m_audit->saveState());
    window[QStringLiteral("statistics_page")] = encoded(m_statistics->saveState());
    window[QStringLiteral("hgemm_page")] = encoded(m_hgemm->saveState());
    window[QStringLiteral("editor")] = encoded(m_editorArea->saveState());
    window[QStringLiteral("theme")] = Theme::word(m_theme.choice());
    window[QStringLiteral("recent")] = QJsonArray::fromStringList(m_recent);
    m_workspace.session().setValue(windowKey, QJsonDocument(window).toJson(QJsonDocument::Compact));
    QJsonObject bench;
    bench[QStringLiteral("archive")] = m_workspace.archive().path();
    bench[QStringLiteral("kernel")] = m_workspace.kernel().key;
    m_workspace.session().setValue(benchKey, QJsonDocument(bench).toJson(QJsonDocument::Compact));
}

void MainWindow::restore() {
    m_restoring = true;
    const QJsonObject window = QJsonDocument::fromJson(m_workspace.session().value(windowKey)).object();
    if (!window.isEmpty()) {
        restoreGeometry(decoded(window[QStringLiteral("geometry")]));
        QMainWindow::restoreState(decoded(window[QStringLiteral("docks")]));
        m_archive->restoreState(decoded(window[QStringLiteral("archive_panel")]));
        m_audit->restoreState(decoded(window[QStringLiteral("audit_page")]));
        m_statistics->restoreState(decoded(window[QStringLiteral("statistics_page")]));
        m_hgemm->restoreState(decoded(window[QStringLiteral("hgemm_page")]));
        m_editorArea->restoreState(decoded(window[QStringLiteral("editor")]));
        restoreGeometry(decoded(window[QStringLiteral("geometry")])); // the panels' widths had made it wider
        m_theme.setChoice(Theme::choiceFromWord(window[QStringLiteral("theme")].toString()));
        for (const QJsonValue& path : window[QStringLiteral("recent")].toArray())
            m_recent << path.toString();
    }
    refreshRecent();
    const QJsonObject bench = QJsonDocument::fromJson(m_workspace.session().value(benchKey)).object();
    QString archive = bench[QStringLiteral("archive")].toString();
    if (archive.isEmpty() || !QFileInfo::exists(archive)) archive = m_workspace.paths().starterArchive;
    const QString kernel = bench[QStringLiteral("kernel")].toString();
    if (!archive.isEmpty() && QFileInfo::exists(archive)) {
        m_workspace.archive().open(archive);
        // A kernel of the archive waits until that is open, and is dropped when the user was quicker.
        auto* once = new QObject(this);
        connect(&m_workspace.archive(), &ArchiveDesk::changed, once,
                [this, once, kernel, openings = m_workspace.openings()] {
                    ArchiveDesk& desk = m_workspace.archive();
                    if (isBusy(desk.stage())) return;
                    once->deleteLater();
                    disconnect(&desk, nullptr, once, nullptr);
                    const bool lost = desk.stage() == Stage::failed; // which was said
                    if (openings == m_workspace.openings() && !(lost && kernel.startsWith(QLatin1String("archive:"))))
                        m_workspace.openKey(kernel);
                    const QString& starter = m_workspace.paths().starterArchive;
                    if (lost && desk.path() != starter && QFileInfo::exists(starter)) desk.open(starter);
                });
    } else if (!kernel.startsWith(QLatin1String("archive:"))) {
        m_workspace.openKey(kernel);
    }
    m_restoring = false;
    m_actions->refresh();
    offerInterruptedImport();
}

} // namespace kernelarium::ui
