// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QToolButton>

namespace kernelarium::ui {

class ArchiveDesk;
class Theme;

/// Says which archive is open; its menu opens another: those of late, and what else the window offers.
class ArchiveButton : public QToolButton {
    Q_OBJECT
public:
    ArchiveButton(ArchiveDesk& archive, Theme& theme, QWidget* parent = nullptr);

    void setStarter(const QString& path); ///< which has a name of its own, and an action among the others
    void setRecent(const QStringList& archives);
    void setOthers(const QList<QAction*>& actions);

    /// What an archive is called: "the starter archive", or the file's name.
    [[nodiscard]] QString nameOf(const QString& path) const;

Q_SIGNALS:
    void chosen(const QString& path);

private:
    void refresh();
    void fill();

    ArchiveDesk& m_archive;
    Theme& m_theme;
    QString m_starter;
    QStringList m_recent;
    QList<QAction*> m_others;
};

} // namespace kernelarium::ui
