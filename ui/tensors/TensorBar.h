// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensorview/Query.h"

#include <QWidget>
#include <optional>
#include <vector>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace kernelarium::ui {

/// Which tensor, which two of its dimensions, and where the others stand.
class TensorBar : public QWidget {
    Q_OBJECT
public:
    explicit TensorBar(QWidget* parent = nullptr);

    /// Keeps the chosen tensor and, where its shape is what it was, the slice.
    void setEntries(std::vector<tensorview::Entry> entries);
    [[nodiscard]] std::optional<tensorview::Entry> entry() const;
    void choose(const tensorview::Subject& subject);
    [[nodiscard]] tensorview::SliceRequest slice() const;
    /// Moves the slice to one that has the element.
    void showElement(const tensor::Shape& element);
    void setUsable(bool usable, const QString& why);

    [[nodiscard]] QComboBox& tensors() { return *m_tensors; }
    [[nodiscard]] QComboBox& rowDimension() { return *m_row; }
    [[nodiscard]] QComboBox& columnDimension() { return *m_column; }
    [[nodiscard]] QSpinBox* indexBox(std::size_t dimension) const; ///< null: that dimension is seen, or not there
    [[nodiscard]] QPushButton& lookButton() { return *m_look; }

Q_SIGNALS:
    void entryChosen(); ///< another tensor, and with it another slice
    void sliceChanged();
    void lookRequested(); ///< the kernel is to be run anew

private:
    void fillDimensions();
    void fillIndexes();
    void chooseDimension(QComboBox* changed);
    [[nodiscard]] std::optional<std::size_t> dimensionOf(const QComboBox& box) const;

    std::vector<tensorview::Entry> m_entries;
    tensor::Shape m_shape; ///< that the controls are for
    std::vector<std::int64_t> m_at;
    std::vector<QSpinBox*> m_indexes; ///< by dimension
    QComboBox* m_tensors;
    QLabel* m_seen;
    QComboBox* m_row;
    QLabel* m_by;
    QComboBox* m_column;
    QHBoxLayout* m_beside; ///< boxes of the other dimensions: one here,
    QHBoxLayout* m_below;  ///< more there
    QPushButton* m_look;
};

} // namespace kernelarium::ui
