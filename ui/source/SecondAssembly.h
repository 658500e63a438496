// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "ui/desks/CompileDesk.h"
#include "ui/editor/PtxView.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QStackedWidget;
class QToolButton;

namespace kernelarium::ui {

class ElidedLabel;
class Bench;
class LatestJob;
class Place;
class Theme;

/// The same text compiled for another architecture or with other options: its PTX or SASS beside that of the first, and
/// what differs between the two.
class SecondAssembly : public QWidget {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it. `first`: the views of the text as it is compiled for the bench.
    struct Around {
        Bench& bench;
        Place& place;
        CompileDesk& compiler;
        PtxView& firstPtx;
        PtxView& firstSass;
    };
    SecondAssembly(const Around& around, Theme& theme, QWidget* parent = nullptr);

    /// Compiles where what is shown is not of the text and choices as they are; does nothing while it is hidden.
    void follow();
    /// Nothing is known of the new text yet.
    void clear();
    void leave(); ///< it was hidden: the first views are as they were without it
    void showSourceLine(int line);
    [[nodiscard]] Assembly assembly() const;
    void setAssembly(Assembly assembly);
    void focusFirst();

    [[nodiscard]] PtxView& view() const; ///< the one in front
    [[nodiscard]] QComboBox& kinds() { return *m_kinds; }
    [[nodiscard]] QComboBox& architectures() { return *m_archs; }
    [[nodiscard]] QLineEdit& options() { return *m_options; }
    [[nodiscard]] QToolButton& differences() { return *m_mark; }
    [[nodiscard]] QToolButton& next() { return *m_next; }
    [[nodiscard]] QString words() const; ///< registers of both, and how many differences there are

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void sourceLineActivated(int line);
    void assemblyChanged(); ///< the first view of the kind is to be there
    void stateChanged();
    void closeRequested();

private:
    void build();
    QWidget* buildBar();
    [[nodiscard]] PtxView& first() const;
    [[nodiscard]] Result<Target> target() const;
    void compile();
    void refuse(const QString& why); ///< neither kind has a listing
    void hear(Result<CompileDesk::Assembled> answer);
    void compareSoon();
    void showDifferences(const std::vector<int>& here, const std::vector<int>& there, int changes);
    void say();

    Around m_with;
    Theme& m_theme;
    QComboBox* m_kinds;
    QComboBox* m_archs;
    QLineEdit* m_options;
    QToolButton* m_mark;
    QToolButton* m_next;
    QToolButton* m_close;
    ElidedLabel* m_words;
    QStackedWidget* m_stack;
    PtxView* m_views[2];
    LatestJob* m_job;
    std::shared_ptr<const compile::CompiledUnit> m_unit; ///< the second; null while there is none
    /// The unit of the bench that m_unit stands beside. Held: another one must not come to lie at its address.
    std::shared_ptr<const compile::CompiledUnit> m_firstUnit;
    Target m_asked; ///< how m_unit was, or is being, compiled
    bool m_withSass = false;
    quint64 m_ticket = 0; ///< of the newest request
    int m_changes = -1;   ///< between the two that are shown; -1: not compared
};

} // namespace kernelarium::ui
