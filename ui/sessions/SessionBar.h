// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/Session.h"
#include "ui/theme/Theme.h"

#include <QWidget>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace kernelarium::ui {

/// Chooses, makes, renames, exports and deletes sessions. Names are asked for in place; a deletion can be
/// taken back in place.
class SessionBar : public QWidget {
    Q_OBJECT
public:
    explicit SessionBar(const Theme& theme, QWidget* parent = nullptr);

    void setSessions(const std::vector<session::SessionInfo>& sessions, qint64 current);

    // For tests and shortcuts.
    [[nodiscard]] QComboBox* chooser() const { return m_chooser; }
    [[nodiscard]] QToolButton* newButton() const { return m_new; }
    [[nodiscard]] QToolButton* renameButton() const { return m_rename; }
    [[nodiscard]] QToolButton* exportButton() const { return m_export; }
    [[nodiscard]] QToolButton* deleteButton() const { return m_delete; }
    [[nodiscard]] QLineEdit* nameField() const { return m_name; }
    [[nodiscard]] QPushButton* undoButton() const { return m_undo; }

Q_SIGNALS:
    void sessionChosen(qint64 session);
    void newSessionRequested(const QString& name);
    void renameRequested(qint64 session, const QString& name);
    void removeRequested(qint64 session);
    void restoreRequested(qint64 session); ///< takes a deletion back
    void exportRequested(const QString& path);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Asking { nothing, newName, otherName };
    QToolButton* button(const QString& text, const QString& toolTip);
    void ask(Asking asking);
    void takeName();
    void removeCurrent();
    void chooseFile();
    void refreshIcons();

    const Theme& m_theme;
    std::vector<session::SessionInfo> m_sessions;
    qint64 m_current = 0;
    qint64 m_removed = 0;
    Asking m_asking = Asking::nothing;
    QComboBox* m_chooser;
    QToolButton* m_new;
    QToolButton* m_rename;
    QToolButton* m_export;
    QToolButton* m_delete;
    QLineEdit* m_name;
    QWidget* m_undoRow;
    QLabel* m_undoText;
    QPushButton* m_undo;
};

} // namespace kernelarium::ui
