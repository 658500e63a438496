// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/CodeStyle.h"

#include "ui/theme/Theme.h"

namespace kernelarium::ui {

namespace {

using S = QsciScintilla;

} // namespace

QColor mixed(const QColor& a, const QColor& b, double share) {
    const auto part = [share](int x, int y) { return int(x * (1 - share) + y * share + 0.5); };
    return QColor(part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue()));
}

void applyTheme(QsciScintilla& editor, const Theme& theme) {
    const Palette& p = theme.colours();
    editor.setColor(p.text);
    editor.setPaper(p.field);
    editor.setCaretForegroundColor(p.text);
    editor.setCaretLineBackgroundColor(p.currentLine);
    editor.setSelectionBackgroundColor(p.selection);
    editor.resetSelectionForegroundColor();
    editor.SendScintilla(S::SCI_SETSELFORE, 0UL, 0L);
    editor.SendScintilla(S::SCI_SETADDITIONALSELBACK, p.selection);
    editor.SendScintilla(S::SCI_SETADDITIONALCARETFORE, p.accent);
    editor.setMarginsFont(theme.codeFont());
    editor.setMarginsForegroundColor(p.muted);
    editor.setMarginsBackgroundColor(p.field);
    editor.setFoldMarginColors(p.field, p.field);
    for (int marker = int(S::SC_MARKNUM_FOLDEREND); marker <= int(S::SC_MARKNUM_FOLDEROPEN); ++marker) {
        // QScintilla's own setters pass over markers that it has not given out.
        editor.SendScintilla(S::SCI_MARKERSETFORE, static_cast<unsigned long>(marker), p.field);
        editor.SendScintilla(S::SCI_MARKERSETBACK, static_cast<unsigned long>(marker), mixed(p.line, p.muted, 0.6));
    }
    editor.setMatchedBraceForegroundColor(p.accent);
    editor.setMatchedBraceBackgroundColor(p.selection);
    editor.setUnmatchedBraceForegroundColor(p.wrong);
    editor.setUnmatchedBraceBackgroundColor(p.field);
    editor.setIndentationGuidesForegroundColor(p.grid);
    editor.setIndentationGuidesBackgroundColor(p.field);
    editor.setCallTipsBackgroundColor(p.raised);
    editor.setCallTipsForegroundColor(p.text);
    editor.setCallTipsHighlightColor(p.accent);
    editor.setWhitespaceForegroundColor(p.line);
}

void applyHabits(QsciScintilla& editor) {
    editor.setUtf8(true);
    editor.setFrameShape(QFrame::NoFrame);
    editor.setTabWidth(4);
    editor.setIndentationWidth(4);
    editor.setIndentationsUseTabs(false);
    editor.setEolMode(S::EolUnix);
    editor.setScrollWidth(1);
    editor.setScrollWidthTracking(true);
    editor.SendScintilla(S::SCI_SETENDATLASTLINE, 0UL);
    editor.SendScintilla(S::SCI_SETIDLESTYLING, static_cast<unsigned long>(S::SC_IDLESTYLING_AFTERVISIBLE));
    editor.SendScintilla(S::SCI_SETEXTRAASCENT, 1UL);
    editor.SendScintilla(S::SCI_SETEXTRADESCENT, 1UL);
    editor.setCaretLineVisible(true);
    editor.SendScintilla(S::SCI_SETCARETLINEVISIBLEALWAYS, 1UL);
    releaseKeys(editor);
}

void releaseKeys(QsciScintilla& editor) {
    for (const Qt::Key letter : {Qt::Key_D, Qt::Key_L, Qt::Key_T, Qt::Key_U, Qt::Key_Slash})
        for (const int modifiers : {int(Qt::CTRL), int(Qt::CTRL) | int(Qt::SHIFT)})
            if (QsciCommand* command = editor.standardCommands()->boundTo(int(letter) | modifiers)) command->setKey(0);
}

void ensureStyled(const QsciScintilla& editor, long position) {
    constexpr long most = 128 * 1024;
    // Lexers go wrong when they begin inside a token: from the beginning of the line.
    const long line = editor.SendScintilla(S::SCI_LINEFROMPOSITION, editor.SendScintilla(S::SCI_GETENDSTYLED));
    const long styled = editor.SendScintilla(S::SCI_POSITIONFROMLINE, static_cast<unsigned long>(line));
    if (styled < position && position - styled <= most)
        editor.SendScintilla(S::SCI_COLOURISE, static_cast<unsigned long>(styled), position);
}

QColor bandColour(const Palette& palette, int sourceLine) {
    const QColor hues[bandCount] = {palette.accent, palette.ok, palette.warning, palette.suspicious};
    return mixed(palette.field, hues[sourceLine % bandCount], palette.dark ? 0.13 : 0.08);
}

} // namespace kernelarium::ui
