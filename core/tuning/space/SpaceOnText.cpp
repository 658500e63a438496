// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/SpaceOnText.h"

#include "core/tuning/space/LineSubjects.h"
#include "core/tuning/space/Marks.h"
#include "core/tuning/space/TextLines.h"

#include <algorithm>
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
        std::optional<Value> own;
        std::string wrong;
        if (isSetting(parameter.name)) {
            const bool registers = parameter.name == "registers";
            CompileSetting setting;
            setting.kind = registers ? CompileSetting::Kind::registers : CompileSetting::Kind::fastMath;
            wrong = fitSetting(parameter.values, setting.kind).value_or("");
            own = registers ? Value(std::int64_t(0)) : Value(false);
            m_targets.emplace_back(setting);
        } else {
            Result<Target> target = targetOf(parameter.name);
            if (!target) return target.error();
            if (const auto* spot = std::get_if<Spot>(&*target)) {
                wrong = fitValues(parameter.values, *spot).value_or("");
                own = spot->own;
            }
            m_targets.push_back(*std::move(target));
        }
        if (!wrong.empty()) return Error{"bad_input", "`" + parameter.name + "`: " + wrong};
        const auto at =
            own ? std::find(parameter.values.begin(), parameter.values.end(), *own) : parameter.values.end();
        if (!startGiven && at != parameter.values.end()) parameter.start = std::size_t(at - parameter.values.begin());
        m_parameters.push_back(std::move(parameter));
        return {};
    }

    Result<Target> targetOf(const std::string& name) const {
        const std::vector<const Definition*> found = m_definitions.named(name);
        if (found.size() == 1 && found[0]->spot) return Target(*found[0]->spot);
        if (isLeftToMacro(name, !found.empty())) return Target(CompileMacro{name});
        if (found.empty())
            return Error{"bad_input", "The text has no `" + name + "`.",
                         "A parameter sets a constant of the text, or a macro that it uses and leaves to -D."};
        if (found.size() == 1)
            return Error{"bad_input", "`" + name + "` is `" + found[0]->body + "` on line " +
                                          std::to_string(m_lines.line(found[0]->nameAt)) + ", which is no literal."};
        return Error{"bad_input", "`" + name + "` is defined on lines " +
                                      std::to_string(m_lines.line(found[0]->nameAt)) + " and " +
                                      std::to_string(m_lines.line(found[1]->nameAt)) + "."};
    }

    /// Whether the text uses a name and does not define it, or asks whether it is defined.
    bool isLeftToMacro(const std::string& name, bool isDefined) const {
        const std::vector<CodeToken>& code = m_tokens.code;
        const std::string_view text = *m_shared;
        for (std::size_t i = 0; i < code.size(); ++i) {
            if (code[i].kind != CodeToken::Kind::word || code[i].of(text) != name) continue;
            if (!isDefined) return true;
            if (i >= 1 && code[i - 1].inDirective &&
                (code[i - 1].is(text, "ifndef") || code[i - 1].is(text, "defined") ||
                 (i >= 2 && code[i - 1].is(text, "(") && code[i - 2].is(text, "defined"))))
                return true;
        }
        return false;
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
    const FileSpace& m_file;
    std::vector<Parameter> m_parameters;
    std::vector<Target> m_targets;
};

} // namespace

Result<TunableText> spaceOnText(std::string text, const FileSpace& file) {
    return FileBinder(std::move(text), file).run();
}

} // namespace kernelarium::tuning
