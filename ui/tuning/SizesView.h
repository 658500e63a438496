// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/protocol/SizeTimes.h"

#include <QWidget>
#include <vector>

class QLabel;
class QPushButton;

namespace kernelarium::ui {

class FigureView;
class Theme;

/// The best for each size of a sweep over several, and the offer to put them into one file.
class SizesView : public QWidget {
    Q_OBJECT
public:
    explicit SizesView(Theme& theme, QWidget* parent = nullptr);

    void setBests(const std::vector<protocol::SizeBest>& bests);
    void setBusy(bool busy); ///< the file is being put together

    [[nodiscard]] FigureView& table() const { return *m_table; }
    [[nodiscard]] QPushButton& fileButton() const { return *m_file; }

Q_SIGNALS:
    void pointRequested(const QString& key);
    void fileRequested();

private:
    void refresh();

    FigureView* m_table;
    QLabel* m_words;
    QPushButton* m_file;
    std::vector<QString> m_keys; ///< of the points, by row; empty: none
    bool m_busy = false;
};

} // namespace kernelarium::ui
