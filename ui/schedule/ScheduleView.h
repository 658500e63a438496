// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/schedule/NativeCodeDesk.h"

#include <QWidget>

class QComboBox;
class QSpinBox;
class QSplitter;
class QStackedWidget;
class QTabWidget;
class QTableView;
class QTextBrowser;
class QUrl;

namespace kernelarium::ui {

class ElidedLabel;
class EmptyState;
class ScheduleModel;
class Theme;

/// A kernel's native code with its scheduling in columns, and below it why the chosen instruction waits and what limits
/// the chosen loop. Places and source lines there are links.
class ScheduleView : public QWidget {
    Q_OBJECT
public:
    explicit ScheduleView(Theme& theme, QWidget* parent = nullptr);

    /// Decodes off the GUI thread. What was shown stays until then; the chosen kernel stays chosen by name.
    void read(std::vector<std::byte> cubin, quint64 generation);
    void clear();
    void refuse(const QString& why); ///< why there is no code
    void wait(const QString& what);  ///< code is on its way; what is shown stays
    /// Lights the rows of a source line and scrolls to the first; 0: none's. Emits nothing.
    void showSourceLine(int line);
    void goToPlace(std::int64_t place); ///< the row of an instruction becomes the chosen one
    void focusFirst();

    [[nodiscard]] bool isEmpty() const;
    [[nodiscard]] NativeCodeDesk& desk() { return *m_desk; }
    [[nodiscard]] ScheduleModel& model() { return *m_model; }
    [[nodiscard]] QTableView& table() { return *m_table; }
    [[nodiscard]] QTextBrowser& answer() { return *m_answer; }
    [[nodiscard]] QTextBrowser& loopText() { return *m_loopText; }
    [[nodiscard]] QTabWidget& answers() { return *m_answers; }
    [[nodiscard]] QComboBox& kernels() { return *m_kernels; }
    [[nodiscard]] QComboBox& loops() { return *m_loops; }
    [[nodiscard]] QSpinBox& warps() { return *m_warps; }
    [[nodiscard]] QString summary() const;
    [[nodiscard]] QString emptyText() const;

    [[nodiscard]] QByteArray saveState() const; ///< widths of columns, and what is how high
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void sourceLineActivated(int line); ///< the chosen row is of another source line
    void stateChanged();

private:
    void build();
    void buildTable();
    void addActions();
    void restyle();
    void hear();
    void showNothing();
    void fillKernels();
    void showKernel();
    void fillLoops();
    void chooseLoop();
    void showRow();
    void showLoop();
    void follow(const QUrl& link);
    void goToProducer();
    void goBack();
    void choose(int row);

    Theme& m_theme;
    NativeCodeDesk* m_desk;
    ScheduleModel* m_model;
    QComboBox* m_kernels;
    QComboBox* m_loops;
    QSpinBox* m_warps;
    ElidedLabel* m_summary;
    QTableView* m_table;
    QTabWidget* m_answers;
    QTextBrowser* m_answer;
    QTextBrowser* m_loopText;
    QSplitter* m_split;
    EmptyState* m_empty;
    QStackedWidget* m_pages;
    std::vector<int> m_before; ///< rows that were left by following a link
    int m_sourceLine = 0;
    bool m_quiet = false; ///< the row changes because we change it
};

/// Widths that show a model's columns whole; `characters` of the instruction.
void setScheduleWidths(QTableView& table, const Theme& theme, int characters);

} // namespace kernelarium::ui
