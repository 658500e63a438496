// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QTableView;

namespace kernelarium::ui {

class Theme;

/// Between two listings: a line from each instruction that was moved to where it stands now, as far as one of its ends
/// is in sight.
class LinkStrip : public QWidget {
    Q_OBJECT
public:
    LinkStrip(Theme& theme, QTableView& before, QTableView& after, QWidget* parent = nullptr);

    /// `cameFrom`: by row of `after`, the row of `before`.
    void setLinks(std::vector<int> cameFrom);
    void setChosen(int before); ///< row whose line is drawn in full; -1: none
    [[nodiscard]] int links() const { return m_moved; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] double heightOf(const QTableView& table, int row) const;

    Theme& m_theme;
    QTableView& m_before;
    QTableView& m_after;
    std::vector<int> m_cameFrom;
    int m_moved = 0;
    int m_chosen = -1;
};

} // namespace kernelarium::ui
