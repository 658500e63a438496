// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/tuning/TuneDesk.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QListWidget;
class QPushButton;
class QStackedWidget;
class QTabWidget;

namespace kernelarium::ui {

class Assignment;
class Bench;
class ChartPlot;
class EmptyState;
class FigureView;
class Notices;
class PageHead;
class ParallelView;
class Place;
class PointFilter;
class PointModel;
class PointTable;
class ScatterPlot;
class SizesView;
class Theme;
class TuneBar;
struct WorkspacePaths;

/// The sweep of the kernel on the bench: what its marks let be tried, how the search goes, and every point in a table
/// and in plots.
class TunePage : public QWidget {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        Assignment& assignment;
        Place& place;
        Notices& notices;
        const WorkspacePaths& paths;
    };
    TunePage(const Around& around, Theme& theme, QWidget* parent = nullptr);

    void focusFirst(); ///< where the keyboard begins
    void start();      ///< as soon as the text has been read
    void togglePause();
    void stop(); ///< of an array it is asked what is to become of its tasks
    /// Why it cannot be started now; empty when it can, or when the text is yet to be read.
    [[nodiscard]] QString obstacle() const;

    [[nodiscard]] TuneDesk& desk() { return *m_desk; }
    [[nodiscard]] TuneBar& bar() { return *m_bar; }
    [[nodiscard]] PointModel& model() { return *m_model; }
    [[nodiscard]] PointTable& table() { return *m_table; }
    [[nodiscard]] ParallelView& parallel() { return *m_parallel; }
    [[nodiscard]] ScatterPlot& scatter() { return *m_scatter; }
    [[nodiscard]] ChartPlot& curve() { return *m_curve; }
    [[nodiscard]] FigureView& weights() { return *m_weights; }
    [[nodiscard]] SizesView& sizes() { return *m_sizes; }
    [[nodiscard]] QTabWidget& views() { return *m_views; }
    [[nodiscard]] QListWidget& troubles() { return *m_troubles; }
    [[nodiscard]] EmptyState& emptyState() { return *m_empty; }
    [[nodiscard]] QString headline() const;
    [[nodiscard]] QString subline() const;

    void open(int modelRow); ///< its text on the bench

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void backRequested();
    void helpRequested(); ///< how to mark
    void stateChanged();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    QWidget* buildViews();
    QWidget* buildPoints();
    void connectParts();
    void lookSoon();
    void look();
    [[nodiscard]] TuneQuestion question() const;
    [[nodiscard]] QString benchObstacle() const;
    void hearLook();
    void resetPoints();
    void addPoints();
    void refreshViews();
    void refreshWords();
    void refreshBody();
    void refreshEmpty();
    void fillTroubles();
    void goToTrouble(int row);
    void mark();
    [[nodiscard]] std::shared_ptr<const task::Card> sizedCard() const;
    struct Opening {
        QString kernelKey;
        QString text;
        QString words;     ///< that are said when it is there
        bool sets = false; ///< how it is compiled, as follows
        text::CompilerSettings settings;
        bool fastMath = false;
    };
    void openPoint(const QString& key);
    void openFile();
    void put(Opening opening);
    void putOpened(const Opening& opening);

    Around m_with;
    Theme& m_theme;
    TuneDesk* m_desk;
    PointModel* m_model;
    PointFilter* m_filter;
    TuneBar* m_bar;
    PageHead* m_head;
    ChartPlot* m_curve;
    ParallelView* m_parallel;
    ScatterPlot* m_scatter;
    FigureView* m_weights;
    QLabel* m_weightWords;
    SizesView* m_sizes;
    QTabWidget* m_views;
    PointTable* m_table;
    QLabel* m_shown;
    QPushButton* m_clear;
    QListWidget* m_troubles;
    QLabel* m_troubleWords;
    EmptyState* m_empty;
    QStackedWidget* m_body;
    QTimer m_lookPause;
    QTimer m_viewPause;
    bool m_stale = true; ///< the text has not been read as it stands
    bool m_startWanted = false;
    Stage m_told = Stage::idle; ///< of the sweep
    std::size_t m_taken = 0;    ///< of the desk's points
    TuneSubjectPointer m_shownSubject;
    std::optional<Opening> m_opening; ///< a text whose kernel is on its way to the bench
    SerialThread m_writer;            ///< of files of several versions
};

} // namespace kernelarium::ui
