// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/UnifiedDiff.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <optional>

namespace kernelarium::session {
namespace {

using Kind = DiffLine::Kind;

struct Line {
    std::string_view text;
    bool endsInLine = true;
    bool operator==(const Line&) const = default;
};

std::vector<Line> split(std::string_view text) {
    std::vector<Line> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const bool whole = end != std::string_view::npos;
        lines.push_back({text.substr(0, end), whole});
        text.remove_prefix(whole ? end + 1 : text.size());
    }
    return lines;
}

using Lines = std::vector<Line>;
using Script = std::vector<DiffLine>;

DiffLine made(Kind kind, const Line& line) {
    return {kind, line.text, line.endsInLine};
}

/// The part of both texts between their common head and tail.
struct Middle {
    const Line* a;
    const Line* b;
    std::ptrdiff_t n;
    std::ptrdiff_t m;
};

/// Row d keeps, for every diagonal k = x - y in -d..d of its parity, how far d edits reach: x.
using Reach = std::vector<std::vector<std::ptrdiff_t>>;

std::ptrdiff_t startOn(const std::vector<std::ptrdiff_t>& previous, std::ptrdiff_t d, std::ptrdiff_t k) {
    const auto at = [&](std::ptrdiff_t diagonal) { return previous[static_cast<std::size_t>(diagonal + d - 1)]; };
    if (d == 0) return 0;
    if (k == -d || (k != d && at(k - 1) < at(k + 1))) return at(k + 1); // a line of b is added
    return at(k - 1) + 1;                                               // a line of a is removed
}

/// Nothing when more than `most` edits are needed. Rows are indexed by k + d.
std::optional<Reach> furthestReach(const Middle& middle, std::ptrdiff_t most) {
    Reach reach;
    const std::vector<std::ptrdiff_t> none;
    for (std::ptrdiff_t d = 0; d <= std::min(most, middle.n + middle.m); ++d) {
        std::vector<std::ptrdiff_t> row(static_cast<std::size_t>(2 * d + 1), -1);
        for (std::ptrdiff_t k = -d; k <= d; k += 2) {
            auto x = startOn(reach.empty() ? none : reach.back(), d, k);
            while (x < middle.n && x - k < middle.m && x - k >= 0 && middle.a[x] == middle.b[x - k])
                ++x;
            row[static_cast<std::size_t>(k + d)] = x;
            if (x >= middle.n && x - k >= middle.m) {
                reach.push_back(std::move(row));
                return reach;
            }
        }
        reach.push_back(std::move(row));
    }
    return std::nullopt;
}

/// Walks from the end to the beginning; the script comes out reversed.
Script backtrack(const Middle& middle, const Reach& reach) {
    Script script;
    auto x = middle.n;
    auto y = middle.m;
    for (auto d = static_cast<std::ptrdiff_t>(reach.size()) - 1; d >= 0; --d) {
        const auto k = x - y;
        const auto start = d == 0 ? 0 : startOn(reach[static_cast<std::size_t>(d - 1)], d, k);
        while (x > start) {
            --x;
            --y;
            script.push_back(made(Kind::context, middle.a[x]));
        }
        if (d == 0) break;
        const auto& previous = reach[static_cast<std::size_t>(d - 1)];
        const auto at = [&](std::ptrdiff_t diagonal) { return previous[static_cast<std::size_t>(diagonal + d - 1)]; };
        const bool added = k == -d || (k != d && at(k - 1) < at(k + 1));
        if (added)
            script.push_back(made(Kind::added, middle.b[--y]));
        else
            script.push_back(made(Kind::removed, middle.a[--x]));
    }
    std::reverse(script.begin(), script.end());
    return script;
}

Script replaceAll(const Middle& middle) {
    Script script;
    for (std::ptrdiff_t i = 0; i < middle.n; ++i)
        script.push_back(made(Kind::removed, middle.a[i]));
    for (std::ptrdiff_t i = 0; i < middle.m; ++i)
        script.push_back(made(Kind::added, middle.b[i]));
    return script;
}

Script wholeScript(const Lines& a, const Lines& b, std::size_t mostEdits) {
    const auto head =
        static_cast<std::size_t>(std::distance(a.begin(), std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first));
    const auto headEnd = static_cast<std::ptrdiff_t>(head);
    const auto tail = static_cast<std::size_t>(
        std::distance(a.rbegin(), std::mismatch(a.rbegin(), a.rend() - headEnd, b.rbegin(), b.rend() - headEnd).first));
    const Middle middle{a.data() + head, b.data() + head, static_cast<std::ptrdiff_t>(a.size() - head - tail),
                        static_cast<std::ptrdiff_t>(b.size() - head - tail)};
    const auto reach = furthestReach(middle, static_cast<std::ptrdiff_t>(mostEdits));
    Script script;
    for (std::size_t i = 0; i < head; ++i)
        script.push_back(made(Kind::context, a[i]));
    const Script changed = reach ? backtrack(middle, *reach) : replaceAll(middle);
    script.insert(script.end(), changed.begin(), changed.end());
    for (std::size_t i = a.size() - tail; i < a.size(); ++i)
        script.push_back(made(Kind::context, a[i]));
    return script;
}

/// From `begin` up to the first place where more than two contexts of equal lines follow, or the end.
std::size_t hunkEnd(const Script& script, std::size_t firstChange, std::size_t context) {
    std::size_t lastChange = firstChange;
    for (std::size_t i = firstChange; i < script.size() && i - lastChange <= 2 * context + 1; ++i)
        if (script[i].kind != Kind::context) lastChange = i;
    return std::min(script.size(), lastChange + context + 1);
}

} // namespace

std::vector<DiffHunk> diff(std::string_view before, std::string_view after, const DiffOptions& options) {
    std::vector<DiffHunk> hunks;
    if (before == after) return hunks;
    const Script script = wholeScript(split(before), split(after), options.mostEdits);
    std::size_t oldLine = 1;
    std::size_t newLine = 1;
    std::size_t done = 0;
    const auto pass = [&](std::size_t end) {
        for (; done < end; ++done) {
            oldLine += script[done].kind != Kind::added ? 1 : 0;
            newLine += script[done].kind != Kind::removed ? 1 : 0;
        }
    };
    for (;;) {
        std::size_t change = done;
        while (change < script.size() && script[change].kind == Kind::context)
            ++change;
        if (change == script.size()) return hunks;
        pass(std::max(done, change - std::min(change, options.context)));
        DiffHunk hunk{oldLine, 0, newLine, 0, {}};
        const auto end = hunkEnd(script, change, options.context);
        hunk.lines.assign(script.begin() + static_cast<std::ptrdiff_t>(done),
                          script.begin() + static_cast<std::ptrdiff_t>(end));
        pass(end);
        hunk.oldCount = oldLine - hunk.oldBegin;
        hunk.newCount = newLine - hunk.newBegin;
        if (hunk.oldCount == 0) --hunk.oldBegin;
        if (hunk.newCount == 0) --hunk.newBegin;
        hunks.push_back(std::move(hunk));
    }
}

std::string unifiedDiff(std::string_view before, std::string_view after, std::string_view beforeName,
                        std::string_view afterName, const DiffOptions& options) {
    const auto hunks = diff(before, after, options);
    if (hunks.empty()) return {};
    std::string text = fmt::format("--- {}\n+++ {}\n", beforeName, afterName);
    for (const auto& hunk : hunks) {
        fmt::format_to(std::back_inserter(text), "@@ -{},{} +{},{} @@\n", hunk.oldBegin, hunk.oldCount, hunk.newBegin,
                       hunk.newCount);
        for (const auto& line : hunk.lines) {
            text += line.kind == Kind::context ? ' ' : line.kind == Kind::removed ? '-' : '+';
            text += line.text;
            text += line.endsInLine ? "\n" : "\n\\ No newline at end of file\n";
        }
    }
    return text;
}

} // namespace kernelarium::session
