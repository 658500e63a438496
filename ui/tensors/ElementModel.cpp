// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tensors/ElementModel.h"

#include "core/tensorview/Elements.h"
#include "ui/tensors/TensorWords.h"
#include "ui/words/Quantities.h"

#include <cmath>

namespace kernelarium::ui {

void ElementModel::show(std::vector<tensorview::WrongElement> elements, tensor::Shape shape, tensor::DType dtype) {
    beginResetModel();
    m_elements = std::move(elements);
    m_shape = std::move(shape);
    m_dtype = dtype;
    m_hasValues = true;
    endResetModel();
}

void ElementModel::show(const std::vector<std::int64_t>& elements, tensor::Shape shape) {
    beginResetModel();
    m_elements.clear();
    for (const std::int64_t number : elements)
        m_elements.push_back({number, 0, 0, 0});
    m_shape = std::move(shape);
    m_hasValues = false;
    endResetModel();
}

void ElementModel::clear() {
    show(std::vector<tensorview::WrongElement>(), {});
}

int ElementModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_elements.size());
}
int ElementModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_hasValues ? int(columns) : 1;
}

tensor::Shape ElementModel::elementAt(int row) const {
    return tensorview::indexOf(m_elements[std::size_t(row)].element, m_shape);
}

QVariant ElementModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || std::size_t(index.row()) >= m_elements.size()) return {};
    if (role == Qt::TextAlignmentRole)
        return int((index.column() == element ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const tensorview::WrongElement& e = m_elements[std::size_t(index.row())];
    switch (index.column()) {
    case element: return indexText(elementAt(index.row()));
    case got: return elementText(e.got, m_dtype);
    case expected: return elementText(e.expected, m_dtype);
    case excess: return std::isfinite(e.excess) ? numberText(double(e.excess)) + QStringLiteral("×") : tr("beyond any");
    default: return {};
    }
}

QVariant ElementModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::DisplayRole) {
        const QString titles[] = {tr("Element"), tr("Got"), tr("Expected"), tr("Tolerance")};
        return section >= 0 && section < columns ? titles[section] : QVariant();
    }
    if (role == Qt::ToolTipRole && section == excess)
        return tr("By how many times its tolerance the element is off; up to 1 is right");
    return {};
}

} // namespace kernelarium::ui
