// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace kernelarium::ui {

class Bench;
class CodeEditor;
class FormatDesk;
class Notices;

/// Formats the bench's text, or the lines of the selection, and says what came of it.
class SourceFormat {
public:
    SourceFormat(CodeEditor& editor, Bench& bench, FormatDesk& desk, Notices& notices);

    void format();

private:
    void take(const QString& text, long cursor);

    CodeEditor& m_editor;
    Bench& m_bench;
    FormatDesk& m_desk;
    Notices& m_notices;
};

} // namespace kernelarium::ui
