// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/KernelSetupDialog.h"

#include "core/text/CompilerSettings.h"
#include "core/verify/inputs/ArgumentText.h"
#include "core/verify/inputs/GuessedArguments.h"
#include "ui/desks/BuildOptions.h"
#include "ui/threads/Ask.h"
#include "ui/words/Quantities.h"
#include "ui/words/TaskNames.h"
#include "ui/words/VerdictWords.h"

#include <QComboBox>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {

constexpr auto nameGap = "  "; ///< between a task's number and its name

} // namespace

KernelSetupDialog::KernelSetupDialog(const Kernel& kernel, Theme& theme, QWidget* parent)
    : QDialog(parent)
    , m_byTask(new QRadioButton(tr("Solves a &KernelBench task")))
    , m_byArguments(new QRadioButton(tr("Call with these &arguments")))
    , m_task(new QComboBox)
    , m_arguments(new QPlainTextEdit)
    , m_referenceCaption(new QLabel(tr("&Reference kernel")))
    , m_referenceRow(new QWidget)
    , m_reference(new QComboBox)
    , m_kernel(kernel)
    , m_compilerOptions(new QLineEdit(kernel.compilerOptions))
    , m_function(new QComboBox)
    , m_functionCaption(new QLabel(tr("&Function of the module")))
    , m_row(kernel.row)
    , m_referenceName(kernel.referenceName)
    , m_problem(new QLabel)
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)) {
    setWindowTitle(tr("Task and reference of %1").arg(kernel.title));
    setMinimumWidth(520);
    for (const task::TaskKey& key : task::builtInCards())
        m_task->addItem(taskText(key), QPoint(key.level, key.task));
    if (kernel.task && !kernel.cardPath.isEmpty())
        m_task->addItem(taskText(*kernel.task) + QLatin1String(nameGap) + QFileInfo(kernel.cardPath).fileName(),
                        QPoint(kernel.task->level, kernel.task->task));
    ask<QStringList>(
        m_thread, this, "names", [](const std::stop_token& stop) -> Result<QStringList> { return taskNames(stop); },
        [this](Result<QStringList> names) {
            if (names) nameTasks(*names);
        });
    m_task->setEditable(true);
    m_task->setInsertPolicy(QComboBox::NoInsert);
    m_task->completer()->setFilterMode(Qt::MatchContains);
    m_task->completer()->setCompletionMode(QCompleter::PopupCompletion);
    m_task->setAccessibleName(tr("Task"));
    m_task->setToolTip(tr("Type part of the task's number or name"));
    m_arguments->setAccessibleName(tr("Arguments"));
    m_arguments->setFont(theme.codeFont());
    m_arguments->setTabChangesFocus(true);
    m_arguments->setPlaceholderText(QStringLiteral("float32[128,256]\nfloat32[256]~uniform(0,1)\n3"));
    m_arguments->setToolTip(tr(
        "The arguments of forward, one per line: type[shape], with ~uniform(a,b), ~normal(m,s) or "
        "~constant(c) to choose its values, ~out for a tensor that it writes; numbers, true, false, none, \"text\""));
    m_arguments->setPlainText(kernel.arguments.join(QLatin1Char('\n')));
    m_arguments->setFixedHeight(fontMetrics().height() * 6);
    m_reference->setAccessibleName(tr("Reference kernel"));
    m_reference->setEditable(true);
    m_reference->setInsertPolicy(QComboBox::NoInsert);
    m_reference->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_reference->completer()->setFilterMode(Qt::MatchContains);
    m_reference->completer()->setCompletionMode(QCompleter::PopupCompletion);
    m_reference->lineEdit()->setPlaceholderText(tr("none: the task's own reference"));
    m_reference->setToolTip(
        tr("Another .cu file, or an archived kernel of the same task, whose results are taken as correct"));
    m_reference->setEditText(m_referenceName);
    m_compilerOptions->setAccessibleName(tr("Compiler options"));
    m_compilerOptions->setFont(theme.codeFont());
    m_compilerOptions->setPlaceholderText(QStringLiteral("-I FOLDER -D NAME=VALUE -U NAME --max-registers N"));
    m_compilerOptions->setToolTip(
        tr("What this kernel wants of its compiler: folders with headers (-I), macros to define "
           "(-D) or to take away (-U__CUDA_NO_HALF_OPERATORS__), most registers of a thread"));
    m_function->setAccessibleName(tr("Function"));
    m_function->setEditable(true);
    m_function->setInsertPolicy(QComboBox::NoInsert);
    m_function->lineEdit()->setPlaceholderText(tr("forward, or the only one"));
    m_function->setToolTip(tr("Which of the module's functions is called"));
    m_function->setEditText(kernel.function);
    m_functionCaption->setBuddy(m_function);
    m_problem->setProperty("role", "wrong");
    m_problem->setWordWrap(true);
    m_problem->setMinimumHeight(2 * fontMetrics().lineSpacing()); // what comes and goes moves no button
    auto* browse = new QPushButton(tr("&Choose…"));
    browse->setToolTip(tr("Choose a .cu file as the reference"));
    browse->setAutoDefault(false); // Return is OK, wherever the focus was last

    auto* row = new QHBoxLayout(m_referenceRow);
    row->setContentsMargins({});
    row->addWidget(m_reference, 1);
    row->addWidget(browse);
    m_referenceCaption->setBuddy(m_reference);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(8);
    layout->addWidget(m_byTask);
    layout->addWidget(m_task);
    layout->addSpacing(8);
    layout->addWidget(m_byArguments);
    layout->addWidget(m_arguments);
    layout->addSpacing(8);
    layout->addWidget(m_referenceCaption);
    layout->addWidget(m_referenceRow);
    layout->addSpacing(8);
    auto* optionsCaption = new QLabel(tr("Compiler o&ptions"));
    optionsCaption->setBuddy(m_compilerOptions);
    layout->addWidget(optionsCaption);
    layout->addWidget(m_compilerOptions);
    layout->addWidget(m_functionCaption);
    layout->addWidget(m_function);
    offerFunctions({});
    layout->addWidget(m_problem);
    layout->addStretch(1);
    layout->addWidget(m_buttons);

    const bool byArguments = !kernel.arguments.isEmpty() || !kernel.task;
    (byArguments ? m_byArguments : m_byTask)->setChecked(true);
    if (kernel.task) {
        const int index = m_task->findData(QPoint(kernel.task->level, kernel.task->task));
        if (index >= 0) m_task->setCurrentIndex(index);
    }
    connect(browse, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getOpenFileName(this, tr("Reference kernel"), {},
                                                          tr("CUDA sources (*.cu *.cuh *.h);;All files (*)"));
        if (!path.isEmpty()) m_reference->setEditText(path);
    });
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_byTask, &QRadioButton::toggled, this, &KernelSetupDialog::refresh);
    connect(m_task, &QComboBox::editTextChanged, this, &KernelSetupDialog::refresh);
    connect(m_arguments, &QPlainTextEdit::textChanged, this, &KernelSetupDialog::refresh);
    connect(m_reference, &QComboBox::editTextChanged, this, &KernelSetupDialog::refresh);
    connect(m_compilerOptions, &QLineEdit::textChanged, this, &KernelSetupDialog::refresh);
    refresh();
}

/// What was chosen or typed meanwhile stays; a task's number alone is completed with its name.
void KernelSetupDialog::nameTasks(const QStringList& names) {
    const QString before = m_task->currentText();
    const int chosen = m_task->findText(before);
    {
        const QSignalBlocker quiet(m_task);
        for (int i = 0; i < std::min(m_task->count(), int(names.size())); ++i)
            if (!names[i].isEmpty()) m_task->setItemText(i, m_task->itemText(i) + QLatin1String(nameGap) + names[i]);
        m_task->setEditText(chosen >= 0 && !m_task->lineEdit()->hasFocus() ? m_task->itemText(chosen) : before);
    }
    refresh();
}

std::optional<task::TaskKey> KernelSetupDialog::task() const {
    if (!m_byTask->isChecked()) return std::nullopt;
    const QString text = m_task->currentText().trimmed();
    int index = m_task->findText(text);
    if (index < 0) index = m_task->findText(text + QLatin1String(nameGap), Qt::MatchStartsWith);
    if (index < 0 || text.isEmpty()) return std::nullopt;
    const QPoint key = m_task->itemData(index).toPoint();
    return task::TaskKey{key.x(), key.y()};
}

void KernelSetupDialog::offerArchived(const archive::KernelTable& table) {
    if (!m_row) return;
    using Correct = archive::KernelTable::Correct;
    QStringList right, others;
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (table.level[i] != m_row->level || table.task[i] != m_row->task || table.opName[i] != m_row->opName)
            continue;
        if (table.id[i] == m_row->id || table.correct[i] == Correct::no) continue;
        (table.correct[i] == Correct::yes ? right : others) << QString::fromStdString(table.label(i));
    }
    const QSignalBlocker quiet(m_reference);
    m_reference->addItems(right + others);
    m_reference->setCurrentIndex(-1);
    m_reference->setEditText(m_referenceName);
}

bool KernelSetupDialog::isReferenceKept() const {
    return m_reference->currentText().trimmed() == m_referenceName;
}

QString KernelSetupDialog::referenceLabel() const {
    const QString text = m_reference->currentText().trimmed();
    return m_reference->findText(text, Qt::MatchExactly | Qt::MatchCaseSensitive) >= 0 ? text : QString();
}

QString KernelSetupDialog::referencePath() const {
    return referenceLabel().isEmpty() ? m_reference->currentText().trimmed() : QString();
}

QStringList KernelSetupDialog::arguments() const {
    if (!m_byArguments->isChecked()) return {};
    QStringList lines;
    for (const QString& line : m_arguments->toPlainText().split(QLatin1Char('\n')))
        if (!line.trimmed().isEmpty()) lines << line.trimmed();
    return lines;
}

QString KernelSetupDialog::compilerOptions() const {
    const QString whole = wholeOptions(m_compilerOptions->text(), m_kernel);
    const auto settings = text::settingsFromLine(whole.toStdString());
    return settings ? QString::fromStdString(text::lineOf(*settings)) : QString();
}

QString KernelSetupDialog::function() const {
    return m_function->currentText().trimmed();
}

void KernelSetupDialog::offerArguments(const QString& source) {
    if (!m_arguments->toPlainText().trimmed().isEmpty()) return;
    QStringList lines;
    for (const std::string& line : verify::guessedArguments(source.toStdString(), function().toStdString()))
        lines << QString::fromStdString(line);
    m_arguments->setPlainText(lines.join(QLatin1Char('\n')));
}

void KernelSetupDialog::offerFunctions(const QStringList& functions) {
    const QString chosen = function();
    m_function->clear();
    if (functions.size() > 1) m_function->addItems(functions);
    m_function->setCurrentIndex(m_function->findText(chosen));
    m_function->setEditText(chosen);
    const bool any = functions.size() > 1 || !chosen.isEmpty();
    m_function->setVisible(any);
    m_functionCaption->setVisible(any);
}

void KernelSetupDialog::takeProgram() {
    m_isProgram = true;
    m_byArguments->setText(tr("Call its main with these &arguments"));
    m_byArguments->setChecked(true);
    for (QWidget* other : std::initializer_list<QWidget*>{m_byTask, m_task, m_referenceCaption, m_referenceRow,
                                                          m_functionCaption, m_function})
        other->hide(); // of kernels with a forward
    setWindowTitle(tr("Arguments and compiler options"));
    m_arguments->setPlaceholderText(QStringLiteral("-n\n1000"));
    m_arguments->setToolTip(tr("What the program's main is called with, one argument per line"));
    refresh();
    adjustSize();
}

void KernelSetupDialog::refresh() {
    m_task->setEnabled(m_byTask->isChecked());
    m_arguments->setEnabled(m_byArguments->isChecked());
    QString problem;
    if (m_byTask->isChecked() && !task()) problem = tr("There is no such task: choose one from the list.");
    if (m_byArguments->isChecked() && !m_isProgram) {
        std::vector<std::string> texts;
        for (const QString& argument : arguments())
            texts.push_back(argument.toStdString());
        if (auto plan = verify::parseArguments(texts); !plan) problem = QString::fromStdString(plan.error().text());
    }
    const QString whole = wholeOptions(m_compilerOptions->text(), m_kernel);
    if (const auto settings = text::settingsFromLine(whole.toStdString()); !settings)
        problem = QString::fromStdString(settings.error().text());
    else if (problem.isEmpty())
        for (const std::string& folder : settings->folders)
            if (!QFileInfo(QString::fromStdString(folder)).isDir())
                problem = tr("There is no folder %1.").arg(QString::fromStdString(folder));
    if (problem.isEmpty() && !isReferenceKept() && !referencePath().isEmpty() && !QFileInfo(referencePath()).isFile())
        problem = tr("The reference is not a file.");
    m_problem->setText(problem);
    makeRoom();
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(problem.isEmpty());
    m_buttons->button(QDialogButtonBox::Ok)
        ->setToolTip(problem.isEmpty() ? tr("Compare the kernel with this") : problem);
}

/// A dialog does not grow by itself with text that needs more lines.
void KernelSetupDialog::makeRoom() {
    if (!layout()) return;
    layout()->activate();
    const int needed = std::max(layout()->totalHeightForWidth(width()), layout()->totalMinimumSize().height());
    if (needed > height()) resize(width(), needed);
}

void KernelSetupDialog::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    if (event->size().width() < event->oldSize().width()) makeRoom(); // more lines
}

} // namespace kernelarium::ui
