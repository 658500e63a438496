// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

namespace kernelarium::session {
struct SavedSearch;
}

namespace kernelarium::ui {

class SessionDesk;

/// The saved searches: choose one, save what is typed, rename, delete. They are the command line's as well.
class SavedSearchMenu : public QMenu {
    Q_OBJECT
public:
    explicit SavedSearchMenu(SessionDesk& session, QWidget* parent = nullptr);

    /// What there is to save; empty text and no option: nothing.
    void setCanSave(bool canSave) { m_canSave = canSave; }

Q_SIGNALS:
    void chosen(const kernelarium::session::SavedSearch& search);
    void saveWanted(const QString& name);

private:
    void fill();
    void askForName();
    void askForNewName(const QString& name);

    SessionDesk& m_session;
    bool m_canSave = false;
};

} // namespace kernelarium::ui
