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

/// Punctuation of a type's name.
constexpr std::array<std::string_view, 6> typeMarks{"::", "<", ">", ",", "*", "&"};

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

/// The type in tokens [first, last), storage words left out; empty for what is not rewritten. `auto` is the type of
/// `value`.
std::string StaticObjects::typeBefore(std::size_t first, std::size_t last, const std::string& value) const {
    std::string type;
    bool automatic = false, constant = false, pointer = false, reference = false;
    int angles = 0;
    for (std::size_t i = first; i < last; ++i) {
        const std::string_view word = text(i);
        angles += word == "<" ? 1 : word == ">" ? -1 : 0;
        if (word == "," && angles == 0) return {}; // behind another declarator
        const bool plain = m_tokens[i].kind == Token::Kind::identifier || m_tokens[i].kind == Token::Kind::number;
        if (among(foreignWords, word) || (!plain && !among(typeMarks, word)) || (type.empty() && word == ","))
            return {};
        if (among(storageWords, word)) continue;
        automatic = automatic || word == "auto";
        constant = constant || word == "const";
        pointer = pointer || word == "*";
        reference = reference || word == "&";
        type += (type.empty() ? "" : " ") + std::string(word);
    }
    if (type == "const" || type == "volatile") return {};
    if (!automatic || reference) return type;
    if (value.empty()) return {};
    return (constant && !pointer ? "const " : "") + ("::kl::Bare<decltype(" + value + ")>");
}

std::size_t StaticObjects::closing(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < m_tokens.size(); ++i) {
        if (text(i) == "(" || text(i) == "[" || text(i) == "{") ++depth;
        if ((text(i) == ")" || text(i) == "]" || text(i) == "}") && --depth == 0) return i;
    }
    return nowhere;
}

/// "[3]" and what comes behind; `[]` has as many elements as its initialiser.
std::string StaticObjects::dimensionsAfter(std::size_t name, std::size_t& next) const {
    std::string out;
    for (next = name + 1; text(next) == "[";) {
        const std::size_t close = closing(next);
        if (close == nowhere) return {};
        out += "[" + sourceOf(next + 1, close) + "]";
        next = close + 1;
    }
    if (!out.starts_with("[]")) return out;
    const std::size_t open = next + (text(next) == "=" ? 1 : 0), close = closing(open);
    if (text(open) != "{" || close == nowhere || close == open + 1) return {};
    std::size_t count = text(close - 1) == "," ? 0 : 1;
    for (std::size_t i = open + 1; i < close; ++i) {
        if (text(i) == "<") return {}; // a comma may be a template's
        if (text(i) == ",") ++count;
        if (text(i) == "(" || text(i) == "[" || text(i) == "{") i = closing(i);
    }
    return "[" + std::to_string(count) + "]" + out.substr(2);
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
    std::size_t owner = name; // where `S::` begins
    while (owner > first + 1 && text(owner - 1) == "::" && m_tokens[owner - 2].kind == Token::Kind::identifier)
        owner -= 2;
    std::size_t next = 0;
    Object object{local, {}, std::string(text(name)), dimensionsAfter(name, next), {}, sourceOf(owner, name)};
    const bool equals = text(next) == "=", list = text(next + (equals ? 1 : 0)) == "{";
    const std::string value = equals && !list ? sourceOf(next + 1, end) : std::string();
    object.type = typeBefore(first, owner, value);
    if (object.type.empty() || text(next) == "[" || (text(name + 1) == "[" && object.dimensions.empty())) return false;
    if (object.type.ends_with("&")) {
        if (!local || value.empty()) return false;
        object.referred = value;
    }
    const std::string number = std::to_string(name);
    blank(first, next - 1, "kl_s" + number);
    if (equals) m_edits.insert({m_tokens[next].offset, 1, list ? " " : "("});
    if (equals && !list) m_edits.insert({m_tokens[end].offset, 0, ")"});
    m_edits.insert({m_tokens[end].offset + 1, 0, " kl_e" + number});
    m_objects.emplace(name, std::move(object));
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

bool StaticObjects::blames(const std::vector<Diagnostic>& found) {
    return std::any_of(found.begin(), found.end(), [](const Diagnostic& d) {
        return d.text.find("\"kl_cell_") != std::string::npos || d.text.find("\"kl_type_") != std::string::npos;
    });
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
        const std::string n = std::to_string(number), cell = "kl_cell_" + n, type = "kl_type_" + n;
        const std::string cells =
            "static ::kl::StaticCell<" + (o.referred.empty() ? type : "void*") + "> " + cell + "; ";
        const std::string held = "using " + type + " = " + o.type + o.dimensions + "; " + cells;
        const std::string made = "::new (static_cast<void*>(" + cell + ".bytes)) " + type;
        const std::string named = type + "& " + o.name + " = reinterpret_cast<" + type + "&>(" + cell + ".bytes);";
        const std::string function = " __attribute__((used)) static void kl_static_" + n + "() { ";
        const std::string destroyed = "::kl::destroyAtExit(reinterpret_cast<" + type + "&>(" + cell + ".bytes)); ";
        std::string before, after = " }";
        if (!o.referred.empty()) {
            before = cells + "if (!" + cell + ".made) *reinterpret_cast<const void**>(" + cell + ".bytes) = ::kl::keep";
            after = cell + ".made = true; [[maybe_unused]] " + o.type + " " + o.name +
                    " = *static_cast<std::remove_reference_t<decltype((" + o.referred +
                    "))>*>(*reinterpret_cast<void**>(" + cell + ".bytes));";
        } else if (o.local) {
            before = held + "if (!" + cell + ".made) " + made;
            after = "if (!" + cell + ".made) " + destroyed + cell + ".made = true; [[maybe_unused]] " + named;
        } else if (!o.owner.empty()) {
            before = o.type + " " + o.owner + o.name + o.dimensions + ";" + function + "using " + type + " = " +
                     o.type + o.dimensions + "; ::new ((void*)&" + o.owner + o.name + ") " + type;
        } else {
            before = held + "[[maybe_unused]] static " + named + function + made;
            after = destroyed + "}";
        }
        out += "#define kl_s" + n + " " + before + "\n#define kl_e" + n + " " + after + "\n";
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
