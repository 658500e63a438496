// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/ThemeActions.h"

#include "ui/frame/Actions.h"
#include "ui/window/Docks.h"
#include "ui/window/WindowState.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QJsonArray>
#include <QMenu>

namespace kernelarium::ui {

namespace {

struct ThemeAction {
    const char* name;
    const char* text;
    const char* tip;
    Theme::Choice choice;
};

constexpr ThemeAction themeActions[] = {
    {"view.themeSystem", QT_TRANSLATE_NOOP("kernelarium::ui::ThemeActions", "&System theme"),
     QT_TRANSLATE_NOOP("kernelarium::ui::ThemeActions", "Follow the desktop's colours"), Theme::Choice::system},
    {"view.themeLight", QT_TRANSLATE_NOOP("kernelarium::ui::ThemeActions", "&Light theme"),
     QT_TRANSLATE_NOOP("kernelarium::ui::ThemeActions", "Dark text on a light background"), Theme::Choice::light},
    {"view.themeDark", QT_TRANSLATE_NOOP("kernelarium::ui::ThemeActions", "&Dark theme"),
     QT_TRANSLATE_NOOP("kernelarium::ui::ThemeActions", "Light text on a dark background"), Theme::Choice::dark},
};

} // namespace

ThemeActions::ThemeActions(Theme& theme, Docks& docks, WindowState& state, Actions& actions, QWidget& window)
    : QObject(&window)
    , m_theme(theme)
    , m_docks(docks)
    , m_state(state)
    , m_actions(actions)
    , m_menu(new QMenu(tr("&Theme"), &window)) {
    for (const ThemeAction& row : themeActions)
        m_actions.add({QLatin1String(row.name),
                       tr(row.text),
                       tr(row.tip),
                       {},
                       {},
                       [this, choice = row.choice] { choose(choice); },
                       {},
                       true,
                       [this, choice = row.choice] { return m_theme.choice() == choice; }});
    m_actions.add({QStringLiteral("view.theme"),
                   tr("S&witch theme"),
                   tr("Switch between light and dark colours"),
                   QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T),
                   QStringLiteral("theme"),
                   [this] { choose(m_theme.colours().dark ? Theme::Choice::light : Theme::Choice::dark); },
                   {}});
    connect(&m_theme, &Theme::changed, &m_actions, &Actions::refreshSoon);
    buildMenu();
    state.addValue(
        QStringLiteral("theme"), [this] { return QJsonValue(Theme::word(m_theme.choice())); },
        [this](const QJsonValue& word) { m_theme.setChoice(Theme::choiceFromWord(word.toString())); });
    addProjector();
}

void ThemeActions::addProjector() {
    m_actions.add({QStringLiteral("view.projector"),
                   tr("Pro&jector"),
                   tr("Large text and room for the lesson and the source, for a room full of people"),
                   QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_J),
                   {},
                   [this] {
                       project(!m_theme.isProjected());
                       m_actions.refresh();
                       m_state.changedSoon();
                   },
                   {},
                   true,
                   [this] { return m_theme.isProjected(); }});
    m_state.addValue(
        QStringLiteral("projector"),
        [this] { return m_theme.isProjected() ? QJsonValue(QJsonArray::fromStringList(m_put)) : QJsonValue(); },
        [this](const QJsonValue& put) {
            if (!put.isArray()) return;
            for (const QJsonValue& name : put.toArray())
                m_put << name.toString();
            m_theme.setProjected(true);
            m_actions.refresh();
        });
}

void ThemeActions::project(bool projected) {
    m_theme.setProjected(projected);
    if (!projected) {
        for (QDockWidget* dock : m_docks.all())
            if (m_put.contains(dock->objectName())) dock->show();
        m_put.clear();
        return;
    }
    for (QDockWidget* dock : m_docks.all())
        if (!dock->isFloating() && !dock->isHidden() && m_docks.areaOf(*dock) == Qt::RightDockWidgetArea) {
            m_put << dock->objectName();
            dock->hide();
        }
    m_docks.show(QStringLiteral("lessons"));
}

void ThemeActions::choose(Theme::Choice choice) {
    m_theme.setChoice(choice);
    m_actions.refresh();
    m_state.changedSoon();
}

void ThemeActions::buildMenu() {
    m_menu->setToolTipsVisible(true);
    auto* group = new QActionGroup(this);
    for (const ThemeAction& row : themeActions) {
        m_menu->addAction(m_actions.action(QLatin1String(row.name)));
        group->addAction(m_actions.action(QLatin1String(row.name)));
    }
    m_menu->addSeparator();
    m_menu->addAction(m_actions.action(QStringLiteral("view.theme")));
}

} // namespace kernelarium::ui
