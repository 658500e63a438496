// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/PointText.h"

#include <algorithm>
#include <vector>

namespace kernelarium::tuning {

namespace {

struct TextReplacement {
    std::size_t begin;
    std::size_t end;
    std::string with;
};

bool joinsWords(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
}

/// Puts values where they belong: into the text or the settings.
class PointWriter {
public:
    PointWriter(const std::string& text, PointText& out)
        : m_text(text)
        , m_out(out) {}

    void set(const Value& value, bool isStart, const Target& target) {
        if (const auto* spot = std::get_if<Spot>(&target)) {
            if (value != spot->own) replace(*spot, value);
        } else if (const auto* setting = std::get_if<CompileSetting>(&target)) {
            set(value, isStart, *setting);
        } else {
            macro(std::get<CompileMacro>(target).name, textOf(value));
        }
    }

    void finish() {
        std::sort(m_replacements.begin(), m_replacements.end(),
                  [](const TextReplacement& a, const TextReplacement& b) { return a.begin < b.begin; });
        std::size_t at = 0;
        for (const TextReplacement& r : m_replacements) {
            m_out.text.append(m_text, at, r.begin - at);
            m_out.text += r.with;
            at = r.end;
        }
        m_out.text.append(m_text, at);
    }

    void macro(const std::string& name, const std::string& value) {
        forget(name);
        m_out.settings.macros.push_back("-D" + name + "=" + value);
    }

    /// A macro of a parameter's name would hide what the point says.
    void forget(const std::string& name) {
        const std::string defined = "-D" + name, undefined = "-U" + name;
        std::erase_if(m_out.settings.macros, [&](const std::string& former) {
            return former == defined || former == undefined || former.starts_with(defined + "=") ||
                   former.starts_with(defined + "(");
        });
    }

private:
    void replace(const Spot& spot, const Value& value) {
        std::string with = textOf(value);
        if (value.index() < 2) with += spot.suffix;
        if (spot.behindValue && with.front() == '-') with = "(" + with + ")";
        const char before = spot.begin > 0 ? m_text[spot.begin - 1] : ' ';
        const char first = with.front();
        if ((joinsWords(before) && joinsWords(first)) || (before == first && (first == '-' || first == ':')))
            with.insert(0, 1, ' ');
        m_replacements.push_back({spot.begin, spot.end, std::move(with)});
    }

    void set(const Value& value, bool isStart, const CompileSetting& setting) {
        if (setting.kind == CompileSetting::Kind::fastMath)
            m_out.fastMath = std::get<bool>(value);
        else
            m_out.settings.maxRegisters = int(std::get<std::int64_t>(value));
        if (isStart || !setting.inText) return;
        if (setting.ownBegin < setting.ownEnd)
            m_replacements.push_back({setting.ownBegin, setting.ownEnd, textOf(value)});
        else
            m_replacements.push_back({setting.nameEnd, setting.nameEnd, " = " + textOf(value)});
    }

    const std::string& m_text;
    PointText& m_out;
    std::vector<TextReplacement> m_replacements;
};

} // namespace

PointText pointText(const TunableText& tunable, const Point& point, const text::CompilerSettings& settings,
                    bool fastMath) {
    PointText out{{}, settings, fastMath || tunable.fastMath};
    PointWriter writer(*tunable.text, out);
    for (const std::string& macro : tunable.settings.macros) {
        writer.forget(macro.substr(2, macro.find_first_of("=(") - 2));
        out.settings.macros.push_back(macro);
    }
    if (tunable.settings.maxRegisters > 0) out.settings.maxRegisters = tunable.settings.maxRegisters;
    const std::vector<Parameter>& parameters = tunable.space.parameters();
    for (const Parameter& parameter : parameters)
        writer.forget(parameter.name);
    for (std::size_t i = 0; i < parameters.size(); ++i)
        writer.set(tunable.space.value(point, i), point.at[i] == parameters[i].start, tunable.targets[i]);
    writer.finish();
    return out;
}

} // namespace kernelarium::tuning
