// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/statistics/FigureView.h"

#include "ui/plots/ChartExport.h"
#include "ui/widgets/BarDelegate.h"
#include "ui/widgets/SpeedupDelegate.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QHeaderView>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QSaveFile>
#include <QShortcut>

namespace kernelarium::ui {

namespace {

constexpr int headerPadding = 18; ///< the style's, on both sides, and a little air

/// Underlines what leads somewhere while the mouse is on it, and draws a share as a thin bar.
class FigureDelegate : public BarDelegate {
public:
    FigureDelegate(const Theme& theme, QObject* parent)
        : BarDelegate(parent)
        , m_theme(theme) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const double share = index.data(FigureModel::barRole).toDouble();
        if (!(share >= 0)) {
            QStyledItemDelegate::paint(painter, option, index);
            return;
        }
        paintNumber(painter, option, index);
        const QRectF bar = barIn(option);
        painter->save();
        painter->setPen(Qt::NoPen);
        painter->setBrush(m_theme.colours().grid);
        painter->drawRect(bar);
        painter->setBrush(m_theme.colours().accent);
        painter->drawRect(QRectF(bar.left(), bar.top(), bar.width() * std::min(share, 1.0), bar.height()));
        painter->restore();
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        if (option->state.testFlag(QStyle::State_MouseOver) && index.data(FigureModel::linkRole).toBool())
            option->font.setUnderline(true);
    }

private:
    const Theme& m_theme;
};

} // namespace

FigureView::FigureView(Theme& theme, QWidget* parent)
    : QTableView(parent)
    , m_model(new FigureModel(theme, this))
    , m_order(new FigureOrder(*m_model, this))
    , m_theme(theme) {
    setAccessibleName(tr("Table"));
    setModel(m_order);
    setItemDelegate(new FigureDelegate(theme, this));
    setSelectionBehavior(QAbstractItemView::SelectItems);
    setSelectionMode(QAbstractItemView::ContiguousSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setMouseTracking(true);
    setCornerButtonEnabled(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setStretchLastSection(false);
    setMinimumHeight(verticalHeader()->defaultSectionSize() * 3);
    connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (QApplication::keyboardModifiers() == Qt::NoModifier) follow(index);
    });
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) { request(index); });
    // Return; on some systems a double click is an activation as well, and has been dealt with.
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter}) {
        auto* enter = new QShortcut(key, this, nullptr, nullptr, Qt::WidgetShortcut);
        connect(enter, &QShortcut::activated, this, [this] {
            const QModelIndex index = currentIndex();
            if (!index.isValid()) return;
            if (m_model->drill(m_order->mapToSource(index)))
                follow(index);
            else
                request(index);
        });
    }
    auto* copy = new QShortcut(QKeySequence::Copy, this, nullptr, nullptr, Qt::WidgetShortcut);
    connect(copy, &QShortcut::activated, this, &FigureView::copySelected);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) { Q_EMIT rowEntered(index.isValid() ? index.row() : -1); });
}

void FigureView::setTable(FigureTable table) {
    const auto& before = m_model->table().columns;
    const bool same = std::equal(before.begin(), before.end(), table.columns.begin(), table.columns.end(),
                                 [](const FigureColumn& a, const FigureColumn& b) { return a.title == b.title; });
    if (!table.name.isEmpty()) setAccessibleName(table.name);
    if (!same) setSortingEnabled(false);
    m_model->setTable(std::move(table));
    if (same) return;
    const auto& columns = m_model->table().columns;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const int column = int(i);
        const int word = horizontalHeader()->fontMetrics().horizontalAdvance(columns[i].title) + headerPadding;
        horizontalHeader()->resizeSection(column, std::max(columns[i].width, word));
        setItemDelegateForColumn(
            column, columns[i].isSpeedup ? new SpeedupDelegate(m_theme, FigureModel::speedupRole, this) : nullptr);
    }
    m_order->sort(-1); // as it stands, until a header is clicked
    horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    setSortingEnabled(true);
}

void FigureView::setEmptyText(const QString& text) {
    m_emptyText = text;
    setAccessibleDescription(text);
    viewport()->update();
}

void FigureView::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (m_emptyText.isEmpty() || m_order->rowCount() > 0) return;
    QPainter painter(viewport());
    painter.setPen(m_theme.colours().muted);
    painter.drawText(viewport()->rect().adjusted(16, 8, -16, -8), Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
}

const FigureRow& FigureView::rowAt(int viewRow) const {
    return m_model->row(m_order->mapToSource(m_order->index(viewRow, 0)).row());
}

void FigureView::follow(const QModelIndex& index) {
    if (const DrillPointer drill = m_model->drill(m_order->mapToSource(index))) Q_EMIT drilled(drill);
}

void FigureView::request(const QModelIndex& index) {
    const FigureRow& row = rowAt(index.row());
    if (row.kernel)
        Q_EMIT kernelRequested(row.kernel);
    else if (row.key)
        Q_EMIT keyRequested(row.key);
}

void FigureView::mouseMoveEvent(QMouseEvent* event) {
    QTableView::mouseMoveEvent(event);
    const QModelIndex index = indexAt(event->pos());
    viewport()->setCursor(index.data(FigureModel::linkRole).toBool() ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void FigureView::copySelected() {
    QStringList lines;
    for (const QItemSelectionRange& range : selectionModel()->selection())
        for (int row = range.top(); row <= range.bottom(); ++row) {
            QStringList cells;
            for (int column = range.left(); column <= range.right(); ++column)
                cells << m_order->index(row, column).data().toString().trimmed();
            lines << cells.join(QLatin1Char('\t'));
        }
    if (!lines.isEmpty()) QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

FigureTable FigureView::inOrder() const {
    FigureTable table{m_model->table().name, m_model->table().columns, {}};
    for (int row = 0; row < m_order->rowCount(); ++row)
        table.rows.push_back(rowAt(row));
    return table;
}

Result<void> FigureView::saveTo(const QString& path) const {
    if (!path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive))
        return Error{"bad_input", "The name of a table's file ends in .csv.", "Choose another name."};
    QSaveFile file(path);
    const QByteArray text = csvOf(tabSeparated(inOrder())).toUtf8();
    if (file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit()) return {};
    return Error{"cannot_write", "The table could not be written to " + path.toStdString() + ".",
                 "Choose another folder.", file.errorString().toStdString()};
}

void FigureView::chooseFile() {
    auto* dialog = new QFileDialog(this, tr("Save table"), {}, tr("Numbers (*.csv)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    dialog->selectFile(m_model->table().name.toLower().replace(QLatin1Char(' '), QLatin1Char('-')) +
                       QStringLiteral(".csv"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        if (const auto saved = saveTo(path); !saved) Q_EMIT failed(QString::fromStdString(saved.error().text()));
    });
    dialog->open();
}

void FigureView::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    QAction* copy = menu->addAction(tr("Copy"), this, &FigureView::copySelected);
    copy->setToolTip(tr("Copies the selected cells, separated by tabs"));
    copy->setEnabled(selectionModel()->hasSelection());
    QAction* save = menu->addAction(tr("Save table…"), this, &FigureView::chooseFile);
    save->setToolTip(tr("Saves the whole table as CSV"));
    menu->popup(event->globalPos());
}

} // namespace kernelarium::ui
