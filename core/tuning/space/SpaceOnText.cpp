// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/SpaceOnText.h"

#include "core/tuning/space/LineSubjects.h"
#include "core/tuning/space/Marks.h"
#include "core/tuning/space/SpaceText.h"
#include "core/tuning/space/TextLines.h"

#include <algorithm>
#include <array>
#include <limits>

namespace kernelarium::tuning {

namespace {

/// Finds for each parameter of a file what of a text it sets.
class FileBinder {
public:
    FileBinder(std::string text, const FileSpace& file)
        : m_shared(std::make_shared<const std::string>(std::move(text)))
        , m_tokens(codeTokens(*m_shared))
        , m_definitions(*m_shared, m_tokens.code)
        , m_lines(*m_shared)
        , m_marked(readSpaceText(*m_shared).tunable)
        , m_file(file) {}

    Result<TunableText> run() {
        for (std::size_t i = 0; i < m_file.parameters.size(); ++i)
            if (Result<void> bound = bind(m_file.parameters[i], m_file.startGiven[i]); !bound) return bound.error();
        Result<std::vector<Space::Restriction>> restrictions = readAll();
        if (!restrictions) return restrictions.error();
        TunableText out{m_shared,
                        Space(std::move(m_parameters), *std::move(restrictions)),
                        std::move(m_targets),
                        m_file.rules,
                        m_file.settings,
                        m_file.fastMath,
                        m_file.remarks};
        if (out.space.size() == std::numeric_limits<std::uint64_t>::max())
            return Error{"bad_input", "The space has 2^64 points or more.", "List fewer values."};
        if (const Space::Restriction* forbids = out.space.forbids(out.space.start()))
            out.remarks.push_back("The start is forbidden by `" + forbids->text + "`.");
        return out;
    }

private:
    Result<void> bind(const Parameter& given, bool startGiven) {
        Parameter parameter = given;
        Result<Bound> bound = boundOf(parameter.name);
        if (!bound) return bound.error();
        std::optional<std::string> wrong;
        if (const auto* spot = std::get_if<Spot>(&bound->target)) wrong = fitValues(parameter.values, *spot);
        if (const auto* setting = std::get_if<CompileSetting>(&bound->target))
            wrong = fitSetting(parameter.values, setting->kind);
        if (wrong) return Error{"bad_input", "`" + parameter.name + "`: " + *wrong};
        const auto at = bound->own ? std::find(parameter.values.begin(), parameter.values.end(), *bound->own)
                                   : parameter.values.end();
        if (!startGiven && at != parameter.values.end()) parameter.start = std::size_t(at - parameter.values.begin());
        m_parameters.push_back(std::move(parameter));
        m_targets.push_back(std::move(bound->target));
        return {};
    }

    /// What a name sets, and what the text has there.
    struct Bound {
        Target target;
        std::optional<Value> own;
    };

    Result<Bound> boundOf(const std::string& name) const {
        for (std::size_t i = 0; m_marked && i < m_marked->targets.size(); ++i) {
            const Parameter& marked = m_marked->space.parameters()[i];
            if (marked.name == name) return Bound{m_marked->targets[i], marked.values[marked.start]};
        }
        if (isSetting(name)) {
            CompileSetting setting;
            const bool registers = name == "registers";
            setting.kind = registers ? CompileSetting::Kind::registers : CompileSetting::Kind::fastMath;
            return Bound{setting, registers ? Value(std::int64_t(0)) : Value(false)};
        }
        const std::vector<const Definition*> found = m_definitions.named(name);
        if (found.size() == 1 && found[0]->spot) return Bound{*found[0]->spot, found[0]->spot->own};
        return boundMacro(name, found);
    }

    /// Of a name that is no constant with a literal.
    Result<Bound> boundMacro(const std::string& name, const std::vector<const Definition*>& found) const {
        bool asked = false, used = false;
        std::optional<std::size_t> declared;
        for (std::size_t i = 0; i < m_tokens.code.size(); ++i) {
            if (m_tokens.code[i].kind != CodeToken::Kind::word || m_tokens.code[i].of(*m_shared) != name) continue;
            used = true;
            asked = asked || isAskedFor(i);
            if (!declared && isDeclared(i)) declared = m_tokens.code[i].begin;
        }
        const auto line = [this](std::size_t offset) { return std::to_string(m_lines.line(offset)); };
        const char* sets = "A parameter sets a constant of the text, or a macro that it uses and leaves to -D.";
        if (asked || (used && found.empty() && !declared)) return Bound{CompileMacro{name}, std::nullopt};
        if (declared && found.empty())
            return Error{
                "bad_input",
                "`" + name + "` is declared on line " + line(*declared) + ", but is no constant with a literal.", sets};
        if (found.empty()) return Error{"bad_input", "The text has no `" + name + "`.", sets};
        if (found.size() == 1)
            return Error{"bad_input",
                         "`" + name + "` is `" + found[0]->body + "` on line " + line(found[0]->nameAt) +
                             ", which is no literal.",
                         sets};
        return Error{"bad_input",
                     "`" + name + "` is defined on lines " + line(found[0]->nameAt) + " and " + line(found[1]->nameAt) +
                         ".",
                     "Leave one, or ask #ifndef before."};
    }

    /// Whether a directive asks if the name is defined: so it may be by -D.
    bool isAskedFor(std::size_t at) const {
        const std::vector<CodeToken>& code = m_tokens.code;
        const std::string_view text = *m_shared;
        return at >= 2 && code[at - 1].inDirective &&
               (code[at - 1].is(text, "ifndef") || code[at - 1].is(text, "ifdef") || code[at - 1].is(text, "defined") ||
                (code[at - 1].is(text, "(") && code[at - 2].is(text, "defined")));
    }

    /// Whether a type stands before it, as in `int N` and `template <int N>`: a macro of that name would break it.
    bool isDeclared(std::size_t at) const {
        if (at == 0 || m_tokens.code[at].inDirective || m_tokens.code[at - 1].kind != CodeToken::Kind::word)
            return false;
        static constexpr std::array<std::string_view, 12> others{
            "return", "else", "case", "sizeof", "new", "throw", "goto", "and", "or", "not", "do", "co_return"};
        return std::find(others.begin(), others.end(), m_tokens.code[at - 1].of(*m_shared)) == others.end();
    }

    Result<std::vector<Space::Restriction>> readAll() const {
        const ExpressionNames names{&m_parameters,
                                    [this](std::string_view name) { return m_definitions.constant(name); }};
        std::vector<Space::Restriction> restrictions;
        for (const std::string& text : m_file.restrictions) {
            TextProblems problems;
            const std::size_t begin = std::min(text.size(), text.find_first_not_of(" \t\r\n"));
            const std::vector<MarkToken> tokens = markTokens(text, begin, text.size(), problems);
            MarkStream stream(tokens);
            std::vector<Space::Restriction> read = readRestrictions(stream, names, m_file.rules, problems);
            while (stream.peek().kind == MarkToken::Kind::line)
                stream.next();
            if (problems.empty() && stream.peek().kind != MarkToken::Kind::end)
                problems.push_back({stream.peek().begin,
                                    stream.peek().end,
                                    "The condition does not go on with " + stream.found() + ".",
                                    {}});
            if (!problems.empty())
                return Error{"bad_input",
                             "The restriction `" + text.substr(0, 200) + "`, column " +
                                 std::to_string(problems[0].begin + 1) + ": " + problems[0].message,
                             problems[0].action};
            for (Space::Restriction& restriction : read)
                restrictions.push_back(std::move(restriction));
        }
        return restrictions;
    }

    std::shared_ptr<const std::string> m_shared;
    CodeTokens m_tokens;
    DefinitionIndex m_definitions;
    TextLines m_lines;
    std::optional<TunableText> m_marked; ///< by the text's own marks
    const FileSpace& m_file;
    std::vector<Parameter> m_parameters;
    std::vector<Target> m_targets;
};

} // namespace

Result<TunableText> spaceOnText(std::string text, const FileSpace& file) {
    return FileBinder(std::move(text), file).run();
}

} // namespace kernelarium::tuning
