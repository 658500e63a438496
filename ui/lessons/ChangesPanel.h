// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lesson/Changes.h"

#include <QWidget>

class QGridLayout;

namespace kernelarium::ui {

/// What a step that is done has changed: a row for each thing, before and after.
class ChangesPanel : public QWidget {
    Q_OBJECT
public:
    explicit ChangesPanel(QWidget* parent = nullptr);

    void setChanges(const std::vector<lesson::Change>& changes); ///< hidden where there are none

private:
    void add(int row, int column, const QString& text, bool muted);

    QGridLayout* m_grid;
};

} // namespace kernelarium::ui
