// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/Glossary.h"

#include "core/lesson/BuiltInFiles.h"

#include <algorithm>
#include <cctype>

namespace kernelarium::lesson {
namespace {

std::string lower(std::string_view text) {
    std::string small(text);
    std::transform(small.begin(), small.end(), small.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return small;
}

bool isLetter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Without indented lines and what stands between back-quotes; line ends are blanks.
void appendProse(std::string& to, std::string_view markdown) {
    bool fenced = false;
    bool code = false;
    while (!markdown.empty()) {
        const auto end = std::min(markdown.find('\n'), markdown.size());
        const auto line = markdown.substr(0, end);
        markdown.remove_prefix(std::min(end + 1, markdown.size()));
        if (line.starts_with("```")) fenced = !fenced;
        if (fenced || line.starts_with("```") || line.starts_with("    ")) continue;
        for (const char c : line) {
            if (c == '`') code = !code;
            if (!code) to += c;
        }
        to += ' ';
    }
}

} // namespace

std::vector<Term> parseGlossary(std::string_view markdown) {
    constexpr std::string_view begin = "- **";
    constexpr std::string_view between = "**: ";
    std::vector<Term> terms;
    while (!markdown.empty()) {
        const auto end = std::min(markdown.find('\n'), markdown.size());
        const auto line = markdown.substr(0, end);
        markdown.remove_prefix(std::min(end + 1, markdown.size()));
        const auto meaning = line.find(between);
        if (!line.starts_with(begin) || meaning == std::string_view::npos) continue;
        terms.push_back({std::string(line.substr(begin.size(), meaning - begin.size())),
                         std::string(line.substr(meaning + between.size()))});
    }
    return terms;
}

const std::vector<Term>& glossary() {
    static const std::vector<Term> terms = [] {
        for (const auto& file : builtInFiles())
            if (file.lesson.empty() && file.name == "glossary.md") return parseGlossary(file.text);
        return std::vector<Term>();
    }();
    return terms;
}

std::optional<std::size_t> findTerm(std::string_view prose, std::string_view name) {
    const std::string text = lower(prose);
    const std::string word = lower(name);
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        auto end = at + word.size();
        if (text.compare(end, 2, "es") == 0)
            end += 2;
        else if (text.compare(end, 1, "s") == 0)
            ++end;
        const bool begins = at == 0 || !isLetter(text[at - 1]);
        if (begins && (end == text.size() || !isLetter(text[end]))) return at;
    }
    return std::nullopt;
}

std::string prose(const Lesson& lesson) {
    std::string text;
    appendProse(text, lesson.introduction);
    for (const auto& step : lesson.steps) {
        appendProse(text, step.title);
        appendProse(text, step.text);
        for (const auto& condition : step.conditions)
            appendProse(text, condition.label);
        for (const auto& hint : step.hints)
            appendProse(text, hint);
    }
    return text;
}

std::vector<Term> presupposed(const Lesson& lesson, const std::vector<Term>& terms) {
    const std::string text = prose(lesson);
    std::vector<Term> found;
    for (const auto& term : terms) {
        const auto at = findTerm(text, term.name);
        if (!at) continue;
        const bool bold = *at >= 2 && text.compare(*at - 2, 2, "**") == 0;
        if (!bold) found.push_back(term);
    }
    return found;
}

} // namespace kernelarium::lesson
