// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/archive/FilterBar.h"

#include "ui/archive/FilterRow.h"
#include "ui/archive/SavedSearchMenu.h"
#include "ui/archive/SearchField.h"
#include "ui/archive/SearchHelp.h"
#include "ui/widgets/WrappedLabel.h"
#include "ui/words/VerdictWords.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>
#include <set>

namespace kernelarium::ui {

FilterBar::FilterBar(Theme& theme, SessionDesk& session, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_text(new SearchField(theme))
    , m_saved(new QToolButton)
    , m_explain(new QToolButton)
    , m_code(new QToolButton)
    , m_case(new QToolButton)
    , m_regex(new QToolButton)
    , m_fold(new QToolButton)
    , m_reset(new QToolButton)
    , m_level(new QComboBox)
    , m_task(new QComboBox)
    , m_claim(new QComboBox)
    , m_speed(new QComboBox)
    , m_problem(new WrappedLabel)
    , m_menu(new SavedSearchMenu(session, this))
    , m_help(new SearchHelp(theme, this)) {
    m_text->setPlaceholderText(tr("Search kernels…"));
    m_text->setClearButtonEnabled(true);
    m_text->setAccessibleName(tr("Search"));
    m_text->setToolTip(
        tr("Part of a name or of the code, and fields: speedup>2 uses:wmma error:compile (? explains them)"));
    m_text->installEventFilter(this);
    m_searchIcon = m_text->addAction(QIcon(), QLineEdit::LeadingPosition);
    m_saved->setText(tr("Saved"));
    m_saved->setToolTip(tr("Saved searches: choose one, save this one, rename, delete"));
    m_saved->setProperty("role", "menu");
    m_saved->setPopupMode(QToolButton::InstantPopup);
    m_saved->setMenu(m_menu);
    m_explain->setAccessibleName(tr("What can be searched for"));
    m_explain->setToolTip(tr("Explain the search syntax"));
    m_reset->setText(tr("Reset"));
    m_reset->setToolTip(tr("Show every kernel again"));
    m_problem->setProperty("role", "wrong");
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setFont(theme.captionFont());
    m_problem->setAccessibleName(tr("Error in the search"));
    m_problem->hide();
    buildChoices();
    buildSwitches();
    arrange();

    connect(m_text, &QLineEdit::textEdited, this, [this] { m_literal = false; });
    connect(m_text, &QLineEdit::textChanged, this, &FilterBar::changed);
    connect(m_level, &QComboBox::currentIndexChanged, this, [this] {
        fillTasks();
        Q_EMIT changed();
    });
    for (QComboBox* box : {m_task, m_claim, m_speed})
        connect(box, &QComboBox::currentIndexChanged, this, &FilterBar::changed);
    connect(m_reset, &QToolButton::clicked, this, &FilterBar::reset);
    connect(m_explain, &QToolButton::clicked, this, [this] { m_help->showBelow(*m_text); });
    connect(this, &FilterBar::changed, this, [this] {
        m_reset->setEnabled(isFiltering());
        m_menu->setCanSave(isFiltering() || m_fold->isChecked());
    });
    connect(m_menu, &SavedSearchMenu::saveWanted, this, &FilterBar::saveWanted);
    connect(m_menu, &SavedSearchMenu::removed, this, &FilterBar::savedRemoved);
    connect(m_menu, &SavedSearchMenu::chosen, this, &FilterBar::savedChosen);
    connect(&theme, &Theme::changed, this, &FilterBar::refreshIcons);
    m_level->addItem(tr("Any level"));
    fillTasks();
    refreshIcons();
    m_reset->setEnabled(false);
}

void FilterBar::buildChoices() {
    m_level->setToolTip(tr("KernelBench level"));
    m_level->setAccessibleName(tr("Level"));
    m_task->setToolTip(tr("KernelBench task"));
    m_task->setAccessibleName(tr("Task"));
    m_claim->setToolTip(tr("What the archive says about the kernel, or what we found out"));
    m_claim->setAccessibleName(tr("Result, archived or found here"));
    m_claim->addItem(tr("Any result"));
    m_claim->addItem(tr("Correct"), 1);
    m_claim->addItem(tr("Not correct"), 0);
    // Of our verdicts, as one would type them.
    m_claim->addItem(tr("Verified here"), QStringLiteral("verdict:verified"));
    m_claim->addItem(tr("Fails here"), QStringLiteral("verdict:wrong,fault,suspicious,compile_error,launch_error"));
    m_claim->addItem(tr("Undecided here"), QStringLiteral("verdict:timeout,unsupported,unverifiable,failed"));
    m_claim->addItem(tr("Stale here"), QStringLiteral("verdict:stale"));
    m_claim->addItem(tr("Not tried here"), QStringLiteral("verdict:none"));
    m_claim->view()->setMinimumWidth(180);
    m_speed->setToolTip(tr("Archived speed-up over PyTorch native"));
    m_speed->setAccessibleName(tr("Speed-up"));
    m_speed->addItem(tr("Any speed"));
    m_speed->addItem(tr("Faster than native"), 1.0);
    m_speed->addItem(tr("Over 2×"), 2.0);
    m_speed->addItem(tr("Over 5×"), 5.0);
}

void FilterBar::buildSwitches() {
    const struct {
        QToolButton* button;
        QString text, name, tip;
    } switches[] = {{m_code, tr("In code"), tr("Search in code"), tr("Search the CUDA source as well as the names")},
                    {m_case, tr("Aa"), tr("Match case"), tr("Distinguish upper and lower case")},
                    {m_regex, tr(".*"), tr("Regular expression"),
                     tr("The text, without its fields, is a regular expression (RE2)")},
                    {m_fold, tr("Fold same code"), tr("Fold kernels with the same code"),
                     tr("Show kernels that differ only in comments and white space as one")}};
    for (const auto& made : switches) {
        made.button->setText(made.text);
        made.button->setCheckable(true);
        made.button->setAccessibleName(made.name);
        made.button->setToolTip(made.tip);
        connect(made.button, &QToolButton::toggled, this, &FilterBar::changed);
    }
    m_code->setChecked(true);
}

void FilterBar::arrange() {
    auto* first = new QHBoxLayout;
    first->setSpacing(4);
    first->addWidget(m_text, 1);
    first->addWidget(m_explain);
    first->addWidget(m_saved);
    auto* third = new QHBoxLayout;
    third->setSpacing(4);
    for (QToolButton* button : {m_code, m_case, m_regex, m_fold})
        third->addWidget(button);
    third->addStretch(1);
    third->addWidget(m_reset);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addLayout(first);
    layout->addWidget(m_problem);
    m_row = new FilterRow(boxes(), m_fold, third);
    layout->addWidget(m_row);
    layout->addLayout(third);
}

void FilterBar::refreshIcons() {
    m_searchIcon->setIcon(m_theme.icon(QStringLiteral("search"), m_theme.colours().muted));
    m_explain->setIcon(m_theme.icon(QStringLiteral("help")));
    m_row->button().setIcon(m_theme.icon(QStringLiteral("filter")));
}

archive::SearchQuery FilterBar::choices() const {
    archive::SearchQuery query;
    auto& filter = query.kernels.filter;
    if (const QVariant level = m_level->currentData(); level.isValid()) filter.level = level.toInt();
    if (const QVariant task = m_task->currentData(); task.isValid()) {
        filter.level = task.toPoint().x();
        filter.task = task.toPoint().y();
    }
    const QVariant claim = m_claim->currentData();
    if (claim.typeId() == QMetaType::Int) filter.correct = claim.toInt() == 1;
    if (claim.typeId() == QMetaType::QString)
        if (auto parsed = archive::parseSearch(claim.toString().toStdString())) query.condition = parsed->condition;
    if (const QVariant speed = m_speed->currentData(); speed.isValid()) filter.minSpeedupNative = speed.toDouble();
    query.inCode = m_code->isChecked();
    query.matchCase = m_case->isChecked();
    query.regex = m_regex->isChecked();
    query.foldDuplicates = m_fold->isChecked();
    return query;
}

Result<archive::SearchQuery> FilterBar::query() {
    archive::SearchQuery chosen = choices();
    if (m_literal) {
        chosen.text = m_text->text().toStdString();
        showProblem({}, {});
        return chosen;
    }
    const std::string typed = m_text->finishedText().toStdString();
    archive::SearchProblem place;
    auto parsed = archive::parseSearch(typed, std::move(chosen), &place);
    showProblem(parsed ? QString() : QString::fromStdString(parsed.error().text()), place);
    return parsed;
}

void FilterBar::showProblem(const QString& text, const archive::SearchProblem& place) {
    if (!text.isEmpty() || !m_problem->text().isEmpty()) m_text->setProblem(place);
    m_problem->setText(text);
    m_problem->setVisible(!text.isEmpty());
    m_menu->setCanSave(text.isEmpty() && (isFiltering() || m_fold->isChecked()));
}

QString FilterBar::searchForEachWord() const {
    if (m_literal || m_regex->isChecked()) return {};
    return QString::fromStdString(archive::searchForEachWord(m_text->finishedText().toStdString()));
}

void FilterBar::addTerm(const QString& term) {
    QString typed = m_text->text().trimmed();
    if (typed.contains(QLatin1String(" OR "))) typed = QLatin1Char('(') + typed + QLatin1Char(')');
    setText(typed.isEmpty() ? term : typed + QLatin1Char(' ') + term);
}

void FilterBar::setText(const QString& typed) {
    m_literal = false;
    m_text->setText(typed);
}

QString FilterBar::problem() const {
    return m_problem->text();
}

bool FilterBar::folds() const {
    return m_fold->isChecked();
}

bool FilterBar::isFiltering() const {
    return !m_text->text().trimmed().isEmpty() || m_level->currentIndex() > 0 || m_task->currentIndex() > 0 ||
           m_claim->currentIndex() > 0 || m_speed->currentIndex() > 0;
}

void FilterBar::setTable(const archive::KernelTable& table) {
    std::set<int> levels;
    std::set<std::tuple<int, int, QString>> tasks;
    std::set<std::pair<int, int>> seen;
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (!seen.insert({table.level[i], table.task[i]}).second) continue;
        levels.insert(table.level[i]);
        tasks.insert({table.level[i], table.task[i], operatorText(QString::fromStdString(table.opName[i]))});
    }
    m_tasks.assign(tasks.begin(), tasks.end());
    QStringList numbers, operators;
    for (const auto& [l, t, op] : m_tasks) {
        numbers << QStringLiteral("%1/%2").arg(l).arg(t);
        operators << QString(op).replace(QLatin1Char(' '), QLatin1Char('_')); // as it is stored
    }
    operators.removeDuplicates();
    m_text->setValues(numbers, operators);
    const QVariant level = m_level->currentData();
    {
        const QSignalBlocker quiet(m_level);
        m_level->clear();
        m_level->addItem(tr("Any level"));
        for (const int l : levels)
            m_level->addItem(tr("Level %1").arg(l), l);
        m_level->setCurrentIndex(std::max(0, m_level->findData(level)));
    }
    fillTasks();
}

void FilterBar::fillTasks() {
    const QSignalBlocker quiet(m_task);
    const QVariant before = m_task->currentData();
    const QVariant level = m_level->currentData();
    m_task->clear();
    m_task->addItem(tr("Any task"));
    for (const auto& [l, t, op] : m_tasks)
        if (!level.isValid() || level.toInt() == l)
            m_task->addItem(QStringLiteral("%1/%2  %3").arg(l).arg(t).arg(op), QPoint(l, t));
    m_task->setCurrentIndex(before.isValid() ? std::max(0, m_task->findData(before)) : 0);
    m_task->view()->setMinimumWidth(320);
}

void FilterBar::focusSearch() {
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
}

bool FilterBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_text && event->type() == QEvent::KeyPress && !m_text->isCompleting()) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Return || key == Qt::Key_Enter) {
            Q_EMIT leftForTable();
            return true;
        }
        if (key == Qt::Key_Escape && !m_text->text().isEmpty()) {
            m_text->clear();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace kernelarium::ui
