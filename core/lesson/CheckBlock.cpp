// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/CheckBlock.h"

#include "core/lesson/KnownNames.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace kernelarium::lesson {
namespace {

using Kind = Condition::Kind;
using Comparison = Condition::Comparison;

/// The words of a statement, read from left to right; the first thing that does not fit is thrown.
class Words {
public:
    Words(std::string_view text, int line)
        : m_rest(text)
        , m_line(line) {
        skipSpace();
    }
    [[nodiscard]] bool atEnd() const { return m_rest.empty(); }
    [[nodiscard]] bool atQuote() const { return !atEnd() && m_rest.front() == '"'; }

    std::string word(std::string_view what) {
        if (atEnd()) fail(fmt::format("{} is missing", what));
        const auto end = std::min(m_rest.find_first_of(" \t"), m_rest.size());
        return std::string(take(end));
    }
    double number(std::string_view what) {
        const std::string text = word(what);
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
            fail(fmt::format("{} is not a number: \"{}\"", what, text));
        return value;
    }
    void expect(std::string_view wanted) {
        if (const auto found = word(fmt::format("\"{}\"", wanted)); found != wanted)
            fail(fmt::format("\"{}\" found where \"{}\" was expected", found, wanted));
    }
    std::string quoted() {
        const auto end = m_rest.find('"', 1);
        if (end == std::string_view::npos) fail("a quotation mark is not closed");
        auto text = take(end + 1);
        return std::string(text.substr(1, text.size() - 2));
    }
    std::string rest(std::string_view what) {
        if (atEnd()) fail(fmt::format("{} is missing", what));
        return std::string(take(m_rest.find_last_not_of(" \t\r") + 1));
    }
    void finish() {
        if (!atEnd()) fail(fmt::format("\"{}\" is unexpected", m_rest));
    }
    [[noreturn]] void fail(const std::string& message) const { throw LessonFault{m_line, message}; }

private:
    std::string_view take(std::size_t count) {
        const auto text = m_rest.substr(0, count);
        m_rest.remove_prefix(count);
        skipSpace();
        return text;
    }
    void skipSpace() { m_rest.remove_prefix(std::min(m_rest.find_first_not_of(" \t\r"), m_rest.size())); }

    std::string_view m_rest;
    int m_line;
};

Comparison comparison(Words& words) {
    const auto sign = words.word("a comparison (<=, >=, <, >, =)");
    if (sign == "<=") return Comparison::atMost;
    if (sign == ">=") return Comparison::atLeast;
    if (sign == "<") return Comparison::below;
    if (sign == ">") return Comparison::above;
    if (sign != "=") words.fail(fmt::format("\"{}\" is not a comparison (<=, >=, <, >, =)", sign));
    return Comparison::equal;
}

double milliseconds(Words& words) {
    const double value = words.number("a time");
    const auto unit = words.word("a unit (s, ms, us)");
    if (unit == "s") return value * 1e3;
    if (unit == "us") return value * 1e-3;
    if (unit != "ms") words.fail(fmt::format("\"{}\" is not a unit of time (s, ms, us)", unit));
    return value;
}

void readLabel(Words& words, Condition& condition) {
    if (words.atQuote()) condition.label = words.quoted();
    words.finish();
}

/// A word that is one of `known`.
std::string knownWord(Words& words, std::span<const std::string_view> known, std::string_view what) {
    auto word = words.word(what);
    if (std::find(known.begin(), known.end(), word) == known.end())
        words.fail(fmt::format("\"{}\" is not {}", word, what));
    return word;
}

void readStarterVerdict(Words& words, StepKernel& kernel) {
    words.expect("=");
    kernel.starterVerdict = knownWord(words, verdictNames(), "a verdict");
    if (!words.atEnd()) kernel.starterReason = knownWord(words, reasonNames(), "a reason of a verdict");
    words.finish();
}

Condition readVerdict(Words& words) {
    Condition condition;
    words.expect("=");
    condition.word = knownWord(words, verdictNames(), "a verdict");
    words.finish();
    return condition;
}

Condition readReason(Words& words) {
    Condition condition;
    const auto verb = words.word("\"=\" or \"lacks\"");
    if (verb != "=" && verb != "lacks")
        words.fail(fmt::format("\"{}\" found where \"=\" or \"lacks\" was expected", verb));
    condition.kind = verb == "=" ? Kind::reasonNamed : Kind::reasonAbsent;
    condition.word = knownWord(words, reasonNames(), "a reason of a verdict");
    readLabel(words, condition);
    return condition;
}

Condition readFigure(Words& words) {
    Condition condition;
    condition.kind = Kind::figure;
    condition.counter = knownWord(words, figureNames(), "a figure");
    condition.comparison = comparison(words);
    condition.bound = words.number("a bound");
    readLabel(words, condition);
    return condition;
}

Condition readCounter(Words& words) {
    Condition condition;
    condition.kind = Kind::counter;
    condition.counter = words.word("a counter");
    const auto beforeSlash = words;
    if (words.word("a comparison") == "/")
        condition.perCounter = words.word("a counter after \"/\"");
    else
        words = beforeSlash;
    condition.comparison = comparison(words);
    condition.bound = words.number("a bound");
    readLabel(words, condition);
    return condition;
}

Condition readTime(Words& words, Kind kind) {
    Condition condition;
    condition.kind = kind;
    condition.comparison = comparison(words);
    condition.bound = milliseconds(words);
    words.expect("on");
    condition.device = words.word("a device");
    words.expect("size");
    condition.size = words.word("a size (small, full)");
    if (condition.size != "small" && condition.size != "full")
        words.fail(fmt::format("\"{}\" is not a size (small, full)", condition.size));
    readLabel(words, condition);
    return condition;
}

Condition readSource(Words& words) {
    Condition condition;
    const auto verb = words.word("\"contains\" or \"lacks\"");
    if (verb != "contains" && verb != "lacks")
        words.fail(fmt::format("\"{}\" found where \"contains\" or \"lacks\" was expected", verb));
    condition.kind = verb == "contains" ? Kind::sourceContains : Kind::sourceLacks;
    condition.word = words.atQuote() ? words.quoted() : words.word("a text");
    readLabel(words, condition);
    return condition;
}

Condition readAnswer(Words& words) {
    Condition condition;
    condition.kind = Kind::answer;
    condition.key = words.word("the answer's name");
    words.expect("=");
    condition.bound = words.number("the right answer");
    words.expect("within");
    auto percent = words.word("a tolerance such as 2%");
    if (percent.empty() || percent.back() != '%') words.fail("a tolerance is written as a percentage: 2%");
    percent.pop_back();
    condition.tolerance = Words(percent, 0).number("the tolerance") / 100;
    if (!words.atQuote()) words.fail("an answer needs its question in quotation marks");
    readLabel(words, condition);
    return condition;
}

void readTask(Words& words, StepKernel& kernel) {
    const auto text = words.rest("a task such as 1/5");
    const auto slash = text.find('/');
    const auto readInteger = [&](std::string_view digits, int& value) {
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return error == std::errc() && end == digits.data() + digits.size() && value > 0;
    };
    if (slash == std::string::npos || !readInteger(std::string_view(text).substr(0, slash), kernel.level) ||
        !readInteger(std::string_view(text).substr(slash + 1), kernel.task))
        words.fail(fmt::format("\"{}\" is not a task such as 1/5", text));
}

std::string readFile(Words& words, std::string& name, const FileReader& files) {
    name = words.rest("a file's name");
    const bool plain = name.find_first_of("/\\") == std::string::npos && name != "." && name != "..";
    if (!plain) words.fail(fmt::format("\"{}\" is not the name of a file beside the lesson", name));
    auto text = files(name);
    if (!text) words.fail(fmt::format("there is no file \"{}\" beside the lesson", name));
    return std::move(*text);
}

/// Whether it was one of the statements on what the step works with.
bool readKernel(const std::string& head, Words& words, Step& step, const FileReader& files) {
    auto& kernel = step.kernel;
    std::string name;
    if (head == "task")
        readTask(words, kernel);
    else if (head == "argument")
        kernel.arguments.push_back(words.rest("an argument"));
    else if (head == "reference")
        kernel.reference = readFile(words, name, files);
    else if (head == "starter")
        kernel.starter = readFile(words, kernel.starterName, files);
    else if (head == "starter_verdict")
        readStarterVerdict(words, kernel);
    else if (head == "solution")
        kernel.solution = readFile(words, kernel.solutionName, files);
    else
        return false;
    step.hasKernel = true;
    return true;
}

} // namespace

void applyStatement(Step& step, std::string_view statement, int line, const FileReader& files) {
    Words words(statement, line);
    if (words.atEnd() || statement.substr(statement.find_first_not_of(" \t")).starts_with('#')) return;
    const auto head = words.word("a statement");
    if (readKernel(head, words, step, files)) return;
    Condition condition;
    if (head == "verdict")
        condition = readVerdict(words);
    else if (head == "reason")
        condition = readReason(words);
    else if (head == "figure")
        condition = readFigure(words);
    else if (head == "counter")
        condition = readCounter(words);
    else if (head == "modelled_time")
        condition = readTime(words, Kind::modelledTime);
    else if (head == "measured_time")
        condition = readTime(words, Kind::measuredTime);
    else if (head == "source")
        condition = readSource(words);
    else if (head == "answer")
        condition = readAnswer(words);
    else
        words.fail(fmt::format("\"{}\" is not a statement of a check block", head));
    condition.line = line;
    step.conditions.push_back(std::move(condition));
}

void requireComplete(const Step& step) {
    const auto fail = [&](std::string_view what) {
        throw LessonFault{step.line, fmt::format("the step \"{}\" {}", step.title, what)};
    };
    if (step.conditions.empty()) fail("has no condition");
    const bool onlyAnswers = std::all_of(step.conditions.begin(), step.conditions.end(),
                                         [](const Condition& c) { return c.kind == Kind::answer; });
    const auto& kernel = step.kernel;
    if (!step.hasKernel && onlyAnswers) return;
    if (kernel.starterName.empty()) fail("has no starter");
    if (kernel.solutionName.empty()) fail("has no solution");
    if (kernel.task == 0 && (kernel.arguments.empty() || kernel.reference.empty()))
        fail("has neither a task nor arguments and a reference");
    if (kernel.task != 0 && (!kernel.arguments.empty() || !kernel.reference.empty()))
        fail("has a task and arguments or a reference of its own");
}

} // namespace kernelarium::lesson
