// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/diagnostics/DiagnosticsModel.h"
#include "ui/diagnostics/ResourcesModel.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTableView;

namespace kernelarium::ui {

class Bench;
class CompileDesk;
class TidyDesk;

/// What the compiler says of the text as it stands: messages, and what each kernel takes.
class DiagnosticsPanel : public QWidget {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        CompileDesk& compiler;
        TidyDesk& tidy;
    };
    DiagnosticsPanel(const Around& around, Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] DiagnosticsModel& model() { return *m_model; }
    [[nodiscard]] QTableView& messages() { return *m_messages; }
    [[nodiscard]] QTableView& resources() { return *m_resources; }
    [[nodiscard]] QString summary() const;                        ///< how the compilation stands, in a line
    [[nodiscard]] QPushButton& againButton() { return *m_again; } ///< where a compilation was cancelled or failed
    [[nodiscard]] QString tidyText() const;                       ///< how clang-tidy stands, likewise

Q_SIGNALS:
    void titleChanged(const QString& title); ///< "Diagnostics (2)"

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();
    void refresh();
    void refreshAdvice();
    void refreshPage();
    void activate(const QModelIndex& index);

    Around m_with;
    DiagnosticsModel* m_model;
    ResourcesModel* m_resourcesModel;
    QTableView* m_messages;
    QTableView* m_resources;
    QLabel* m_summary;
    QPushButton* m_again;
    QLabel* m_tidy;
    QLabel* m_empty;
    QStackedWidget* m_pages;
    QSplitter* m_split;
};

} // namespace kernelarium::ui
