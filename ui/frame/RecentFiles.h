// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonValue>
#include <QMenu>
#include <QString>
#include <QStringList>

namespace kernelarium::ui {

/// The files that were opened last, the newest first, as a menu.
class RecentFiles : public QMenu {
    Q_OBJECT
public:
    explicit RecentFiles(QWidget* parent);

    void remember(const QString& path);
    [[nodiscard]] QStringList archives() const;               ///< those among them
    [[nodiscard]] static bool isArchive(const QString& path); ///< by its name
    [[nodiscard]] QJsonValue saveValue() const;
    void restoreValue(const QJsonValue& value);

Q_SIGNALS:
    void chosen(const QString& path);
    void changed();

private:
    void refresh();

    QStringList m_paths;
};

} // namespace kernelarium::ui
