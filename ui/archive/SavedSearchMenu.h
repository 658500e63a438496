// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>
#include <memory>

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
    ~SavedSearchMenu() override;

    /// What there is to save; empty text and no option: nothing.
    void setCanSave(bool canSave) { m_canSave = canSave; }

Q_SIGNALS:
    void chosen(const kernelarium::session::SavedSearch& search);
    void saveWanted(const QString& name);
    void removed(const QString& name); ///< it can be brought back from the menu

private:
    void fill();
    void askForName();
    void askForNewName(const QString& name);

    void forget(const session::SavedSearch& search);
    void undoRemoval();

    SessionDesk& m_session;
    std::unique_ptr<session::SavedSearch> m_removed; ///< the last one that was deleted
    bool m_canSave = false;
};

} // namespace kernelarium::ui
