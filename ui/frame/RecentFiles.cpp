// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/RecentFiles.h"

#include "ui/words/Words.h"

#include <QFileInfo>
#include <QJsonArray>

namespace kernelarium::ui {

namespace {
constexpr int mostRecent = 12; ///< of archives, and of other files
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
    int ofItsKind = 0;
    m_paths.removeIf(
        [&](const QString& other) { return isArchive(other) == isArchive(whole) && ++ofItsKind > mostRecent; });
    refresh();
    Q_EMIT changed();
}

QStringList RecentFiles::archives() const {
    QStringList those;
    std::copy_if(m_paths.begin(), m_paths.end(), std::back_inserter(those), isArchive);
    return those;
}

bool RecentFiles::isArchive(const QString& path) {
    const QString ending = QFileInfo(path).suffix().toLower();
    return ending == QLatin1String("sqlite") || ending == QLatin1String("db");
}

QJsonValue RecentFiles::saveValue() const {
    return QJsonArray::fromStringList(m_paths);
}

void RecentFiles::restoreValue(const QJsonValue& value) {
    for (const QJsonValue& path : value.toArray())
        m_paths << path.toString();
    refresh();
    Q_EMIT changed();
}

void RecentFiles::refresh() {
    clear();
    for (const QString& path : m_paths) {
        QAction* action = addAction(withoutMnemonic(QFileInfo(path).fileName()));
        action->setToolTip(path);
        connect(action, &QAction::triggered, this, [this, path] { Q_EMIT chosen(path); });
    }
    setEnabled(!m_paths.isEmpty());
    menuAction()->setToolTip(m_paths.isEmpty() ? tr("Files that you open are listed here")
                                               : tr("Files that you opened recently"));
}

} // namespace kernelarium::ui
