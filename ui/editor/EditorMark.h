// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace kernelarium::ui {

// Scintilla's markers of an editor, beside those of MarkTracker, HeatMargin and Bookmarks.
inline constexpr int stepMarker = 20;   ///< the line that stepping stands at
inline constexpr int returnMarker = 21; ///< where one comes back to from a definition

/// Something to say about a place in the source.
struct EditorMark {
    enum class Severity {
        error,
        warning,
        note,
        fault,
        advice
    }; ///< advice: a linter's, nothing that the compiler minds

    int line = 0;   ///< 1-based
    int column = 0; ///< 1-based, in bytes of UTF-8 as compilers count; 0: unknown, the line as a whole
    Severity severity = Severity::error;
    QString text;

    friend bool operator==(const EditorMark&, const EditorMark&) = default;
};

/// "Error", "Warning", "Note", "Fault", "Advice".
[[nodiscard]] QString wordOf(EditorMark::Severity severity);

} // namespace kernelarium::ui
