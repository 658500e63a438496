// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/schedule/CountersView.h"

#include "ui/widgets/WrappedLabel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>

namespace kernelarium::ui {

CountersView::CountersView(ScheduleSearchDesk& desk, QWidget* parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_model(new BesideModel(this))
    , m_table(new QTableView)
    , m_count(new QPushButton)
    , m_said(new WrappedLabel) {
    m_said->setProperty("role", "muted");
    m_said->setTextFormat(Qt::PlainText);
    m_said->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 8, 8, 8);
    row->setSpacing(8);
    row->addWidget(m_count);
    row->addWidget(m_said, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_table, 1);
    column->addWidget(bar);
    connect(m_count, &QPushButton::clicked, this, &CountersView::press);
    connect(&m_desk, &ScheduleSearchDesk::variantChanged, this, &CountersView::refresh);
    connect(&m_desk, &ScheduleSearchDesk::changed, this, &CountersView::refreshBar);
    connect(&m_desk, &ScheduleSearchDesk::looked, this, &CountersView::refreshBar);
    connect(&m_desk, &ScheduleSearchDesk::countChanged, this, &CountersView::refreshBar);
    refreshBar();
}

QString CountersView::said() const {
    return m_said->text();
}

void CountersView::press() {
    if (isBusy(m_desk.countState().stage))
        m_desk.stopCounting();
    else
        m_desk.count();
}

void CountersView::refresh() {
    if (m_variant != m_desk.variant()) {
        m_variant = m_desk.variant();
        m_model->show(m_variant ? m_variant->counters : schedule::CountersBeside());
    }
    refreshBar();
}

void CountersView::refreshBar() {
    const auto& count = m_desk.countState();
    const QString obstacle = m_desk.countObstacle();
    m_count->setText(isBusy(count.stage) ? tr("Cancel counting") : tr("Count with Nsight Compute"));
    m_count->setEnabled(isBusy(count.stage) || obstacle.isEmpty());
    m_count->setToolTip(isBusy(count.stage)  ? tr("What is counted of the original is kept")
                        : obstacle.isEmpty() ? tr("Run the original and the best under Nsight Compute: memory, L2 and "
                                                  "what warps wait for")
                                             : obstacle);
    if (isBusy(count.stage))
        m_said->setText(tr("Nsight Compute runs the original and the best, each launch many times"));
    else if (count.stage == Stage::failed)
        m_said->setText(QString::fromStdString(count.error.text()));
    else if (!m_variant)
        m_said->setText(tr("Counters of the original and of the best schedule stand here, once there is one"));
    else
        m_said->setText(tr("%1 %2").arg(m_variant->counters.isMeasured ? QStringLiteral("●") : QStringLiteral("◌"),
                                        QString::fromStdString(m_variant->counters.from)));
}

} // namespace kernelarium::ui
