// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tuning/MarkSuggestion.h"

#include "core/tuning/space/SpaceText.h"
#include "core/tuning/space/TextConstants.h"
#include "core/tuning/space/TextLines.h"

#include <algorithm>
#include <bit>

namespace kernelarium::ui {

namespace {

std::optional<std::int64_t> powerOfTwo(const tuning::Definition& definition) {
    if (!definition.spot) return std::nullopt;
    const auto* value = std::get_if<std::int64_t>(&definition.spot->own);
    if (!value || *value < 2 || *value > 1024 || !std::has_single_bit(std::uint64_t(*value))) return std::nullopt;
    return *value;
}

} // namespace

std::optional<MarkSuggestion> suggestMark(const std::string& text) {
    constexpr int mostTried = 16;
    if (!tuning::readSpaceText(text).marks.empty()) return std::nullopt;
    const tuning::CodeTokens tokens = tuning::codeTokens(text);
    int tried = 0;
    for (const tuning::Definition& definition : tuning::definitionsOf(text, tokens.code)) {
        const auto value = powerOfTwo(definition);
        if (!value || ++tried > mostTried) continue;
        std::size_t end = std::min(text.find('\n', definition.spot->end), text.size());
        if (end > 0 && text[end - 1] == '\r') --end;
        MarkSuggestion suggestion;
        suggestion.name = definition.name;
        suggestion.mark = "// tune: " + std::to_string(*value / 2) + ", " + std::to_string(*value) + ", " +
                          std::to_string(*value * 2);
        suggestion.line = tuning::TextLines(text).line(definition.nameAt);
        suggestion.text = text.substr(0, end) + " " + suggestion.mark + text.substr(end);
        const tuning::SpaceReading reading = tuning::readSpaceText(suggestion.text);
        if (reading.tunable && reading.problems.empty() && reading.parameters.size() == 1) return suggestion;
    }
    return std::nullopt;
}

} // namespace kernelarium::ui
