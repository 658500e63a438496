// SPDX-License-Identifier: GPL-3.0-or-later
// Texts come and go: opened, replaced, and kept with all that belongs to a page.
#include "ui/editor/CodeEditor.h"

#include "ui/editor/Bookmarks.h"
#include "ui/editor/CodeStyle.h"
#include "ui/editor/CudaLexer.h"
#include "ui/editor/DocumentEdit.h"
#include "ui/editor/FindBar.h"
#include "ui/editor/MarkTracker.h"
#include "ui/editor/Symbols.h"
#include "ui/editor/TypingGuard.h"

namespace kernelarium::ui {

void CodeEditor::open(const QString& text) {
    m_opening = true;
    const bool readOnly = isReadOnly();
    if (readOnly) setReadOnly(false);
    m_marks->set({});
    m_heat->set({});
    m_symbols->forget();
    markerDeleteAll(bookmarkMarker);
    setText(text);
    setModified(false);
    setReadOnly(readOnly);
    SendScintilla(SCI_GOTOPOS, 0UL);
    SendScintilla(SCI_SETSCROLLWIDTH, 1UL);
    fitMargins();
    m_opening = false;
    noteCursor();
}

void CodeEditor::startPage() {
    m_opening = true;
    setDocument(QsciDocument());
    // These are a document's and not an editor's: encoding, widths, the lexer with its words.
    setLexer(m_lexer);
    CudaLexer::addTorchNames(*this);
    applyHabits(*this);
    applyTheme();
    m_opening = false;
}

EditorPage CodeEditor::takePage() {
    m_marks->set({});
    m_heat->set({});
    markerDeleteAll(stepMarker);
    markerDeleteAll(returnMarker);
    SendScintilla(SCI_SETINDICATORCURRENT, static_cast<unsigned long>(FindBar::indicator));
    SendScintilla(SCI_INDICATORCLEARRANGE, 0UL, long(length()));
    EditorPage page;
    page.document = document();
    page.top =
        SendScintilla(SCI_DOCLINEFROMVISIBLE, static_cast<unsigned long>(SendScintilla(SCI_GETFIRSTVISIBLELINE)));
    page.left = SendScintilla(SCI_GETXOFFSET);
    page.anchor = SendScintilla(SCI_GETANCHOR);
    page.caret = SendScintilla(SCI_GETCURRENTPOS);
    for (long line = SendScintilla(SCI_CONTRACTEDFOLDNEXT, 0UL); line >= 0;
         line = SendScintilla(SCI_CONTRACTEDFOLDNEXT, static_cast<unsigned long>(line + 1)))
        page.folded.push_back(int(line));
    page.archived = m_guard->isArchived();
    return page;
}

void CodeEditor::showPage(const EditorPage& page) {
    m_opening = true;
    m_symbols->forget();
    setDocument(page.document);
    SendScintilla(SCI_SETSCROLLWIDTH, 1UL);
    fitMargins();
    for (const int line : page.folded)
        SendScintilla(SCI_FOLDLINE, static_cast<unsigned long>(line), long(SC_FOLDACTION_CONTRACT));
    SendScintilla(SCI_SETSEL, static_cast<unsigned long>(page.anchor), page.caret);
    SendScintilla(SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(SendScintilla(
                                               SCI_VISIBLEFROMDOCLINE, static_cast<unsigned long>(page.top))));
    SendScintilla(SCI_SETXOFFSET, static_cast<unsigned long>(page.left));
    m_guard->setArchived(page.archived);
    Q_EMIT textChanged(); // to whom it is another text
    m_opening = false;
    noteCursor();
}

void CodeEditor::replaceText(const QString& text) {
    replaceDocument(*this, text);
    showLineStarts(*this);
}

} // namespace kernelarium::ui
