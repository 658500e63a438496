// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/text/Layout.h"

#include "core/kernelgen/text/Wrapped.h"

#include <algorithm>
#include <sstream>
#include <vector>

namespace kernelarium::kernelgen {

namespace {

std::string trimmed(const std::string& line) {
    const std::size_t from = line.find_first_not_of(' ');
    if (from == std::string::npos) return {};
    return line.substr(from, line.find_last_not_of(' ') - from + 1);
}

/// Where a comment behind code begins; npos: there is none.
std::size_t commentOf(const std::string& line) {
    bool quoted = false;
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) quoted = !quoted;
        if (!quoted && line[i] == '/' && line[i + 1] == '/') return i;
    }
    return std::string::npos;
}

/// Open parentheses and braces, without those in strings.
int depthOf(const std::string& code, const char* open, const char* close) {
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i] == '"' && (i == 0 || code[i - 1] != '\\')) quoted = !quoted;
        if (quoted) continue;
        if (std::string_view(open).find(code[i]) != std::string_view::npos) ++depth;
        if (std::string_view(close).find(code[i]) != std::string_view::npos) --depth;
    }
    return depth;
}

bool startsWith(const std::string& code, std::initializer_list<const char*> words) {
    return std::any_of(words.begin(), words.end(), [&](const char* w) { return code.rfind(w, 0) == 0; });
}

/// A head of a statement that goes on in the next line: for (...) without a body, if (...), else.
bool isHead(const std::string& code) {
    if (code == "else") return true;
    return startsWith(code, {"for (", "if (", "while ("}) && code.back() == ')' && depthOf(code, "(", ")") == 0;
}

/// Places outside of strings where a line may be broken, at this depth of parentheses.
std::vector<std::size_t> breaksOf(const std::string& code, int depth, const std::vector<std::string>& before,
                                  bool commas) {
    std::vector<std::size_t> out;
    int at = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i] == '"' && (i == 0 || code[i - 1] != '\\')) quoted = !quoted;
        if (quoted) continue;
        if (code[i] == '(' || code[i] == '{') ++at;
        if (code[i] == ')' || code[i] == '}') --at;
        if (at != depth) continue;
        if (commas && code[i] == ',' && i + 1 < code.size()) out.push_back(i + 2);
        for (const std::string& word : before)
            if (code.compare(i, word.size(), word) == 0) out.push_back(i + word.size());
    }
    return out;
}

/// Fills pieces of the code, cut at these places, into lines; those after the first begin with `below`.
std::string filledAt(const std::string& code, const std::vector<std::size_t>& places, const std::string& below) {
    std::string out, line;
    std::size_t from = 0;
    for (std::size_t k = 0; k <= places.size(); ++k) {
        const std::size_t to = k < places.size() ? places[k] : code.size();
        std::string piece = code.substr(from, to - from);
        while (!piece.empty() && piece.back() == ' ')
            piece.pop_back();
        if (!line.empty() && line.size() + 1 + piece.size() > columns) {
            out += line + "\n";
            line = below + piece;
        } else {
            line += (line.empty() ? "" : " ") + piece;
        }
        from = to;
    }
    return out + line;
}

bool fits(const std::string& text) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        if (line.size() > columns) return false;
    return true;
}

/// A line that is too long, broken.
std::string broken(const std::string& indent, const std::string& code) {
    const std::string line = indent + code;
    if (line.size() <= columns) return line;
    const std::size_t bounds = code.find("__launch_bounds__(");
    if (bounds != std::string::npos) { // what a kernel is, then its name and parameters
        const std::size_t end = code.find(')', bounds) + 1;
        return indent + code.substr(0, end) + "\n" + broken(indent + "    ", trimmed(code.substr(end)));
    }
    if (startsWith(code, {"if ("}) && code.back() == ';') { // the condition, then what it guards
        std::size_t end = 4;
        while (depthOf(code.substr(0, end), "(", ")") > 0)
            ++end;
        return broken(indent, code.substr(0, end)) + "\n" + broken(indent + "    ", trimmed(code.substr(end)));
    }
    const std::size_t equals = code.find(" = ");
    const std::size_t brace = code.back() == '{' ? std::string::npos : code.find('{');
    const std::size_t launch = code.find(">>>(");
    const std::size_t open = launch != std::string::npos ? launch + 3 : std::min(code.find('('), brace);
    const bool isCondition = startsWith(code, {"if (", "for (", "while ("});
    const std::string below = indent + "    ";
    if (equals != std::string::npos && equals < open && !isCondition) { // behind the =
        const std::string value = code.substr(equals + 3);
        if (below.size() + value.size() <= columns) return indent + code.substr(0, equals + 2) + "\n" + below + value;
        const std::string start = indent + code.substr(0, equals + 3);
        const std::string aligned(start.size(), ' ');
        for (const bool commas : {false, true}) {
            const std::string text =
                filledAt(line, breaksOf(line, 0, {" && ", " || ", " + "}, commas), commas ? below : aligned);
            if (text != line && fits(text)) return text;
        }
    }
    if (open != std::string::npos) { // the arguments, below one another
        const std::string aligned(indent.size() + open + 1, ' ');
        const std::vector<std::size_t> commas = breaksOf(line, 1, {}, true);
        const std::string text = filledAt(line, commas, aligned);
        if (fits(text) || isCondition || commas.empty())
            return fits(text) ? text : filledAt(line, breaksOf(line, 1, {" && ", " || "}, false), aligned);
        // A first argument of several lines: the others stand below it.
        const std::string first = line.substr(0, commas[0] - 1), rest = aligned + line.substr(commas[0]);
        return filledAt(first, breaksOf(first, 1, {" && ", " || "}, false), aligned + "    ") + "\n" +
               filledAt(rest, breaksOf(rest, 0, {}, true), aligned);
    }
    return line;
}

/// The lines with their comments below one another where they follow each other.
void align(std::vector<std::pair<std::string, std::string>>& lines) {
    for (std::size_t i = 0; i < lines.size();) {
        std::size_t end = i, width = 0;
        for (; end < lines.size() && !lines[end].second.empty(); ++end)
            width = std::max(width, lines[end].first.size());
        for (std::size_t k = i; k < end; ++k)
            lines[k].first += std::string(width - lines[k].first.size() + 1, ' ');
        i = std::max(end, i + 1);
    }
}

} // namespace

std::string laidOut(const std::string& source) {
    std::vector<std::pair<std::string, std::string>> lines; // code, comment behind it
    struct Block {
        int line, outside; // indentation of its first line, and of what follows it
    };
    std::vector<Block> blocks;
    int level = 0, base = 0; // of the next line, and of the statement that it is part of
    std::string open;        // a statement that has not ended
    const auto add = [&](int indent, const std::string& code, const std::string& comment) {
        std::istringstream parts(broken(std::string(std::size_t(indent) * 4, ' '), code));
        for (std::string part; std::getline(parts, part);)
            lines.emplace_back(part, "");
        lines.back().second = comment;
    };
    std::istringstream in(source);
    for (std::string raw; std::getline(in, raw);) {
        std::string code = trimmed(raw), comment;
        if (code.empty() || code[0] == '#' || code.rfind("//", 0) == 0) {
            const bool isComment = code.rfind("//", 0) == 0;
            const std::string indent(std::size_t(level) * 4, ' ');
            const std::string mark = code.substr(0, code.find(' ') + 1);
            std::string text = isComment ? indent + code : code;
            if (isComment && text.size() > columns) {
                text = filled(indent + mark, indent + mark, code.substr(mark.size()));
                text.pop_back();
            }
            lines.emplace_back(text, "");
            continue;
        }
        if (const std::size_t at = commentOf(code); at != std::string::npos && open.empty()) {
            comment = code.substr(at);
            code = trimmed(code.substr(0, at));
        }
        open += (open.empty() ? "" : " ") + code;
        const bool isKernel = startsWith(open, {"__global__"});
        if (depthOf(open, "(", ")") > 0 || (isKernel && open.back() != '{')) continue;
        code = std::move(open);
        open.clear();
        if (code[0] == '}') {
            const Block block = blocks.back();
            blocks.pop_back();
            add(block.line, code, comment);
            level = base = block.outside;
        } else if (startsWith(code, {"namespace "})) {
            add(0, code, comment);
            blocks.push_back({0, 0});
        } else if (code.back() == '{') {
            add(level, code, comment);
            blocks.push_back({level, base});
            level = base = level + 1;
        } else if (isHead(code)) {
            add(level++, code, comment);
        } else {
            std::string& before = lines.empty() ? code : lines.back().first;
            const bool joins = level > base && startsWith(trimmed(before), {"if ("}) && lines.back().second.empty() &&
                               comment.empty() && before.size() + 1 + code.size() <= columns;
            if (joins)
                before += " " + code;
            else
                add(level, code, comment);
            level = base;
        }
    }
    align(lines);
    std::string out;
    for (const auto& [code, comment] : lines)
        out += code + comment + "\n";
    return out;
}

} // namespace kernelarium::kernelgen
