// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tuning/PointTable.h"

#include "ui/tuning/FilterHeader.h"
#include "ui/tuning/PointFilter.h"
#include "ui/tuning/PointModel.h"
#include "ui/widgets/SpeedupDelegate.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>
#include <QShortcut>

namespace kernelarium::ui {

PointTable::PointTable(PointModel& model, PointFilter& filter, Theme& theme, QWidget* parent)
    : QTableView(parent)
    , m_model(model)
    , m_filter(filter)
    , m_theme(theme)
    , m_header(new FilterHeader(*this)) {
    setAccessibleName(tr("Points"));
    setHorizontalHeader(m_header);
    setModel(&filter);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    m_header->setStretchLastSection(true);
    setMinimumHeight(m_header->sizeHint().height() + 3 * verticalHeader()->defaultSectionSize());
    connect(m_header, &FilterHeader::typed, &filter, &PointFilter::setColumn);
    connect(&filter, &QAbstractItemModel::modelReset, this, &PointTable::fitColumns);
    connect(this, &QTableView::doubleClicked, this, &PointTable::open);
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter}) {
        auto* enter = new QShortcut(key, this, nullptr, nullptr, Qt::WidgetShortcut);
        connect(enter, &QShortcut::activated, this, [this] { open(currentIndex()); });
    }
    auto* copy = new QShortcut(QKeySequence::Copy, this, nullptr, nullptr, Qt::WidgetShortcut);
    connect(copy, &QShortcut::activated, this, &PointTable::copyKey);
    fitColumns();
}

void PointTable::fitColumns() {
    setSortingEnabled(false);
    const QFontMetrics metrics(m_theme.textFont());
    const int speedup = m_model.columnOf(PointModel::speedup);
    for (int i = 0; i < m_model.columnCount(); ++i) {
        const QString title = m_model.headerData(i, Qt::Horizontal, Qt::DisplayRole).toString();
        int width = std::max(72, metrics.horizontalAdvance(title) + 34); // the arrow of sorting
        if (i == m_model.columnOf(PointModel::verdict)) width = 176;
        if (i == m_model.columnOf(PointModel::limiter)) width = 128;
        m_header->resizeSection(i, width);
        setItemDelegateForColumn(i, nullptr);
    }
    if (!m_model.parameters().empty())
        setItemDelegateForColumn(speedup, new SpeedupDelegate(m_theme, PointModel::numberRole, this));
    m_filter.clearColumns();
    m_header->clearFields();
    setSortingEnabled(true);
    sortByColumn(m_model.columnOf(PointModel::time), Qt::AscendingOrder);
}

void PointTable::open(const QModelIndex& index) {
    if (index.isValid()) Q_EMIT openRequested(m_filter.mapToSource(index).row());
}

void PointTable::goTo(int modelRow) {
    const QModelIndex index = m_filter.mapFromSource(m_model.index(modelRow, 0));
    if (!index.isValid()) return;
    setCurrentIndex(index);
    scrollTo(index);
}

int PointTable::currentRow() const {
    return currentIndex().isValid() ? m_filter.mapToSource(currentIndex()).row() : -1;
}

void PointTable::setEmptyText(const QString& text) {
    m_emptyText = text;
    viewport()->update();
}

void PointTable::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (m_emptyText.isEmpty() || m_filter.rowCount() > 0) return;
    QPainter painter(viewport());
    painter.setPen(m_theme.colours().muted);
    painter.drawText(viewport()->rect().adjusted(16, 8, -16, -8), Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
}

void PointTable::copyKey() {
    if (const int row = currentRow(); row >= 0)
        QApplication::clipboard()->setText(QString::fromStdString(m_model.rows()[std::size_t(row)].key));
}

void PointTable::copyRow() {
    const QModelIndex current = currentIndex();
    if (!current.isValid()) return;
    QStringList cells;
    for (int i = 0; i < m_model.columnCount(); ++i)
        cells << current.siblingAtColumn(i).data().toString();
    QApplication::clipboard()->setText(cells.join(QLatin1Char('\t')));
}

void PointTable::contextMenuEvent(QContextMenuEvent* event) {
    const int row = currentRow();
    if (row < 0) return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    menu->addAction(tr("Open on the bench"), this, [this, row] { Q_EMIT openRequested(row); })
        ->setToolTip(tr("Puts the point's text into the editor (Return); undo brings the former back"));
    menu->addAction(tr("Copy key"), this, &PointTable::copyKey)
        ->setToolTip(tr("Copies the point's values as one line, as stores and the command line have it"));
    menu->addAction(tr("Copy row"), this, &PointTable::copyRow)->setToolTip(tr("Copies the cells, separated by tabs"));
    menu->popup(event->globalPos());
}

} // namespace kernelarium::ui
