// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/CourseMenu.h"

#include <QAction>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QStyle>
#include <QToolButton>

namespace kernelarium::ui {

CourseMenu::CourseMenu(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_button(new QToolButton)
    , m_menu(new QMenu(m_button))
    , m_add(m_menu->addAction(tr("Add a &folder of lessons…")))
    , m_record(m_menu->addAction(tr("&Write a file for the teacher…")))
    , m_gap(m_menu->addSeparator())
    , m_question(new QWidget(this))
    , m_name(new QLineEdit(m_question))
    , m_write(new QPushButton(tr("Choose the file…"), m_question))
    , m_decline(new QPushButton(tr("Not now"), m_question))
    , m_said(new QLabel(this)) {
    m_button->setToolTip(tr("A teacher's lessons, and a file of what you have passed"));
    m_button->setAccessibleName(tr("Course"));
    m_button->setPopupMode(QToolButton::InstantPopup);
    m_button->setFocusPolicy(Qt::StrongFocus);
    m_button->setMenu(m_menu);
    m_menu->setToolTipsVisible(true);
    m_add->setToolTip(tr("Shows a teacher's lessons after those of the program, here and at the next start"));
    m_record->setToolTip(tr("Your name and the steps that you have passed, for a teacher who merges those of a class"));
    m_name->setPlaceholderText(tr("your name"));
    m_name->setAccessibleName(tr("Your name, as your teacher knows you"));
    m_write->setToolTip(tr("Writes your name, the steps that you have passed, and when; no kernel and no answer"));
    m_decline->setToolTip(tr("Closes this question"));
    m_said->setWordWrap(true);
    m_said->setTextFormat(Qt::PlainText);
    auto* question = new QHBoxLayout(m_question);
    question->setContentsMargins(0, 0, 0, 0);
    question->setSpacing(2 * Theme::unit);
    question->addWidget(m_name, 1);
    question->addWidget(m_write);
    question->addWidget(m_decline);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(4 * Theme::unit, 2 * Theme::unit, 4 * Theme::unit, 0);
    rows->setSpacing(2 * Theme::unit);
    rows->addWidget(m_question);
    rows->addWidget(m_said);
    say({}, false);
    connect(m_add, &QAction::triggered, this, &CourseMenu::chooseFolder);
    connect(m_record, &QAction::triggered, this, &CourseMenu::ask);
    connect(m_name, &QLineEdit::textChanged, this, &CourseMenu::refresh);
    connect(m_name, &QLineEdit::returnPressed, m_write, &QPushButton::click);
    connect(m_write, &QPushButton::clicked, this, &CourseMenu::chooseFile);
    connect(m_decline, &QPushButton::clicked, this, [this] {
        say({}, false);
        m_button->setFocus();
    });
    const auto paint = [this, &theme] { m_button->setIcon(theme.icon(QStringLiteral("more"))); };
    connect(&theme, &Theme::changed, this, paint);
    paint();
    refresh();
}

void CourseMenu::setFolders(const QStringList& folders) {
    qDeleteAll(m_removals);
    m_removals.clear();
    m_gap->setVisible(!folders.isEmpty());
    for (const QString& folder : folders) {
        auto* remove =
            m_menu->addAction(tr("Remove %1").arg(QString(folder).replace(QLatin1Char('&'), QLatin1String("&&"))));
        remove->setToolTip(tr("Its lessons leave the list; the folder and your progress stay"));
        connect(remove, &QAction::triggered, this, [this, folder] { Q_EMIT folderRemoved(folder); });
        m_removals << remove;
    }
}

void CourseMenu::setStudent(const QString& name) {
    if (m_name->text().isEmpty()) m_name->setText(name);
}

void CourseMenu::say(const QString& sentence, bool isProblem) {
    m_question->hide();
    m_said->setText(sentence);
    m_said->setVisible(!sentence.isEmpty());
    m_said->setProperty("role", isProblem ? "warning" : "muted");
    m_said->style()->unpolish(m_said);
    m_said->style()->polish(m_said);
    setVisible(!sentence.isEmpty());
}

void CourseMenu::ask() {
    say({}, false);
    m_question->show();
    show();
    m_name->setFocus();
    m_name->selectAll();
}

void CourseMenu::refresh() {
    m_write->setEnabled(!m_name->text().trimmed().isEmpty());
}

void CourseMenu::chooseFolder() {
    auto* dialog = new QFileDialog(this, tr("Folder of lessons"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, &CourseMenu::folderAdded);
    dialog->open();
}

void CourseMenu::chooseFile() {
    QString name = m_name->text().trimmed();
    static const QRegularExpression unfit(QStringLiteral("[^\\w.-]+"), QRegularExpression::UseUnicodePropertiesOption);
    auto* dialog = new QFileDialog(this, tr("A file for the teacher"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(tr("Class records (*.json)"));
    dialog->setDefaultSuffix(QStringLiteral("json"));
    dialog->setDirectory(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
    dialog->selectFile(QString(name).replace(unfit, QStringLiteral("_")) + QStringLiteral(".json"));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, name](const QString& path) { Q_EMIT recordRequested(name, path); });
    dialog->open();
}

} // namespace kernelarium::ui
