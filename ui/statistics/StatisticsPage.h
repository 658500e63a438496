// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/statistics/StatisticsDesk.h"
#include "ui/theme/Theme.h"

#include <QWidget>

class QComboBox;
class QListWidget;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace kernelarium::ui {

class ChartPlot;
class EmptyState;
class FigureView;
class LinkedLabel;
class StatisticsSection;
class ArchiveDesk;
class Notices;
class PastTrials;

/// What the open archive says of itself, number by number, with and without the kernels that fail our checks. Every
/// number leads to its kernels: to the Archive panel where a search can say it, else to a list here.
class StatisticsPage : public QWidget {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        PastTrials& past;
        ArchiveDesk& archive;
        VerdictDesk& verdicts;
        Notices& notices;
    };
    enum Section { overview, tasks, fast, speedups, errors, words, profiles, contradictions, kernels, sectionCount };

    StatisticsPage(const Around& around, Theme& theme, QWidget* parent = nullptr);

    void showSection(Section section);
    void focusFirst(); ///< where the keyboard begins
    [[nodiscard]] StatisticsDesk& desk() { return *m_desk; }
    [[nodiscard]] QListWidget& sections() { return *m_list; }
    [[nodiscard]] QComboBox& scope() { return *m_scope; }
    [[nodiscard]] EmptyState& emptyState() { return *m_empty; }
    /// The tables of a section in their order; and its chart, null without one. Filled, if the section was not seen
    /// yet.
    [[nodiscard]] FigureView* table(Section section, int place = 0);
    [[nodiscard]] ChartPlot* chart(Section section);
    [[nodiscard]] StatisticsSection& section(Section section) const { return *m_pages[section]; }
    [[nodiscard]] QString headline() const;
    [[nodiscard]] QString subline() const;

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void openRequested();                       ///< the button of the empty state, where no archive is open
    void backRequested();                       ///< to the kernel
    void searchRequested(const QString& typed); ///< the Archive panel is to show the kernels of a number
    void stateChanged();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void build();
    void buildSections();
    QWidget* buildHead();
    void refresh();
    void refreshSentences();
    void refreshFigures();
    void fill(Section section); ///< where it is out of date
    void refreshProfiles();
    void refreshRanks();
    void refreshEmpty();
    void follow(const DrillPointer& drill);
    FigureView* newTable();
    ChartPlot* newChart();

    Around m_with;
    Theme& m_theme;
    StatisticsDesk* m_desk;
    LinkedLabel* m_headline;
    LinkedLabel* m_subline;
    QToolButton* m_back;
    QComboBox* m_scope;
    QPushButton* m_again;
    QListWidget* m_list;
    QStackedWidget* m_stack;
    QStackedWidget* m_body;
    EmptyState* m_empty;
    QComboBox* m_fastOf;
    std::array<StatisticsSection*, sectionCount> m_pages{};
    std::array<std::vector<FigureView*>, sectionCount> m_tables;
    std::array<ChartPlot*, sectionCount> m_charts{};
    std::shared_ptr<const statistics::Findings> m_shown;
    std::shared_ptr<const statistics::ProfilePair> m_shownProfiles;
    std::array<bool, sectionCount> m_outdated{};
    int m_rankLevel = 0;
    int m_rankTask = 0;
};

} // namespace kernelarium::ui
