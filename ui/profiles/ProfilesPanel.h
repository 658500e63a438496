// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "ui/profiles/NcuGroups.h"
#include "ui/theme/Theme.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QStackedWidget;
class QTableView;
class QTabWidget;

namespace kernelarium::ui {

class EmptyState;
class NcuPage;
class TidyModel;
class TorchPlot;
class Bench;
class NcuDesk;
class Notices;
class ProfileDesk;
class RunDesk;
class Settings;
class Trials;

/// What the archive says of how the kernel on the bench ran: Nsight Compute, PyTorch's profiler, clang-tidy; beside the
/// first what is counted and measured here.
class ProfilesPanel : public QWidget {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        Trials& trials;
        RunDesk& runner;
        ProfileDesk& profiles;
        NcuDesk& ncu;
        Notices& notices;
        Settings& settings;
    };
    enum Tab { ncu, torch, tidy, tabCount };

    ProfilesPanel(const Around& around, Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] QTabWidget& tabs() { return *m_tabs; }
    [[nodiscard]] NcuPage& ncuPage() { return *m_ncu; }
    [[nodiscard]] TorchPlot& torchPlot() { return *m_torch; }
    [[nodiscard]] QTableView& tidyTable() { return *m_tidy; }
    [[nodiscard]] QCheckBox& besideSource() { return *m_beside; }
    /// What a tab says instead of a profile; empty where it shows one.
    [[nodiscard]] QString emptyText(Tab tab) const;

private:
    struct Page {
        QStackedWidget* stack = nullptr;
        EmptyState* empty = nullptr;
        QString emptyText;
        QString archivedText; ///< of a profile that cannot be read: what is copied
    };
    QWidget* makeTidyPage();
    void addPage(Tab tab, QWidget* content, const QString& title, const QString& iconName);
    void refresh();
    void refreshNcu();
    [[nodiscard]] NcuSources ncuSources() const;
    [[nodiscard]] QString measuredText() const;
    void refreshTorch();
    void refreshTidy();
    void showContent(Tab tab);
    void showEmpty(Tab tab, const QString& title, const QString& sentence, const QString& archivedText = {});
    /// Says why there is nothing; `what` names the profile. True where there is something to show.
    template <class T>
    bool explainAbsence(Tab tab, const std::optional<Result<T>>& read, const QString& what, const QString& text);

    Around m_with;
    Theme& m_theme;
    QTabWidget* m_tabs;
    NcuPage* m_ncu;
    TorchPlot* m_torch;
    QTableView* m_tidy;
    TidyModel* m_tidyModel;
    QLabel* m_tidySentence;
    QCheckBox* m_beside;
    Page m_pages[tabCount];
};

} // namespace kernelarium::ui
