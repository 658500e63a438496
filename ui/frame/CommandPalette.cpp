// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/CommandPalette.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QPixmap>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

namespace kernelarium::ui {

namespace {

constexpr int shortcutRole = Qt::UserRole + 1;
constexpr int actionRole = Qt::UserRole + 2;

/// The action on the left, its shortcut on the right.
class Delegate : public QStyledItemDelegate {
public:
    Delegate(const Theme& theme, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_theme(theme) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        painter->save();
        painter->setPen(option.state & QStyle::State_Selected ? m_theme.colours().selectionText
                                                              : m_theme.colours().muted);
        painter->drawText(option.rect.adjusted(8, 0, -12, 0), Qt::AlignRight | Qt::AlignVCenter,
                          index.data(shortcutRole).toString());
        painter->restore();
    }
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        return {QStyledItemDelegate::sizeHint(option, index).width(), option.fontMetrics.height() + 12};
    }

private:
    const Theme& m_theme;
};

} // namespace

int fitness(const QString& typed, const QString& text) {
    if (typed.isEmpty()) return 1;
    int score = 1;
    qsizetype at = 0;
    bool adjoining = false;
    for (const QChar wanted : typed) {
        if (wanted.isSpace()) continue;
        bool found = false;
        for (; at < text.size(); ++at) {
            if (text[at].toLower() != wanted.toLower()) {
                adjoining = false;
                continue;
            }
            const bool begins = at == 0 || !text[at - 1].isLetterOrNumber();
            score += begins ? 8 : adjoining ? 4 : 1;
            adjoining = true;
            found = true;
            ++at;
            break;
        }
        if (!found) return 0;
    }
    return score;
}

CommandPalette::CommandPalette(Theme& theme, QWidget* window)
    : QFrame(window)
    , m_theme(theme)
    , m_field(new QLineEdit)
    , m_list(new QListWidget) {
    QPixmap nothing(64, 64);
    nothing.fill(Qt::transparent);
    m_noIcon = QIcon(nothing);
    m_field->setPlaceholderText(tr("What do you want to do?"));
    m_field->setAccessibleName(tr("Find an action"));
    m_field->installEventFilter(this);
    m_list->setAccessibleName(tr("Actions"));
    m_list->setItemDelegate(new Delegate(theme, m_list));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(9, 9, 9, 9);
    layout->setSpacing(8);
    layout->addWidget(m_field);
    layout->addWidget(m_list);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
    hide();
}

void CommandPalette::open(const std::vector<QAction*>& actions) {
    m_actions = actions;
    m_focusBefore = QApplication::focusWidget();
    const QWidget* window = parentWidget();
    const int width = std::min(560, window->width() - 32);
    setGeometry((window->width() - width) / 2, 48, width, std::min(420, window->height() - 96));
    m_field->clear();
    filter();
    show();
    raise();
    m_field->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::filter() {
    std::vector<std::pair<int, QAction*>> fitting;
    for (QAction* action : m_actions)
        if (const int score = fitness(m_field->text(), action->text().remove(QLatin1Char('&'))); score > 0)
            fitting.emplace_back(score, action);
    std::stable_sort(fitting.begin(), fitting.end(), [](const auto& a, const auto& b) {
        if (a.second->isEnabled() != b.second->isEnabled()) return a.second->isEnabled();
        return a.first > b.first;
    });
    m_list->clear();
    for (const auto& [score, action] : fitting) {
        // Those without a picture have its room: names stand below one another.
        auto* item = new QListWidgetItem(action->icon().isNull() ? m_noIcon : action->icon(),
                                         action->text().remove(QLatin1Char('&')), m_list);
        item->setData(shortcutRole, action->shortcut().toString(QKeySequence::NativeText));
        item->setData(actionRole, QVariant::fromValue(static_cast<QObject*>(action)));
        item->setToolTip(action->toolTip());
        if (!action->isEnabled()) item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
    }
    if (fitting.empty()) {
        auto* none = new QListWidgetItem(tr("No matching action."), m_list);
        none->setFlags(Qt::NoItemFlags);
        return;
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::runCurrent() {
    const QListWidgetItem* item = m_list->currentItem();
    auto* action = item ? qobject_cast<QAction*>(item->data(actionRole).value<QObject*>()) : nullptr;
    if (!action) return;
    close();
    if (action->isEnabled()) action->trigger();
}

void CommandPalette::close() {
    hide();
    if (m_focusBefore && m_focusBefore->isVisible()) m_focusBefore->setFocus(Qt::PopupFocusReason);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_field) return QFrame::eventFilter(watched, event);
    if (event->type() == QEvent::FocusOut && isVisible()) {
        hide();
        return false;
    }
    if (event->type() != QEvent::KeyPress) return false;
    const int key = static_cast<QKeyEvent*>(event)->key();
    const int rows = m_list->count();
    switch (key) {
    case Qt::Key_Escape: close(); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: runCurrent(); return true;
    case Qt::Key_Down:
        if (rows) m_list->setCurrentRow((m_list->currentRow() + 1) % rows);
        return true;
    case Qt::Key_Up:
        if (rows) m_list->setCurrentRow((m_list->currentRow() + rows - 1) % rows);
        return true;
    default: return false;
    }
}

void CommandPalette::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(m_theme.colours().muted);
    painter.setBrush(m_theme.colours().raised);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

} // namespace kernelarium::ui
