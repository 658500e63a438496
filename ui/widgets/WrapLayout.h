// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>
#include <memory>
#include <vector>

namespace kernelarium::ui {

/// Controls in a row, which goes on in a second one where the first has no room: a bar of them never widens the window.
/// What is left of a row goes to those that want to grow (QSizePolicy::Expanding), in equal parts.
class WrapLayout : public QLayout {
public:
    explicit WrapLayout(QWidget* parent, int spacing);
    ~WrapLayout() override;

    void addItem(QLayoutItem* item) override; ///< taken over
    [[nodiscard]] int count() const override { return int(m_items.size()); }
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;    ///< in one row
    [[nodiscard]] QSize minimumSize() const override; ///< of the widest of them alone
    void setGeometry(const QRect& rect) override;

private:
    using Row = std::vector<QLayoutItem*>;
    [[nodiscard]] std::vector<Row> rows(int width) const;

    std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

} // namespace kernelarium::ui
