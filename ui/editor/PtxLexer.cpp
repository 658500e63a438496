// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/PtxLexer.h"

#include "ui/theme/Theme.h"

#include <cctype>
#include <string>
#include <string_view>

namespace kernelarium::ui {

namespace {

bool isPtxWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '.';
}

PtxLexer::Style registerStyle(std::string_view name) {
    for (const std::string_view special :
         {"%tid", "%ntid", "%ctaid", "%nctaid", "%laneid", "%warpid", "%nwarpid", "%smid", "%nsmid", "%gridid",
          "%clock", "%lanemask", "%cluster", "%dynamic_smem", "%total_smem", "%globaltimer", "%SP"})
        if (name.starts_with(special)) return PtxLexer::SpecialRegister;
    return PtxLexer::Register;
}

/// "R12", "UR4.64", "P0", "RZ", "PT" as SASS has them.
bool isSassRegister(std::string_view word) {
    word = word.substr(0, word.find('.'));
    if (word.starts_with('U')) word.remove_prefix(1);
    if (word.size() < 2 || (word[0] != 'R' && word[0] != 'P')) return false;
    if (word == "RZ" || word == "PT") return true;
    return word.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

/// Styles one line, which holds no line break. `styles` has its length.
class LineStyler {
public:
    LineStyler(std::string_view line, std::string& styles)
        : m_line(line)
        , m_styles(styles) {}

    void run() {
        bool first = true; // an opcode or a label may stand here
        while (m_at < m_line.size()) {
            const char c = m_line[m_at];
            if (m_line.substr(m_at).starts_with("//")) {
                put(m_line.size(), PtxLexer::Comment);
            } else if (c == '"') {
                const std::size_t close = m_line.find('"', m_at + 1);
                put(close == std::string_view::npos ? m_line.size() : close + 1, PtxLexer::String);
            } else if (c == '%') {
                const std::size_t end = wordEnd(m_at + 1);
                put(end, registerStyle(m_line.substr(m_at, end - m_at)));
            } else if (c == '@') {
                put(m_at + 1, PtxLexer::Opcode);
                if (m_at < m_line.size() && m_line[m_at] == '!') put(m_at + 1, PtxLexer::Opcode);
                if (m_at < m_line.size() && m_line[m_at] == '%')
                    put(wordEnd(m_at + 1), PtxLexer::Register);
                else if (m_at < m_line.size())
                    put(std::max(m_at, wordEnd(m_at)), PtxLexer::Register); // SASS
            } else if (isPtxWord(c)) {
                word(first);
            } else {
                if (c == ';' || c == '{' || c == '}') first = true;
                put(m_at + 1, PtxLexer::Plain);
            }
        }
    }

private:
    void word(bool& first) {
        const std::size_t end = wordEnd(m_at);
        const char c = m_line[m_at];
        if (c == '.')
            put(end, PtxLexer::Directive);
        else if (end < m_line.size() && m_line[end] == ':')
            put(end, PtxLexer::Label);
        else if (c == '$')
            put(end, PtxLexer::Label);
        else if (std::isdigit(static_cast<unsigned char>(c)) != 0)
            put(end, PtxLexer::Number);
        else if (isSassRegister(m_line.substr(m_at, end - m_at)))
            put(end, PtxLexer::Register);
        else if (m_line.substr(m_at, end - m_at).starts_with("SR_"))
            put(end, PtxLexer::SpecialRegister);
        else if (first && std::isalpha(static_cast<unsigned char>(c)) != 0)
            put(end, PtxLexer::Opcode), first = false;
        else
            put(end, PtxLexer::Plain);
        if (c == '.') first = false;
    }

    std::size_t wordEnd(std::size_t from) const {
        while (from < m_line.size() && isPtxWord(m_line[from]))
            ++from;
        return from;
    }

    void put(std::size_t end, PtxLexer::Style style) {
        m_styles.append(end - m_at, char(style));
        m_at = end;
    }

    std::string_view m_line;
    std::string& m_styles;
    std::size_t m_at = 0;
};

} // namespace

PtxLexer::PtxLexer(const Theme& theme, QObject* parent)
    : QsciLexerCustom(parent)
    , m_theme(theme) {
    restyle();
}

void PtxLexer::restyle() {
    setDefaultColor(m_theme.colours().text);
    setDefaultPaper(m_theme.colours().field);
    setDefaultFont(m_theme.codeFont());
    for (int style = Plain; style <= String; ++style) {
        setColor(defaultColor(style), style);
        setPaper(defaultPaper(style), style);
        setFont(defaultFont(style), style);
    }
}

QString PtxLexer::description(int style) const {
    switch (style) {
    case Plain: return QStringLiteral("text");
    case Comment: return QStringLiteral("comment");
    case Directive: return QStringLiteral("directive");
    case Opcode: return QStringLiteral("opcode");
    case Register: return QStringLiteral("register");
    case SpecialRegister: return QStringLiteral("special register");
    case Label: return QStringLiteral("label");
    case Number: return QStringLiteral("number");
    case String: return QStringLiteral("string");
    default: return {};
    }
}

QColor PtxLexer::defaultColor(int style) const {
    const Palette& p = m_theme.colours();
    switch (style) {
    case Comment: return p.comment;
    case Directive: return p.preprocessor;
    case Opcode: return p.keyword;
    case Register: return p.type;
    case SpecialRegister: return p.builtin;
    case Label: return p.string;
    case Number: return p.number;
    case String: return p.string;
    default: return p.text;
    }
}

QColor PtxLexer::defaultPaper(int) const {
    return m_theme.colours().field;
}

QFont PtxLexer::defaultFont(int) const {
    return m_theme.codeFont();
}

void PtxLexer::styleText(int start, int end) {
    if (editor() == nullptr) return;
    using S = QsciScintilla;
    const long line = editor()->SendScintilla(S::SCI_LINEFROMPOSITION, start);
    const long begin = editor()->SendScintilla(S::SCI_POSITIONFROMLINE, static_cast<unsigned long>(line));
    const auto* bytes = static_cast<const char*>(editor()->SendScintillaPtrResult(S::SCI_GETCHARACTERPOINTER));
    const std::string text(bytes + begin, std::size_t(end - begin));
    std::string styles;
    styles.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t stop = std::min(text.find('\n', at), text.size());
        LineStyler(std::string_view(text).substr(at, stop - at), styles).run();
        if (stop < text.size()) styles.push_back(char(Plain));
        at = stop + 1;
    }
    startStyling(int(begin));
    editor()->SendScintilla(S::SCI_SETSTYLINGEX, static_cast<unsigned long>(styles.size()), styles.data());
}

} // namespace kernelarium::ui
