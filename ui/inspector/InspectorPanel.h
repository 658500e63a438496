// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/Cost.h"
#include "ui/inspector/FactsText.h"
#include "ui/theme/Theme.h"
#include "ui/threads/SerialThread.h"

#include <QWidget>
#include <memory>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTabWidget;
class QTextBrowser;

namespace kernelarium::ui {

class OperatorGraphView;
class Assignment;
class Bench;
class CardDesk;
class PastTrials;
class PythonHighlighter;
class RunDesk;
class Standing;

/// The facts beside the text: what the archive says, the task as a graph, the PyTorch reference.
class InspectorPanel : public QWidget {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        Assignment& assignment;
        PastTrials& past;
        Standing& standing;
        RunDesk& runner;
        CardDesk& cards;
    };
    InspectorPanel(const Around& around, Theme& theme, QWidget* parent = nullptr);
    ~InspectorPanel() override;

    enum Tab { facts, task, pytorch };
    void showTab(Tab tab);
    [[nodiscard]] QTextBrowser& factsView() { return *m_facts; }
    [[nodiscard]] QPlainTextEdit& referenceView() { return *m_reference; }
    [[nodiscard]] OperatorGraphView& graph() { return *m_graph; }

protected:
    void resizeEvent(QResizeEvent* event) override;

Q_SIGNALS:
    void setupRequested(); ///< the user wants to say what the kernel is held against

private:
    void showNoTask();
    void refresh();
    void refreshText();
    [[nodiscard]] VerdictFact verdictNow() const;
    void refreshTask();
    void showReference();

    Around m_with;
    Theme& m_theme;
    QTabWidget* m_tabs;
    QTextBrowser* m_facts;
    QLabel* m_taskText;
    QPushButton* m_export;
    QPushButton* m_setup;
    OperatorGraphView* m_graph;
    QComboBox* m_size;
    QComboBox* m_referenceKind;
    QPlainTextEdit* m_reference;
    PythonHighlighter* m_python;
    bool m_narrow = false;    ///< the facts have no room for three columns
    QString m_shown;          ///< what the facts show of the text as it stands
    QString m_html;           ///< what the facts say now
    quint64 m_generation = 0; ///< of the card whose cost is being computed
    SerialThread m_thread;
};

} // namespace kernelarium::ui
