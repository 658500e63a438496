// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensorview/WrongElements.h"

#include <QAbstractTableModel>
#include <vector>

namespace kernelarium::ui {

/// A list of elements: the worst wrong ones with what they are and should be, or any others.
class ElementModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { element, got, expected, excess, columns };

    using QAbstractTableModel::QAbstractTableModel;

    void show(std::vector<tensorview::WrongElement> elements, tensor::Shape shape,
              tensor::DType dtype = tensor::DType::Float32);
    void show(const std::vector<std::int64_t>& elements, tensor::Shape shape); ///< without values
    void clear();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] tensor::Shape elementAt(int row) const;
    [[nodiscard]] const std::vector<tensorview::WrongElement>& elements() const { return m_elements; }

private:
    std::vector<tensorview::WrongElement> m_elements;
    tensor::Shape m_shape;
    tensor::DType m_dtype = tensor::DType::Float32; ///< of the values
    bool m_hasValues = true;
};

} // namespace kernelarium::ui
