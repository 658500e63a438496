// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/ChangesPanel.h"

#include "ui/theme/Theme.h"

#include <QGridLayout>
#include <QLabel>

namespace kernelarium::ui {

ChangesPanel::ChangesPanel(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this)) {
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(4 * Theme::unit);
    m_grid->setVerticalSpacing(Theme::unit);
    m_grid->setColumnStretch(0, 1);
    setAccessibleName(tr("What this step changed"));
    hide();
}

void ChangesPanel::setChanges(const std::vector<lesson::Change>& changes) {
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    setVisible(!changes.empty());
    if (changes.empty()) return;
    add(0, 0, tr("What this step changed"), true);
    add(0, 1, tr("before"), true);
    add(0, 2, tr("after"), true);
    for (int row = 1; row <= int(changes.size()); ++row) {
        const lesson::Change& change = changes[std::size_t(row - 1)];
        QString what = QString::fromStdString(change.what);
        what[0] = what[0].toUpper();
        add(row, 0, what, false);
        add(row, 1, QString::fromStdString(change.before), false);
        add(row, 2, QString::fromStdString(change.after), false);
    }
}

void ChangesPanel::add(int row, int column, const QString& text, bool muted) {
    auto* label = new QLabel(text, this);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    if (column == 0) label->setWordWrap(true);
    if (muted) label->setProperty("role", "muted");
    m_grid->addWidget(label, row, column, column == 0 ? Qt::AlignTop : Qt::AlignTop | Qt::AlignRight);
    label->show(); // now: a layout would do so later
}

} // namespace kernelarium::ui
