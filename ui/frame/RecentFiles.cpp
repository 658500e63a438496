// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/RecentFiles.h"

#include <QFileInfo>
#include <QJsonArray>

namespace kernelarium::ui {

namespace {
constexpr int mostRecent = 12;
} // namespace

RecentFiles::RecentFiles(QWidget* parent)
    : QMenu(tr("Open &recent"), parent) {
    setToolTipsVisible(true);
    refresh();
}

void RecentFiles::remember(const QString& path) {
    const QString whole = QFileInfo(path).absoluteFilePath();
    m_paths.removeAll(whole);
    m_paths.prepend(whole);
    while (m_paths.size() > mostRecent)
        m_paths.removeLast();
    refresh();
    Q_EMIT changed();
}

QJsonValue RecentFiles::saveValue() const {
    return QJsonArray::fromStringList(m_paths);
}

void RecentFiles::restoreValue(const QJsonValue& value) {
    for (const QJsonValue& path : value.toArray())
        m_paths << path.toString();
    refresh();
}

void RecentFiles::refresh() {
    clear();
    for (const QString& path : m_paths) {
        QAction* action = addAction(QFileInfo(path).fileName());
        action->setToolTip(path);
        connect(action, &QAction::triggered, this, [this, path] { Q_EMIT chosen(path); });
    }
    setEnabled(!m_paths.isEmpty());
    menuAction()->setToolTip(m_paths.isEmpty() ? tr("Files that you open are listed here")
                                               : tr("Files that you opened recently"));
}

} // namespace kernelarium::ui
