// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>
#include <vector>

class QLineEdit;
class QTableView;

namespace kernelarium::ui {

/// A table's header with a field under each title that narrows its column. Down in a field goes to the table, Escape
/// empties it.
class FilterHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit FilterHeader(QTableView& table);

    [[nodiscard]] QLineEdit* field(int column) const; ///< null: there is no such column
    void clearFields();

    [[nodiscard]] QSize sizeHint() const override;
    void setModel(QAbstractItemModel* model) override;

Q_SIGNALS:
    void typed(int column, const QString& text);

protected:
    void updateGeometries() override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeFields();
    void place();

    QTableView& m_table;
    std::vector<QLineEdit*> m_fields;
    QStringList m_names; ///< of the columns that they are of
};

} // namespace kernelarium::ui
