// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/editor/EditorMark.h"
#include "ui/editor/HeatMargin.h"
#include "ui/editor/LineCommands.h"
#include "ui/editor/Scintilla.h"

#include <QTimer>
#include <memory>
#include <vector>

namespace kernelarium::ui {

class Completion;
class CudaLexer;
class MarkTracker;
class Symbols;
class Theme;
class TypingGuard;

/// A text with what can be undone in it, and where it was looked at: an editor exchanges it for another one.
struct EditorPage {
    QsciDocument document;
    long top = 0;  ///< the first line seen
    long left = 0; ///< pixels scrolled
    long anchor = 0;
    long caret = 0;
    std::vector<int> folded; ///< lines that begin a fold, from 0
    bool archived = false;   ///< see TypingGuard
};

/// The source of a kernel: CUDA C++ with completion, marks and a heat margin.
///
/// text(), isModified(), setModified(), setReadOnly(), undo(), redo() are QsciScintilla's. Lines are 1-based here.
class CodeEditor : public QsciScintilla {
    Q_OBJECT
public:
    explicit CodeEditor(Theme& theme, QWidget* parent = nullptr);

    /// Another text: nothing to undo, not modified, no marks, no heat; emits no edited().
    void open(const QString& text);
    /// A new page for the next open(); what takePage() gave stays as it is.
    void startPage();
    /// The page as it stands, without marks and heat.
    [[nodiscard]] EditorPage takePage();
    /// One that takePage() gave; emits no edited().
    void showPage(const EditorPage& page);
    /// One undo step; the cursor keeps its line. Emits edited() if something changed.
    void replaceText(const QString& text);

    /// What decides whether keys, Tab above all, type here or pass by.
    [[nodiscard]] TypingGuard& guard() { return *m_guard; }

    /// Definitions and places of the text's names.
    [[nodiscard]] Symbols& symbols() { return *m_symbols; }
    void goToDefinition(); ///< of the name at the cursor

    void setDiagnostics(const std::vector<EditorMark>& marks);
    /// Where they are now.
    [[nodiscard]] std::vector<EditorMark> diagnostics() const;
    /// By line. The margin appears with the first heat and stays.
    void setHeat(const std::vector<LineHeat>& heat);

    /// Colours these lines as the assembly beside the text has them (bandColour()); empty: none. The colours go with
    /// the text.
    void setBands(const std::vector<int>& lines);

    /// Colours the line that stepping stands at, and brings it into view; 0: none.
    void setStepLine(int line);

    /// Centres the line and flashes it. `column` in bytes as in EditorMark; 0: the first character that is not blank.
    void goToLine(int line, int column = 0);
    [[nodiscard]] int cursorLine() const;

    /// Of the context menu, before the editor's own: those of the window's menus, so that they are the same. Null: a
    /// line.
    void setMenuActions(const QList<QAction*>& actions) { m_menuActions = actions; }

    /// What hovering says at a place of the viewport; empty for nothing.
    [[nodiscard]] QString tipAt(const QPoint& point) const;

    void goToNextMark();
    void goToPreviousMark();
    void completeWord();
    void resetZoom();

Q_SIGNALS:
    void edited();
    void cursorLineChanged(int line);
    void filesDropped(const QStringList& paths);

protected:
    bool event(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void makeMargins();
    void makeActions();
    void applyTheme();
    void fitMargins();
    void noteCursor();
    [[nodiscard]] bool isInText(const QPoint& point) const; ///< and not in a margin

    Theme& m_theme;
    CudaLexer* m_lexer;
    MarkTracker* m_marks;
    Completion* m_completion;
    TypingGuard* m_guard;
    Symbols* m_symbols;
    std::unique_ptr<HeatMargin> m_heat;
    QList<QAction*> m_menuActions;
    QTimer m_flash;
    /// A press of the left button that may become a click with a meaning of its own.
    struct Press {
        enum class Meaning { none, definition, cursor } meaning = Meaning::none;
        QPoint at;
        CursorSet before;
    };
    Press m_press;
    int m_line = 1;
    bool m_opening = false;
    bool m_tookBack = false; ///< an undo or redo was done, and is to be shown
};

} // namespace kernelarium::ui
