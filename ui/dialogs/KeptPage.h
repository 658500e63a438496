// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/desks/KeptDesk.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QSpinBox;

namespace kernelarium::ui {

/// Compiled kernels that are kept, in the words of `kernelarium-cli cache show`; how much room they may take, and
/// removing them. Both are done at once, and the label says what came of it.
class KeptPage : public QWidget {
    Q_OBJECT
public:
    explicit KeptPage(KeptDesk& desk, QWidget* parent = nullptr);

    [[nodiscard]] QString finding() const;
    [[nodiscard]] QSpinBox& limit() { return *m_limit; }
    [[nodiscard]] QPushButton& clear() { return *m_clear; }

private:
    void refresh();

    KeptDesk& m_desk;
    QLabel* m_finding;
    QSpinBox* m_limit;
    QPushButton* m_clear;
};

} // namespace kernelarium::ui
