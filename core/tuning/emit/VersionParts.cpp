// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/emit/VersionParts.h"

#include "core/tuning/launch/CodeMap.h"
#include "core/tuning/space/Marks.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

namespace kernelarium::tuning {

namespace {

using Kind = CodeToken::Kind;

/// Functions that CUDA or C++ declare globally, for built-in types: one of the file's own in a namespace would hide
/// them there.
constexpr std::array<std::string_view, 60> globalFunctions{
    "abs",       "acosf", "atomicAdd", "atomicAnd", "atomicCAS", "atomicExch", "atomicMax", "atomicMin", "atomicOr",
    "atomicSub", "ceil",  "ceilf",     "clz",       "copysignf", "cos",        "cosf",      "erf",       "erff",
    "exp",       "exp2f", "expf",      "expm1f",    "fabs",      "fabsf",      "floor",     "floorf",    "fma",
    "fmaf",      "fmax",  "fmaxf",     "fmin",      "fminf",     "fmodf",      "isfinite",  "isinf",     "isnan",
    "llabs",     "log",   "log1pf",    "log2f",     "logf",      "max",        "min",       "popc",      "pow",
    "powf",      "rint",  "rintf",     "round",     "roundf",    "rsqrt",      "rsqrtf",    "sin",       "sinf",
    "sqrt",      "sqrtf", "tan",       "tanh",      "tanhf",     "truncf"};

constexpr std::array<std::string_view, 12> foreignNamespaces{"std",      "torch",   "at",     "c10",
                                                             "pybind11", "cuda",    "thrust", "cub",
                                                             "cute",     "cutlass", "nvcuda", "cooperative_groups"};

/// Behind which a :: begins a global name.
constexpr std::array<std::string_view, 9> statementWords{"return", "case",   "else", "do",       "throw",
                                                         "new",    "delete", "and",  "co_return"};

template <std::size_t n> bool has(const std::array<std::string_view, n>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

class PartsReader {
public:
    PartsReader(const std::string& text, std::string_view function)
        : m_map(text)
        , m_all(codeTokens(text))
        , m_wanted(function) {
        m_out.text = text;
    }

    Result<VersionParts> run() {
        directives();
        marks();
        if (!m_problem) names();
        if (!m_problem) blocks();
        if (!m_problem) module();
        if (!m_problem) signature();
        if (m_problem) return *m_problem;
        std::sort(m_out.cuts.begin(), m_out.cuts.end(),
                  [](const VersionParts::Cut& a, const VersionParts::Cut& b) { return a.begin < b.begin; });
        return std::move(m_out);
    }

private:
    std::string_view text() const { return m_out.text; }
    std::string_view word(std::size_t at) const { return m_map.code()[at].of(m_out.text); }

    void refuse(const std::string& what, std::size_t offset) {
        const auto line = 1 + std::count(m_out.text.begin(), m_out.text.begin() + std::ptrdiff_t(offset), '\n');
        if (!m_problem) m_problem = notMergeable(fmt::format("line {}: {}", line, what));
    }
    void refuseAt(const std::string& what, std::size_t piece) { refuse(what, m_map.code()[piece].begin); }

    void directives() {
        int depth = 0;
        std::size_t lastInclude = 0;
        const auto& code = m_all.code;
        std::vector<std::pair<HoistedLine, VersionParts::Cut>> lines;
        for (std::size_t at = 0; at < code.size(); ++at) {
            if (code[at].kind != Kind::directive) continue;
            std::size_t end = at;
            while (end < code.size() && code[end].kind != Kind::endOfDirective)
                ++end;
            const std::size_t from = code[at].begin, to = code[end - 1].end;
            const std::string_view what = at + 1 < end ? code[at + 1].of(m_out.text) : std::string_view();
            const std::string_view name = at + 2 < end ? code[at + 2].of(m_out.text) : std::string_view();
            if (what == "if" || what == "ifdef" || what == "ifndef") ++depth;
            if (what == "endif") --depth;
            if (what == "include") {
                if (depth > 0) refuse("an #include that depends on #if", from);
                lines.push_back({{true, m_out.text.substr(from, to - from), {}}, {from, to, -1}});
                lastInclude = lines.size();
            } else if (what == "define" && depth == 0 && !name.empty()) {
                lines.push_back({{false, m_out.text.substr(from, to - from), std::string(name)}, {from, to, 0}});
            } else if (what == "pragma" && name == "once") {
                m_out.cuts.push_back({from, to});
            }
            at = end;
        }
        if (depth != 0) refuse("an #if without #endif", m_out.text.size());
        for (std::size_t i = 0; i < lastInclude; ++i) {
            auto& [line, cut] = lines[i];
            const auto same = std::count_if(m_map.macros().begin(), m_map.macros().end(),
                                            [&](const MacroDefinition& m) { return m.name == line.macro; });
            if (!line.isInclude && (same != 1 || m_map.undefines(line.macro))) continue;
            if (!line.isInclude) cut.line = int(m_out.lines.size());
            m_out.cuts.push_back(cut);
            m_out.lines.push_back(std::move(line));
        }
    }

    void marks() {
        for (const CodeComment& comment : m_all.comments)
            if (markContent(m_out.text, comment)) m_out.cuts.push_back({comment.begin, comment.end});
    }

    /// What the file declares at namespace level.
    void names() {
        for (const MacroDefinition& macro : m_map.macros()) {
            m_out.names.emplace(macro.name);
            if (std::find(m_out.macros.begin(), m_out.macros.end(), macro.name) == m_out.macros.end())
                m_out.macros.emplace_back(macro.name);
        }
        std::set<std::string> hidden;
        for (std::size_t at = 0; at < m_map.code().size(); ++at) {
            if (!m_map.isWord(at) || !m_map.atNamespaceLevel(at)) continue;
            const std::size_t begin = m_map.statementBegin(at);
            if (m_map.isWord(begin, "using") || (m_map.isWord(begin, "namespace") && m_map.isSymbol(begin + 2, '='))) {
                at = usingStatement(begin);
                continue;
            }
            if (at == 0) continue;
            static constexpr std::array<std::string_view, 5> heads{"struct", "class", "union", "enum", "namespace"};
            const bool headed = m_map.isWord(at - 1) && has(heads, word(at - 1));
            const auto follows = [&](char c) { return m_map.isSymbol(at + 1, c); };
            const bool typed = m_map.isWord(at - 1) || m_map.isSymbol(at - 1, '*') || m_map.isSymbol(at - 1, '&') ||
                               m_map.isSymbol(at - 1, '>');
            const bool ends = follows('(') || follows('=') || follows('[') || follows('{') || follows(';');
            if (!headed && !(typed && ends)) continue;
            m_out.names.emplace(word(at));
            if (follows('(') && has(globalFunctions, word(at))) hidden.emplace(word(at));
        }
        m_out.hidden.assign(hidden.begin(), hidden.end());
    }

    /// `using ...;` and `namespace a = b;` of the file's own level, to behind them.
    std::size_t usingStatement(std::size_t begin) {
        std::size_t end = begin;
        while (end + 1 < m_map.code().size() && !m_map.isSymbol(end, ';'))
            ++end;
        if (m_map.isWord(begin + 1) && word(begin + 1) != "namespace") {
            const std::size_t named = m_map.isSymbol(begin + 2, '=') ? begin + 1 : end - 1;
            if (m_map.isWord(named)) m_out.names.emplace(word(named));
        }
        if (m_map.enclosing(begin) == CodeMap::none && !m_map.conditional(begin)) {
            std::string statement;
            for (std::size_t i = begin; i <= end; ++i) { // comments between the pieces are left out
                if (i > begin && m_map.isWord(i) && m_map.isWord(i - 1)) statement += ' ';
                statement += word(i);
            }
            m_out.usings.push_back(std::move(statement));
        }
        return end;
    }

    void blocks() {
        for (std::size_t at = 0; at < m_map.code().size() && !m_problem; ++at) {
            if (m_map.isWord(at) && word(at).starts_with("TORCH_LIBRARY"))
                return refuseAt(fmt::format("{}, whose operators would be defined twice", word(at)), at);
            if (m_map.isWord(at, "main") && m_map.isSymbol(at + 1, '(') && m_map.enclosing(at) == CodeMap::none)
                return refuseAt("a main function", at);
            if (m_map.isWord(at, "namespace") && m_map.isWord(at + 1) && has(foreignNamespaces, word(at + 1)) &&
                !m_map.isWord(at - 1, "using") && (m_map.isSymbol(at + 2, '{') || m_map.isSymbol(at + 2, ':')))
                return refuseAt(fmt::format("an addition to namespace {}", word(at + 1)), at);
            if (m_map.isWord(at, "extern") && at + 1 < m_map.code().size() && word(at + 1) == "\"C\"") linkage(at);
            const bool global = m_map.isSymbols(at, "::") && m_map.isWord(at + 2) &&
                                !(at > 0 && ((m_map.isWord(at - 1) && !has(statementWords, word(at - 1))) ||
                                             m_map.isSymbol(at - 1, '>')));
            if (global && m_out.names.contains(std::string(word(at + 2))))
                return refuseAt(fmt::format("::{}, a global name of the file", word(at + 2)), at);
        }
    }

    /// One definition loses its extern "C"; declarations of what lies elsewhere keep it.
    void linkage(std::size_t at) {
        if (m_map.isSymbol(at + 2, '{')) return refuseAt("a block of extern \"C\"", at);
        for (std::size_t i = at + 2; i < m_map.code().size() && !m_map.isSymbol(i, ';');) {
            if (m_map.isSymbol(i, '{')) {
                m_out.cuts.push_back({m_map.code()[at].begin, m_map.code()[at + 1].end});
                return;
            }
            const std::size_t partner = m_map.partner(i);
            i = partner != CodeMap::none && partner > i ? partner + 1 : i + 1;
        }
    }

    void module() {
        const auto& found = m_map.occurrences("PYBIND11_MODULE");
        if (found.size() != 1) return refuse("not one PYBIND11_MODULE", 0);
        const std::size_t at = found.front();
        const std::size_t close = m_map.isSymbol(at + 1, '(') ? m_map.partner(at + 1) : CodeMap::none;
        const bool plain = close != CodeMap::none && m_map.isSymbol(close + 1, '{') && !m_map.conditional(at) &&
                           m_map.partner(close + 1) != CodeMap::none && m_map.enclosing(at) == CodeMap::none;
        if (!plain) return refuseAt("a module in a form of its own", at);
        const std::size_t end = m_map.partner(close + 1);
        m_out.name = std::string(m_map.entry(m_wanted));
        if (m_out.name.empty() || m_map.occurrences("def").size() != 1)
            return refuseAt("a module that does not define one plain function", at);
        const std::size_t defined = m_map.occurrences("def").front();
        std::size_t first = defined + 4;
        if (m_map.isSymbol(first, '&')) ++first;
        std::size_t last = first;
        while (m_map.isSymbols(last + 1, "::"))
            last += 3;
        const std::size_t from = m_map.code()[at].begin, to = m_map.code()[end].end;
        const std::size_t nameFrom = m_map.code()[first].begin, nameTo = m_map.code()[last].end;
        m_out.function = m_out.text.substr(nameFrom, nameTo - nameFrom);
        m_out.moduleBefore = m_out.text.substr(from, nameFrom - from);
        m_out.moduleBehind = m_out.text.substr(nameTo, to - nameTo);
        m_out.cuts.push_back({from, to});
        for (std::size_t i = at; i < end; ++i)
            if (m_map.isWord(i) && (i < first || i > last)) m_out.foreignWords.emplace(word(i));
    }

    void signature() {
        const std::vector<FunctionDefinition> found = m_map.functions(m_out.name);
        if (found.size() != 1)
            return refuse(fmt::format("{} definitions of `{}` that can be told apart by their name",
                                      found.empty() ? "no" : "several", m_out.name),
                          0);
        const FunctionDefinition& f = found.front();
        if (m_map.conditional(f.name)) return refuseAt(fmt::format("`{}` depends on #if", m_out.name), f.name);
        static constexpr std::array<std::string_view, 7> left{"static",   "inline",          "extern",      "\"C\"",
                                                              "__host__", "__forceinline__", "__noinline__"};
        for (std::size_t i = f.head; i < f.name; ++i) {
            if (has(left, word(i))) continue;
            if (m_map.isWord(i, "template")) return refuseAt(fmt::format("`{}` is a template", m_out.name), i);
            if (!m_out.result.empty() && m_map.isWord(i) && m_map.isWord(i - 1)) m_out.result += ' ';
            m_out.result += word(i);
            if (m_map.isWord(i)) m_out.foreignWords.emplace(word(i));
        }
        if (m_out.result.ends_with("::")) return refuseAt(fmt::format("`{}` is qualified", m_out.name), f.name);
        const std::size_t close = m_map.partner(f.parameters);
        int angles = 0;
        std::size_t first = f.parameters + 1;
        for (std::size_t i = first; i <= close && !m_problem; ++i) {
            if (m_map.isSymbol(i, '<')) ++angles;
            if (m_map.isSymbol(i, '>')) --angles;
            const bool ends =
                i == close || (m_map.isSymbol(i, ',') && angles == 0 && m_map.enclosing(i) == f.parameters);
            if (!ends) continue;
            if (first < i) parameter(first, i);
            first = i + 1;
        }
    }

    void parameter(std::size_t first, std::size_t end) {
        static constexpr std::array<std::string_view, 11> types{"int",  "unsigned", "long",   "float", "double", "bool",
                                                                "auto", "Tensor",   "size_t", "const", "int64_t"};
        static constexpr std::array<std::string_view, 6> tensorWords{"const", "torch", "at", "Tensor", "::", "c10"};
        VersionParameter parameter;
        std::size_t nameEnd = first;
        while (nameEnd < end && !m_map.isSymbol(nameEnd, '='))
            ++nameEnd;
        const std::size_t name = nameEnd - 1;
        const bool named =
            name > first && m_map.isWord(name) && !m_map.isSymbol(name - 1, ':') && !has(types, word(name));
        if (!named) return refuseAt(fmt::format("a parameter of `{}` without a plain name", m_out.name), first);
        bool tensor = false, plain = true;
        for (std::size_t i = first; i < end; ++i) {
            if (m_map.isWord(i) && i != name) m_out.foreignWords.emplace(word(i));
            if (m_map.isSymbols(i, "&&")) return refuseAt(fmt::format("`{}` takes an rvalue", m_out.name), i);
            if (i >= name) continue;
            tensor |= m_map.isWord(i, "Tensor");
            plain &= (m_map.isWord(i) && has(tensorWords, word(i))) || m_map.isSymbol(i, ':') || m_map.isSymbol(i, '&');
        }
        const std::size_t from = m_map.code()[first].begin;
        parameter.text = m_out.text.substr(from, m_map.code()[end - 1].end - from);
        parameter.name = word(name);
        parameter.isTensor = tensor && plain;
        m_out.parameters.push_back(std::move(parameter));
    }

    VersionParts m_out;
    CodeMap m_map; ///< of the caller's text, which has the same bytes
    CodeTokens m_all;
    std::string_view m_wanted;
    std::optional<Error> m_problem;
};

} // namespace

Error notMergeable(const std::string& what) {
    return {"not_mergeable", fmt::format("The versions cannot be put into one file: {}.", what),
            "`tune show STORE --text KEY` prints one version's text."};
}

Result<VersionParts> versionParts(const std::string& text, std::string_view function) {
    return PartsReader(text, function).run();
}

std::string VersionParts::body(const std::vector<HoistedLine>& hoisted) const {
    std::string body;
    std::size_t at = 0;
    for (const Cut& cut : cuts) {
        const bool stays =
            cut.line >= 0 && std::find(hoisted.begin(), hoisted.end(), lines[std::size_t(cut.line)]) == hoisted.end();
        if (stays || cut.begin < at) continue;
        body.append(text, at, cut.begin - at);
        at = cut.end;
    }
    body.append(text, at);
    // Lines that are empty now: no more than one after another.
    std::string tidy;
    std::size_t empty = 0;
    for (std::size_t begin = 0; begin < body.size();) {
        std::size_t end = body.find('\n', begin);
        if (end == std::string::npos) end = body.size();
        std::string line = body.substr(begin, end - begin);
        begin = end + 1;
        const std::size_t last = line.find_last_not_of(" \t\r");
        const bool continued = last != std::string::npos && line[last] == '\\';
        if (!continued) line.resize(last == std::string::npos ? 0 : last + 1);
        empty = line.empty() ? empty + 1 : 0;
        if (line.empty() && (empty > 1 || tidy.empty())) continue;
        tidy += line;
        tidy += '\n';
    }
    return tidy;
}

} // namespace kernelarium::tuning
