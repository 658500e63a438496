// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sessions/SessionBar.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QStandardPaths>
#include <QToolButton>
#include <algorithm>

namespace kernelarium::ui {
namespace {

QString attemptsText(const session::SessionInfo& info) {
    const QString name = QString::fromStdString(info.name);
    if (info.attempts == 0) return SessionBar::tr("%1  (empty)").arg(name);
    if (info.attempts == 1) return SessionBar::tr("%1  (1 attempt)").arg(name);
    return SessionBar::tr("%1  (%2 attempts)").arg(name).arg(info.attempts);
}

} // namespace

SessionBar::SessionBar(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_chooser(new QComboBox(this))
    , m_new(button(tr("New"), tr("Begins a new session")))
    , m_rename(button(tr("Rename"), tr("Renames this session")))
    , m_export(button(tr("Export"), tr("Writes this session with its plots and differences as one HTML file")))
    , m_delete(button(tr("Delete"), tr("Deletes this session; this can be undone")))
    , m_name(new QLineEdit(this))
    , m_undoRow(new QWidget(this))
    , m_undoText(new QLabel(m_undoRow))
    , m_undo(new QPushButton(tr("Undo"), m_undoRow)) {
    m_chooser->setAccessibleName(tr("Session"));
    m_chooser->setToolTip(tr("The session that attempts are kept in"));
    m_chooser->setMinimumContentsLength(12);
    m_chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_name->setAccessibleName(tr("Name of the session"));
    m_name->setPlaceholderText(tr("Name; Return accepts it, Escape cancels"));
    m_name->installEventFilter(this);
    m_name->hide();
    m_undo->setToolTip(tr("Brings the deleted session back"));
    m_undoText->setTextFormat(Qt::PlainText);
    auto* undo = new QHBoxLayout(m_undoRow);
    undo->setContentsMargins(0, 0, 0, 0);
    undo->addWidget(m_undoText);
    undo->addWidget(m_undo);
    undo->addStretch();
    m_undoRow->hide();

    auto* row = new QHBoxLayout;
    row->setSpacing(Theme::unit);
    row->addWidget(m_chooser, 1);
    m_chooser->setMaximumWidth(80 * Theme::unit);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_name, m_new, m_rename, m_export, m_delete})
        row->addWidget(widget);
    row->addStretch();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(2 * Theme::unit, Theme::unit, 2 * Theme::unit, Theme::unit);
    column->setSpacing(Theme::unit);
    column->addLayout(row);
    column->addWidget(m_undoRow);

    connect(m_chooser, &QComboBox::activated, this,
            [this](int index) { Q_EMIT sessionChosen(m_chooser->itemData(index).toLongLong()); });
    connect(m_new, &QToolButton::clicked, this, [this] { ask(Asking::newName); });
    connect(m_rename, &QToolButton::clicked, this, [this] { ask(Asking::otherName); });
    connect(m_export, &QToolButton::clicked, this, &SessionBar::chooseFile);
    connect(m_delete, &QToolButton::clicked, this, &SessionBar::removeCurrent);
    connect(m_name, &QLineEdit::returnPressed, this, &SessionBar::takeName);
    connect(m_undo, &QPushButton::clicked, this, [this] {
        m_undoRow->hide();
        Q_EMIT restoreRequested(m_removed);
    });
    connect(&m_theme, &Theme::changed, this, &SessionBar::refreshIcons);
    refreshIcons();
    setSessions({}, 0);
}

QToolButton* SessionBar::button(const QString& text, const QString& toolTip) {
    auto* made = new QToolButton(this);
    made->setText(text);
    made->setToolTip(toolTip);
    made->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    made->setAutoRaise(true);
    made->setFocusPolicy(Qt::StrongFocus);
    return made;
}

void SessionBar::refreshIcons() {
    m_new->setIcon(m_theme.icon(QStringLiteral("session")));
    m_rename->setIcon(m_theme.icon(QStringLiteral("pin")));
    m_export->setIcon(m_theme.icon(QStringLiteral("export")));
    m_delete->setIcon(m_theme.icon(QStringLiteral("cancel")));
}

void SessionBar::setSessions(const std::vector<session::SessionInfo>& sessions, qint64 current) {
    m_sessions = sessions;
    m_current = current;
    const QSignalBlocker quiet(m_chooser);
    m_chooser->clear();
    for (const auto& info : sessions)
        m_chooser->addItem(attemptsText(info), qint64(info.id));
    m_chooser->setCurrentIndex(m_chooser->findData(current));
    const bool any = current != 0;
    for (QToolButton* each : {m_rename, m_export, m_delete})
        each->setEnabled(any);
}

void SessionBar::ask(Asking asking) {
    m_asking = asking;
    const bool open = asking != Asking::nothing;
    m_name->setVisible(open);
    m_chooser->setVisible(!open);
    if (!open) {
        m_chooser->setFocus();
        return;
    }
    m_name->clear();
    if (asking == Asking::otherName)
        for (const auto& info : m_sessions)
            if (info.id == m_current) m_name->setText(QString::fromStdString(info.name));
    m_name->selectAll();
    m_name->setFocus();
}

void SessionBar::takeName() {
    const QString name = m_name->text().trimmed();
    const Asking asked = m_asking;
    ask(Asking::nothing);
    if (asked == Asking::newName)
        Q_EMIT newSessionRequested(name);
    else if (asked == Asking::otherName && !name.isEmpty())
        Q_EMIT renameRequested(m_current, name);
}

bool SessionBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_name && event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape)
        event->accept(); // Escape leaves the field before it cancels work
    if (watched == m_name && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        ask(Asking::nothing);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void SessionBar::removeCurrent() {
    const auto found =
        std::find_if(m_sessions.begin(), m_sessions.end(), [this](const auto& info) { return info.id == m_current; });
    if (found == m_sessions.end()) return;
    m_removed = m_current;
    m_undoText->setText(tr("\"%1\" was deleted.").arg(QString::fromStdString(found->name)));
    m_undoRow->show();
    m_undo->setFocus();
    Q_EMIT removeRequested(m_removed);
}

void SessionBar::chooseFile() {
    QString name = QStringLiteral("session");
    for (const auto& info : m_sessions)
        if (info.id == m_current) name = QString::fromStdString(info.name);
    static const QRegularExpression unfit(QStringLiteral("[^\\w.-]+"), QRegularExpression::UseUnicodePropertiesOption);
    name.replace(unfit, QStringLiteral("_"));
    auto* dialog = new QFileDialog(this, tr("Export the session"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(tr("Web page (*.html)"));
    dialog->setDefaultSuffix(QStringLiteral("html"));
    dialog->setDirectory(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
    dialog->selectFile(name + QStringLiteral(".html"));
    connect(dialog, &QFileDialog::fileSelected, this, &SessionBar::exportRequested);
    dialog->open();
}

} // namespace kernelarium::ui
