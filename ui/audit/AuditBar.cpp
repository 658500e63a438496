// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/audit/AuditBar.h"

#include "ui/theme/Theme.h"
#include "ui/widgets/WrappedLabel.h"
#include "ui/words/Quantities.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDataStream>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <thread>

namespace kernelarium::ui {

namespace {

/// One core is the window's.
int usualJobs() {
    return std::max(1, int(std::thread::hardware_concurrency()) - 1);
}

} // namespace

QString auditProgressText(const AuditState& state) {
    return AuditBar::tr("%1 of %2, %3 kernels/s, time left: %4")
        .arg(wholeText(state.progress.done), wholeText(state.progress.total), numberText(state.progress.perSecond()),
             timeLeftText(state.progress.secondsLeft()));
}

AuditBar::AuditBar(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_scope(new QComboBox)
    , m_jobs(new QSpinBox)
    , m_limit(new QDoubleSpinBox)
    , m_again(new QCheckBox(tr("Again")))
    , m_button(new QPushButton)
    , m_bar(new QProgressBar)
    , m_progress(new WrappedLabel) {
    m_scope->addItems({QString(), QString()});
    m_scope->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_scope->setMinimumContentsLength(10);
    m_scope->setAccessibleName(tr("What to audit"));
    m_scope->setToolTip(tr("The whole archive, or the kernels that match the filters of the Archive panel"));
    m_jobs->setRange(1, 256);
    m_jobs->setValue(usualJobs());
    m_jobs->setPrefix(tr("jobs "));
    m_jobs->setAccessibleName(tr("Jobs"));
    m_jobs->setToolTip(tr("Kernels judged at the same time; each has its own compiler and emulator"));
    m_limit->setRange(0.1, 86400);
    m_limit->setDecimals(0);
    m_limit->setValue(60);
    m_limit->setPrefix(tr("limit "));
    m_limit->setSuffix(tr(" s"));
    m_limit->setAccessibleName(tr("Time limit"));
    m_limit->setToolTip(tr("Seconds for all runs of one kernel together; after that its verdict is timeout"));
    for (QAbstractSpinBox* box : {static_cast<QAbstractSpinBox*>(m_jobs), static_cast<QAbstractSpinBox*>(m_limit)})
        box->setButtonSymbols(QAbstractSpinBox::NoButtons); // arrow keys and the wheel do it
    m_again->setToolTip(tr("Also judge kernels that have an up-to-date verdict"));
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress of the audit"));
    m_progress->setProperty("role", "muted");
    m_progress->setFont(theme.captionFont());
    m_progress->setTextFormat(Qt::PlainText);

    auto* what = new QHBoxLayout;
    what->setSpacing(4);
    what->addWidget(m_scope, 1);
    what->addWidget(m_button);
    auto* how = new QHBoxLayout;
    how->setSpacing(4);
    how->addWidget(m_jobs);
    how->addWidget(m_limit);
    how->addSpacing(4);
    how->addWidget(m_again);
    how->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(what);
    layout->addLayout(how);
    layout->addWidget(m_bar);
    layout->addWidget(m_progress);

    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_running)
            Q_EMIT pauseRequested();
        else
            Q_EMIT startRequested();
    });
    connect(m_scope, &QComboBox::currentIndexChanged, this, [this] {
        refreshButton();
        Q_EMIT stateChanged();
    });
    connect(m_jobs, &QSpinBox::valueChanged, this, &AuditBar::stateChanged);
    connect(m_limit, &QDoubleSpinBox::valueChanged, this, &AuditBar::stateChanged);
    setKernels(0, 0);
    setState({});
}

void AuditBar::setKernels(std::int64_t all, std::int64_t shown) {
    m_all = all;
    m_shown = shown;
    m_scope->setItemText(0, tr("Whole archive (%1)").arg(wholeText(all)));
    m_scope->setItemText(1, tr("What the Archive panel shows (%1)").arg(wholeText(shown)));
    refreshButton();
}

void AuditBar::setState(const AuditState& state) {
    m_running = isBusy(state.stage);
    m_paused = state.stage == Stage::cancelled;
    for (QWidget* control : {static_cast<QWidget*>(m_scope), static_cast<QWidget*>(m_jobs),
                             static_cast<QWidget*>(m_limit), static_cast<QWidget*>(m_again)})
        control->setEnabled(!m_running);
    QString text;
    switch (state.stage) {
    case Stage::idle: break;
    case Stage::waiting:
    case Stage::running:
        text = state.progress.total == 0 ? tr("Looking for what is missing…") : auditProgressText(state);
        if (!state.last.isEmpty()) text += QStringLiteral("; ") + state.last;
        break;
    case Stage::finished:
        text = state.progress.total == 0
                   ? tr("All of these %1 kernels have an up-to-date verdict: there was nothing to do.")
                         .arg(wholeText(state.selected))
                   : tr("Finished: %1 judged in %2.")
                         .arg(wholeText(state.progress.done), secondsText(state.progress.seconds));
        break;
    case Stage::cancelled:
        text = tr("Paused: %1 of %2 judged. Continue does the rest.")
                   .arg(wholeText(state.progress.done), wholeText(state.progress.total));
        break;
    case Stage::failed: text = QString::fromStdString(state.error.text()); break;
    }
    m_progress->setText(text);
    m_progress->setVisible(!text.isEmpty());
    m_bar->setVisible(m_running);
    m_bar->setRange(0, state.progress.total == 0 ? 0 : int(std::min<std::int64_t>(state.progress.total, 1000000000)));
    m_bar->setValue(int(std::min<std::int64_t>(state.progress.done, 1000000000)));
    refreshButton();
}

void AuditBar::refreshButton() {
    m_button->setText(m_running ? tr("Pause") : m_paused ? tr("Continue") : tr("Audit"));
    const std::int64_t kernels = onlyShown() ? m_shown : m_all;
    m_button->setEnabled(m_running || kernels > 0);
    m_button->setToolTip(
        m_running     ? tr("Stop; verdicts so far are kept, and Continue does the rest")
        : kernels > 0 ? tr("Verify these kernels; those with an up-to-date verdict are skipped")
                      : tr("Not now: there are no kernels; open an archive or widen the Archive panel's filters"));
}

bool AuditBar::onlyShown() const {
    return m_scope->currentIndex() == 1;
}

void AuditBar::setOnlyShown(bool only) {
    m_scope->setCurrentIndex(only ? 1 : 0);
}

unsigned AuditBar::jobs() const {
    return unsigned(m_jobs->value());
}

audit::PlanOptions AuditBar::plan() const {
    audit::PlanOptions options;
    options.settings.timeLimit = m_limit->value();
    options.again = m_again->isChecked();
    return options;
}

QString AuditBar::progressText() const {
    return m_progress->text();
}

QByteArray AuditBar::saveState() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << m_scope->currentIndex() << m_jobs->value() << m_limit->value();
    return state;
}

void AuditBar::restoreState(const QByteArray& state) {
    int scope = 0, jobs = 0;
    double limit = 0;
    QDataStream in(state);
    in >> scope >> jobs >> limit;
    if (in.status() != QDataStream::Ok) return;
    m_scope->setCurrentIndex(scope == 1 ? 1 : 0);
    m_jobs->setValue(jobs);
    m_limit->setValue(limit);
}

} // namespace kernelarium::ui
