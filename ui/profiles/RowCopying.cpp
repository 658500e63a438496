// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profiles/RowCopying.h"

#include "ui/words/Words.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QItemSelectionModel>

namespace kernelarium::ui {

namespace {

QString lineOf(const QModelIndex& first) {
    QStringList cells;
    for (int column = 0; column < first.model()->columnCount(first.parent()); ++column)
        cells << first.siblingAtColumn(column).data().toString();
    while (!cells.isEmpty() && cells.last().isEmpty())
        cells.removeLast();
    return cells.join(QLatin1Char('\t'));
}

void addRows(const QAbstractItemView& view, const QModelIndex& parent, bool onlySelected, QStringList& lines) {
    const QAbstractItemModel& model = *view.model();
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex first = model.index(row, 0, parent);
        if (!onlySelected || view.selectionModel()->isSelected(first)) lines << lineOf(first);
        addRows(view, first, onlySelected, lines);
    }
}

} // namespace

QString textOfRows(const QAbstractItemView& view, bool onlySelected) {
    QStringList header;
    for (int column = 0; column < view.model()->columnCount(); ++column)
        header << view.model()->headerData(column, Qt::Horizontal).toString();
    QStringList lines{header.join(QLatin1Char('\t'))};
    addRows(view, {}, onlySelected, lines);
    return lines.size() > 1 ? lines.join(QLatin1Char('\n')) + QLatin1Char('\n') : QString();
}

void makeCopyable(QAbstractItemView& view) {
    const auto add = [&view](const QString& text, const QString& tip, bool onlySelected) {
        auto* action = new QAction(text, &view);
        action->setToolTip(tip);
        if (onlySelected) action->setShortcut(QKeySequence::Copy);
        action->setShortcutContext(Qt::WidgetShortcut);
        QObject::connect(action, &QAction::triggered, &view, [&view, onlySelected] {
            if (const QString rows = textOfRows(view, onlySelected); !rows.isEmpty())
                QApplication::clipboard()->setText(rows);
        });
        view.addAction(action);
    };
    add(Words::tr("Copy rows"), Words::tr("Copies the selected rows, cells separated by tabs"), true);
    add(Words::tr("Copy all"), Words::tr("Copies every row, cells separated by tabs"), false);
    view.setSelectionMode(QAbstractItemView::ExtendedSelection);
    view.setContextMenuPolicy(Qt::ActionsContextMenu);
}

} // namespace kernelarium::ui
