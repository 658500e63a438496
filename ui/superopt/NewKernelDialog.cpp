// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/superopt/NewKernelDialog.h"

#include "ui/threads/Ask.h"
#include "ui/words/TaskNames.h"

#include <QButtonGroup>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QSortFilterProxyModel>
#include <QStyle>
#include <QVBoxLayout>

namespace kernelarium::ui {

NewKernelDialog::NewKernelDialog(NewKernelDesk& desk, std::optional<task::TaskKey> chosen, QWidget* parent)
    : QDialog(parent)
    , m_desk(desk)
    , m_byTask(new QRadioButton(tr("For a &built-in task")))
    , m_byCard(new QRadioButton(tr("For a card of your &own")))
    , m_search(new QLineEdit)
    , m_tasks(new QListView)
    , m_cardPath(new QLineEdit)
    , m_choose(new QPushButton(tr("C&hoose…")))
    , m_naive(new QRadioButton(tr("O&ne kernel for each formula: right at every size, and slow")))
    , m_fused(new QRadioButton(tr("&Fused: the best form that the program knows for the whole task")))
    , m_progress(new QProgressBar)
    , m_said(new QLabel)
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Cancel))
    , m_create(m_buttons->addButton(tr("&Create"), QDialogButtonBox::AcceptRole))
    , m_shown(new QSortFilterProxyModel(this)) {
    setWindowTitle(tr("New kernel for a task"));
    build();
    fill(chosen);
    connect(m_search, &QLineEdit::textChanged, this, &NewKernelDialog::filter);
    connect(m_tasks, &QListView::activated, this, &NewKernelDialog::begin);
    connect(m_cardPath, &QLineEdit::textChanged, this, [this] { m_byCard->setChecked(true); });
    connect(m_choose, &QPushButton::clicked, this, &NewKernelDialog::chooseCard);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &NewKernelDialog::begin);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &NewKernelDialog::reject);
    connect(m_tasks->selectionModel(), &QItemSelectionModel::currentChanged, this, &NewKernelDialog::refresh);
    for (QRadioButton* choice : {m_byTask, m_naive, m_fused})
        connect(choice, &QRadioButton::toggled, this, &NewKernelDialog::refresh);
    connect(m_cardPath, &QLineEdit::textChanged, this, &NewKernelDialog::refresh);
    connect(&desk, &NewKernelDesk::changed, this, &NewKernelDialog::hear);
    refresh();
    m_search->setFocus();
}

void NewKernelDialog::build() {
    setMinimumWidth(480);
    m_search->setPlaceholderText(tr("Number or words of the name, for example 2/50 or softmax"));
    m_search->setAccessibleName(tr("Search the tasks"));
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this); // arrow keys walk through the list
    m_shown->setSourceModel(&m_names);
    m_tasks->setModel(m_shown);
    m_tasks->setAccessibleName(tr("Tasks"));
    m_tasks->setUniformItemSizes(true);
    m_tasks->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_tasks->setMinimumHeight(8 * (fontMetrics().height() + 6));
    m_cardPath->setAccessibleName(tr("Card"));
    m_cardPath->setPlaceholderText(tr("CARD.json, as “task export” writes it"));
    m_choose->setToolTip(tr("Choose a card's file"));
    m_choose->setAutoDefault(false);
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_said->setWordWrap(true);
    m_said->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_said->setMinimumHeight(3 * fontMetrics().lineSpacing()); // what comes and goes moves no button
    m_said->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_create->setDefault(true);
    m_create->setToolTip(tr("Write the kernel file and put it on the bench, with its task"));
    m_buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false);
    for (auto [first, second] : {std::pair{m_byTask, m_byCard}, std::pair{m_naive, m_fused}}) {
        auto* group = new QButtonGroup(this);
        group->addButton(first);
        group->addButton(second);
        first->setChecked(true);
    }
    auto* row = new QHBoxLayout;
    row->addWidget(m_cardPath, 1);
    row->addWidget(m_choose);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(8);
    layout->addWidget(m_byTask);
    layout->addWidget(m_search);
    layout->addWidget(m_tasks, 1);
    layout->addWidget(m_byCard);
    layout->addLayout(row);
    layout->addSpacing(8);
    auto* caption = new QLabel(tr("Start from"));
    caption->setProperty("role", "muted");
    layout->addWidget(caption);
    layout->addWidget(m_naive);
    layout->addWidget(m_fused);
    layout->addSpacing(8);
    QSizePolicy kept = m_progress->sizePolicy();
    kept.setRetainSizeWhenHidden(true);
    m_progress->setSizePolicy(kept);
    m_progress->setFixedHeight(4);
    layout->addWidget(m_progress);
    layout->addWidget(m_said);
    layout->addWidget(m_buttons);
}

void NewKernelDialog::fill(std::optional<task::TaskKey> chosen) {
    m_keys = task::builtInCards();
    QStringList names;
    for (const task::TaskKey& key : m_keys)
        names << taskText(key);
    m_names.setStringList(names);
    const auto found = chosen ? std::find(m_keys.begin(), m_keys.end(), *chosen) : m_keys.begin();
    const int row = found == m_keys.end() ? 0 : int(found - m_keys.begin());
    m_tasks->setCurrentIndex(m_shown->index(row, 0));
    ask<QStringList>(
        m_namer, this, "names", [](const std::stop_token& stop) -> Result<QStringList> { return taskNames(stop); },
        [this](Result<QStringList> found) {
            if (found) nameTasks(*found);
        });
}

/// What was typed and chosen meanwhile stays.
void NewKernelDialog::nameTasks(const QStringList& names) {
    const auto chosen = m_shown->mapToSource(m_tasks->currentIndex()).row();
    QStringList whole = m_names.stringList();
    for (int i = 0; i < std::min(whole.size(), names.size()); ++i)
        if (!names[i].isEmpty()) whole[i] += QLatin1String("  ") + names[i];
    m_names.setStringList(whole);
    m_tasks->setCurrentIndex(m_shown->mapFromSource(m_names.index(std::max(0, chosen))));
    filter();
}

/// All words have to be in the name; the first task that has them is chosen, unless the chosen one does.
void NewKernelDialog::filter() {
    QString pattern = QStringLiteral("^");
    for (const QString& word : m_search->text().split(QLatin1Char(' '), Qt::SkipEmptyParts))
        pattern += QStringLiteral("(?=.*%1)").arg(QRegularExpression::escape(word));
    m_shown->setFilterRegularExpression(QRegularExpression(pattern, QRegularExpression::CaseInsensitiveOption));
    if (!m_search->text().isEmpty()) m_byTask->setChecked(true);
    // A number that is typed in full is that task, and not the first that begins with it.
    const QString number = m_search->text().trimmed() + QLatin1String("  ");
    int row = m_tasks->currentIndex().isValid() ? m_tasks->currentIndex().row() : 0;
    for (int i = 0; i < m_shown->rowCount(); ++i)
        if ((m_shown->index(i, 0).data().toString() + QLatin1String("  ")).startsWith(number) && number.size() > 2) {
            row = i;
            break;
        }
    m_tasks->setCurrentIndex(m_shown->index(std::min(row, std::max(0, m_shown->rowCount() - 1)), 0));
    m_tasks->scrollTo(m_tasks->currentIndex(), QAbstractItemView::PositionAtCenter);
    refresh();
}

std::optional<task::TaskKey> NewKernelDialog::task() const {
    const QModelIndex index = m_shown->mapToSource(m_tasks->currentIndex());
    if (!m_byTask->isChecked() || !index.isValid()) return std::nullopt;
    return m_keys[std::size_t(index.row())];
}

QString NewKernelDialog::problem() const {
    return m_desk.isBusy() ? QString() : m_said->text();
}

void NewKernelDialog::chooseCard() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Card of a task"), m_cardPath->text(), tr("Cards (*.json)"));
    if (path.isEmpty()) return;
    m_cardPath->setText(path);
    m_byCard->setChecked(true);
}

/// Something else is chosen: what was said of the choice before is not of it. The names that come in change no choice.
void NewKernelDialog::refresh() {
    if (m_desk.isBusy() || (m_asked && *m_asked == question())) return;
    m_asked.reset();
    const bool named = m_byCard->isChecked() ? !m_cardPath->text().trimmed().isEmpty() : task().has_value();
    m_create->setEnabled(named);
    m_progress->hide();
    m_said->setProperty("role", "muted");
    m_said->setText(m_byTask->isChecked() && !named ? tr("No task has all of these words in its name.") : QString());
    m_said->style()->polish(m_said);
}

NewKernelQuestion NewKernelDialog::question() const {
    NewKernelQuestion question;
    question.task = task();
    if (!question.task) question.cardPath = m_cardPath->text().trimmed();
    question.start = m_fused->isChecked() ? NewKernelQuestion::Start::fused : NewKernelQuestion::Start::naive;
    return question;
}

void NewKernelDialog::begin() {
    if (m_desk.isBusy() || !m_create->isEnabled()) return;
    m_asked = question();
    m_desk.ask(*m_asked);
}

void NewKernelDialog::hear() {
    if (!m_asked) return;
    const auto& state = m_desk.state();
    const bool busy = m_desk.isBusy();
    m_create->setEnabled(!busy);
    m_progress->setVisible(busy);
    m_said->setProperty("role", state.stage == Stage::failed ? "wrong" : "muted");
    m_said->style()->polish(m_said);
    if (busy)
        m_said->setText(state.step);
    else if (state.stage == Stage::failed)
        m_said->setText(QString::fromStdString(state.error.text()));
    else if (state.stage == Stage::cancelled)
        m_said->setText(tr("Cancelled: nothing was written."));
    if (busy || state.stage != Stage::finished) return;
    m_asked.reset();
    const NewKernelPointer kernel = state.answer;
    accept();
    Q_EMIT written(kernel);
}

void NewKernelDialog::reject() {
    if (m_asked && m_desk.isBusy()) return m_desk.cancel();
    QDialog::reject();
}

bool NewKernelDialog::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool walks = key->key() == Qt::Key_Down || key->key() == Qt::Key_Up || key->key() == Qt::Key_PageDown ||
                           key->key() == Qt::Key_PageUp;
        if (walks && key->modifiers() == Qt::NoModifier) return QCoreApplication::sendEvent(m_tasks, event);
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace kernelarium::ui
