// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/HtmlReport.h"

#include "core/diff/LineDiff.h"
#include "core/files/Base64.h"
#include "core/quantities/Quantities.h"
#include "core/session/HtmlEvidence.h"
#include "core/session/HtmlStyle.h"
#include "core/session/HtmlText.h"
#include "core/text/Html.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <span>
#include <tuple>

namespace kernelarium::session {
namespace {

constexpr std::array origins{Timing::Origin::archived, Timing::Origin::measured, Timing::Origin::modelled};

class Report {
public:
    explicit Report(const ReportInput& input)
        : m_input(input) {}

    std::string text() {
        head();
        attemptTable();
        comparedTimes();
        plots();
        for (const auto& sweep : m_input.sweeps)
            add("{}", sweepHtml(sweep));
        for (const auto& attempt : m_input.attempts)
            section(attempt);
        add("</body>\n</html>\n");
        return std::move(m_html);
    }

private:
    template <class... Args> void add(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(m_html), format, std::forward<Args>(args)...);
    }

    void head() {
        const auto& session = m_input.session;
        const auto name = text::escapedHtml(session.name);
        add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
            "'unsafe-inline'; "
            "img-src data:\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<h1>{}</h1>\n",
            name, reportStyle, name);
        add("<p class=\"muted\">{} of tuning, {} to {}. Made {} by {}.</p>\n",
            m_input.attempts.size() == 1 ? "One attempt" : fmt::format("{} attempts", m_input.attempts.size()),
            utcText(session.startedMs), utcText(session.lastUsedMs), utcText(m_input.madeMs),
            text::escapedHtml(m_input.program));
        add("<p><small><i class=\"mark archived\"></i>archived: published with the kernel. "
            "<i class=\"mark measured\"></i>measured: timed on the device named. "
            "<i class=\"mark modelled\"></i>modelled: computed from counters, no device was "
            "timed.</small></p>\n");
    }

    void attemptTable() {
        add("<h2>Attempts</h2>\n<table>\n<tr><th "
            "class=\"number\">#</th><th>when</th><th>kernel</th><th>name</th>"
            "<th>verdict</th><th>best times</th></tr>\n");
        for (const auto& attempt : m_input.attempts) {
            add("<tr><td class=\"number\"><a "
                "href=\"#attempt-{0}\">{0}</a></td><td>{1}</td><td>{2}</td><td>{3}</td>"
                "<td>{4}</td><td>",
                attempt.id, utcText(attempt.createdMs), text::escapedHtml(attempt.kernelTitle),
                text::escapedHtml(attempt.name), verdictHtml(attempt.verdict));
            for (const auto origin : origins)
                if (const auto* best = attempt.best(origin)) add("<div>{}</div>", timingHtml(*best));
            add("</td></tr>\n");
        }
        add("</table>\n");
    }

    struct TimedAttempt {
        const Attempt* attempt;
        const Timing* timing;
    };

    /// Only times of one kind are compared: of a task, an origin, a device, a size and a way of timing.
    using Kind = std::tuple<std::string, int, std::string, std::string, std::string>;

    static Kind kindOf(const Attempt& attempt, const Timing& timing) {
        const std::string of =
            attempt.task == 0 ? attempt.kernelTitle : fmt::format("task {}/{}", attempt.level, attempt.task);
        return {of, int(timing.origin), timing.device, timing.size, timing.mode};
    }

    void comparedTimes() {
        std::map<Kind, std::vector<TimedAttempt>> kinds;
        for (const auto& attempt : m_input.attempts) {
            std::map<Kind, const Timing*> best;
            for (const auto& timing : attempt.timings)
                if (auto& found = best[kindOf(attempt, timing)]; !found || timing.milliseconds < found->milliseconds)
                    found = &timing;
            for (const auto& [kind, timing] : best)
                kinds[kind].push_back({&attempt, timing});
        }
        std::erase_if(kinds, [](const auto& kind) { return kind.second.size() < 2; });
        if (kinds.empty()) return;
        add("<h2>Times, fastest first</h2>\n");
        for (auto& [kind, timed] : kinds)
            comparedTable(std::get<0>(kind), timed);
    }

    void comparedTable(const std::string& of, std::vector<TimedAttempt>& timed) {
        std::stable_sort(timed.begin(), timed.end(),
                         [](const auto& a, const auto& b) { return a.timing->milliseconds < b.timing->milliseconds; });
        const double fastest = timed.front().timing->milliseconds;
        add("<table>\n<tr><th>{}</th><th>verdict</th><th>time</th><th class=\"number\">of the fastest</th></tr>\n",
            text::escapedHtml(of));
        for (const auto& [attempt, timing] : timed)
            add("<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"number\">{}\xc3\x97</td></tr>\n",
                attemptName(attempt->id), verdictHtml(attempt->verdict), timingHtml(*timing),
                quantities::number(timing->milliseconds / fastest, 3));
        add("</table>\n");
    }

    void plots() {
        for (const auto& plot : m_input.plots)
            add("<h2>{0}</h2>\n<img alt=\"{0}\" src=\"data:image/svg+xml;base64,{1}\">\n",
                text::escapedHtml(plot.title), files::toBase64(std::as_bytes(std::span(plot.svg))));
    }

    void section(const Attempt& attempt) {
        add("<h2 id=\"attempt-{0}\">Attempt {0}{1}{2}</h2>\n<p>{3} <small>{4}, {5}{6}</small></p>\n", attempt.id,
            attempt.name.empty() ? "" : ": ", text::escapedHtml(attempt.name), verdictHtml(attempt.verdict),
            text::escapedHtml(attempt.kernelTitle), utcText(attempt.createdMs),
            attempt.task == 0 ? std::string() : fmt::format(", task {}/{}", attempt.level, attempt.task));
        parents(attempt);
        if (!attempt.notes.empty()) add("<p class=\"notes\">{}</p>\n", text::escapedHtml(attempt.notes));
        add("{}", evidenceHtml(attempt.verdictJson));
        times(attempt);
        difference(attempt);
    }

    /// Both parents of a text that has changes of another kernel.
    void parents(const Attempt& attempt) {
        if (attempt.takenFrom.empty()) return;
        const std::string kernel = text::escapedHtml(attempt.kernelTitle);
        const std::string from = attempt.parent == 0 ? kernel : kernel + ", " + attemptName(attempt.parent);
        std::string others;
        for (const OtherParent& other : attempt.takenFrom) {
            if (!others.empty()) others += "; ";
            others += fmt::format("<span title=\"{}\">{}</span>", text::escapedHtml(other.kernelKey),
                                  text::escapedHtml(other.kernelTitle));
            if (other.attempt != 0) others += ", " + attemptName(other.attempt);
        }
        add("<p class=\"parents\">Edited from {}; changes taken from {}.</p>\n", from, others);
    }

    /// A link where the report has the attempt.
    [[nodiscard]] std::string attemptName(std::int64_t id) const {
        const bool isHere = std::any_of(m_input.attempts.begin(), m_input.attempts.end(),
                                        [id](const Attempt& attempt) { return attempt.id == id; });
        return isHere ? fmt::format("<a href=\"#attempt-{0}\">attempt {0}</a>", id) : fmt::format("attempt {}", id);
    }

    void times(const Attempt& attempt) {
        if (attempt.timings.empty()) return;
        add("<h3>Times</h3>\n<ul>\n");
        auto timings = attempt.timings;
        std::stable_sort(timings.begin(), timings.end(), [](const Timing& a, const Timing& b) {
            return std::tie(a.origin, a.device, a.size, a.milliseconds) <
                   std::tie(b.origin, b.device, b.size, b.milliseconds);
        });
        for (const auto& timing : timings)
            add("<li>{}</li>\n", timingHtml(timing));
        add("</ul>\n");
    }

    void difference(const Attempt& attempt) {
        const auto parent = std::find_if(m_input.attempts.begin(), m_input.attempts.end(), [&](const Attempt& other) {
            return attempt.parent != 0 && other.id == attempt.parent;
        });
        const auto original = m_input.originals.find(attempt.kernelKey);
        if (parent != m_input.attempts.end())
            changes(fmt::format("Changes since attempt {}", parent->id), parent->source, attempt.source);
        else if (original != m_input.originals.end())
            changes("Changes to the original", original->second, attempt.source);
        source(attempt);
    }

    void changes(const std::string& title, const std::string& before, const std::string& after) {
        add("<h3>{}</h3>\n", title);
        const auto hunks = diff::hunks(before, after);
        if (hunks.empty()) {
            add("<p class=\"muted\">None: the text is the same.</p>\n");
            return;
        }
        add("<pre>");
        for (const auto& hunk : hunks) {
            add("<span class=\"place\">@@ -{},{} +{},{} @@</span>", hunk.oldBegin, hunk.oldCount, hunk.newBegin,
                hunk.newCount);
            for (const auto& line : hunk.lines)
                changedLine(line);
        }
        add("</pre>\n");
    }

    void changedLine(const diff::Line& line) {
        const bool same = line.kind == diff::Line::Kind::context;
        const bool added = line.kind == diff::Line::Kind::added;
        add("<span{}>{}{}</span>",
            same    ? ""
            : added ? " class=\"added\""
                    : " class=\"removed\"",
            same    ? ' '
            : added ? '+'
                    : '-',
            text::escapedHtml(line.text));
    }

    void source(const Attempt& attempt) {
        add("<details>\n<summary>The whole source</summary>\n<pre>");
        for (std::string_view line : diff::splitLines(attempt.source)) {
            if (line.ends_with('\n')) line.remove_suffix(1);
            add("<span>{}</span>", text::escapedHtml(line));
        }
        add("</pre>\n</details>\n");
    }

    const ReportInput& m_input;
    std::string m_html;
};

} // namespace

std::string htmlReport(const ReportInput& input) {
    return Report(input).text();
}

} // namespace kernelarium::session
