// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/SpaceText.h"

#include "core/tuning/space/LineSubjects.h"
#include "core/tuning/space/Marks.h"
#include "core/tuning/space/TextLines.h"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

namespace kernelarium::tuning {

namespace {

constexpr std::size_t largestText = std::size_t(16) << 20;
constexpr std::size_t longestMarks = std::size_t(1) << 20; ///< all of them together
constexpr std::size_t mostParameters = 256;
constexpr std::size_t mostRestrictions = 1000;

class SpaceReader {
public:
    explicit SpaceReader(std::string text)
        : m_shared(std::make_shared<const std::string>(std::move(text)))
        , m_text(*m_shared) {}

    SpaceReading run() {
        if (m_text.size() > largestText) {
            m_out.problems.push_back({0, 0, "The text has more than 16 MiB.", {}});
            return std::move(m_out);
        }
        if (m_text.find("tune") == std::string_view::npos) return std::move(m_out);
        const CodeTokens tokens = codeTokens(m_text);
        const TextLines lines(m_text);
        readMarks(tokens, lines);
        if (m_marks.empty()) return std::move(m_out);
        const DefinitionIndex definitions(m_text, tokens.code);
        m_code = &tokens.code;
        m_lines = &lines;
        m_definitions = &definitions;
        for (const Mark& mark : m_marks)
            bindMark(mark);
        build();
        std::stable_sort(m_out.problems.begin(), m_out.problems.end(),
                         [](const TextProblem& a, const TextProblem& b) { return a.begin < b.begin; });
        return std::move(m_out);
    }

private:
    bool full() const { return m_out.problems.size() >= mostTextProblems; }

    void refuse(const MarkEntry& entry, std::string message, std::string action = {}) {
        m_out.problems.push_back({entry.begin, entry.end, std::move(message), std::move(action)});
    }

    void readMarks(const CodeTokens& tokens, const TextLines& lines) {
        std::size_t length = 0, values = mostListed;
        for (const CodeComment& comment : tokens.comments) {
            if (full()) return;
            const std::optional<std::size_t> content = markContent(m_text, comment);
            if (!content) continue;
            length += comment.end - comment.begin;
            if (length > longestMarks) {
                m_out.problems.push_back({comment.begin, comment.end, "The marks have more than 1 MiB of text.", {}});
                return;
            }
            m_marks.push_back(readMark(m_text, comment, *content, values, m_out.problems));
            m_out.marks.push_back({comment.begin, comment.end, lines.line(comment.begin), lines.line(comment.end)});
        }
    }

    void bindMark(const Mark& mark) {
        std::optional<std::vector<Subject>> subjects;
        for (const MarkEntry& entry : mark.entries) {
            if (full()) return;
            if (entry.isWhere()) {
                m_wheres.emplace_back(&mark, &entry);
            } else if (isSetting(entry.name)) {
                setting(entry);
            } else if (m_parameters.size() >= mostParameters) {
                return refuse(entry, "The text has more than 256 parameters.");
            } else {
                if (!subjects) subjects = subjectsAt(mark);
                bindEntry(entry, *subjects);
            }
        }
    }

    void setting(const MarkEntry& entry) {
        const bool registers = entry.name == "registers";
        const auto kind = registers ? CompileSetting::Kind::registers : CompileSetting::Kind::fastMath;
        if (const std::optional<std::string> wrong = fitSetting(entry.values, kind)) return refuse(entry, *wrong);
        CompileSetting target{kind, true, entry.nameEnd, entry.nameEnd, entry.nameEnd};
        if (entry.own) {
            target.ownBegin = entry.ownBegin;
            target.ownEnd = entry.ownEnd;
        }
        const Value own = entry.own.value_or(entry.values.front());
        add(entry, entry.name, entry.values, own, target);
    }

    // Where a mark stands, and what is there to be meant.

    /// The piece of code before a comment on its line, or behind it, or neither.
    std::optional<std::size_t> codeBefore(const CodeComment& comment) const {
        if (comment.next == 0) return std::nullopt;
        const std::size_t at = comment.next - 1;
        const CodeToken& token = (*m_code)[at];
        if (token.kind == CodeToken::Kind::endOfDirective) return std::nullopt;
        if (token.inDirective || m_lines->line(token.end) == m_lines->line(comment.begin)) return at;
        return std::nullopt;
    }
    std::optional<std::size_t> codeBehind(const CodeComment& comment) const {
        std::size_t at = comment.next;
        while (at < m_code->size() && (*m_code)[at].kind == CodeToken::Kind::endOfDirective)
            ++at;
        return at < m_code->size() ? std::optional(at) : std::nullopt;
    }

    std::vector<Subject> subjectsAt(const Mark& mark) {
        const std::optional<std::size_t> before = codeBefore(mark.comment);
        const std::optional<std::size_t> behind = codeBehind(mark.comment);
        m_onItsLine = before.has_value();
        const bool followed = behind && *behind == mark.comment.next && mark.comment.block &&
                              m_lines->line((*m_code)[*behind].begin) == m_lines->line(mark.comment.end);
        if (followed) {
            const bool named = !mark.entries.empty() && !mark.entries.front().name.empty(); // a word gives none
            if (std::optional<Subject> subject = literalBehind(*behind, before.has_value() && named)) {
                m_onItsLine = true;
                return {*std::move(subject)};
            }
        }
        const std::optional<std::size_t> at = before ? before : behind;
        if (!at) return {};
        return subjectsOf(m_text, *m_code, lineAround(m_text, *m_code, *at), *m_definitions);
    }

    /// The literal at a piece of code, or, within a line, the word there.
    std::optional<Subject> literalBehind(std::size_t at, bool within) const {
        const std::size_t begin = (*m_code)[at].begin;
        const std::optional<SpotAt> number = spotAt(m_text, *m_code, at);
        if (number || m_definitions->literalAt(begin)) {
            for (Subject& subject : subjectsOf(m_text, *m_code, lineAround(m_text, *m_code, at), *m_definitions))
                if (subject.spot && subject.spot->begin == begin) return std::move(subject);
            return std::nullopt;
        }
        if (!within) return std::nullopt;
        std::optional<Spot> word = wordSpot(m_text, *m_code, at, at + 1);
        if (!word || (*m_code)[at].kind != CodeToken::Kind::word) return std::nullopt;
        return Subject{Subject::Kind::bare, {}, std::move(word), {}};
    }

    // Which of them an entry means.

    void bindEntry(const MarkEntry& entry, const std::vector<Subject>& subjects) {
        const Subject* subject = entry.name.empty() ? unnamed(entry, subjects) : named(entry, subjects);
        if (!subject) return;
        const std::string& name = entry.name.empty() ? subject->name : entry.name;
        if (!subject->spot)
            return refuse(entry, "`" + name + "` is `" + subject->body + "` in the text, which is no literal.",
                          "Make it one, and let a restriction say how it hangs on others.");
        const auto [taken, isNew] = m_taken.emplace(subject->spot->begin, entry.begin);
        if (!isNew)
            return refuse(entry, "What this means is marked on line " + lineOf(taken->second) + " already.",
                          "Leave one of the marks out.");
        std::vector<Value> values = entry.values;
        if (const std::optional<std::string> wrong = fitValues(values, *subject->spot)) return refuse(entry, *wrong);
        add(entry, name, std::move(values), subject->spot->own, *subject->spot);
    }

    bool isFree(const Subject& subject) const { return !subject.spot || !m_taken.count(subject.spot->begin); }

    const Subject* unnamed(const MarkEntry& entry, const std::vector<Subject>& subjects) {
        for (const Subject::Kind kind : {Subject::Kind::definition, Subject::Kind::setting, Subject::Kind::assigned}) {
            std::vector<const Subject*> found;
            for (const Subject& subject : subjects)
                if (subject.kind == kind) found.push_back(&subject);
            // `const char* s = "..."` is not meant where something else is a literal.
            if (std::any_of(found.begin(), found.end(), [](const Subject* s) { return s->spot.has_value(); }))
                std::erase_if(found, [](const Subject* s) { return !s->spot; });
            if (found.empty()) continue;
            if (found.size() == 1) return found[0];
            if (kind == Subject::Kind::setting) {
                const auto next =
                    std::find_if(found.begin(), found.end(), [this](const Subject* s) { return isFree(*s); });
                return next == found.end() ? found.back() : *next;
            }
            refuse(entry, "The line names `" + found[0]->name + "` and `" + found[1]->name + "`.",
                   "Say which is meant: `tune " + found[0]->name + ": ...`.");
            return nullptr;
        }
        if (subjects.empty())
            refuse(entry, "No literal stands where this mark points: the line has no constant and no number.",
                   "A mark stands at the end of the line it means, or on the line before.");
        else
            refuse(entry, "The number that this marks has no name.", "Give it one: `tune NAME: ...`.");
        return nullptr;
    }

    const Subject* named(const MarkEntry& entry, const std::vector<Subject>& subjects) {
        for (const Subject& subject : subjects)
            if (subject.name == entry.name) return &subject;
        const std::vector<const Definition*> elsewhere = m_definitions->named(entry.name);
        if (!elsewhere.empty()) return definition(entry, elsewhere);
        std::vector<const Subject*> settings, bare;
        for (const Subject& subject : subjects) {
            if (subject.kind == Subject::Kind::setting && isFree(subject)) settings.push_back(&subject);
            if (subject.kind == Subject::Kind::bare) bare.push_back(&subject);
        }
        if (!settings.empty()) return settings[0];
        if (bare.size() == 1) return bare[0];
        if (bare.size() > 1)
            refuse(entry, "The line has " + std::to_string(bare.size()) + " numbers.",
                   "Mark the one that is meant: /* tune " + entry.name + ": ... */ right before it.");
        else if (!subjects.empty() && !subjects[0].name.empty())
            refuse(entry,
                   "The line sets `" + subjects[0].name + "`, and nothing in the text is named `" + entry.name + "`.");
        else
            refuse(entry, "No constant of the text is named `" + entry.name + "`, and there is no number to mark.",
                   "Constants are `constexpr int NAME = 16;`, `#define NAME 16` and their kin.");
        return nullptr;
    }

    const Subject* definition(const MarkEntry& entry, const std::vector<const Definition*>& found) {
        if (found.size() > 1) {
            refuse(entry,
                   "`" + entry.name + "` is defined on lines " + lineOf(found[0]->nameAt) + " and " +
                       lineOf(found[1]->nameAt) + ".",
                   "Put the mark on the line that is meant.");
            return nullptr;
        }
        if (m_onItsLine) {
            refuse(entry, "`" + entry.name + "` is defined on line " + lineOf(found[0]->nameAt) + ", not here.",
                   "Put the mark there, or on a line of its own.");
            return nullptr;
        }
        m_elsewhere = {Subject::Kind::definition, found[0]->name, found[0]->spot, found[0]->body};
        return &m_elsewhere;
    }

    std::string lineOf(std::size_t offset) const { return std::to_string(m_lines->line(offset)); }

    void add(const MarkEntry& entry, const std::string& name, std::vector<Value> values, const Value& own,
             Target target) {
        const auto [former, isNew] = m_places.emplace(name, entry.begin);
        if (!isNew)
            return refuse(entry,
                          "`" + name + "` is the name of a parameter on line " + lineOf(former->second) + " already.",
                          "Give this one a name of its own: `tune NAME: ...`.");
        if (!std::holds_alternative<CompileSetting>(target) && (isSetting(name) || name == "where"))
            return refuse(entry, "`" + name + "` is a word of the marks and cannot be a parameter's name.");
        const auto start = std::find(values.begin(), values.end(), own);
        if (start == values.end())
            return refuse(entry,
                          "`" + name + "` is " + textOf(own) + " in the text, which is not among its values " +
                              listed(values) + ".",
                          "Add it to the list, or make the text one of them.");
        const auto at = std::size_t(start - values.begin());
        m_parameters.push_back({name, std::move(values), at});
        m_targets.push_back(std::move(target));
        if (const auto* spot = std::get_if<Spot>(&m_targets.back())) m_out.spots.push_back(*spot);
    }

    // The whole.

    void build() {
        std::vector<Space::Restriction> restrictions;
        std::vector<const MarkEntry*> origins;
        const bool sound = m_out.problems.empty();
        const ExpressionNames known{&m_parameters,
                                    [this](std::string_view name) { return m_definitions->constant(name); }};
        for (const auto& [mark, entry] : m_wheres) {
            if (full()) break;
            MarkStream stream(mark->tokens, entry->expression);
            TextProblems problems;
            for (Space::Restriction& r : readRestrictions(stream, known, Expression::Rules::cpp, problems)) {
                restrictions.push_back(std::move(r));
                origins.push_back(entry);
            }
            // A name that is none may be that of a parameter whose mark is wrong, of which is spoken already.
            if (sound || problems.empty()) append(std::move(problems));
            if (restrictions.size() > mostRestrictions) {
                refuse(*entry, "The text has more than 1000 restrictions.");
                break;
            }
        }
        m_out.parameters = m_parameters;
        if (!m_out.problems.empty() || m_parameters.empty()) return;
        TunableText tunable{m_shared, Space(std::move(m_parameters), std::move(restrictions)), std::move(m_targets)};
        const Space& space = tunable.space;
        if (space.size() == std::numeric_limits<std::uint64_t>::max())
            return refuse(m_marks[0].entries[0], "The space has 2^64 points or more.", "List fewer values.");
        if (const Space::Restriction* forbids = space.forbids(space.start()))
            return refuse(*origins[std::size_t(forbids - space.restrictions().data())],
                          "The text as it stands is forbidden by `" + forbids->text + "`.",
                          "Change its values to some that are allowed: it is what the search begins with.");
        m_out.tunable = std::move(tunable);
    }
    void append(TextProblems problems) {
        for (TextProblem& problem : problems)
            m_out.problems.push_back(std::move(problem));
    }

    std::shared_ptr<const std::string> m_shared;
    std::string_view m_text;
    SpaceReading m_out;
    std::vector<Mark> m_marks;
    const std::vector<CodeToken>* m_code = nullptr;
    const TextLines* m_lines = nullptr;
    const DefinitionIndex* m_definitions = nullptr;
    bool m_onItsLine = false; ///< the mark at hand shares its line with code
    Subject m_elsewhere;
    std::unordered_map<std::size_t, std::size_t> m_taken; ///< by the literal's place, the mark's
    std::map<std::string, std::size_t, std::less<>> m_places;
    std::vector<std::pair<const Mark*, const MarkEntry*>> m_wheres;
    std::vector<Parameter> m_parameters;
    std::vector<Target> m_targets;
};

} // namespace

SpaceReading readSpaceText(std::string text) {
    return SpaceReader(std::move(text)).run();
}

Result<TunableText> spaceOfText(std::string text) {
    SpaceReading reading = readSpaceText(text);
    if (!reading.problems.empty()) return TextLines(text).error(reading.problems.front());
    if (reading.tunable) return *std::move(reading.tunable);
    return Error{"no_parameters", "Nothing in the text is marked to be tuned.",
                 "Put `// tune: 8, 16, 32` behind a constant like `constexpr int TILE = 16;`."};
}

} // namespace kernelarium::tuning
