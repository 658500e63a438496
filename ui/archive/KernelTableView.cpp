// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/archive/KernelTableView.h"

#include "ui/archive/KernelTableModel.h"
#include "ui/widgets/SpeedupDelegate.h"

#include <QApplication>
#include <QClipboard>
#include <QDataStream>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QStyledItemDelegate>
#include <algorithm>

namespace kernelarium::ui {

namespace {

/// Names of a family differ at the end.
class MiddleElided : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideMiddle;
    }
};

} // namespace

KernelTableView::KernelTableView(KernelTableModel& model, Theme& theme, QWidget* parent)
    : QTableView(parent)
    , m_kernels(model) {
    setModel(&model);
    setAccessibleName(tr("Kernels"));
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setContextMenuPolicy(Qt::CustomContextMenu);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    for (const int column : {KernelTableModel::speedup, KernelTableModel::speedupCompile})
        setItemDelegateForColumn(column, new SpeedupDelegate(theme, KernelTableModel::numberRole, this));
    QHeaderView* header = horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionsMovable(true);
    header->setSectionsClickable(true);
    header->setSortIndicatorShown(true);
    header->setSortIndicator(KernelTableModel::task, Qt::AscendingOrder);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    // The first five of showAtFirst() fit into the panel as it is at first.
    const int widths[KernelTableModel::columnCount_] = {48,  130, 74, 76, 84,  108, 92, 200, 92,
                                                        100, 88,  80, 72, 160, 160, 64, 124};
    for (int i = 0; i < KernelTableModel::columnCount_; ++i)
        header->resizeSection(i, widths[i]);
    setItemDelegateForColumn(KernelTableModel::name, new MiddleElided(this));
    showAtFirst();
    connect(header, &QHeaderView::sectionResized, this, [this](int column, int before, int) {
        if (m_fitting || before == 0) return; // shown or hidden
        if (column == KernelTableModel::name)
            m_nameIsTheUsers = true;
        else
            fitName();
    });
    connect(header, &QHeaderView::customContextMenuRequested, this, &KernelTableView::showHeaderMenu);
    connect(header, &QHeaderView::sectionResized, this, &KernelTableView::columnsChanged);
    connect(header, &QHeaderView::sectionMoved, this, &KernelTableView::columnsChanged);
}

/// What was found here stands beside what the archive claims.
void KernelTableView::showAtFirst() {
    QHeaderView* header = horizontalHeader();
    for (int i = 0; i < KernelTableModel::columnCount_; ++i)
        header->moveSection(header->visualIndex(i), i);
    header->moveSection(header->visualIndex(KernelTableModel::verdict),
                        header->visualIndex(KernelTableModel::name) + 1);
    for (int i = 0; i < KernelTableModel::columnCount_; ++i)
        horizontalHeader()->setSectionHidden(i, !KernelTableModel::isShownAtFirst(i));
    m_nameIsTheUsers = false;
    fitName();
}

void KernelTableView::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fitName();
}

/// The names of kernels are to be read: at most four columns stand beside them, fewer where the names would get less
/// than they need; what is to the right of those may be scrolled to.
void KernelTableView::fitName() {
    if (m_nameIsTheUsers) return;
    constexpr int wanted = 180, least = 130, leastBeside = 2, mostBeside = 4;
    const QHeaderView* header = horizontalHeader();
    int others = 0, beside = 0;
    for (int visual = 0; visual < header->count() && beside < mostBeside; ++visual) {
        const int column = header->logicalIndex(visual);
        if (column == KernelTableModel::name || header->isSectionHidden(column)) continue;
        const int with = others + header->sectionSize(column);
        if (beside >= leastBeside && viewport()->width() - with < wanted) break;
        others = with;
        ++beside;
    }
    m_fitting = true;
    horizontalHeader()->resizeSection(KernelTableModel::name, std::max(least, viewport()->width() - others));
    m_fitting = false;
}

void KernelTableView::keyboardSearch(const QString& search) {
    static QString typed;
    static QElapsedTimer since;
    if (!since.isValid() || since.elapsed() > QApplication::keyboardInputInterval()) typed.clear();
    since.start();
    const bool again = typed.size() == 1 && search == typed; // the same key again: the next of them
    if (!again) typed += search;
    const int current = currentIndex().isValid() ? currentIndex().row() : 0;
    const int row =
        m_kernels.rowBeginningWith(typed, typed.size() > 1 ? current : current + (currentIndex().isValid() ? 1 : 0));
    if (row >= 0) setCurrentIndex(m_kernels.index(row, KernelTableModel::name));
}

QItemSelectionModel::SelectionFlags KernelTableView::selectionCommand(const QModelIndex& index,
                                                                      const QEvent* event) const {
    const QItemSelectionModel::SelectionFlags command = QTableView::selectionCommand(index, event);
    m_choosingSeveral = event && !command.testFlag(QItemSelectionModel::Clear);
    return command;
}

QList<int> KernelTableView::chosenRows() const {
    QList<int> rows;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        rows << index.row();
    std::sort(rows.begin(), rows.end());
    if (rows.isEmpty() && currentIndex().isValid()) rows << currentIndex().row();
    return rows;
}

QString KernelTableView::chosenText() const {
    const QHeaderView* header = horizontalHeader();
    QList<int> columns;
    for (int visual = 0; visual < header->count(); ++visual)
        if (const int column = header->logicalIndex(visual); !header->isSectionHidden(column)) columns << column;
    const auto plain = [](QString text) { return text.replace(QLatin1Char('\t'), QLatin1Char(' ')).trimmed(); };
    QStringList names{tr("Label")};
    for (const int column : columns)
        names << m_kernels.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    QStringList lines{names.join(QLatin1Char('\t'))};
    for (const int row : chosenRows()) {
        QStringList cells{m_kernels.label(row)};
        for (const int column : columns)
            cells << plain(m_kernels.index(row, column).data().toString());
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.size() > 1 ? lines.join(QLatin1Char('\n')) + QLatin1Char('\n') : QString();
}

void KernelTableView::copyChosen() const {
    if (const QString text = chosenText(); !text.isEmpty()) QApplication::clipboard()->setText(text);
}

void KernelTableView::keyPressEvent(QKeyEvent* event) {
    const QModelIndex current = currentIndex();
    if (event->matches(QKeySequence::Copy)) {
        copyChosen();
        return;
    }
    if (current.isValid() && event->modifiers() == Qt::NoModifier) {
        if (event->key() == Qt::Key_Right && m_kernels.foldedUnder(current.row()) > 0 &&
            !m_kernels.isUnfolded(current.row())) {
            m_kernels.unfold(current.row());
            return;
        }
        if (event->key() == Qt::Key_Left &&
            (m_kernels.isUnfolded(current.row()) || m_kernels.isBeneath(current.row()))) {
            int head = current.row();
            while (m_kernels.isBeneath(head))
                --head;
            setCurrentIndex(m_kernels.index(head, KernelTableModel::name));
            m_kernels.foldAgain(head);
            return;
        }
    }
    QTableView::keyPressEvent(event);
}

void KernelTableView::showHeaderMenu(const QPoint& position) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    QHeaderView* header = horizontalHeader();
    if (const int column = header->logicalIndexAt(position); column >= 0) {
        menu->addAction(tr("&Filter by this column"), this, [this, column] { Q_EMIT filterRequested(column); })
            ->setToolTip(tr("Begin a search with %1").arg(KernelTableModel::searchField(column)));
        menu->addSeparator();
    }
    for (int visual = 0; visual < header->count(); ++visual) {
        const int column = header->logicalIndex(visual);
        QAction* action = menu->addAction(m_kernels.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setToolTip(m_kernels.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString());
        action->setCheckable(true);
        action->setChecked(!header->isSectionHidden(column));
        action->setEnabled(column != KernelTableModel::name);
        connect(action, &QAction::toggled, this, [this, header, column](bool shown) {
            header->setSectionHidden(column, !shown);
            Q_EMIT columnsChanged();
        });
    }
    menu->addSeparator();
    const auto move = [this, header, position](int by) {
        const int from = header->visualIndex(header->logicalIndexAt(position));
        int to = from + by;
        while (to >= 0 && to < header->count() && header->isSectionHidden(header->logicalIndex(to)))
            to += by;
        if (from >= 0 && to >= 0 && to < header->count()) header->moveSection(from, to);
    };
    menu->addAction(tr("Move to the &left"), this, [move] { move(-1); })
        ->setToolTip(tr("Move this column one place to the left; columns can also be dragged"));
    menu->addAction(tr("Move to the &right"), this, [move] { move(1); })
        ->setToolTip(tr("Move this column one place to the right; columns can also be dragged"));
    menu->addAction(tr("&Reset columns"), this,
                    [this] {
                        showAtFirst();
                        Q_EMIT columnsChanged();
                    })
        ->setToolTip(tr("Restore the original columns in their original order"));
    menu->popup(header->mapToGlobal(position));
}

QByteArray KernelTableView::saveHeader() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << qint32(KernelTableModel::columnCount_) << horizontalHeader()->saveState() << m_nameIsTheUsers;
    return state;
}

void KernelTableView::restoreHeader(const QByteArray& saved) {
    QDataStream in(saved);
    qint32 columns = 0;
    QByteArray state;
    in >> columns >> state;
    // What another version saved has other columns: these begin as they are.
    if (in.status() != QDataStream::Ok || columns != KernelTableModel::columnCount_) return;
    bool isTheUsers = false;
    if (!in.atEnd()) in >> isTheUsers; // older windows did not fit it
    m_fitting = true;
    horizontalHeader()->restoreState(state);
    m_fitting = false;
    m_nameIsTheUsers = isTheUsers;
    fitName();
}

} // namespace kernelarium::ui
