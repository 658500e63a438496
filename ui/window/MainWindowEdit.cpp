// SPDX-License-Identifier: GPL-3.0-or-later
// The actions on text, the theme's and the help's, and their menus.
#include "ui/editor/CodeEditor.h"
#include "ui/window/AboutDialog.h"
#include "ui/window/Actions.h"
#include "ui/window/EditorArea.h"
#include "ui/window/HelpPanel.h"
#include "ui/window/MainWindow.h"

#include <QActionGroup>
#include <QApplication>
#include <QMenu>

namespace kernelarium::ui {

namespace {

using Key = QKeySequence;

/// Texts and fields of Qt and of QScintilla have the same slots under the same names.
bool knows(const QWidget* widget, const char* slot) {
    return widget && widget->metaObject()->indexOfSlot((QByteArray(slot) + "()").constData()) >= 0;
}

struct ThemeAction {
    const char* name;
    const char* text;
    const char* tip;
    Theme::Choice choice;
};

constexpr ThemeAction themeActions[] = {
    {"view.themeSystem", QT_TRANSLATE_NOOP("MainWindow", "&System theme"),
     QT_TRANSLATE_NOOP("MainWindow", "Follow the desktop's colours"), Theme::Choice::system},
    {"view.themeLight", QT_TRANSLATE_NOOP("MainWindow", "&Light theme"),
     QT_TRANSLATE_NOOP("MainWindow", "Dark text on a light ground"), Theme::Choice::light},
    {"view.themeDark", QT_TRANSLATE_NOOP("MainWindow", "&Dark theme"),
     QT_TRANSLATE_NOOP("MainWindow", "Light text on a dark ground"), Theme::Choice::dark},
};

} // namespace

/// The text that has the focus; else the kernel's.
QWidget* MainWindow::editTarget(const char* slot) const {
    QWidget* focus = QApplication::focusWidget();
    if (knows(focus, slot) && isAncestorOf(focus)) return focus;
    return m_workspace.kernel().isEmpty() ? nullptr : &m_editorArea->editor();
}

void MainWindow::addEditActions() {
    const auto noKernel = [this] { return m_workspace.kernel().isEmpty() ? tr("no kernel is open") : QString(); };
    const auto addText = [this](const char* name, const QString& text, const QString& tip, const Key& key,
                                const char* slot) {
        Actions::Spec spec{QLatin1String(name),
                           text,
                           tip,
                           key,
                           {},
                           [this, slot] {
                               if (QWidget* target = editTarget(slot)) QMetaObject::invokeMethod(target, slot);
                           },
                           [this, slot] { return editTarget(slot) ? QString() : tr("no kernel is open"); }};
        spec.keyOfTheWidget = true;
        m_actions->add(std::move(spec));
    };
    addText("edit.undo", tr("&Undo"), tr("Take the last change of the text back"), Key(Qt::CTRL | Qt::Key_Z), "undo");
    addText("edit.redo", tr("R&edo"), tr("Make the change again that was taken back"), Key(Qt::CTRL | Qt::Key_Y),
            "redo");
    addText("edit.cut", tr("Cu&t"), tr("Take the selected text to the clipboard"), Key(Qt::CTRL | Qt::Key_X), "cut");
    addText("edit.copy", tr("&Copy"), tr("Copy the selected text to the clipboard"), Key(Qt::CTRL | Qt::Key_C), "copy");
    addText("edit.paste", tr("&Paste"), tr("Put the clipboard's text at the cursor"), Key(Qt::CTRL | Qt::Key_V),
            "paste");
    addText("edit.selectAll", tr("Select &all"), tr("Select the whole text"), Key(Qt::CTRL | Qt::Key_A), "selectAll");
    m_actions->add({QStringLiteral("edit.find"), tr("&Find…"), tr("Find in the text"), Key::Find,
                    QStringLiteral("search"), [this] { m_editorArea->find(); }, noKernel});
    m_actions->add({QStringLiteral("edit.findNext"),
                    tr("Find ne&xt"),
                    tr("Go to the next match"),
                    Key(Qt::Key_F3),
                    {},
                    [this] { m_editorArea->findNext(); },
                    noKernel});
    m_actions->add({QStringLiteral("edit.findPrevious"),
                    tr("Find pre&vious"),
                    tr("Go to the match before"),
                    Key(Qt::SHIFT | Qt::Key_F3),
                    {},
                    [this] { m_editorArea->findPrevious(); },
                    noKernel});
    m_actions->add({QStringLiteral("edit.replace"),
                    tr("&Replace…"),
                    tr("Find and replace in the text"),
                    Key(Qt::CTRL | Qt::Key_H),
                    {},
                    [this] { m_editorArea->replace(); },
                    noKernel});
    m_actions->add({QStringLiteral("edit.nextMark"),
                    tr("&Next problem"),
                    tr("Go to the next error, warning or fault"),
                    Key(Qt::Key_F8),
                    {},
                    [this] { m_editorArea->goToNextMark(); },
                    noKernel});
    m_actions->add({QStringLiteral("edit.previousMark"),
                    tr("Previous pro&blem"),
                    tr("Go to the previous error, warning or fault"),
                    Key(Qt::SHIFT | Qt::Key_F8),
                    {},
                    [this] { m_editorArea->goToPreviousMark(); },
                    noKernel});
    const auto addSize = [this, noKernel](const char* name, const QString& text, const QString& tip, const Key& key,
                                          auto change) {
        Actions::Spec spec{
            QLatin1String(name), text, tip, key, {}, [this, change] { change(m_editorArea->editor()); }, noKernel};
        spec.keyOfTheWidget = true;
        m_actions->add(std::move(spec));
    };
    addSize("edit.larger", tr("Lar&ger text"), tr("Enlarge the source"), Key(Qt::CTRL | Qt::Key_Plus),
            [](CodeEditor& e) { e.zoomIn(1); });
    addSize("edit.smaller", tr("S&maller text"), tr("Shrink the source"), Key(Qt::CTRL | Qt::Key_Minus),
            [](CodeEditor& e) { e.zoomOut(1); });
    addSize("edit.normalSize", tr("Normal text si&ze"), tr("The source in its normal size"), Key(Qt::CTRL | Qt::Key_0),
            [](CodeEditor& e) { e.resetZoom(); });
    m_actions->add({QStringLiteral("edit.preferences"),
                    tr("Preference&s…"),
                    tr("Choose the Python that exports task cards"),
                    Key(Qt::CTRL | Qt::Key_Comma),
                    {},
                    [this] { editPreferences(); },
                    {}});
}

void MainWindow::buildEditMenu(QMenu* menu) {
    connect(menu, &QMenu::aboutToShow, m_actions, &Actions::refresh); // of the text that has the focus
    QList<QAction*> shared;
    for (QAction* action : menu->actions()) {
        if (action->objectName() == QLatin1String("edit.preferences")) break;
        if (action->isSeparator()) {
            shared << nullptr;
        } else if (!action->objectName().startsWith(QLatin1String("kernel."))) {
            shared << action;
        }
    }
    m_editorArea->editor().setMenuActions(shared);
}

void MainWindow::addThemeActions() {
    for (const ThemeAction& theme : themeActions)
        m_actions->add({QLatin1String(theme.name),
                        tr(theme.text),
                        tr(theme.tip),
                        {},
                        {},
                        [this, choice = theme.choice] { chooseTheme(choice); },
                        {},
                        true,
                        [this, choice = theme.choice] { return m_theme.choice() == choice; }});
    m_actions->add({QStringLiteral("view.theme"),
                    tr("S&witch theme"),
                    tr("Switch between light and dark colours"),
                    Key(Qt::CTRL | Qt::SHIFT | Qt::Key_T),
                    QStringLiteral("theme"),
                    [this] { chooseTheme(m_theme.colours().dark ? Theme::Choice::light : Theme::Choice::dark); },
                    {}});
    connect(&m_theme, &Theme::changed, m_actions, &Actions::refreshSoon);
}

void MainWindow::chooseTheme(Theme::Choice choice) {
    m_theme.setChoice(choice);
    m_actions->refresh();
    stateChangedSoon();
}

void MainWindow::buildThemeMenu(QMenu& view) {
    QMenu* menu = view.addMenu(tr("&Theme"));
    menu->setToolTipsVisible(true);
    auto* group = new QActionGroup(this);
    for (const ThemeAction& theme : themeActions) {
        menu->addAction(m_actions->action(QLatin1String(theme.name)));
        group->addAction(m_actions->action(QLatin1String(theme.name)));
    }
    menu->addSeparator();
    menu->addAction(m_actions->action(QStringLiteral("view.theme")));
}

void MainWindow::addHelpActions() {
    m_actions->add({QStringLiteral("help.panel"),
                    tr("&Explain this panel"),
                    tr("What the panel in focus shows, and how to use it"),
                    Key(Qt::Key_F1),
                    QStringLiteral("help"),
                    [this] { explainPanel(); },
                    {}});
    m_actions->add({QStringLiteral("help.shortcuts"),
                    tr("&Keyboard shortcuts"),
                    tr("Every key that does something, and what it does"),
                    {},
                    {},
                    [this] {
                        m_help->showText(shortcutList());
                        showDock(QStringLiteral("help"));
                    },
                    {}});
    m_actions->add({QStringLiteral("help.about"),
                    tr("&About Kernelarium"),
                    tr("The version, the licence, and what it is made of"),
                    {},
                    {},
                    [this] {
                        auto* dialog = new AboutDialog(m_theme, this);
                        dialog->setAttribute(Qt::WA_DeleteOnClose);
                        dialog->open();
                    },
                    {}});
}

/// Markdown, from the actions themselves.
QString MainWindow::shortcutList() const {
    QString text = tr("# Keyboard shortcuts\n\n| Key | What it does |\n|---|---|\n");
    for (const QAction* action : m_actions->all())
        if (!action->shortcut().isEmpty())
            text +=
                QStringLiteral("| %1 | %2 |\n").arg(action->shortcut().toString(Key::NativeText), action->statusTip());
    return text + tr("\nCtrl+K finds an action by its name.\n");
}

} // namespace kernelarium::ui
