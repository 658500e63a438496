// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/LineDiff.h"

#include <algorithm>

namespace kernelarium::diff {
namespace {

using Lines = std::vector<std::string_view>;

/// Changes with at most twice the context between them.
Hunk hunkOf(const Lines& before, const Lines& after, const Change* first, const Change* last, int context) {
    Hunk hunk;
    const auto add = [&](Line::Kind kind, std::string_view text) {
        const bool whole = text.ends_with('\n');
        if (whole) text.remove_suffix(1);
        hunk.lines.push_back({kind, text, whole});
        hunk.oldCount += kind != Line::Kind::added ? 1 : 0;
        hunk.newCount += kind != Line::Kind::removed ? 1 : 0;
    };
    const int lead = std::min({context, first->oldFirst, first->newFirst});
    int at = first->oldFirst - lead;
    hunk.oldBegin = std::size_t(at) + 1;
    hunk.newBegin = std::size_t(first->newFirst - lead) + 1;
    for (const Change* change = first; change <= last; ++change) {
        for (; at < change->oldFirst; ++at)
            add(Line::Kind::context, before[std::size_t(at)]);
        for (int i = 0; i < change->oldCount; ++i)
            add(Line::Kind::removed, before[std::size_t(at++)]);
        for (int i = 0; i < change->newCount; ++i)
            add(Line::Kind::added, after[std::size_t(change->newFirst + i)]);
    }
    const int end = std::min(at + context, int(before.size()));
    for (; at < end; ++at)
        add(Line::Kind::context, before[std::size_t(at)]);
    if (hunk.oldCount == 0) --hunk.oldBegin;
    if (hunk.newCount == 0) --hunk.newBegin;
    return hunk;
}

} // namespace

std::vector<std::string_view> splitLines(std::string_view text) {
    Lines lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return lines;
}

std::vector<Change> lineDiff(std::string_view before, std::string_view after, const std::stop_token& stop) {
    return listDiff(splitLines(before), splitLines(after), stop);
}

std::vector<Hunk> hunks(std::string_view before, std::string_view after, std::size_t context) {
    const Lines a = splitLines(before), b = splitLines(after);
    const std::vector<Change> changes = listDiff(a, b);
    const int around = int(std::min(context, a.size()));
    std::vector<Hunk> all;
    for (std::size_t i = 0; i < changes.size();) {
        std::size_t last = i;
        while (last + 1 < changes.size() &&
               changes[last + 1].oldFirst - (changes[last].oldFirst + changes[last].oldCount) <= 2 * around)
            ++last;
        all.push_back(hunkOf(a, b, &changes[i], &changes[last], around));
        i = last + 1;
    }
    return all;
}

} // namespace kernelarium::diff
