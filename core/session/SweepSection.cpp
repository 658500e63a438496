// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/SweepSection.h"

#include "core/files/Base64.h"
#include "core/quantities/Quantities.h"
#include "core/session/SweepCurve.h"
#include "core/text/Html.h"
#include "core/tuning/strategies/Importance.h"
#include "core/tuning/strategies/SweepTable.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <span>

namespace kernelarium::session {

namespace {

using text::escapedHtml;
using tuning::Judged;
using tuning::Outcome;

constexpr std::size_t mostRows = 10;

class Section {
public:
    explicit Section(const ReportSweep& sweep)
        : m_sweep(sweep)
        , m_table(tuning::tableOf(sweep.space, sweep.points)) {}

    std::string text() {
        add("<h2>Sweep of {}</h2>\n", escapedHtml(m_sweep.label));
        if (!m_sweep.problem.empty()) {
            add("<p class=\"verdict wrong\">{}</p>\n", escapedHtml(m_sweep.problem));
            return std::move(m_html);
        }
        counts();
        best();
        picture();
        importance();
        rows("The best points", bestLines(), false);
        rows("Wrong points", wrongLines(), true);
        return std::move(m_html);
    }

private:
    template <class... Args> void add(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(m_html), format, std::forward<Args>(args)...);
    }

    std::string timeHtml(double seconds) const {
        return fmt::format("<span class=\"time\"><i class=\"mark {}\"></i>{}</span>",
                           m_sweep.measured ? "measured" : "modelled", quantities::seconds(seconds, 4));
    }

    void counts() {
        std::array<std::size_t, 5> counts{};
        for (const Judged& judged : m_sweep.points)
            ++counts[judged.filtered ? 4 : std::size_t(judged.outcome.kind)];
        const std::string leftOut =
            counts[4] > 0 ? fmt::format(", {} left out before they were compiled", counts[4]) : std::string();
        add("<p class=\"muted\">{}{} by {}: {} with a time, {} refused, {} wrong, {} failed{}. Times are {}.</p>\n",
            m_sweep.task.empty() ? std::string() : "Task " + escapedHtml(m_sweep.task) + ". ",
            quantities::counted(double(m_sweep.points.size()), "point"), escapedHtml(m_sweep.strategy), counts[0],
            counts[1], counts[2], counts[3], leftOut, escapedHtml(m_sweep.how));
    }

    const Judged* pointOf(std::size_t rank) const {
        for (const auto& line : m_table.lines)
            if (line.rank == rank) return &m_sweep.points[line.candidate];
        return nullptr;
    }

    void best() {
        const Judged* best = pointOf(1);
        if (!best) {
            add("<p>No point has a time and right results.</p>\n");
            return;
        }
        const std::string startKey = m_sweep.space.key(m_sweep.space.start());
        const auto start = std::find_if(m_sweep.points.begin(), m_sweep.points.end(), [&](const Judged& judged) {
            return judged.candidate.key == startKey && judged.ranks();
        });
        add("<p>Best: {} with <code>{}</code>", timeHtml(*best->outcome.value), escapedHtml(best->candidate.key));
        if (start == m_sweep.points.end())
            add(". The kernel as it stood has no time to compare it with");
        else if (&*start == best || *start->outcome.value <= *best->outcome.value)
            add(": nothing faster than the kernel as it stood was found");
        else
            add(", {} as fast as the kernel as it stood ({})",
                quantities::times(*start->outcome.value / *best->outcome.value), timeHtml(*start->outcome.value));
        add(".</p>\n");
        for (const std::string& remark : m_sweep.remarks)
            add("<p>{}</p>\n", escapedHtml(remark));
    }

    void picture() {
        const std::string svg = sweepCurveSvg(m_sweep.points);
        if (svg.empty()) return;
        add("<img alt=\"Best so far\" src=\"data:image/svg+xml;base64,{}\">\n",
            files::toBase64(std::as_bytes(std::span(svg))));
    }

    void importance() {
        const auto importance = tuning::importanceOf(m_sweep.space, m_sweep.points);
        if (!importance) return;
        add("<p>What matters:");
        for (std::size_t i = 0; i < importance->shares.size(); ++i)
            add("{} {} {}", i == 0 ? "" : ",", escapedHtml(m_sweep.space.parameters()[i].name),
                quantities::percent(importance->shares[i]));
        add(" <small>(a forest that explains {} of the variance)</small></p>\n",
            quantities::percent(std::max(0.0, importance->explained)));
    }

    using Lines = std::vector<const tuning::SweepTable::Line*>;

    Lines bestLines() const {
        Lines lines;
        for (const auto& line : m_table.lines)
            if (line.rank && *line.rank <= mostRows) lines.push_back(&line);
        std::sort(lines.begin(), lines.end(), [](const auto* a, const auto* b) { return *a->rank < *b->rank; });
        return lines;
    }

    Lines wrongLines() const {
        Lines lines;
        for (const auto& line : m_table.lines)
            if (m_sweep.points[line.candidate].outcome.kind == Outcome::Kind::wrong && lines.size() < mostRows)
                lines.push_back(&line);
        return lines;
    }

    void rows(const char* title, const Lines& lines, bool evidence) {
        if (lines.empty()) return;
        add("<h3>{}</h3>\n<table>\n<tr>", title);
        for (const tuning::Parameter& parameter : m_sweep.space.parameters())
            add("<th class=\"number\">{}</th>", escapedHtml(parameter.name));
        add("<th>time</th><th>{}</th></tr>\n", evidence ? "evidence" : "of the best");
        for (const auto* line : lines) {
            const Outcome& outcome = m_sweep.points[line->candidate].outcome;
            add("<tr>");
            for (std::size_t i = 0; i < m_sweep.space.parameters().size(); ++i)
                add("<td class=\"number\">{}</td>", escapedHtml(tuning::textOf(m_sweep.space.value(line->point, i))));
            add("<td>{}</td><td>{}</td></tr>\n", outcome.value ? timeHtml(*outcome.value) : std::string(),
                evidence      ? escapedHtml(outcome.reason)
                : line->ratio ? quantities::times(*line->ratio)
                              : std::string());
        }
        add("</table>\n");
    }

    const ReportSweep& m_sweep;
    tuning::SweepTable m_table;
    std::string m_html;
};

} // namespace

std::string sweepHtml(const ReportSweep& sweep) {
    return Section(sweep).text();
}

} // namespace kernelarium::session
