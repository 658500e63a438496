// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/HelpActions.h"

#include "ui/dialogs/AboutDialog.h"
#include "ui/frame/Actions.h"
#include "ui/frame/HelpPanel.h"
#include "ui/window/Docks.h"
#include "ui/window/Pages.h"

#include <QApplication>
#include <QDockWidget>

namespace kernelarium::ui {

HelpActions::HelpActions(Theme& theme, const Parts& parts, QWidget& window)
    : QObject(&window)
    , m_theme(theme)
    , m_parts(parts)
    , m_window(window) {
    m_parts.actions.add({QStringLiteral("help.panel"),
                         tr("&Explain this panel"),
                         tr("Explain what the focused panel shows and how to use it"),
                         QKeySequence(Qt::Key_F1),
                         QStringLiteral("help"),
                         [this] { explainPanel(); },
                         {}});
    m_parts.actions.add({QStringLiteral("help.contents"),
                         tr("&Contents"),
                         tr("List the pages of the help"),
                         {},
                         {},
                         [this] { showPage(QStringLiteral("index")); },
                         {}});
    m_parts.actions.add({QStringLiteral("help.shortcuts"),
                         tr("&Keyboard shortcuts"),
                         tr("List every keyboard shortcut"),
                         {},
                         {},
                         [this] {
                             m_parts.docks.panel<HelpPanel>().showText(shortcutList());
                             m_parts.docks.show(QStringLiteral("help"));
                         },
                         {}});
    m_parts.actions.add({QStringLiteral("help.about"),
                         tr("&About Kernelarium"),
                         tr("Version, licence and libraries"),
                         {},
                         {},
                         [this] {
                             auto* dialog = new AboutDialog(m_theme, &m_window);
                             dialog->setAttribute(Qt::WA_DeleteOnClose);
                             dialog->open();
                         },
                         {}});
}

void HelpActions::explainPanel() {
    QString page = QStringLiteral("editor");
    for (const QWidget* widget = QApplication::focusWidget(); widget; widget = widget->parentWidget())
        if (const auto* dock = qobject_cast<const QDockWidget*>(widget))
            page = dock->objectName();
        else if (m_parts.pages.isShowing() && widget->parentWidget() == &m_parts.pages)
            page = widget->objectName();
    showPage(page);
}

void HelpActions::showPage(const QString& page) {
    m_parts.docks.panel<HelpPanel>().showPage(page);
    m_parts.docks.show(QStringLiteral("help"));
}

/// Markdown, from the actions themselves.
QString HelpActions::shortcutList() const {
    QString text = tr("# Keyboard shortcuts\n\n| Key | What it does |\n|---|---|\n");
    for (const QAction* action : m_parts.actions.all())
        if (!action->shortcut().isEmpty())
            text += QStringLiteral("| %1 | %2 |\n")
                        .arg(action->shortcut().toString(QKeySequence::NativeText), action->statusTip());
    return text + tr("\nCtrl+K finds an action by its name.\n");
}

} // namespace kernelarium::ui
