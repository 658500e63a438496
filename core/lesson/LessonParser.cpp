// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/LessonParser.h"

#include "core/files/Sha256.h"
#include "core/lesson/CheckBlock.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>

namespace kernelarium::lesson {
namespace {

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::string trimmedLines(const std::string& text) {
    const auto begin = text.find_first_not_of('\n');
    if (begin == std::string::npos) return {};
    return text.substr(begin, text.find_last_not_of('\n') - begin + 1);
}

std::string slug(std::string_view title) {
    std::string slug;
    for (const unsigned char c : title) {
        if (std::isalnum(c) != 0)
            slug += static_cast<char>(std::tolower(c));
        else if (!slug.empty() && slug.back() != '-')
            slug += '-';
    }
    while (!slug.empty() && slug.back() == '-')
        slug.pop_back();
    return slug;
}

class Parser {
public:
    Parser(std::string_view text, const FileReader& files)
        : m_rest(text)
        , m_files(files) {}

    /// What is wrong with it, in the order of the lines; nothing after a front matter that cannot be read.
    std::vector<LessonFault> read(Lesson& lesson) {
        try {
            readFrontMatter(lesson);
        } catch (const LessonFault& fault) {
            return {fault};
        }
        while (nextLine())
            noting([&] { readBodyLine(lesson); });
        if (!m_fence.empty()) {
            m_faults.push_back({m_fenceLine, "a fenced block is not closed"});
        } else {
            endStep(lesson);
            if (lesson.steps.empty())
                m_faults.push_back({m_number, "the lesson has no step (a line that begins with \"## \")"});
        }
        std::stable_sort(m_faults.begin(), m_faults.end(),
                         [](const auto& a, const auto& b) { return a.line < b.line; });
        return m_faults;
    }

private:
    /// One wrong line does not keep the next from being looked at.
    template <class Work> void noting(const Work& work) {
        try {
            work();
        } catch (const LessonFault& fault) {
            m_stepIsWhole = false;
            m_faults.push_back(fault);
        }
    }

    bool nextLine() {
        if (m_rest.empty()) return false;
        const auto end = m_rest.find('\n');
        m_line = m_rest.substr(0, end);
        if (m_line.ends_with('\r')) m_line.remove_suffix(1);
        m_rest.remove_prefix(end == std::string_view::npos ? m_rest.size() : end + 1);
        ++m_number;
        return true;
    }

    [[noreturn]] void fail(const std::string& message) const { throw LessonFault{m_number, message}; }

    void readFrontMatter(Lesson& lesson) {
        if (!nextLine() || trimmed(m_line) != "---") fail("a lesson begins with a line of three hyphens");
        std::string key;
        for (;;) {
            if (!nextLine()) fail("the front matter is not closed by a line of three hyphens");
            const auto line = trimmed(m_line);
            if (line == "---") break;
            if (line.empty()) continue;
            if (line.starts_with("- ")) {
                if (key != "learn") fail("only \"learn\" has a list");
                lesson.learn.emplace_back(trimmed(line.substr(2)));
                continue;
            }
            const auto colon = line.find(':');
            if (colon == std::string_view::npos) fail(fmt::format("\"{}\" is not a \"name: value\"", line));
            key = trimmed(line.substr(0, colon));
            setField(lesson, key, trimmed(line.substr(colon + 1)));
        }
        if (lesson.title.empty()) fail("the front matter has no title");
        if (lesson.minutes == 0) fail("the front matter has no minutes");
        if (lesson.difficulty.empty()) fail("the front matter has no difficulty");
        if (lesson.learn.empty()) fail("the front matter does not list what is learned");
    }

    void setField(Lesson& lesson, const std::string& key, std::string_view value) const {
        if (key == "title") {
            lesson.title = value;
        } else if (key == "minutes") {
            const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), lesson.minutes);
            if (error != std::errc() || end != value.data() + value.size() || lesson.minutes <= 0)
                fail(fmt::format("minutes is not a whole number: \"{}\"", value));
        } else if (key == "difficulty") {
            if (value != "beginner" && value != "intermediate" && value != "advanced")
                fail(fmt::format("\"{}\" is not a difficulty (beginner, intermediate, advanced)", value));
            lesson.difficulty = value;
        } else if (key == "learn") {
            if (!value.empty()) fail("\"learn\" is a list: lines that begin with \"- \"");
        } else {
            fail(fmt::format("the front matter does not have a field \"{}\"", key));
        }
    }

    void readBodyLine(Lesson& lesson) {
        if (!m_fence.empty()) return readFencedLine(lesson);
        if (m_line.starts_with("## ")) return beginStep(lesson);
        if (m_line.starts_with("```")) {
            m_fence = m_line.substr(0, std::min(m_line.find_first_not_of('`'), m_line.size()));
            m_fenceKind = trimmed(m_line.substr(m_fence.size()));
            m_fenceLine = m_number;
            if (m_fenceKind == "check" || m_fenceKind == "hint") return beginBlock(lesson);
        }
        appendText(lesson);
    }

    void beginBlock(Lesson& lesson) {
        if (lesson.steps.empty()) {
            const std::string kind(std::exchange(m_fenceKind, {}));
            fail(fmt::format("a {} block comes before the first step", kind));
        }
        if (m_fenceKind == "check" && std::exchange(m_hasCheck, true)) fail("a step has more than one check block");
        if (m_fenceKind == "hint") lesson.steps.back().hints.emplace_back();
    }

    void readFencedLine(Lesson& lesson) {
        const bool closes = trimmed(m_line) == m_fence;
        if (closes) m_fence.clear();
        if (m_fenceKind == "check") {
            if (!closes) applyStatement(lesson.steps.back(), m_line, m_number, m_files);
        } else if (m_fenceKind == "hint") {
            auto& hint = lesson.steps.back().hints.back();
            if (!closes) hint.append(m_line).append("\n");
            if (closes && trimmedLines(hint).empty()) fail("a hint is empty");
        } else {
            appendText(lesson);
        }
    }

    void appendText(Lesson& lesson) const {
        auto& text = lesson.steps.empty() ? lesson.introduction : lesson.steps.back().text;
        text.append(m_line).append("\n");
    }

    void beginStep(Lesson& lesson) {
        endStep(lesson);
        m_stepIsWhole = true;
        Step step;
        step.title = trimmed(m_line.substr(3));
        step.id = slug(step.title);
        step.line = m_number;
        noting([&] {
            if (step.id.empty()) fail("a step has no title");
            for (const auto& other : lesson.steps)
                if (other.id == step.id) fail(fmt::format("two steps are called \"{}\"", step.title));
        });
        m_hasCheck = false;
        lesson.steps.push_back(std::move(step));
    }

    void endStep(Lesson& lesson) {
        if (lesson.steps.empty()) {
            lesson.introduction = trimmedLines(lesson.introduction);
            return;
        }
        auto& step = lesson.steps.back();
        step.text = trimmedLines(step.text);
        for (auto& hint : step.hints)
            hint = trimmedLines(hint);
        if (m_stepIsWhole) noting([&] { requireComplete(step); }); // else what it lacks may be what was wrong
    }

    std::string_view m_rest;
    const FileReader& m_files;
    std::string_view m_line;
    int m_number = 0;
    std::string m_fence; ///< the back-quotes that opened the block one is in
    std::string m_fenceKind;
    int m_fenceLine = 0;
    bool m_hasCheck = false;
    bool m_stepIsWhole = true; ///< so far nothing of the step was wrong
    std::vector<LessonFault> m_faults;
};

} // namespace

std::string LessonProblem::text() const {
    return line > 0 ? fmt::format("{}:{}: {}.", file, line, message) : fmt::format("{}: {}.", file, message);
}

ReadLesson readLesson(const std::string& id, std::string_view text, const FileReader& files,
                      const std::string& source) {
    constexpr std::size_t versionDigits = 16;
    ReadLesson read;
    read.lesson.id = id;
    read.lesson.source = source;
    files::Sha256 hash;
    hash.add(text);
    const FileReader hashed = [&](const std::string& name) {
        auto found = files(name);
        if (found) {
            hash.add(name + '\0');
            hash.add(*found);
        }
        return found;
    };
    for (const auto& fault : Parser(text, hashed).read(read.lesson))
        read.problems.push_back({id + "/lesson.md", fault.line, fault.message});
    read.lesson.version = files::toHex(hash.digest(), versionDigits);
    return read;
}

Result<Lesson> parseLesson(const std::string& id, std::string_view text, const FileReader& files,
                           const std::string& source) {
    ReadLesson read = readLesson(id, text, files, source);
    if (read.problems.empty()) return std::move(read.lesson);
    return Error{"bad_lesson", read.problems.front().text(), "Correct the line and load the lesson again."};
}

} // namespace kernelarium::lesson
