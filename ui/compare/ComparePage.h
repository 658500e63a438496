// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/compare/CompareDesk.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QStackedLayout;
class QTableView;
class QTabWidget;
class QToolButton;

namespace kernelarium::ui {

class ArchiveDesk;
class Bench;
class CounterPairModel;
class DiffView;
class EmptyState;
class Place;
class Theme;
struct WorkspacePaths;

/// Two kernels side by side: their texts, what the compiler makes of them, what they do, and their times.
class ComparePage : public QWidget {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        ArchiveDesk& archive;
        Place& place;
        const WorkspacePaths& paths;
    };
    enum View { texts, ptx, sass, counters, viewCount_ };
    ComparePage(const Around& around, Theme& theme, QWidget* parent = nullptr);

    void compare(ComparedKernel a, ComparedKernel b);
    /// A row of the open archive's table.
    [[nodiscard]] ComparedKernel archived(std::uint32_t tableRow) const;
    /// One by its number in the archive; nothing where it is not there.
    [[nodiscard]] std::optional<ComparedKernel> archivedNumber(qint64 id) const;
    void focusFirst(); ///< where the keyboard begins

    [[nodiscard]] CompareDesk& desk() { return *m_desk; }
    [[nodiscard]] QTabWidget& views() { return *m_views; }
    [[nodiscard]] DiffView& diff(View view) { return *m_diffs[view]; }
    [[nodiscard]] QTableView& table() { return *m_table; }
    [[nodiscard]] CounterPairModel& model() { return *m_model; }
    [[nodiscard]] EmptyState& emptyState() { return *m_empty; }
    [[nodiscard]] QString sentences() const;

Q_SIGNALS:
    void backRequested();   ///< to the source
    void chooseRequested(); ///< the button of the empty state

private:
    void build();
    void refresh();
    void begin(); ///< compares m_a and m_b
    void swapSides();
    void takeChange(const QString& text);
    void show(View view, const QString& a, const QString& b);
    void nameChangeButton();

    Around m_with;
    CompareDesk* m_desk;
    QToolButton* m_back;
    QToolButton* m_swap;
    QLabel* m_heading;
    QLabel* m_sentences;
    QLabel* m_step;
    QTabWidget* m_views;
    DiffView* m_diffs[counters] = {};
    std::pair<QString, QString> m_shown[counters]; ///< what the differences are of
    QTableView* m_table;
    CounterPairModel* m_model;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
    ComparedKernel m_a, m_b;
    QString m_archive; ///< the file that their rows are of
    QString m_refusal; ///< why a change was not taken; or empty
    bool m_isChosen = false;
};

} // namespace kernelarium::ui
