// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <cstdint>
#include <vector>

class QWidget;

namespace kernelarium::ui {

class Actions;
class ArchivePanel;
class Imports;
class NoticeBar;
class PathOpener;
class RecentFiles;
class StatusLine;
class ArchiveDesk;
class ExportDesk;
struct WorkspacePaths;

/// The actions that bring archives into the window, and kernels out of them.
class ArchiveActions : public QObject {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        ArchiveDesk& archive;
        ExportDesk& exporter;
        const WorkspacePaths& paths;
    };
    struct Parts {
        Actions& actions;
        ArchivePanel& panel;
        Imports& imports;
        NoticeBar& notices;
        PathOpener& opener;
        RecentFiles& recent;
        StatusLine& status;
    };
    ArchiveActions(const Around& around, const Parts& parts, QWidget& window);

    /// Asks how, and writes either of these kernels, by their numbers in the open archive.
    void exportThese(const std::vector<std::int64_t>& chosen, const std::vector<std::int64_t>& shown, bool onlyChosen);

private:
    void followDesks();
    void offerArchives();
    void openArchive();
    void exportKernels(bool onlyChosen);

    Around m_with;
    Parts m_parts;
    QWidget& m_window;
    QString m_remembered; ///< the archive that was open last
};

} // namespace kernelarium::ui
