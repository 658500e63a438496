// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/editor/EditorMark.h"
#include "ui/editor/Scintilla.h"

#include <vector>

namespace kernelarium::ui {

class Theme;

/// Draws marks in a text (squiggle under the token, symbol in the margin) and follows them through edits.
class MarkTracker : public QObject {
    Q_OBJECT
public:
    /// Uses indicators `firstIndicator`.. and markers `firstMarker`.., five of each.
    MarkTracker(QsciScintilla& editor, int firstIndicator, int firstMarker);

    void set(const std::vector<EditorMark>& marks);
    /// The marks where they are now, in the order of the text. Those whose text was deleted stay on their line.
    [[nodiscard]] std::vector<EditorMark> marks() const;
    [[nodiscard]] bool isEmpty() const { return m_tracked.empty(); }

    /// What to say on hovering; empty when there is nothing.
    [[nodiscard]] QString textAt(long position) const;
    [[nodiscard]] QString textOfLine(int line) const; ///< 0-based
    /// Position of the next mark after `position`, or the last before it, going round; -1 without marks. Advice is
    /// skipped.
    [[nodiscard]] long next(long position) const;
    [[nodiscard]] long previous(long position) const;

    void applyTheme(const Theme& theme);
    /// The five markers as a mask for a margin.
    [[nodiscard]] int markerMask() const { return 0x1f << m_firstMarker; }

private:
    struct Tracked {
        EditorMark mark;
        long start = 0;
        long end = 0;
    };
    void follow(long position, long length, bool inserted);
    [[nodiscard]] long tokenEnd(long start) const;
    void span(Tracked& tracked) const;
    void draw();
    [[nodiscard]] QString described(const std::vector<const Tracked*>& found) const;
    [[nodiscard]] int lineOf(const Tracked& tracked) const;

    QsciScintilla& m_editor;
    int m_firstIndicator;
    int m_firstMarker;
    std::vector<Tracked> m_tracked;
};

/// The margin's symbols: a disc with a cross, a triangle, a ring with an i, an octagon with a bolt, a bulb.
[[nodiscard]] QImage markImage(EditorMark::Severity severity, const Theme& theme, int size, double scale);

} // namespace kernelarium::ui
