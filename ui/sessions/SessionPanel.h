// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/sessions/AttemptModel.h"
#include "ui/sessions/SessionBar.h"

#include <QWidget>

class QLabel;
class QSortFilterProxyModel;
class QStackedLayout;
class QTableView;

namespace kernelarium::ui {

/// The sessions and the attempts of the current one. It is given data and asks for changes; it writes nothing
/// itself.
class SessionPanel : public QWidget {
    Q_OBJECT
public:
    explicit SessionPanel(const Theme& theme, QWidget* parent = nullptr);

    void setSessions(const std::vector<session::SessionInfo>& sessions, qint64 current);
    void setAttempts(const AttemptModel::Attempts& attempts);
    /// Marks the attempt that is on the bench; 0: none. Emits nothing.
    void setCurrentAttempt(qint64 attempt);

    [[nodiscard]] SessionBar& bar() { return *m_bar; }
    [[nodiscard]] QTableView& table() { return *m_table; }
    [[nodiscard]] AttemptModel& model() { return *m_model; }
    [[nodiscard]] QAction& compareAction() { return *m_compare; }
    [[nodiscard]] QAction& restoreAction() { return *m_restore; }

    /// Widths and order of columns.
    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void attemptActivated(qint64 attempt);
    void compareRequested(qint64 older, qint64 newer);
    void restoreRequested(qint64 attempt); ///< its source back into the editor
    void nameEdited(qint64 attempt, const QString& name);
    void notesEdited(qint64 attempt, const QString& notes);
    void sessionChosen(qint64 session);
    void newSessionRequested(const QString& name);
    void renameSessionRequested(qint64 session, const QString& name);
    void removeSessionRequested(qint64 session);
    void restoreSessionRequested(qint64 session);
    void exportRequested(const QString& path);

private:
    void buildTable();
    void buildActions();
    void forwardBar();
    void refreshActions();
    [[nodiscard]] std::vector<qint64> selected() const; ///< ascending

    const Theme& m_theme;
    SessionBar* m_bar;
    AttemptModel* m_model;
    QSortFilterProxyModel* m_sorted;
    QTableView* m_table;
    QLabel* m_empty;
    QStackedLayout* m_stack;
    QAction* m_open;
    QAction* m_compare;
    QAction* m_restore;
    QAction* m_editName;
    QAction* m_editNotes;
};

} // namespace kernelarium::ui
