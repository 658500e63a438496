// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/editor/Scintilla.h"

#include <vector>

namespace kernelarium::ui {

/// A margin of given numbers by line, for texts whose own lines are not what the reader counts. Only what is on
/// screen is filled in, so that a text of any length costs the same.
class LineNumbers {
public:
    LineNumbers(QsciScintilla& editor, int margin);

    /// 0 leaves a line without. Call after the text was set.
    void set(std::vector<int> numbers);
    void refresh();

private:
    QsciScintilla& m_editor;
    int m_margin;
    std::vector<int> m_numbers;
    std::vector<char> m_filled;
    QObject m_context; ///< of the connections: gone with this
};

} // namespace kernelarium::ui
