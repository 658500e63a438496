// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tensors/ValuesModel.h"

#include "ui/tensors/TensorWords.h"

#include <QTimer>
#include <algorithm>
#include <utility>

namespace kernelarium::ui {

ValuesModel::ValuesModel(TensorDesk& desk, QObject* parent)
    : QAbstractTableModel(parent)
    , m_desk(desk) {
    connect(&desk, &TensorDesk::changed, this, [this](TensorDesk::Kind kind) {
        if (kind == TensorDesk::Kind::values) take();
    });
}

void ValuesModel::clear() {
    beginResetModel();
    m_entry = {};
    m_rows = m_columns = 0;
    m_cut = false;
    m_pages.clear();
    m_used.clear();
    m_wanted.clear();
    m_asked.reset();
    m_failed.clear();
    endResetModel();
}

void ValuesModel::show(const tensorview::Entry& entry, const tensorview::SliceRequest& slice) {
    beginResetModel();
    m_entry = entry;
    m_slice = slice;
    m_pages.clear();
    m_used.clear();
    m_wanted.clear();
    m_asked.reset();
    m_failed.clear();
    const tensor::Shape& shape = entry.shape;
    const bool empty = tensor::elementCount(shape) == 0;
    const std::int64_t rows = slice.rowDim ? shape[*slice.rowDim] : 1;
    const std::int64_t columns = slice.columnDim ? shape[*slice.columnDim] : 1;
    m_rows = empty ? 0 : int(std::min<std::int64_t>(rows, mostRows));
    m_columns = empty ? 0 : int(std::min<std::int64_t>(columns, mostColumns));
    m_cut = !empty && (m_rows < rows || m_columns < columns);
    endResetModel();
}

int ValuesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}
int ValuesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_columns;
}

tensor::Shape ValuesModel::elementAt(const QModelIndex& index) const {
    tensor::Shape element = m_slice.at;
    element.resize(m_entry.shape.size(), 0);
    if (m_slice.rowDim) element[*m_slice.rowDim] = index.row();
    if (m_slice.columnDim) element[*m_slice.columnDim] = index.column();
    return element;
}

QModelIndex ValuesModel::indexOf(const tensor::Shape& element) const {
    if (element.size() != m_entry.shape.size()) return {};
    for (std::size_t d = 0; d < element.size(); ++d) {
        const bool seen = d == m_slice.rowDim || d == m_slice.columnDim;
        if (!seen && element[d] != (d < m_slice.at.size() ? m_slice.at[d] : 0)) return {};
    }
    const std::int64_t row = m_slice.rowDim ? element[*m_slice.rowDim] : 0;
    const std::int64_t column = m_slice.columnDim ? element[*m_slice.columnDim] : 0;
    return row < m_rows && column < m_columns ? index(int(row), int(column)) : QModelIndex();
}

QVariant ValuesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= m_rows || index.column() >= m_columns) return {};
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::AccessibleTextRole || role == Qt::ToolTipRole) {
        const QVariant value = data(index, Qt::DisplayRole);
        return QStringLiteral("%1: %2").arg(indexText(elementAt(index)), value.toString());
    }
    if (role != Qt::DisplayRole) return {};
    const Place place{index.row() / page, index.column() / page};
    const auto found = m_pages.constFind(place);
    if (found == m_pages.constEnd()) {
        want(place);
        return QStringLiteral("…");
    }
    const tensorview::Slice& slice = **found;
    const std::int64_t row = index.row() % page, column = index.column() % page;
    if (row >= slice.rows || column >= slice.columns) return {};
    if (!slice.exact.empty()) return QString::number(slice.exact[std::size_t(row * slice.columns + column)]);
    return elementText(slice.value(row, column), m_entry.dtype);
}

QVariant ValuesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::DisplayRole) return section;
    if (role == Qt::ToolTipRole) {
        const auto& dim = orientation == Qt::Vertical ? m_slice.rowDim : m_slice.columnDim;
        return dim ? tr("Index %1 of dimension %2").arg(section).arg(*dim) : QVariant();
    }
    return {};
}

/// Views ask for what they are about to show: that is read when they are done asking.
void ValuesModel::want(Place place) const {
    if (m_failed.contains(place) || m_asked == place) return;
    if (const auto at = std::find(m_wanted.begin(), m_wanted.end(), place); at != m_wanted.end()) m_wanted.erase(at);
    m_wanted.push_back(place);
    constexpr std::size_t mostWanted = 16; // what was scrolled past is wanted no more
    if (m_wanted.size() > mostWanted) m_wanted.pop_front();
    if (std::exchange(m_scheduled, true)) return;
    auto* self = const_cast<ValuesModel*>(this); // reading lies behind a timer
    QTimer::singleShot(0, self, [self] {
        self->m_scheduled = false;
        self->askNext();
    });
}

void ValuesModel::askNext() {
    if (m_asked || m_wanted.empty() || !m_desk.isOpen()) return;
    const Place place = m_wanted.back();
    m_wanted.pop_back();
    m_asked = place;
    tensorview::Query query;
    query.subject = m_entry.subject;
    query.slice = m_slice;
    query.slice->firstRow = place.first * page;
    query.slice->firstColumn = place.second * page;
    query.slice->rows = std::min(page, m_rows - place.first * page);
    query.slice->columns = std::min(page, m_columns - place.second * page);
    if (!m_slice.rowDim) query.slice->firstRow = 0, query.slice->rows = -1;
    if (!m_slice.columnDim) query.slice->firstColumn = 0, query.slice->columns = -1;
    query.slice->mostRows = query.slice->mostColumns = page;
    m_desk.ask(TensorDesk::Kind::values, query);
}

void ValuesModel::take() {
    const TensorState& state = m_desk.state(TensorDesk::Kind::values);
    if (!m_asked || isBusy(state.stage)) return;
    const Place place = *m_asked;
    const tensorview::Query& query = state.stage == Stage::finished ? state.answeredQuery : state.query;
    const bool isOurs = query.subject == m_entry.subject && query.slice &&
                        (!m_slice.rowDim || query.slice->firstRow == place.first * page) &&
                        (!m_slice.columnDim || query.slice->firstColumn == place.second * page) &&
                        query.slice->at == m_slice.at && query.slice->rowDim == m_slice.rowDim &&
                        query.slice->columnDim == m_slice.columnDim;
    if (!isOurs) return;
    m_asked.reset();
    if (state.stage != Stage::finished || !state.answer || !state.answer->slice) {
        m_failed.insert(place);
    } else {
        m_pages.insert(place, std::shared_ptr<const tensorview::Slice>(state.answer, &*state.answer->slice));
        m_used.push_back(place);
        if (m_used.size() > mostPages) {
            m_pages.remove(m_used.front());
            m_used.pop_front();
        }
    }
    const int top = place.first * page, left = place.second * page;
    Q_EMIT dataChanged(index(top, left), index(std::min(top + page, m_rows) - 1, std::min(left + page, m_columns) - 1));
    askNext();
}

} // namespace kernelarium::ui
