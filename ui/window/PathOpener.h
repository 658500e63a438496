// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

class QWidget;

namespace kernelarium::ui {

class Docks;
class Imports;
class NoticeBar;
class Pages;
class RecentFiles;
class ArchiveDesk;
class Bench;
class Notices;

/// Opens what the user names, chooses or drops onto the window, by its kind: .cu, .sqlite, rows to be imported together
/// (.parquet, .jsonl), and HGEMM tables (.csv), of which all are taken or none.
class PathOpener : public QObject {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        ArchiveDesk& archive;
        Notices& notices;
    };
    struct Parts {
        Docks& docks;
        Pages& pages;
        NoticeBar& notices;
        RecentFiles& recent;
        Imports& imports;
    };
    PathOpener(const Around& around, const Parts& parts, QWidget& window);

    void open(const QStringList& paths);
    void openTables(const QStringList& files);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    Around m_with;
    Parts m_parts;
    QWidget& m_window;
};

} // namespace kernelarium::ui
