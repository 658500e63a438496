// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/archive/ArchiveButton.h"

#include "ui/desks/ArchiveDesk.h"
#include "ui/theme/Theme.h"
#include "ui/words/Words.h"

#include <QFileInfo>
#include <QMenu>

namespace kernelarium::ui {

ArchiveButton::ArchiveButton(ArchiveDesk& archive, Theme& theme, QWidget* parent)
    : QToolButton(parent)
    , m_archive(archive)
    , m_theme(theme) {
    setAutoRaise(true);
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setPopupMode(QToolButton::InstantPopup);
    setFont(theme.captionFont());
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(tr("The open archive"));
    auto* menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, &ArchiveButton::fill);
    connect(&m_archive, &ArchiveDesk::changed, this, &ArchiveButton::refresh);
    connect(&m_archive, &ArchiveDesk::arrivingChanged, this, &ArchiveButton::refresh);
    connect(&theme, &Theme::changed, this, &ArchiveButton::refresh);
    refresh();
}

void ArchiveButton::setStarter(const QString& path) {
    m_starter = path;
    refresh();
}

void ArchiveButton::setRecent(const QStringList& archives) {
    m_recent = archives;
}

void ArchiveButton::setOthers(const QList<QAction*>& actions) {
    m_others = actions;
}

QString ArchiveButton::nameOf(const QString& path) const {
    return path == m_starter ? tr("the starter archive") : QFileInfo(path).fileName();
}

void ArchiveButton::refresh() {
    setIcon(m_theme.icon(QStringLiteral("archive")));
    const bool isOpen = m_archive.table() != nullptr;
    QString name = isOpen ? nameOf(m_archive.path()) : tr("no archive");
    if (!name.isEmpty()) name[0] = isOpen && m_archive.path() != m_starter ? name[0] : name[0].toUpper();
    setText(withoutMnemonic(fontMetrics().elidedText(name, Qt::ElideMiddle, fontMetrics().averageCharWidth() * 30)));
    setToolTip((isOpen ? tr("The open archive: %1").arg(m_archive.path()) : tr("No archive is open")) +
               tr("\nA click opens another"));
}

void ArchiveButton::fill() {
    menu()->clear();
    for (const QString& path : m_recent) {
        QAction* action = menu()->addAction(withoutMnemonic(QFileInfo(path).fileName()));
        action->setToolTip(path);
        action->setCheckable(true);
        action->setChecked(m_archive.table() && path == m_archive.path());
        connect(action, &QAction::triggered, this, [this, path] { Q_EMIT chosen(path); });
    }
    if (!m_recent.isEmpty()) menu()->addSeparator();
    menu()->addActions(m_others);
}

} // namespace kernelarium::ui
