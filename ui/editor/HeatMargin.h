// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/editor/Scintilla.h"
#include "ui/workspace/LineHeat.h"

#include <map>
#include <vector>

namespace kernelarium::ui {

class Theme;

/// Bars by line in a margin: length and colour say the same. Follows edits. The margin appears with the first heat and
/// then keeps its place, so that the text does not move to and fro.
class HeatMargin {
public:
    static constexpr int levels = 8;

    /// Uses markers firstMarker..firstMarker+levels.
    HeatMargin(QsciScintilla& editor, int margin, int firstMarker);

    void set(const std::vector<LineHeat>& heat);
    [[nodiscard]] QString textOfLine(int line) const; ///< 0-based
    void applyTheme(const Theme& theme);

private:
    [[nodiscard]] int mask() const { return ((1 << (levels + 1)) - 1) << m_firstMarker; }
    [[nodiscard]] int findingMarker() const { return m_firstMarker + levels; }

    QsciScintilla& m_editor;
    int m_margin;
    int m_firstMarker;
    std::map<int, QString> m_texts; ///< by 0-based line
    QObject m_context;              ///< of the connections: gone with this
};

} // namespace kernelarium::ui
