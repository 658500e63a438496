// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tuning/FilterHeader.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>

namespace kernelarium::ui {

FilterHeader::FilterHeader(QTableView& table)
    : QHeaderView(Qt::Horizontal, &table)
    , m_table(table) {
    setSectionsClickable(true);
    setSortIndicatorShown(true);
    setHighlightSections(false);
    setDefaultAlignment(Qt::AlignLeft | Qt::AlignTop);
    connect(this, &QHeaderView::sectionResized, this, &FilterHeader::place);
    connect(this, &QHeaderView::sectionMoved, this, &FilterHeader::place);
    connect(table.horizontalScrollBar(), &QScrollBar::valueChanged, this, &FilterHeader::place);
}

QLineEdit* FilterHeader::field(int column) const {
    return column >= 0 && std::size_t(column) < m_fields.size() ? m_fields[std::size_t(column)] : nullptr;
}

void FilterHeader::setModel(QAbstractItemModel* model) {
    QHeaderView::setModel(model);
    if (!model) return;
    connect(model, &QAbstractItemModel::modelReset, this, &FilterHeader::makeFields);
    makeFields();
}

/// Other columns have other fields; the same keep what is typed.
void FilterHeader::makeFields() {
    QStringList names;
    for (int i = 0; i < count(); ++i)
        names << model()->headerData(i, Qt::Horizontal).toString();
    if (names == m_names) return;
    m_names = names;
    for (QLineEdit* old : m_fields) {
        old->hide();
        old->deleteLater();
    }
    m_fields.clear();
    for (int i = 0; i < count(); ++i) {
        auto* edit = new QLineEdit(this);
        edit->setAccessibleName(tr("Narrow %1").arg(names[i]));
        edit->setToolTip(tr("Shows only rows with this in %1: 16 · 16, 32 · >=0.5 · 16..64 · !refused · "
                            "=verified, which is the whole text")
                             .arg(names[i]));
        edit->setStyleSheet(QStringLiteral("QLineEdit { padding: 0 4px; min-height: 0; border-radius: 2px; }"));
        edit->installEventFilter(this);
        connect(edit, &QLineEdit::textChanged, this, [this, i](const QString& text) { Q_EMIT typed(i, text); });
        edit->show();
        m_fields.push_back(edit);
    }
    place();
}

void FilterHeader::clearFields() {
    for (QLineEdit* edit : m_fields)
        edit->clear();
}

QSize FilterHeader::sizeHint() const {
    QSize size = QHeaderView::sizeHint();
    size.setHeight(size.height() + fontMetrics().height() + 8);
    return size;
}

void FilterHeader::updateGeometries() {
    setViewportMargins(0, 0, 0, fontMetrics().height() + 8);
    QHeaderView::updateGeometries();
    place();
}

void FilterHeader::place() {
    const int high = fontMetrics().height() + 4;
    const int top = height() - high - 2;
    for (int i = 0; i < int(m_fields.size()) && i < count(); ++i)
        m_fields[std::size_t(i)]->setGeometry(sectionViewportPosition(i) + 2, top, std::max(0, sectionSize(i) - 5),
                                              high);
}

bool FilterHeader::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        auto* edit = static_cast<QLineEdit*>(watched);
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Return || key == Qt::Key_Enter) {
            m_table.setFocus(Qt::OtherFocusReason);
            if (!m_table.currentIndex().isValid() && m_table.model()->rowCount() > 0)
                m_table.setCurrentIndex(m_table.model()->index(0, 0));
            return true;
        }
        if (key == Qt::Key_Escape && !edit->text().isEmpty()) {
            edit->clear();
            return true;
        }
    }
    if (event->type() == QEvent::FocusIn)
        for (int i = 0; i < int(m_fields.size()); ++i) // a field that is scrolled away comes into view
            if (m_fields[std::size_t(i)] == watched && m_table.model()->rowCount() > 0)
                m_table.scrollTo(m_table.model()->index(std::max(0, m_table.rowAt(0)), i));
    return QHeaderView::eventFilter(watched, event);
}

} // namespace kernelarium::ui
