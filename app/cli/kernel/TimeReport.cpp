// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernel/TimeCommand.h"

#include "app/cli/Output.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::cli {

namespace {

std::string secondsText(double seconds) {
    if (seconds < 1e-3) return fmt::format("{:.2f} us", seconds * 1e6);
    if (seconds < 1) return fmt::format("{:.4f} ms", seconds * 1e3);
    return fmt::format("{:.4f} s", seconds);
}

std::string stepsText(const protocol::TimeSummary& s) {
    if (s.steps.size() < 2) return {};
    TextTable table({{"step", TextTable::Align::left},
                     {"time", TextTable::Align::right},
                     {"grid", TextTable::Align::left},
                     {"block", TextTable::Align::left}});
    const auto three = [](const std::array<std::uint32_t, 3>& v) {
        return v[0] ? fmt::format("{} x {} x {}", v[0], v[1], v[2]) : std::string("-");
    };
    constexpr std::size_t most = 40;
    for (std::size_t i = 0; i < std::min(most, s.steps.size()); ++i)
        table.add({printable(s.steps[i].name), secondsText(s.steps[i].seconds), three(s.steps[i].grid),
                   three(s.steps[i].block)});
    const std::string more =
        s.steps.size() > most ? fmt::format("and {} more\n", s.steps.size() - most) : std::string();
    return "each step by itself, between events:\n" + table.text() + more;
}

std::string serviceText(const protocol::TimeSummary& s) {
    if (s.serviceSeconds.empty()) return {};
    std::vector<double> latency, service = s.serviceSeconds;
    for (const perf::Sample& sample : s.samples)
        latency.push_back(sample.seconds);
    std::sort(latency.begin(), latency.end());
    std::sort(service.begin(), service.end());
    return fmt::format("latency    50% {}, 90% {}, 99% {}; device work of a request {}\n",
                       secondsText(perf::quantile(latency, 0.5)), secondsText(perf::quantile(latency, 0.9)),
                       secondsText(perf::quantile(latency, 0.99)), secondsText(perf::quantile(service, 0.5)));
}

std::string againstText(const protocol::PairedSummary& p) {
    const perf::PairedTimes& t = p.times;
    const bool faster = t.ratio < 1;
    return fmt::format(
        "against    {}: {:.3f} times {}; faster with a probability of {:.4f} ({} of {} pairs won, {} ties; whoever "
        "goes second takes {:+.2f}%)\n",
        printable(p.name), faster ? 1 / t.ratio : t.ratio, faster ? "as fast" : "as slow", t.firstIsFaster, t.firstWins,
        t.pairs, t.ties, (t.orderEffect - 1) * 100);
}

std::string baselinesText(const protocol::TimeSummary& s) {
    std::string text;
    for (const protocol::BaselineSummary& b : s.baselines) {
        const std::string who = printable(b.name + (b.version.empty() ? "" : " (" + b.version + ")"));
        const std::string remark = b.remark.empty() ? "" : "  " + printable(b.remark);
        if (b.summary.count == 0)
            text += fmt::format("baseline   {}: no time.{}\n", who, remark);
        else
            text += fmt::format("baseline   {}: {}, {:.3f} times the kernel's time.{}\n", who,
                                secondsText(b.summary.median),
                                s.summary.median > 0 ? b.summary.median / s.summary.median : 0, remark);
    }
    return text;
}

} // namespace

std::string timeText(const protocol::TimeSummary& s, const std::string& label, const std::string& verdict) {
    std::string text = fmt::format("{}\n{}\n", printable(label), verdict);
    if (s.end != "finished") return text + fmt::format("not timed: {}. {}\n", s.end, printable(s.reason));
    const perf::SampleSummary& m = s.summary;
    if (m.count == 0) return text + fmt::format("no time: {}\n", fmt::join(s.remarks, " "));
    text += fmt::format("median     {}  ({}, {} size{})\n", secondsText(m.median), s.mode, s.size,
                        s.deviceOnly ? "" : ", host code included");
    text += fmt::format("quartiles  {} to {}, {:.0f}% interval of the median {} to {}\n", secondsText(m.lowerQuartile),
                        secondsText(m.upperQuartile), m.confidence * 100, secondsText(m.confidentFrom),
                        secondsText(m.confidentTo));
    text += fmt::format("noise      {:.2f}% of the median, {} samples, {} dropped for their clock\n",
                        m.relativeNoise * 100, m.count, m.dropped);
    text += serviceText(s);
    text +=
        fmt::format("device     {}, {}, driver {}\n", s.device,
                    m.medianClockMHz > 0 ? fmt::format("{:.0f} MHz", m.medianClockMHz) : "clock not known", s.driver);
    text += fmt::format("memory     {:.3f} GB at most{}\n", double(s.peakBytes) / 1e9,
                        s.joulesPerCall ? fmt::format(", {:.4g} J a call of the whole card", *s.joulesPerCall)
                                        : std::string());
    text += baselinesText(s);
    if (s.against) text += againstText(*s.against);
    text += stepsText(s);
    for (const std::string& remark : s.remarks)
        text += "note: " + printable(remark) + "\n";
    return text;
}

} // namespace kernelarium::cli
