// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/superopt/FormulaGraph.h"

#include <QPlainTextEdit>

namespace kernelarium::ui {

class Theme;

/// Formulas, one a line, in the code font; those that another list lacks have a mark and a colour of their own.
class FormulaView : public QPlainTextEdit {
    Q_OBJECT
public:
    enum class Side { before, after };
    FormulaView(Theme& theme, Side side, QWidget* parent = nullptr);

    void show(std::vector<FormulaLine> lines);
    [[nodiscard]] int changedLines() const;

private:
    void write();

    Theme& m_theme;
    Side m_side;
    std::vector<FormulaLine> m_lines;
};

} // namespace kernelarium::ui
