// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/archive/FilterBar.h"

#include "core/archive/SearchSyntax.h"
#include "ui/archive/Words.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeyEvent>
#include <QLineEdit>
#include <QToolButton>
#include <set>

namespace kernelarium::ui {

FilterBar::FilterBar(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_text(new QLineEdit)
    , m_code(new QToolButton)
    , m_reset(new QToolButton)
    , m_level(new QComboBox)
    , m_task(new QComboBox)
    , m_claim(new QComboBox)
    , m_speed(new QComboBox) {
    m_text->setPlaceholderText(tr("Search kernels…"));
    m_text->setClearButtonEnabled(true);
    m_text->setAccessibleName(tr("Search"));
    m_text->setToolTip(tr("Part of a kernel's or an operator's name, or of its code"));
    m_text->installEventFilter(this);
    m_searchIcon = m_text->addAction(QIcon(), QLineEdit::LeadingPosition);
    m_code->setText(tr("In code"));
    m_code->setCheckable(true);
    m_code->setChecked(true);
    m_code->setAccessibleName(tr("Search in code"));
    m_code->setToolTip(tr("Search the CUDA source as well as the names"));
    m_reset->setText(tr("Reset"));
    m_reset->setToolTip(tr("Show every kernel again"));
    m_level->setToolTip(tr("KernelBench level"));
    m_level->setAccessibleName(tr("Level"));
    m_task->setToolTip(tr("KernelBench task"));
    m_task->setAccessibleName(tr("Task"));
    m_claim->setToolTip(tr("What the archive says of the kernel"));
    m_claim->setAccessibleName(tr("Archived result"));
    m_claim->addItem(tr("Any result"));
    m_claim->addItem(tr("Correct"), 1);
    m_claim->addItem(tr("Not correct"), 0);
    m_speed->setToolTip(tr("Archived speed-up over PyTorch native"));
    m_speed->setAccessibleName(tr("Speed-up"));
    m_speed->addItem(tr("Any speed"));
    m_speed->addItem(tr("Faster than native"), 1.0);
    m_speed->addItem(tr("Over 2×"), 2.0);
    m_speed->addItem(tr("Over 5×"), 5.0);

    auto* first = new QHBoxLayout;
    first->setSpacing(4);
    first->addWidget(m_text, 1);
    first->addWidget(m_code);
    first->addWidget(m_reset);
    auto* second = new QHBoxLayout;
    second->setSpacing(4);
    for (QComboBox* box : {m_level, m_task, m_claim, m_speed}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(6);
        second->addWidget(box, 1);
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addLayout(first);
    layout->addLayout(second);

    connect(m_text, &QLineEdit::textChanged, this, &FilterBar::changed);
    connect(m_code, &QToolButton::toggled, this, &FilterBar::changed);
    connect(m_level, &QComboBox::currentIndexChanged, this, [this] {
        fillTasks();
        Q_EMIT changed();
    });
    for (QComboBox* box : {m_task, m_claim, m_speed}) connect(box, &QComboBox::currentIndexChanged, this, &FilterBar::changed);
    connect(m_reset, &QToolButton::clicked, this, &FilterBar::reset);
    connect(this, &FilterBar::changed, this, [this] { m_reset->setEnabled(isFiltering()); });
    connect(&theme, &Theme::changed, this, &FilterBar::refreshIcons);
    m_level->addItem(tr("Any level"));
    fillTasks();
    refreshIcons();
    m_reset->setEnabled(false);
}

void FilterBar::refreshIcons() {
    m_searchIcon->setIcon(m_theme.icon(QStringLiteral("search"), m_theme.colours().muted));
}

archive::TableSelection FilterBar::selection() const {
    archive::TableSelection selection;
    selection.text = m_text->text().trimmed().toStdString();
    if (const auto typed = archive::parseSearch(selection.text); typed && !typed->regex && typed->uses.empty()) {
        selection.filter = typed->kernels.filter;
        selection.text = typed->text;
    }
    if (const QVariant level = m_level->currentData(); level.isValid()) selection.filter.level = level.toInt();
    if (const QVariant task = m_task->currentData(); task.isValid()) {
        selection.filter.level = task.toPoint().x();
        selection.filter.task = task.toPoint().y();
    }
    if (const QVariant claim = m_claim->currentData(); claim.isValid()) selection.filter.correct = claim.toInt() == 1;
    if (const QVariant speed = m_speed->currentData(); speed.isValid())
        selection.filter.minSpeedupNative = speed.toDouble();
    return selection;
}

bool FilterBar::inCode() const {
    return m_code->isChecked();
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

void FilterBar::setSearch(const QString& typed) {
    {
        const QSignalBlocker a(m_text), b(m_level), c(m_task), d(m_claim), e(m_speed);
        for (QComboBox* box : {m_level, m_task, m_claim, m_speed}) box->setCurrentIndex(0);
        fillTasks();
        m_text->setText(typed);
    }
    Q_EMIT changed();
}

void FilterBar::reset() {
    {
        const QSignalBlocker a(m_text), b(m_level), c(m_task), d(m_claim), e(m_speed);
        m_text->clear();
        for (QComboBox* box : {m_level, m_task, m_claim, m_speed}) box->setCurrentIndex(0);
        fillTasks();
    }
    Q_EMIT changed();
}

QByteArray FilterBar::saveState() const {
    QJsonObject state;
    state[QStringLiteral("text")] = m_text->text();
    state[QStringLiteral("code")] = m_code->isChecked();
    state[QStringLiteral("level")] = m_level->currentData().toInt();
    const QPoint task = m_task->currentData().toPoint();
    state[QStringLiteral("task_level")] = task.x();
    state[QStringLiteral("task")] = task.y();
    state[QStringLiteral("claim")] = m_claim->currentIndex();
    state[QStringLiteral("speed")] = m_speed->currentIndex();
    return QJsonDocument(state).toJson(QJsonDocument::Compact);
}

void FilterBar::restoreState(const QByteArray& saved) {
    const QJsonObject state = QJsonDocument::fromJson(saved).object();
    {
        const QSignalBlocker a(m_text), b(m_code), c(m_level), d(m_task), e(m_claim), f(m_speed);
        m_text->setText(state[QStringLiteral("text")].toString());
        m_code->setChecked(state[QStringLiteral("code")].toBool(true));
        m_level->setCurrentIndex(std::max(0, m_level->findData(state[QStringLiteral("level")].toInt())));
        fillTasks();
        const QPoint task(state[QStringLiteral("task_level")].toInt(), state[QStringLiteral("task")].toInt());
        m_task->setCurrentIndex(std::max(0, m_task->findData(task)));
        m_claim->setCurrentIndex(std::clamp(state[QStringLiteral("claim")].toInt(), 0, m_claim->count() - 1));
        m_speed->setCurrentIndex(std::clamp(state[QStringLiteral("speed")].toInt(), 0, m_speed->count() - 1));
    }
    Q_EMIT changed();
}

bool FilterBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_text && event->type() == QEvent::KeyPress) {
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
