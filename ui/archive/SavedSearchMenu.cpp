// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/archive/SavedSearchMenu.h"

#include "core/session/SavedSearches.h"
#include "ui/desks/SessionDesk.h"
#include "ui/words/Words.h"

#include <QDialogButtonBox>
#include <QInputDialog>
#include <QLineEdit>
#include <QPushButton>
#include <utility>

namespace kernelarium::ui {

namespace {

/// Asks for a name without stopping anything else.
void askName(QWidget* parent, const QString& title, const QString& before,
             const std::function<void(const QString&)>& done) {
    auto* dialog = new QInputDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->setLabelText(QInputDialog::tr("Name of the search"));
    dialog->setTextValue(before);
    QObject::connect(dialog, &QInputDialog::textValueSelected, parent, [done](const QString& name) {
        if (!name.trimmed().isEmpty()) done(name.trimmed());
    });
    dialog->open();
    if (auto* field = dialog->findChild<QLineEdit*>()) field->setMinimumWidth(360); // so that the title is seen whole
    auto* buttons = dialog->findChild<QDialogButtonBox*>();
    const auto check = [buttons](const QString& name) {
        QPushButton* ok = buttons != nullptr ? buttons->button(QDialogButtonBox::Ok) : nullptr;
        if (ok == nullptr) return;
        ok->setEnabled(!name.trimmed().isEmpty());
        ok->setToolTip(ok->isEnabled() ? QString() : QInputDialog::tr("Not now: the search has no name yet"));
    };
    QObject::connect(dialog, &QInputDialog::textValueChanged, dialog, check);
    check(before);
}

} // namespace

SavedSearchMenu::SavedSearchMenu(SessionDesk& session, QWidget* parent)
    : QMenu(parent)
    , m_session(session) {
    setToolTipsVisible(true);
    connect(this, &QMenu::aboutToShow, this, &SavedSearchMenu::fill);
}

SavedSearchMenu::~SavedSearchMenu() = default;

void SavedSearchMenu::fill() {
    clear();
    QAction* save = addAction(tr("&Save this search…"), this, &SavedSearchMenu::askForName);
    save->setEnabled(m_canSave);
    save->setToolTip(m_canSave ? tr("Save the current search and filters under a name")
                               : tr("Not now: the search is empty or not valid"));
    for (const auto& search : m_session.searches()) // its place is taken
        if (m_removed && search.name == m_removed->name) m_removed.reset();
    if (m_removed) {
        const QString name = QString::fromStdString(m_removed->name);
        addAction(tr("&Undo deleting \"%1\"").arg(withoutMnemonic(name)), this, &SavedSearchMenu::undoRemoval)
            ->setToolTip(tr("Bring the deleted search back"));
    }
    addSeparator();
    const auto& searches = m_session.searches();
    if (searches.empty()) {
        QAction* none = addAction(tr("Saved searches are listed here"));
        none->setEnabled(false);
        return;
    }
    for (const auto& search : searches) {
        QAction* action = addAction(withoutMnemonic(QString::fromStdString(search.name)), this,
                                    [this, search] { Q_EMIT chosen(search); });
        action->setToolTip(QString::fromStdString(search.text));
    }
    addSeparator();
    QMenu* rename = addMenu(tr("&Rename"));
    QMenu* remove = addMenu(tr("&Delete"));
    for (const auto& search : searches) {
        const QString name = QString::fromStdString(search.name);
        rename->addAction(withoutMnemonic(name), this, [this, name] { askForNewName(name); })
            ->setToolTip(tr("Give this search another name"));
        remove->addAction(withoutMnemonic(name), this, [this, search] { forget(search); })
            ->setToolTip(tr("Delete this search"));
    }
}

void SavedSearchMenu::forget(const session::SavedSearch& search) {
    m_removed = std::make_unique<session::SavedSearch>(search);
    m_session.removeSearch(QString::fromStdString(search.name));
    Q_EMIT removed(QString::fromStdString(search.name));
}

void SavedSearchMenu::undoRemoval() {
    if (const auto search = std::exchange(m_removed, nullptr)) m_session.saveSearch(*search);
}

void SavedSearchMenu::askForName() {
    askName(parentWidget(), tr("Save the search"), {}, [this](const QString& name) { Q_EMIT saveWanted(name); });
}

void SavedSearchMenu::askForNewName(const QString& name) {
    askName(parentWidget(), tr("Rename the search"), name,
            [this, name](const QString& other) { m_session.renameSearch(name, other); });
}

} // namespace kernelarium::ui
