// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/Actions.h"

#include <QWidget>

namespace kernelarium::ui {

namespace {

/// Where the main Return key does it, the keypad's Enter does, too.
QList<QKeySequence> keysOf(const QKeySequence& key) {
    if (key.isEmpty()) return {};
    QList<QKeySequence> keys{key};
    const QKeyCombination first = key[0];
    if (key.count() == 1 && first.key() == Qt::Key_Return)
        keys << QKeySequence(QKeyCombination(first.keyboardModifiers(), Qt::Key_Enter));
    return keys;
}

} // namespace

Actions::Actions(Theme& theme, QWidget* window)
    : QObject(window)
    , m_theme(theme)
    , m_window(window) {
    connect(&theme, &Theme::changed, this, &Actions::refreshIcons);
}

QAction* Actions::add(Spec spec) {
    auto* action = new QAction(spec.text, m_window);
    action->setObjectName(spec.name);
    action->setShortcuts(keysOf(spec.shortcut));
    if (spec.keyOfTheWidget) action->setShortcutContext(Qt::WidgetShortcut);
    action->setCheckable(spec.checkable);
    if (!spec.icon.isEmpty()) action->setIcon(m_theme.icon(spec.icon));
    const QString tip = toolTip(spec, {});
    action->setToolTip(tip);
    action->setStatusTip(spec.tip);
    connect(action, &QAction::triggered, this, [run = spec.run] { run(); });
    m_window->addAction(action);
    m_all.push_back(action);
    const QString name = spec.name;
    m_entries.insert(name, {std::move(spec), action});
    return action;
}

QAction* Actions::action(const QString& name) const {
    const auto found = m_entries.constFind(name);
    return found == m_entries.constEnd() ? nullptr : found->action;
}

void Actions::run(const QString& name) const {
    if (const auto found = m_entries.constFind(name); found != m_entries.constEnd()) found->spec.run();
}

QString Actions::toolTip(const Spec& spec, const QString& obstacle) {
    QString tip = spec.tip;
    if (!spec.shortcut.isEmpty()) tip += QStringLiteral(" (%1)").arg(spec.shortcut.toString(QKeySequence::NativeText));
    if (!obstacle.isEmpty()) tip += QLatin1Char('\n') + tr("Not now: %1").arg(obstacle);
    return tip;
}

void Actions::refresh() {
    for (auto& entry : m_entries) {
        const QString obstacle = entry.spec.obstacle ? entry.spec.obstacle() : QString();
        entry.action->setEnabled(obstacle.isEmpty());
        entry.action->setToolTip(toolTip(entry.spec, obstacle));
        if (entry.spec.checked) {
            const QSignalBlocker quiet(entry.action);
            entry.action->setChecked(entry.spec.checked());
        }
    }
}

void Actions::refreshSoon() {
    if (std::exchange(m_refreshing, true)) return;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_refreshing = false;
            refresh();
        },
        Qt::QueuedConnection);
}

void Actions::refreshIcons() {
    for (auto& entry : m_entries)
        if (!entry.spec.icon.isEmpty()) entry.action->setIcon(m_theme.icon(entry.spec.icon));
}

} // namespace kernelarium::ui
