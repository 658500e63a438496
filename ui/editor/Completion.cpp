// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/Completion.h"

#include <QGuiApplication>
#include <QScreen>

#include "core/tuning/space/SpaceEditing.h"
#include "ui/editor/CodeStyle.h"
#include "ui/editor/CudaLexer.h"
#include "ui/editor/DocumentEdit.h"
#include "ui/names/CudaNames.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <unordered_set>

namespace kernelarium::ui {

namespace {

using S = QsciScintilla;
constexpr long window = 256 * 1024;
constexpr std::size_t mostWords = 300;

bool isWordByte(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool beginsWith(std::string_view word, std::string_view prefix) {
    return word.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), word.begin(), [](char a, char b) {
               return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
           });
}

using Words = std::unordered_set<std::string_view>;

/// Words of the text that begin with the prefix; the one that ends at `cursor` is being typed and left out.
void collect(std::string_view text, std::string_view prefix, std::size_t cursor, Words& words) {
    for (std::size_t i = 0; i < text.size();) {
        if (!isWordByte(text[i])) {
            ++i;
            continue;
        }
        const std::size_t start = i;
        while (i < text.size() && isWordByte(text[i]))
            ++i;
        const std::string_view word = text.substr(start, i - start);
        const bool typed = start <= cursor && cursor <= i;
        if (!typed && word.size() > 2 && std::isdigit(static_cast<unsigned char>(word[0])) == 0 &&
            beginsWith(word, prefix))
            words.insert(word);
    }
}

/// QScintilla places its lists on the screen under them and falls over where there is none: a window that hangs off the
/// edge.
bool cursorIsOnAScreen(QsciScintilla& editor) {
    const long position = editor.SendScintilla(S::SCI_GETCURRENTPOS);
    const QPoint local(int(editor.SendScintilla(S::SCI_POINTXFROMPOSITION, 0UL, position)),
                       int(editor.SendScintilla(S::SCI_POINTYFROMPOSITION, 0UL, position)));
    const QPoint place = editor.viewport()->mapToGlobal(local);
    const int below = int(editor.SendScintilla(S::SCI_TEXTHEIGHT, 0UL)) * 2;
    return QGuiApplication::screenAt(place) && QGuiApplication::screenAt(place + QPoint(0, below));
}

} // namespace

Completion::Completion(QsciScintilla& editor)
    : QObject(&editor)
    , m_editor(editor) {
    m_editor.setAutoCompletionSource(S::AcsNone);
    m_editor.setCallTipsStyle(S::CallTipsNone);
    m_editor.SendScintilla(S::SCI_AUTOCSETSEPARATOR, static_cast<unsigned long>(' '));
    m_editor.SendScintilla(S::SCI_AUTOCSETIGNORECASE, 1UL);
    m_editor.SendScintilla(S::SCI_AUTOCSETMAXHEIGHT, 10UL);
    m_editor.SendScintilla(S::SCI_AUTOCSETCHOOSESINGLE, 0UL);
    connect(&editor, &QsciScintillaBase::SCN_CHARADDED, this, &Completion::added);
}

bool Completion::inProse() const {
    const long position = m_editor.SendScintilla(S::SCI_GETCURRENTPOS);
    if (position == 0) return false;
    ensureStyled(m_editor, position);
    return CudaLexer::isProse(int(m_editor.SendScintilla(S::SCI_GETSTYLEAT, static_cast<unsigned long>(position - 1))) &
                              0xff);
}

void Completion::added(int character) {
    if (character == '(' || character == ',') {
        if (!inProse()) showCallTip();
        return;
    }
    if (character == ')') m_editor.SendScintilla(S::SCI_CALLTIPCANCEL);
    if (character < 0 || character > 127 || !isWordByte(char(character))) return;
    if (m_editor.isListActive()) return;
    if (inProse())
        openInMark(threshold);
    else
        open(threshold);
}

void Completion::complete() {
    if (!openInMark(0)) open(0);
}

/// Of a mark that says what may be tuned. Its words may have blanks.
bool Completion::openInMark(int least) {
    const QByteArray bytes = documentBytes(m_editor);
    if (bytes.size() > window || !inProse() || !cursorIsOnAScreen(m_editor)) return false;
    const auto position = std::size_t(m_editor.SendScintilla(S::SCI_GETCURRENTPOS));
    const auto found = tuning::completionsAt({bytes.constData(), std::size_t(bytes.size())}, position);
    const std::size_t typed = position - std::min(found.begin, position);
    if (found.words.empty()) return false;
    if (typed < std::size_t(least)) return true;
    const std::string_view begin(bytes.constData() + found.begin, typed);
    if (found.words.size() == 1 && found.words.front() == begin) return true;
    QByteArray list;
    for (const std::string& word : found.words) {
        if (!list.isEmpty()) list.append('\n');
        list.append(word.data(), qsizetype(word.size()));
    }
    // The usual mark comes first, not the first in the alphabet.
    m_editor.SendScintilla(S::SCI_AUTOCSETORDER, static_cast<unsigned long>(S::SC_ORDER_CUSTOM));
    m_editor.SendScintilla(S::SCI_AUTOCSETSEPARATOR, static_cast<unsigned long>('\n'));
    m_editor.SendScintilla(S::SCI_AUTOCSHOW, static_cast<unsigned long>(typed), list.constData());
    m_editor.SendScintilla(S::SCI_AUTOCSETSEPARATOR, static_cast<unsigned long>(' '));
    return true;
}

QByteArray Completion::prefix(bool& afterMember) const {
    const QByteArray bytes = documentBytes(m_editor);
    const long position = m_editor.SendScintilla(S::SCI_GETCURRENTPOS);
    long start = position;
    while (start > 0 && isWordByte(bytes[start - 1]))
        --start;
    const auto before = [&](const char* text, long length) {
        return start >= length && std::string_view(bytes.constData() + start - length, std::size_t(length)) == text;
    };
    afterMember = before(".", 1) || before("->", 2) || before("torch::", 7) || before("at::", 4);
    return {bytes.constData() + start, position - start};
}

void Completion::open(int least) {
    bool afterMember = false;
    const QByteArray typed = prefix(afterMember);
    if (!cursorIsOnAScreen(m_editor)) return;
    if (typed.size() < least || (!typed.isEmpty() && std::isdigit(static_cast<unsigned char>(typed[0])) != 0)) return;
    const std::string_view begin(typed.constData(), std::size_t(typed.size()));

    Words words;
    for (const char* names : {CudaNames::keywords(), CudaNames::types(), CudaNames::qualifiers(), CudaNames::builtins(),
                              CudaNames::mathematics(), CudaNames::runtime(), CudaNames::torchNames()})
        if (!afterMember || names == CudaNames::torchNames()) collect(names, begin, std::string_view::npos, words);
    if (afterMember) collect(CudaNames::torchMembers(), begin, std::string_view::npos, words);

    const QByteArray bytes = documentBytes(m_editor);
    const long position = m_editor.SendScintilla(S::SCI_GETCURRENTPOS);
    const long from = bytes.size() <= window ? 0 : std::clamp(position - window / 2, 0L, long(bytes.size()) - window);
    const long length = std::min(window, long(bytes.size()) - from);
    collect(std::string_view(bytes.constData() + from, std::size_t(length)), begin, std::size_t(position - from),
            words);
    // Whoever has typed the only candidate to its end wants a line break from Enter, not a list.
    if (words.empty() || (words.size() == 1 && *words.begin() == begin)) return;

    std::vector<std::string_view> sorted(words.begin(), words.end());
    std::sort(sorted.begin(), sorted.end());
    if (sorted.size() > mostWords) sorted.resize(mostWords);
    QByteArray list;
    for (const std::string_view word : sorted) {
        if (!list.isEmpty()) list.append(' ');
        list.append(word.data(), qsizetype(word.size()));
    }
    m_editor.SendScintilla(S::SCI_AUTOCSETORDER, static_cast<unsigned long>(S::SC_ORDER_PERFORMSORT));
    m_editor.SendScintilla(S::SCI_AUTOCSHOW, static_cast<unsigned long>(typed.size()), list.constData());
}

void Completion::showCallTip() {
    const QByteArray bytes = documentBytes(m_editor);
    const long position = m_editor.SendScintilla(S::SCI_GETCURRENTPOS);
    if (!cursorIsOnAScreen(m_editor)) return;
    const long first = std::max(0L, position - 2000);
    int depth = 0;
    long open = -1;
    for (long i = position - 1; i >= first && open < 0; --i) {
        const char c = bytes[i];
        if (c == ';' || c == '{' || c == '}') break;
        if (c == ')') ++depth;
        if (c == '(' && depth-- == 0) open = i;
    }
    if (open < 0) return;
    long start = open;
    while (start > 0 && isWordByte(bytes[start - 1]))
        --start;
    const CallTip* tip = callTipOf(std::string_view(bytes.constData() + start, std::size_t(open - start)));
    if (tip == nullptr) return;
    const std::string text = std::string(tip->signature) + "\n" + std::string(tip->meaning);
    m_editor.SendScintilla(S::SCI_CALLTIPSHOW, static_cast<unsigned long>(start), text.c_str());
}

} // namespace kernelarium::ui
