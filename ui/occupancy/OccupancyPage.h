// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/LaunchedBlocks.h"
#include "ui/occupancy/OccupancyCharts.h"

#include <QTimer>
#include <QWidget>
#include <array>
#include <optional>

class QBoxLayout;
class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QTableWidget;

namespace kernelarium::ui {

class Bench;
class ChartPlot;
class CompileDesk;
class PageHead;
class Place;
class RunDesk;
class Theme;

/// How many blocks of the kernel on the bench a multiprocessor holds, what limits them, and what other numbers would
/// do. It follows the compiler and the runs, and works without a kernel, too.
class OccupancyPage : public QWidget {
    Q_OBJECT
public:
    /// What it observes; all outlive it.
    struct Around {
        Bench& bench;
        CompileDesk& compiler;
        RunDesk& runner;
        Place& place;
    };
    OccupancyPage(const Around& around, Theme& theme, QWidget* parent = nullptr);

    void focusFirst(); ///< where the keyboard begins

    [[nodiscard]] QComboBox& kernels() { return *m_kernels; }
    [[nodiscard]] QComboBox& architectures() { return *m_archs; }
    [[nodiscard]] QSpinBox& field(perf::BlockNeed need) { return *m_fields[std::size_t(need)]; }
    [[nodiscard]] ChartPlot& chart(perf::BlockNeed need) { return *m_charts[std::size_t(need)]; }
    [[nodiscard]] QTableWidget& table() { return *m_table; }
    [[nodiscard]] QPushButton& resetButton() { return *m_reset; }
    [[nodiscard]] QPushButton& nextButton() { return *m_next; }
    [[nodiscard]] QString headline() const;
    [[nodiscard]] QString subline() const;
    [[nodiscard]] QString hint() const;
    [[nodiscard]] const TriedBlock& block() const { return m_block; }

Q_SIGNALS:
    void backRequested();
    void chooseRequested(); ///< of a kernel, from the archive
    void countRequested();  ///< of the kernel's launches

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    QWidget* buildHead();
    QWidget* buildFields();
    QWidget* buildBody();
    void refreshSoon();
    void refresh();
    void readBench();
    void fillKernels();
    void fillFields();
    void fitColumns();
    void fillTable();
    void tryValue(perf::BlockNeed need, int value);
    void forgetTried();
    [[nodiscard]] QString archNow() const;
    [[nodiscard]] const verify::LaunchedBlock* chosen() const;
    [[nodiscard]] QString headWords() const;
    [[nodiscard]] QString originWords() const;
    void sayWhatNext();

    Around m_with;
    Theme& m_theme;
    PageHead* m_head;
    QLabel* m_hint;
    QPushButton* m_next;
    QComboBox* m_kernels;
    QComboBox* m_archs;
    std::array<QSpinBox*, 3> m_fields{};
    QPushButton* m_reset;
    QTableWidget* m_table;
    QLabel* m_oneMore;
    std::array<ChartPlot*, 3> m_charts{};
    QBoxLayout* m_chartRow = nullptr;
    QTimer m_pause;

    std::vector<verify::LaunchedBlock> m_blocks;         ///< of the text as it was compiled last
    bool m_areOfEarlierText = false;                     ///< the launches
    QString m_chosen;                                    ///< what the list of kernels showed last
    std::array<std::optional<std::uint32_t>, 3> m_tried; ///< in place of the kernel's own
    QString m_triedArch;                                 ///< empty: the target's
    TriedBlock m_block;
    bool m_filling = false;
};

} // namespace kernelarium::ui
