// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/schedule/BothSides.h"

#include "ui/profiles/RowCopying.h"
#include "ui/schedule/LinkStrip.h"
#include "ui/schedule/ScheduleModel.h"
#include "ui/schedule/ScheduleView.h"
#include "ui/theme/Theme.h"
#include "ui/widgets/Captioned.h"
#include "ui/widgets/ElidedLabel.h"

#include <QDataStream>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

namespace kernelarium::ui {

namespace {

/// What differs in control of instructions that both sides have: columns of the model that are shown there.
constexpr int shownColumns[] = {ScheduleModel::place,  ScheduleModel::instruction, ScheduleModel::stall,
                                ScheduleModel::yield,  ScheduleModel::waits,       ScheduleModel::reads,
                                ScheduleModel::writes, ScheduleModel::reuse};

} // namespace

BothSides::BothSides(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_beforeModel(new ScheduleModel(theme, this))
    , m_afterModel(new ScheduleModel(theme, this))
    , m_before(new QTableView)
    , m_after(new QTableView)
    , m_links(new LinkStrip(theme, *m_before, *m_after))
    , m_said(new ElidedLabel(Qt::ElideRight)) {
    buildTable(*m_before, *m_beforeModel, tr("Before"));
    buildTable(*m_after, *m_afterModel, tr("After"));
    auto* sides = new QHBoxLayout;
    sides->setSpacing(0);
    sides->addWidget(captioned(tr("Before"), *m_before), 1);
    sides->addWidget(m_links);
    sides->addWidget(captioned(tr("After"), *m_after), 1);
    m_said->setProperty("role", "muted");
    m_said->setTextFormat(Qt::PlainText);
    m_said->setContentsMargins(8, 4, 8, 4);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(sides, 1);
    layout->addWidget(m_said);
    connect(m_before->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] { follow(false); });
    connect(m_after->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] { follow(true); });
}

void BothSides::buildTable(QTableView& table, ScheduleModel& model, const QString& name) {
    table.setModel(&model);
    table.setAccessibleName(name);
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(QFontMetrics(m_theme.codeFont()).height() + Theme::unit);
    table.horizontalHeader()->setHighlightSections(false);
    for (int column = 0; column < ScheduleModel::columnCount_; ++column)
        table.setColumnHidden(column, std::find(std::begin(shownColumns), std::end(shownColumns), column) ==
                                          std::end(shownColumns));
    setScheduleWidths(table, m_theme, 28);
    makeCopyable(table);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    connect(table.horizontalHeader(), &QHeaderView::sectionResized, this, &BothSides::stateChanged);
}

void BothSides::show(const ScheduleSubjectPointer& subject, const ScheduleVariantPointer& variant) {
    const int row = fill(subject, variant);
    if (row >= 0) goTo(row);
}

/// The row to go to; -1: none.
int BothSides::fill(const ScheduleSubjectPointer& subject, const ScheduleVariantPointer& variant) {
    const QScopedValueRollback quiet(m_quiet, true);
    const int row = m_before->currentIndex().row();
    m_variant = subject ? variant : nullptr;
    if (!m_variant) {
        m_beforeModel->show({}, -1);
        m_afterModel->show({}, -1);
        m_links->setLinks({});
        m_said->clear();
        return -1;
    }
    m_beforeModel->show(subject->question.code, subject->question.kernel);
    m_afterModel->show(m_variant->code, 0);
    std::vector<int> links = m_variant->cameFrom;
    // The padding behind the kernel's end is not shown.
    links.resize(std::min(links.size(), std::size_t(m_afterModel->rowCount())));
    std::set<int> before, after;
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (links[i] == int(i)) continue;
        after.insert(int(i));
        if (links[i] >= 0) before.insert(links[i]);
    }
    int changed = 0;
    const sass::Explanation &a = *m_beforeModel->explanation(), &b = *m_afterModel->explanation();
    for (std::size_t i = 0; i < links.size(); ++i)
        changed += links[i] >= 0 && links[i] < int(a.code.size()) &&
                   !(a.code[std::size_t(links[i])].control == b.code[i].control);
    m_beforeModel->setMarked(std::move(before));
    m_afterModel->setMarked(std::move(after));
    m_afterModel->setFormer(subject->question.code, subject->question.kernel, links);
    m_links->setLinks(std::move(links));
    m_said->setText(tr("%1 of %2 instructions stand elsewhere, the schedule of %3 changed")
                        .arg(m_links->links())
                        .arg(m_afterModel->rowCount())
                        .arg(changed));
    return row >= 0 ? row : m_beforeModel->loop() ? m_beforeModel->loop()->first : 0;
}

void BothSides::goTo(int instruction) {
    if (instruction < 0 || instruction >= m_beforeModel->rowCount()) return;
    {
        const QScopedValueRollback quiet(m_quiet, true);
        m_before->setCurrentIndex(m_beforeModel->index(instruction, ScheduleModel::instruction));
    }
    follow(false);
}

/// The other side goes where the instruction is there.
void BothSides::follow(bool isAfter) {
    if (m_quiet || !m_variant) return;
    const QScopedValueRollback quiet(m_quiet, true);
    const auto& from = m_variant->cameFrom;
    QTableView &here = isAfter ? *m_after : *m_before, &there = isAfter ? *m_before : *m_after;
    const int row = here.currentIndex().row();
    if (row < 0 || row >= int(from.size())) return;
    const int other = isAfter ? from[std::size_t(row)] : int(std::find(from.begin(), from.end(), row) - from.begin());
    if (other < 0 || other >= there.model()->rowCount()) return;
    there.setCurrentIndex(there.model()->index(other, ScheduleModel::instruction));
    // At the same height where that can be.
    there.scrollTo(there.currentIndex(), QAbstractItemView::PositionAtCenter);
    here.scrollTo(here.currentIndex(), QAbstractItemView::PositionAtCenter);
    m_links->setChosen(isAfter ? other : row);
}

QString BothSides::said() const {
    return m_said->text();
}

QByteArray BothSides::saveState() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << qint32(ScheduleModel::columnCount_) << m_before->horizontalHeader()->saveState()
        << m_after->horizontalHeader()->saveState();
    return state;
}

void BothSides::restoreState(const QByteArray& state) {
    qint32 columns = 0;
    QByteArray before, after;
    QDataStream in(state);
    in >> columns >> before >> after;
    if (in.status() != QDataStream::Ok || columns != ScheduleModel::columnCount_) return;
    m_before->horizontalHeader()->restoreState(before);
    m_after->horizontalHeader()->restoreState(after);
}

} // namespace kernelarium::ui
