// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/source/SourceFormat.h"

#include "ui/desks/FormatDesk.h"
#include "ui/editor/CodeEditor.h"
#include "ui/editor/DocumentEdit.h"
#include "ui/editor/TypingGuard.h"
#include "ui/words/Words.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Notices.h"

namespace kernelarium::ui {

SourceFormat::SourceFormat(CodeEditor& editor, Bench& bench, FormatDesk& desk, Notices& notices)
    : m_editor(editor)
    , m_bench(bench)
    , m_desk(desk)
    , m_notices(notices) {}

void SourceFormat::format() {
    const auto lineOf = [this](long position) {
        return int(m_editor.SendScintilla(QsciScintilla::SCI_LINEFROMPOSITION, static_cast<unsigned long>(position))) +
               1;
    };
    const QByteArray text = documentBytes(m_editor);
    const long begin = m_editor.SendScintilla(QsciScintilla::SCI_GETSELECTIONSTART),
               end = m_editor.SendScintilla(QsciScintilla::SCI_GETSELECTIONEND);
    protocol::FormatRequest request;
    request.source = text.toStdString();
    request.cursor = std::size_t(m_editor.SendScintilla(QsciScintilla::SCI_GETCURRENTPOS));
    if (begin != end) {
        request.firstLine = lineOf(begin);
        request.lastLine = lineOf(text[end - 1] == '\n' ? end - 1 : end);
    }
    const quint64 generation = m_bench.generation();
    m_desk.format(std::move(request), m_bench.kernel().path, [this, generation](Result<protocol::FormatAnswer> answer) {
        if (!answer) {
            if (answer.error().code != "cancelled") m_notices.postFailure(answer.error());
        } else if (generation != m_bench.generation()) {
            m_notices.post(Words::tr("The text was changed meanwhile, and was not formatted."), true);
        } else {
            if (!answer->isComplete)
                m_notices.post(Words::tr("clang-format could not read all of the text, and left that as it is."));
            take(QString::fromStdString(answer->source), long(answer->cursor));
        }
    });
}

void SourceFormat::take(const QString& text, long cursor) {
    if (text == m_editor.text()) {
        m_editor.guard().explain(Words::tr("The text is formatted already."));
        return;
    }
    // The cursor's line stays at its height.
    const auto height = [this] {
        const long line = m_editor.SendScintilla(QsciScintilla::SCI_VISIBLEFROMDOCLINE,
                                                 static_cast<unsigned long>(m_editor.cursorLine() - 1));
        return line - m_editor.SendScintilla(QsciScintilla::SCI_GETFIRSTVISIBLELINE);
    };
    const long before = height();
    m_editor.replaceText(text);
    m_editor.SendScintilla(QsciScintilla::SCI_SETEMPTYSELECTION, static_cast<unsigned long>(cursor));
    m_editor.SendScintilla(QsciScintilla::SCI_LINESCROLL, 0UL, height() - before);
    showLineStarts(m_editor);
}

} // namespace kernelarium::ui
