// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tuning/ClusterBar.h"

#include "core/text/WordLine.h"
#include "gpu/cluster/Kinds.h"
#include "ui/theme/Theme.h"

#include <QComboBox>
#include <QDataStream>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>

namespace kernelarium::ui {

namespace {

enum TunePlace { hereOnly, slurmArray };

/// What sbatch cannot take; empty: nothing. No program is called for it.
QString problemOf(const QString& options) {
    const auto words = text::wordsOfLine(options.toStdString());
    if (!words) return ClusterBar::tr("a quote in the options of sbatch has no end");
    auto engine = cluster::makeEngine("slurm");
    if (!engine) return QString::fromStdString(engine.error().text());
    Result<void> checked = (*engine)->check(*words);
    if (checked) return {};
    return ClusterBar::tr("%1 Each option is one word: --partition=long")
        .arg(QString::fromStdString(checked.error().message));
}

} // namespace

ClusterBar::ClusterBar(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_where(new QComboBox)
    , m_tasks(new QSpinBox)
    , m_options(new QLineEdit)
    , m_problem(new QLabel) {
    m_where->addItems({tr("on this machine"), tr("as a Slurm array")});
    m_where->setAccessibleName(tr("Where the sweep runs"));
    m_where->setToolTip(tr("On this machine, or as an array of jobs that sbatch submits: each task looks at a share of "
                           "the points, on a machine that sees the same files"));
    m_tasks->setRange(1, 100000);
    m_tasks->setValue(4);
    m_tasks->setPrefix(tr("tasks "));
    m_tasks->setButtonSymbols(QAbstractSpinBox::NoButtons);
    m_tasks->setAccessibleName(tr("Tasks of the array"));
    m_tasks->setToolTip(tr("Into how many tasks the points are divided: as many as there are machines for them"));
    m_options->setAccessibleName(tr("Options of sbatch"));
    m_options->setPlaceholderText(tr("options of sbatch, such as --partition=long --cpus-per-task=8"));
    m_options->setToolTip(tr("Passed through to sbatch, each as one word. Where points are measured, every task asks "
                             "for a GPU (--gres=gpu:1) unless an option does"));
    m_problem->setProperty("role", "wrong");
    m_problem->setFont(theme.captionFont());
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    auto* controls = new QHBoxLayout;
    controls->setSpacing(4);
    controls->addWidget(m_where);
    controls->addSpacing(4);
    controls->addWidget(m_tasks);
    controls->addSpacing(4);
    controls->addWidget(m_options, 1);
    controls->addStretch(0);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(controls);
    layout->addWidget(m_problem);
    connect(m_where, &QComboBox::currentIndexChanged, this, &ClusterBar::refresh);
    connect(m_tasks, &QSpinBox::valueChanged, this, &ClusterBar::refresh);
    connect(m_options, &QLineEdit::textChanged, this, &ClusterBar::refresh);
    refresh();
}

void ClusterBar::refresh() {
    const bool array = wantsArray();
    setVisible(m_found);
    m_where->setEnabled(!m_running);
    m_tasks->setEnabled(!m_running);
    m_options->setEnabled(!m_running);
    m_tasks->setVisible(array);
    m_options->setVisible(array);
    const QString problem = obstacle();
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    Q_EMIT stateChanged();
}

void ClusterBar::setFound(bool slurm) {
    if (std::exchange(m_found, slurm) != slurm) refresh();
}

void ClusterBar::setRunning(bool running) {
    if (std::exchange(m_running, running) != running) refresh();
}

bool ClusterBar::wantsArray() const {
    return m_found && m_where->currentIndex() == slurmArray;
}

QString ClusterBar::obstacle() const {
    return wantsArray() ? problemOf(m_options->text()) : QString();
}

ArrayOrder ClusterBar::order() const {
    ArrayOrder order;
    order.tasks = unsigned(m_tasks->value());
    order.options = text::wordsOfLine(m_options->text().toStdString()).value_or(std::vector<std::string>());
    return order;
}

QByteArray ClusterBar::saveState() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << m_where->currentIndex() << m_tasks->value() << m_options->text();
    return state;
}

void ClusterBar::restoreState(const QByteArray& state) {
    int where = 0, tasks = 0;
    QString options;
    QDataStream in(state);
    in >> where >> tasks >> options;
    if (in.status() != QDataStream::Ok) return;
    m_where->setCurrentIndex(where == slurmArray ? slurmArray : hereOnly);
    m_tasks->setValue(tasks);
    m_options->setText(options);
}

} // namespace kernelarium::ui
