// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/source/KernelTabs.h"

#include "ui/desks/SessionDesk.h"
#include "ui/words/Words.h"
#include "ui/workspace/Bench.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QMouseEvent>
#include <QPainter>
#include <QStyleOptionTab>
#include <algorithm>
#include <utility>

namespace kernelarium::ui {

namespace {

constexpr int mostTabs = 100;

bool isOnlyLookedAt(const Kernel& kernel) {
    return kernel.origin == Kernel::Origin::archived || kernel.origin == Kernel::Origin::lesson;
}

} // namespace

KernelTabs::KernelTabs(Bench& bench, SessionDesk& session, QWidget* parent)
    : QTabBar(parent)
    , m_bench(bench)
    , m_session(session) {
    setAccessibleName(tr("Open kernels"));
    setExpanding(false);
    setMovable(true);
    setUsesScrollButtons(true);
    setElideMode(Qt::ElideMiddle);
    setDrawBase(false);
    hide();
    connect(this, &QTabBar::currentChanged, this, [this](int index) {
        if (!m_following) choose(index);
    });
    connect(this, &QTabBar::tabMoved, this, [this](int, int to) {
        keep(to);
        Q_EMIT changed();
    });
}

int KernelTabs::indexOf(const QString& key) const {
    for (int i = 0; i < count(); ++i)
        if (keyAt(i) == key) return i;
    return -1;
}

int KernelTabs::currentTab() const {
    return m_bench.kernel().isEmpty() ? -1 : indexOf(m_bench.kernel().key);
}

void KernelTabs::put(int index, const QString& key, const QString& title) {
    setTabData(index, key);
    const bool unsaved = m_session.draft(key) || (key == m_bench.kernel().key && m_bench.isEdited());
    setTabText(index, (unsaved ? QStringLiteral("• ") : QString()) + withoutMnemonic(title));
    setTabToolTip(index, key == m_preview ? tr("%1\nOnly looked at: the next kernel takes this tab. An edit or a "
                                               "double click keeps it.")
                                                .arg(title)
                                          : title);
    setAccessibleTabName(index, title);
}

void KernelTabs::follow() {
    const Kernel& kernel = m_bench.kernel();
    if (kernel.isEmpty()) return;
    m_following = true;
    if (indexOf(kernel.key) < 0) {
        const int preview = m_preview.isEmpty() ? -1 : indexOf(m_preview);
        const bool looksOnly = isOnlyLookedAt(kernel) && !m_bench.isEdited();
        if (looksOnly && preview >= 0) {
            const QString former = std::exchange(m_preview, kernel.key);
            put(preview, kernel.key, kernel.title);
            Q_EMIT closed(former);
        } else {
            if (looksOnly) m_preview = kernel.key;
            const int at = insertTab(currentIndex() + 1, QString());
            put(at, kernel.key, kernel.title);
            for (int i = 0; count() > mostTabs && i < count(); ++i)
                if (keyAt(i) != kernel.key) drop(i--);
        }
    }
    if (const QString closing = std::exchange(m_closing, {}); !closing.isEmpty() && closing != kernel.key)
        if (const int index = indexOf(closing); index >= 0) drop(index);
    m_following = false;
    refresh();
    showCurrent();
    Q_EMIT changed();
}

void KernelTabs::renameKey(const QString& from, const QString& to) {
    if (m_preview == from) m_preview.clear();
    if (const int index = indexOf(from); index >= 0 && indexOf(to) < 0) setTabData(index, to);
}

void KernelTabs::refresh() {
    const int index = currentTab();
    if (index < 0) return;
    if (m_bench.isEdited() && m_preview == keyAt(index)) {
        m_preview.clear();
        Q_EMIT changed();
    }
    put(index, m_bench.kernel().key, m_bench.kernel().title);
    update();
}

void KernelTabs::showCurrent() {
    const bool before = std::exchange(m_following, true);
    if (const int index = currentTab(); index >= 0) setCurrentIndex(index);
    m_following = before;
    setVisible(count() > 1);
}

void KernelTabs::choose(int index) {
    if (index < 0 || index >= count()) return;
    const QString key = keyAt(index);
    showCurrent(); // the other one is current when it is on the bench
    m_bench.openKey(key);
}

void KernelTabs::chooseNext(bool next) {
    if (count() < 2) return;
    choose((std::max(0, currentTab()) + (next ? 1 : count() - 1)) % count());
}

void KernelTabs::closeTab(int index) {
    if (index < 0 || count() < 2) return;
    if (index != currentTab()) {
        drop(index);
        showCurrent();
        Q_EMIT changed();
        return;
    }
    // It goes when its neighbour is there: what cannot be opened any more is said, and nothing is lost.
    m_closing = keyAt(index);
    m_bench.openKey(keyAt(index + 1 < count() ? index + 1 : index - 1));
}

void KernelTabs::drop(int index) {
    const bool before = std::exchange(m_following, true);
    const QString key = keyAt(index);
    if (m_preview == key) m_preview.clear();
    removeTab(index);
    m_following = before;
    Q_EMIT closed(key);
}

void KernelTabs::keep(int index) {
    if (!isPreview(index)) return;
    m_preview.clear();
    setTabToolTip(index, accessibleTabName(index));
    update();
    Q_EMIT changed();
}

QJsonValue KernelTabs::saveValue() const {
    QJsonArray tabs;
    for (int i = 0; i < count(); ++i)
        tabs.append(QJsonObject{{QStringLiteral("key"), keyAt(i)},
                                {QStringLiteral("title"), accessibleTabName(i)},
                                {QStringLiteral("preview"), isPreview(i)}});
    return tabs;
}

void KernelTabs::restoreValue(const QJsonValue& value) {
    m_following = true;
    for (const QJsonValue& entry : value.toArray()) {
        const QString key = entry[QStringLiteral("key")].toString(), title = entry[QStringLiteral("title")].toString();
        const bool remembered = key.startsWith(QLatin1String("archive:")) || key.startsWith(QLatin1String("file:"));
        // A lesson's text and a new one without edits are known while the program runs only.
        if (key.isEmpty() || indexOf(key) >= 0 || count() >= mostTabs || (!remembered && !m_session.draft(key)))
            continue;
        if (entry[QStringLiteral("preview")].toBool()) m_preview = key;
        put(addTab(QString()), key, title);
    }
    m_following = false;
    showCurrent();
}

QSize KernelTabs::tabSizeHint(int index) const {
    // Names of the archive are long; the tool tip has them whole.
    return QTabBar::tabSizeHint(index).boundedTo(QSize(fontMetrics().averageCharWidth() * 32, QWIDGETSIZE_MAX));
}

QSize KernelTabs::minimumTabSizeHint(int index) const {
    return QTabBar::minimumTabSizeHint(index).boundedTo(tabSizeHint(index));
}

void KernelTabs::initStyleOption(QStyleOptionTab* option, int index) const {
    QTabBar::initStyleOption(option, index);
    if (isPreview(index)) option->text.clear(); // written below
}

/// A style knows one font for all tabs.
void KernelTabs::paintEvent(QPaintEvent* event) {
    QTabBar::paintEvent(event);
    const int index = m_preview.isEmpty() ? -1 : indexOf(m_preview);
    if (index < 0) return;
    QStyleOptionTab option;
    initStyleOption(&option, index);
    const QRect room = style()->subElementRect(QStyle::SE_TabBarTabText, &option, this);
    QFont italic = font();
    italic.setItalic(true);
    QPainter painter(this);
    painter.setFont(italic);
    painter.setPen(palette().color(index == currentIndex() ? QPalette::WindowText : QPalette::PlaceholderText));
    painter.drawText(room, Qt::AlignCenter | Qt::TextSingleLine,
                     QFontMetrics(italic).elidedText(accessibleTabName(index), Qt::ElideMiddle, room.width()));
}

void KernelTabs::mousePressEvent(QMouseEvent* event) {
    m_middle = event->button() == Qt::MiddleButton ? tabAt(event->position().toPoint()) : -1;
    if (m_middle < 0) QTabBar::mousePressEvent(event);
}

void KernelTabs::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::MiddleButton) return QTabBar::mouseReleaseEvent(event);
    if (const int index = std::exchange(m_middle, -1); index >= 0 && tabAt(event->position().toPoint()) == index)
        closeTab(index);
}

void KernelTabs::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) keep(tabAt(event->position().toPoint()));
    QTabBar::mouseDoubleClickEvent(event);
}

} // namespace kernelarium::ui
