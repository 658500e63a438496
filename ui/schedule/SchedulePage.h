// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/schedule/NativeCodeDesk.h"
#include "ui/schedule/ScheduleSearchDesk.h"

#include <QTimer>
#include <QWidget>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QTabWidget;
class QTableView;

namespace kernelarium::compile {
struct CompiledUnit;
}

namespace kernelarium::ui {

class AcceptedModel;
class Assignment;
class Bench;
class BothSides;
class CompileDesk;
class CountersView;
class EmptyState;
class EnergyPlot;
class FateModel;
class MeasureChoice;
class Notices;
class PageHead;
class Place;
class SessionDesk;
class Theme;

/// Searching another order of a kernel's native instructions: what to expect before it begins, how it goes, what came
/// of it beside the original, and what that may be trusted for. Times are measured where kernels run on a GPU, else
/// modelled. It follows the kernel on the bench; nothing is compiled while nobody looks, and nothing is searched
/// unasked.
class SchedulePage : public QWidget {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        Assignment& assignment;
        Place& place;
        CompileDesk& compiler;
        SessionDesk& session;
        Notices& notices;
        QString program;  ///< kernelarium-cli, whose run child measures
        QString searches; ///< folder of the searches' stores
    };
    SchedulePage(const Around& around, Theme& theme, QWidget* parent = nullptr);

    void focusFirst(); ///< where the keyboard begins

    [[nodiscard]] ScheduleSearchDesk& desk() { return *m_desk; }
    [[nodiscard]] QComboBox& kernels() { return *m_kernels; }
    [[nodiscard]] QSpinBox& steps() { return *m_steps; }
    [[nodiscard]] QSpinBox& seed() { return *m_seed; }
    [[nodiscard]] QSpinBox& worsen() { return *m_worsen; }
    [[nodiscard]] MeasureChoice& measuring() { return *m_measuring; } ///< hidden where times are modelled
    [[nodiscard]] QPushButton& startButton() { return *m_start; }     ///< also Pause, Go on, Resume
    [[nodiscard]] QPushButton& cancelButton() { return *m_cancel; }
    [[nodiscard]] QPushButton& keepButton() { return *m_keep; }
    [[nodiscard]] QPushButton& undoButton() { return *m_undo; }
    [[nodiscard]] QTabWidget& views() { return *m_views; }
    [[nodiscard]] EnergyPlot& energies() { return *m_energies; }
    [[nodiscard]] FateModel& fates() { return *m_fates; }
    [[nodiscard]] QTableView& fateTable() { return *m_fateTable; }
    [[nodiscard]] AcceptedModel& accepted() { return *m_accepted; }
    [[nodiscard]] QTableView& acceptedTable() { return *m_acceptedTable; }
    [[nodiscard]] BothSides& sides() { return *m_sides; }
    [[nodiscard]] CountersView& counters() { return *m_counters; }
    [[nodiscard]] QPlainTextEdit& stamp() { return *m_stamp; }
    [[nodiscard]] EmptyState& emptyState() { return *m_empty; }
    [[nodiscard]] QString headline() const;
    [[nodiscard]] QString subline() const;
    [[nodiscard]] QString said() const;     ///< beside the progress
    [[nodiscard]] QString undoSaid() const; ///< beside the buttons that undo
    [[nodiscard]] QString mode() const;     ///< whether times are measured or modelled, where, and why
    /// What it shows is of the text as it stands.
    [[nodiscard]] bool isSettled() const;

    /// The best schedule, or that without a move, as an attempt of the history; where one cannot be kept, a notice.
    void keep();
    void exportCubin(const QString& path);
    void exportPatches(const QString& path);

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void backRequested();
    void chooseRequested(); ///< of the empty page: a kernel
    void attemptAdded(qint64 id);
    void stateChanged();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    QWidget* buildBar();
    QWidget* buildBody();
    QWidget* buildAccepted();
    void buildTable(QTableView& table, QAbstractItemModel& model, const QString& name);
    void connectParts();
    void followSoon();
    void follow();
    void hearCode();
    void look();
    [[nodiscard]] ScheduleQuestion question() const;
    /// What decides where a kernel's times come from; with another one it is looked at anew.
    struct TimesSource {
        QString whyModelled; ///< empty: they are measured
        Target target;
        std::shared_ptr<const task::Card> card;
        QStringList arguments;
        /// How it is timed elsewhere does not count.
        bool operator==(const TimesSource& other) const;
    };
    [[nodiscard]] TimesSource timesOf(const Kernel& kernel) const;
    [[nodiscard]] bool isMeasuring() const;
    void press();
    void refreshBar();
    void refreshStart();
    void refreshWords();
    void refreshBody();
    void refreshSteps();
    void refreshVariant();
    void showNothing(const QString& title, const QString& sentence, const QString& button = {},
                     const QString& tip = {});
    void goToMove(int row);
    void undoChosen();
    void askForFile(bool cubin);
    void tell(const QString& path, const Result<void>& written);
    [[nodiscard]] QString progressText() const;
    [[nodiscard]] QString stampText() const;
    [[nodiscard]] QString timeText(const ScheduleVariant& variant) const;

    Around m_with;
    Theme& m_theme;
    NativeCodeDesk* m_code;
    ScheduleSearchDesk* m_desk;
    FateModel* m_fates;
    AcceptedModel* m_accepted;
    PageHead* m_head;
    QComboBox* m_kernels;
    QSpinBox* m_steps;
    QSpinBox* m_seed;
    QSpinBox* m_worsen;
    MeasureChoice* m_measuring;
    QPushButton* m_start;
    QPushButton* m_cancel;
    QPushButton* m_keep;
    QPushButton* m_export;
    QPushButton* m_undo;
    QPushButton* m_all;
    QLabel* m_mode;
    QLabel* m_said;
    QProgressBar* m_progress;
    EnergyPlot* m_energies;
    QTableView* m_fateTable;
    QTableView* m_acceptedTable;
    QLabel* m_undoSaid;
    BothSides* m_sides;
    CountersView* m_counters;
    QPlainTextEdit* m_stamp;
    QTabWidget* m_views;
    EmptyState* m_empty;
    QStackedWidget* m_body;
    QTimer m_pause;
    bool m_isStale = true;
    bool m_wantsStart = false;                           ///< the focus goes to Start once it can begin
    bool m_isAsked = false;                              ///< code is on its way
    std::shared_ptr<const compile::CompiledUnit> m_unit; ///< whose code is shown, or asked for
    Kernel m_kernel;                                     ///< on the bench when that unit was compiled
    QString m_source;                                    ///< its text then
    std::string m_options;                               ///< Place::optionsFor, then
    TimesSource m_times;                                 ///< of the kernel, when it was looked at
    bool m_isLookRefused = false;                        ///< something was chosen while a search ran
    quint64 m_askedFor = 0;                              ///< counts requests for code
    void (SchedulePage::*m_next)() = nullptr;            ///< what the empty page's button does
};

} // namespace kernelarium::ui
