// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/desks/TensorDesk.h"

#include <QAbstractTableModel>
#include <QHash>
#include <QSet>
#include <list>

namespace kernelarium::ui {

/// The elements of a slice, read page by page as they come into sight. Rows and columns are the two dimensions that
/// are seen; of large ones the first mostRows and mostColumns.
class ValuesModel : public QAbstractTableModel {
    Q_OBJECT
public:
    static constexpr int page = 64;          ///< rows and columns of one question
    static constexpr int mostRows = 100'000; // the headers of views count them all
    static constexpr int mostColumns = 100'000;
    static constexpr std::size_t mostPages = 64; ///< that are kept

    explicit ValuesModel(TensorDesk& desk, QObject* parent = nullptr);

    /// The slice of this tensor with these dimensions and indexes; ranges do not count.
    void show(const tensorview::Entry& entry, const tensorview::SliceRequest& slice);
    void clear();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Index of the element in the tensor.
    [[nodiscard]] tensor::Shape elementAt(const QModelIndex& index) const;
    /// Where an element is; invalid where the slice does not have it.
    [[nodiscard]] QModelIndex indexOf(const tensor::Shape& element) const;
    [[nodiscard]] bool isCut() const { return m_cut; } ///< there are more rows or columns

private:
    using Place = std::pair<int, int>; ///< of a page: row, column
    void want(Place place) const;
    void askNext();
    void take();

    TensorDesk& m_desk;
    tensorview::Entry m_entry;
    tensorview::SliceRequest m_slice;
    int m_rows = 0;
    int m_columns = 0;
    bool m_cut = false;
    QHash<Place, std::shared_ptr<const tensorview::Slice>> m_pages;
    mutable std::list<Place> m_used;   ///< pages that are there, the last used last
    mutable std::list<Place> m_wanted; ///< the last wanted last
    mutable bool m_scheduled = false;
    std::optional<Place> m_asked;
    QSet<Place> m_failed;
};

} // namespace kernelarium::ui
