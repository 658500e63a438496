// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_window/Shortcuts.h"

#include <QAbstractButton>
#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QShortcut>
#include <QWidget>

namespace kernelarium::ui {

namespace {

void add(std::vector<BoundKey>& keys, const QKeySequence& key, Qt::ShortcutContext context, const QWidget* widget,
         const void* owner, const QString& name) {
    if (key.isEmpty()) return;
    const bool anywhere = context == Qt::WindowShortcut || context == Qt::ApplicationShortcut;
    keys.push_back({key, anywhere ? nullptr : widget, context == Qt::WidgetWithChildrenShortcut, owner, name});
}

void addActions(std::vector<BoundKey>& keys, const QWidget& widget) {
    if (qobject_cast<const QMenu*>(&widget)) return; // its actions are the window's
    for (const QAction* action : widget.actions())
        for (const QKeySequence& key : action->shortcuts())
            add(keys, key, action->shortcutContext(), &widget, action,
                action->text() + QStringLiteral(" of ") + QLatin1String(widget.metaObject()->className()));
    if (const auto* bar = qobject_cast<const QMenuBar*>(&widget))
        for (const QAction* action : bar->actions())
            add(keys, QKeySequence::mnemonic(action->text()), Qt::WindowShortcut, &widget, action,
                QStringLiteral("menu ") + action->text());
}

} // namespace

std::vector<BoundKey> boundKeys(QWidget& window) {
    std::vector<BoundKey> keys;
    QList<QWidget*> widgets = window.findChildren<QWidget*>();
    widgets << &window;
    for (const QWidget* widget : widgets) {
        addActions(keys, *widget);
        if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
            add(keys, button->shortcut(), Qt::WindowShortcut, widget, button,
                QStringLiteral("button ") + button->text() + QLatin1Char(' ') + button->accessibleName());
    }
    for (const QShortcut* shortcut : window.findChildren<QShortcut*>())
        add(keys, shortcut->key(), shortcut->context(), qobject_cast<const QWidget*>(shortcut->parent()), shortcut,
            QStringLiteral("shortcut of ") + QLatin1String(shortcut->parent()->metaObject()->className()));
    return keys;
}

bool collide(const BoundKey& a, const BoundKey& b) {
    if (a.owner == b.owner || a.key.matches(b.key) == QKeySequence::NoMatch) return false;
    if (!a.scope || !b.scope || a.scope == b.scope) return true;
    return (a.withChildren && a.scope->isAncestorOf(b.scope)) || (b.withChildren && b.scope->isAncestorOf(a.scope));
}

} // namespace kernelarium::ui
