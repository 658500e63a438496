// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/Docks.h"

#include <QAction>
#include <QDataStream>
#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>
#include <QTabBar>
#include <algorithm>
#include <utility>

namespace kernelarium::ui {

namespace {
constexpr Qt::DockWidgetArea dockAreas[] = {Qt::LeftDockWidgetArea, Qt::RightDockWidgetArea, Qt::BottomDockWidgetArea};
constexpr int firstLeftWidth = 500;
constexpr int firstRightWidth = 304;
constexpr int firstBottomHeight = 288;
// What reads well. A window that has less gives the editor its room first, then the right, then the left.
constexpr int comfortableLeft = 300, comfortableRight = 280, comfortableMiddle = 440;
constexpr int leastHeight = 150; ///< of a panel below
} // namespace

Docks::Docks(QMainWindow& window)
    : QObject(&window)
    , m_window(window)
    , m_wantedLeft(firstLeftWidth)
    , m_wantedRight(firstRightWidth) {
    window.installEventFilter(this);
    m_widthPause.setSingleShot(true);
    m_widthPause.setInterval(0);
    connect(&m_widthPause, &QTimer::timeout, this, &Docks::fitWidths);
    window.setDockNestingEnabled(true);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    m_titlePause.setSingleShot(true);
    m_titlePause.setInterval(0);
    connect(&m_titlePause, &QTimer::timeout, this, &Docks::refreshTitleBars);
}

void Docks::add(const PanelKind& kind, QWidget& panel) {
    const QString title = panelText(kind.title);
    auto* dock = new QDockWidget(title, &m_window);
    dock->setObjectName(QLatin1String(kind.name));
    if (kind.leastWidth > 0) panel.setMinimumWidth(kind.leastWidth);
    if (kind.area == Qt::BottomDockWidgetArea && panel.minimumSizeHint().height() > leastHeight)
        panel.setMinimumHeight(leastHeight);
    dock->setWidget(&panel);
    dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable |
                      QDockWidget::DockWidgetFloatable);
    dock->toggleViewAction()->setToolTip(tr("Show or hide the %1 panel").arg(title));
    m_window.addDockWidget(kind.area, dock);
    connect(dock, &QDockWidget::visibilityChanged, this, &Docks::changed);
    connect(dock, &QDockWidget::dockLocationChanged, this, &Docks::changed);
    for (auto signal : {&QDockWidget::topLevelChanged, &QDockWidget::visibilityChanged})
        connect(dock, signal, &m_titlePause, qOverload<>(&QTimer::start));
    connect(dock, &QDockWidget::dockLocationChanged, &m_titlePause, qOverload<>(&QTimer::start));
    connect(dock, &QDockWidget::visibilityChanged, this, [this, dock](bool visible) {
        if (!visible) Q_EMIT hidden(dock);
    });
    m_entries.push_back({&kind, dock, &panel});
    m_all << dock;
}

const Docks::Entry* Docks::find(const QString& name) const {
    for (const Entry& entry : m_entries)
        if (name == QLatin1String(entry.kind->name)) return &entry;
    return nullptr;
}

QDockWidget* Docks::firstOf(Qt::DockWidgetArea area) const {
    for (const Entry& entry : m_entries)
        if (entry.kind->area == area) return entry.dock;
    return nullptr;
}

void Docks::arrange() {
    m_window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    m_window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    for (const Entry& entry : m_entries)
        m_window.addDockWidget(entry.kind->area, entry.dock);
    for (const Entry& entry : m_entries)
        if (QDockWidget* first = firstOf(entry.kind->area); entry.dock != first)
            m_window.tabifyDockWidget(first, entry.dock);
    for (const Entry& entry : m_entries) {
        entry.dock->setFloating(false);
        entry.dock->show();
    }
    for (const Entry& entry : m_entries)
        if (entry.kind->hiddenAtFirst) entry.dock->hide();
    for (const Qt::DockWidgetArea area : dockAreas)
        if (QDockWidget* first = firstOf(area)) first->raise();
    arrangeWidths();
}

void Docks::arrangeWidths() {
    m_window.resizeDocks({firstOf(Qt::LeftDockWidgetArea), firstOf(Qt::RightDockWidgetArea)},
                         {firstLeftWidth, firstRightWidth}, Qt::Horizontal);
    m_window.resizeDocks({firstOf(Qt::BottomDockWidgetArea)}, {firstBottomHeight}, Qt::Vertical);
}

bool Docks::eventFilter(QObject* watched, QEvent* event) {
    // Clicks on the window itself are on the borders between docks.
    if (event->type() == QEvent::Resize)
        m_widthPause.start();
    else if (event->type() == QEvent::MouseButtonRelease)
        QTimer::singleShot(0, this, &Docks::takeWidths);
    return QObject::eventFilter(watched, event);
}

QDockWidget* Docks::frontOf(Qt::DockWidgetArea area) const {
    for (QDockWidget* dock : m_all)
        if (!dock->isFloating() && areaOf(*dock) == area && isInFront(*dock)) return dock;
    return nullptr;
}

void Docks::takeWidths() {
    if (!m_benchState.isEmpty()) return; // made room for a page
    if (const QDockWidget* left = frontOf(Qt::LeftDockWidgetArea)) m_wantedLeft = left->width();
    if (const QDockWidget* right = frontOf(Qt::RightDockWidgetArea)) m_wantedRight = right->width();
}

void Docks::fitWidths() {
    QDockWidget *left = frontOf(Qt::LeftDockWidgetArea), *right = frontOf(Qt::RightDockWidgetArea);
    if (!left || !right || !m_benchState.isEmpty()) return;
    int forLeft = m_wantedLeft, forRight = m_wantedRight;
    int over = forLeft + forRight + comfortableMiddle - m_window.width();
    const auto take = [&over](int& width, int least) {
        const int taken = std::clamp(over, 0, std::max(0, width - least));
        width -= taken;
        over -= taken;
    };
    take(forLeft, comfortableLeft);
    take(forRight, comfortableRight);
    take(forRight, right->widget()->minimumWidth());
    take(forLeft, left->widget()->minimumWidth());
    m_window.resizeDocks({left, right}, {forLeft, forRight}, Qt::Horizontal);
}

QByteArray Docks::widths() const {
    QByteArray state;
    QDataStream(&state, QIODevice::WriteOnly) << qint32(m_wantedLeft) << qint32(m_wantedRight);
    return state;
}

void Docks::restoreWidths(const QByteArray& state) {
    qint32 left = 0, right = 0;
    QDataStream in(state);
    in >> left >> right;
    constexpr qint32 least = 100, most = 4000;
    if (in.status() != QDataStream::Ok || left < least || right < least || left > most || right > most) return;
    m_wantedLeft = left;
    m_wantedRight = right;
    m_widthPause.start();
}

void Docks::keepArrangement() {
    m_firstState = m_window.saveState();
}

void Docks::reset() {
    m_window.restoreState(m_firstState);
    m_wantedLeft = firstLeftWidth;
    m_wantedRight = firstRightWidth;
    arrangeWidths();
}

void Docks::refreshTitleBars() {
    // Whole names and arrows to the others, rather than two letters of each.
    for (QTabBar* bar : m_window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        bar->setElideMode(Qt::ElideNone);
        bar->setUsesScrollButtons(true);
    }
    // A tab says the panel's name already. A panel on its own, or afloat, has a title to drag it by.
    for (QDockWidget* dock : m_all) {
        const bool tabbed = !dock->isFloating() && !m_window.tabifiedDockWidgets(dock).isEmpty();
        if (tabbed == (dock->titleBarWidget() != nullptr)) continue;
        QWidget* before = dock->titleBarWidget();
        dock->setTitleBarWidget(tabbed ? new QWidget(dock) : nullptr);
        delete before;
    }
}

void Docks::show(const QString& name) {
    const Entry* entry = find(name);
    if (!entry) return;
    if (waits(name)) {
        m_onReturn = name;
        return;
    }
    entry->dock->show();
    entry->dock->raise();
}

void Docks::focus(const QString& name) {
    const Entry* entry = find(name);
    if (!entry) return;
    show(name);
    if (entry->kind->focus) {
        entry->kind->focus(*entry->panel);
        return;
    }
    QWidget* target = entry->panel;
    for (QWidget* child : target->findChildren<QWidget*>())
        if (child->isVisibleTo(target) && child->isEnabled() && (child->focusPolicy() & Qt::TabFocus)) {
            target = child;
            break;
        }
    target->setFocus(Qt::ShortcutFocusReason);
}

void Docks::setTitle(const QString& name, const QString& title) {
    if (const Entry* entry = find(name)) entry->dock->setWindowTitle(title);
}

bool Docks::isInFront(const QDockWidget& dock) const {
    return dock.isVisible() && (dock.isFloating() || m_window.rect().intersects(dock.geometry()));
}

Qt::DockWidgetArea Docks::areaOf(const QDockWidget& dock) const {
    return m_window.dockWidgetArea(const_cast<QDockWidget*>(&dock));
}

bool Docks::isAtTheLeft(const QDockWidget& dock) const {
    return areaOf(dock) == Qt::LeftDockWidgetArea;
}

void Docks::makeRoom(const QString& beside) {
    if (m_benchState.isEmpty()) {
        m_benchState = m_window.saveState();
        for (QDockWidget* dock : m_all)
            if (!dock->isFloating() && !isAtTheLeft(*dock)) dock->hide();
    }
    const bool alsoLeft = beside.isEmpty();
    for (QDockWidget* dock : m_all) {
        if (dock->isFloating() || !isAtTheLeft(*dock)) continue;
        if (alsoLeft && !dock->isHidden()) {
            m_besides << dock;
            dock->hide();
        } else if (!alsoLeft && m_besides.contains(dock)) {
            dock->show();
        }
    }
    if (alsoLeft) return;
    m_besides.clear();
    if (const Entry* entry = find(beside); entry && !entry->dock->isHidden()) entry->dock->raise();
}

void Docks::comeBack() {
    m_window.restoreState(std::exchange(m_benchState, {}));
    m_besides.clear();
    if (!m_onReturn.isEmpty()) show(std::exchange(m_onReturn, {}));
}

bool Docks::waits(const QString& name) const {
    const Entry* entry = find(name);
    return !m_benchState.isEmpty() && entry && name != QLatin1String("help") && !entry->dock->isFloating() &&
           !isAtTheLeft(*entry->dock);
}

QByteArray Docks::layout() const {
    return m_benchState.isEmpty() ? m_window.saveState() : m_benchState;
}

} // namespace kernelarium::ui
