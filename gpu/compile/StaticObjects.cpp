// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/StaticObjects.h"

#include <algorithm>
#include <array>

namespace kernelarium::compile {

namespace {

constexpr std::size_t nowhere = std::string::npos;

constexpr std::array<std::string_view, 4> storageWords{"static", "inline", "thread_local", "extern"};
/// What a declaration that is rewritten must not hold: these are no host objects, or not plain ones.
constexpr std::array<std::string_view, 13> foreignWords{
    "__device__", "__constant__", "__shared__", "__managed__", "constexpr", "constinit", "alignas",
    "template",   "using",        "typedef",    "operator",    "return",    "new"};

template <class Words> bool among(const Words& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool refusesDynamic(const Diagnostic& d) {
    return d.severity == Severity::error && d.file == "kernel.cu" &&
           d.text.find("dynamic initialization is not supported") != std::string::npos;
}

} // namespace

std::string_view StaticObjects::text(std::size_t i) const {
    return i < m_tokens.size() ? m_tokens[i].text : std::string_view();
}

std::string StaticObjects::sourceOf(std::size_t first, std::size_t last) const {
    std::string out;
    for (std::size_t i = first; i < last; ++i)
        out += (out.empty() ? "" : " ") + std::string(text(i));
    return out;
}

std::size_t StaticObjects::tokenAt(const Diagnostic& found) const {
    std::size_t start = 0;
    for (int line = 1; line < found.line && start != nowhere; ++line) {
        start = m_source.find('\n', start);
        if (start != nowhere) ++start;
    }
    if (start == nowhere || found.column < 1) return nowhere;
    const std::size_t offset = start + std::size_t(found.column) - 1;
    const auto at = std::lower_bound(m_tokens.begin(), m_tokens.end(), offset,
                                     [](const Token& t, std::size_t o) { return t.offset < o; });
    const bool there = at != m_tokens.end() && at->offset == offset && at->kind == Token::Kind::identifier;
    return there ? std::size_t(at - m_tokens.begin()) : nowhere;
}

/// Back to what ends the statement or declaration before.
std::size_t StaticObjects::firstOfDeclaration(std::size_t name) const {
    for (std::size_t i = name; i-- > 0;)
        if (text(i) == ";" || text(i) == "{" || text(i) == "}" || (text(i) == ":" && text(i + 1) != ":")) return i + 1;
    return 0;
}

/// The `;` that ends it; nowhere where a comma goes on to another declarator.
std::size_t StaticObjects::endOfDeclaration(std::size_t name) const {
    int depth = 0, angles = 0;
    bool initialised = false;
    for (std::size_t i = name + 1; i < m_tokens.size(); ++i) {
        const std::string_view word = text(i);
        if (word == "(" || word == "[" || word == "{") ++depth;
        if (word == ")" || word == "]" || word == "}") --depth;
        if (depth < 0) return nowhere;
        if (depth > 0) continue;
        if (word == ";") return i;
        initialised = initialised || word == "=";
        if (word == "<") ++angles;
        if (word == ">") angles = std::max(angles - 1, 0);
        if (word == "," && (angles == 0 || !initialised)) return nowhere;
    }
    return nowhere;
}

/// The type as written, storage words left out; empty for what is not rewritten. `auto` is what it is initialised from.
std::string StaticObjects::typeBefore(std::size_t first, std::size_t name, std::size_t end) const {
    std::string type;
    for (std::size_t i = first; i < name; ++i) {
        const std::string_view word = text(i);
        if (among(foreignWords, word) || word == "&" || word == "(" || word == "=" || word == "[") return {};
        if (among(storageWords, word)) continue;
        std::string written(word);
        if (word == "auto") {
            if (text(name + 1) != "=" || i + 1 != name) return {};
            written = "::kl::Bare<decltype(" + sourceOf(name + 2, end) + ")>";
        }
        type += (type.empty() ? "" : " ") + written;
    }
    return type == "const" || type == "volatile" ? std::string() : type;
}

void StaticObjects::blank(std::size_t first, std::size_t last, const std::string& by) {
    const std::size_t from = m_tokens[first].offset, to = m_tokens[last].offset + m_tokens[last].text.size();
    std::string spaces(m_source.substr(from, to - from));
    std::size_t room = 0; // up to the first newline
    for (char& c : spaces)
        if (c != '\n' && c != '\r') c = ' ';
    room = std::min(spaces.find_first_of("\r\n"), spaces.size());
    spaces.replace(0, std::min(room, by.size()), by);
    m_edits.insert({from, to - from, spaces});
}

bool StaticObjects::add(std::size_t name, bool local) {
    const std::size_t first = firstOfDeclaration(name), end = endOfDeclaration(name);
    if (end == nowhere || first >= name || m_objects.count(name)) return false;
    const std::string type = typeBefore(first, name, end);
    const std::string_view next = text(name + 1);
    if (type.empty() || type.ends_with("::") || next == "[" || next == "::") return false;
    const std::string number = std::to_string(name);
    blank(first, name, "kl_s" + number);
    if (next == "=") {
        const bool list = text(name + 2) == "{";
        m_edits.insert({m_tokens[name + 1].offset, 1, list ? " " : "("});
        if (!list) m_edits.insert({m_tokens[end].offset, 0, ")"});
    }
    m_edits.insert({m_tokens[end].offset + 1, 0, " kl_e" + number});
    m_objects.emplace(name, Object{local, type, std::string(text(name))});
    return true;
}

bool StaticObjects::take(const std::vector<Diagnostic>& found) {
    bool more = false;
    for (const Diagnostic& d : found) {
        if (!refusesDynamic(d)) continue;
        const std::size_t name = tokenAt(d);
        if (name != nowhere) more = add(name, d.text.find("function-scope") != std::string::npos) || more;
    }
    return more;
}

std::string StaticObjects::rewritten(std::string_view text) const {
    std::string out;
    std::size_t at = 0;
    for (const Edit& edit : m_edits) {
        out += text.substr(at, edit.offset - at);
        out += edit.by;
        at = edit.offset + edit.length;
    }
    out += text.substr(at);
    return out;
}

std::string StaticObjects::definitions() const {
    std::string out;
    for (const auto& [number, o] : m_objects) {
        const std::string n = std::to_string(number), cell = "kl_cell_" + n;
        const std::string made = "::new (static_cast<void*>(" + cell + ".bytes)) " + o.type;
        const std::string named = o.type + "& " + o.name + " = reinterpret_cast<" + o.type + "&>(" + cell + ".bytes);";
        const std::string held = "static ::kl::StaticCell<" + o.type + "> " + cell + "; ";
        if (o.local) {
            out += "#define kl_s" + n + " " + held + "if (!" + cell + ".made) " + made + "\n";
            out += "#define kl_e" + n + " " + cell + ".made = true; [[maybe_unused]] " + named + "\n";
        } else {
            out += "#define kl_s" + n + " " + held + "[[maybe_unused]] static " + named +
                   " __attribute__((used)) static void kl_static_" + n + "() { " + made + "\n";
            out += "#define kl_e" + n + " }\n";
        }
    }
    return out.empty() ? out : out + "#line 1 \"kernel.cu\"\n";
}

void StaticObjects::restore(std::vector<Diagnostic>& found) const {
    for (Diagnostic& d : found) {
        if (d.file != "kernel.cu" || d.column < 1) continue;
        std::ptrdiff_t moved = 0;
        for (const Edit& edit : m_edits) {
            const Position at = positionOf(m_source, edit.offset);
            if (at.line != d.line || at.column + moved >= d.column) continue;
            moved += std::ptrdiff_t(edit.by.size()) - std::ptrdiff_t(edit.length);
        }
        d.column = std::max(1, int(d.column - moved));
    }
}

} // namespace kernelarium::compile
