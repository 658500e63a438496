// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/device/RooflineSvg.h"

#include "core/quantities/Quantities.h"
#include "core/text/Html.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kernelarium::cli {

namespace {

constexpr double chartWidth = 960, chartHeight = 600, areaLeft = 90, areaRight = 930, areaTop = 70, areaBottom = 540;
constexpr const char* memoryColour = "#0072b2";
constexpr const char* computeColour = "#b35900";

struct Range {
    double low = 0, high = 0;
};

/// Places FLOP/byte and FLOP/s in the picture.
class ChartArea {
public:
    ChartArea(Range x, Range y)
        : m_x(x)
        , m_y(y) {}
    [[nodiscard]] double x(double intensity) const {
        return areaLeft + std::log(intensity / m_x.low) / std::log(m_x.high / m_x.low) * (areaRight - areaLeft);
    }
    [[nodiscard]] double y(double rate) const {
        return areaBottom - std::log(rate / m_y.low) / std::log(m_y.high / m_y.low) * (areaBottom - areaTop);
    }
    [[nodiscard]] const Range& xs() const { return m_x; }
    [[nodiscard]] const Range& ys() const { return m_y; }

private:
    Range m_x, m_y;
};

bool drawable(const RooflineMark& mark) {
    const auto positive = [](double v) { return std::isfinite(v) && v > 0; };
    return positive(mark.work.flops) && positive(mark.work.bytes) && positive(mark.work.seconds);
}

ChartArea areaFor(const RooflineChart& chart) {
    double slowest = INFINITY, top = 0;
    for (const auto& roof : chart.datasheet.memory)
        slowest = std::min(slowest, roof.bytesPerSecond);
    for (const auto& roof : chart.datasheet.compute)
        top = std::max(top, roof.flopsPerSecond);
    if (!std::isfinite(slowest) || top <= 0) slowest = 1e12, top = 1e14;
    Range x{0.05, top / slowest * 4}, y{slowest * 0.05 / 4, top * 2};
    for (const RooflineMark& mark : chart.marks) {
        if (!drawable(mark)) continue;
        const double intensity = mark.work.flops / mark.work.bytes, rate = mark.work.flops / mark.work.seconds;
        x = {std::min(x.low, intensity / 2), std::max(x.high, intensity * 2)};
        y = {std::min(y.low, rate / 2), std::max(y.high, rate * 2)};
    }
    return {x, y};
}

std::string textAt(double x, double y, std::string_view anchor, std::string_view style, std::string_view text) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" {}>{}</text>\n", x, y, anchor, style,
                       text::escapedHtml(text));
}

std::string axes(const ChartArea& area) {
    std::string svg;
    for (double decade = std::pow(10, std::ceil(std::log10(area.xs().low))); decade <= area.xs().high; decade *= 10) {
        svg += fmt::format("<path class=\"grid\" d=\"M{0:.1f} {1} V{2}\"/>\n", area.x(decade), areaTop, areaBottom);
        svg += textAt(area.x(decade), areaBottom + 18, "middle", "class=\"muted\"", fmt::format("{:g}", decade));
    }
    for (double decade = std::pow(10, std::ceil(std::log10(area.ys().low))); decade <= area.ys().high; decade *= 10) {
        svg += fmt::format("<path class=\"grid\" d=\"M{1} {0:.1f} H{2}\"/>\n", area.y(decade), areaLeft, areaRight);
        svg += textAt(areaLeft - 8, area.y(decade) + 4, "end", "class=\"muted\"", quantities::si(decade, ""));
    }
    svg += fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", areaLeft, areaTop,
                       areaRight - areaLeft, areaBottom - areaTop);
    svg += textAt((areaLeft + areaRight) / 2, chartHeight - 18, "middle", "", "Arithmetic intensity (FLOP/byte)");
    svg += fmt::format("<text transform=\"translate(22 {}) rotate(-90)\" text-anchor=\"middle\">Performance "
                       "(FLOP/s)</text>\n",
                       (areaTop + areaBottom) / 2);
    return svg;
}

std::string roofs(const ChartArea& area, const perf::Roofline& roofline, bool measured,
                  const std::vector<std::string>& distrusted) {
    std::string svg;
    double top = 0, fastest = 0;
    for (const auto& roof : roofline.compute)
        top = std::max(top, roof.flopsPerSecond);
    for (const auto& roof : roofline.memory)
        fastest = std::max(fastest, roof.bytesPerSecond);
    const char* dash = measured ? "" : " stroke-dasharray=\"7 5\"";
    const auto label = [&](std::string_view name, double rate, std::string_view unit) {
        const bool doubted = std::find(distrusted.begin(), distrusted.end(), name) != distrusted.end();
        return fmt::format("{} {}{}", name, quantities::si(rate, unit),
                           !measured ? ""
                           : doubted ? " measured, unreliable"
                                     : " measured");
    };
    for (const auto& roof : roofline.memory) {
        const double right = top > 0 ? std::min(area.xs().high, top / roof.bytesPerSecond) : area.xs().high;
        const double left = std::max(area.xs().low, area.ys().low / roof.bytesPerSecond);
        if (left >= right) continue;
        const double x1 = area.x(left), y1 = area.y(left * roof.bytesPerSecond), x2 = area.x(right),
                     y2 = area.y(right * roof.bytesPerSecond);
        svg += fmt::format("<path class=\"roof\" stroke=\"{}\"{} d=\"M{:.1f} {:.1f} L{:.1f} {:.1f}\"/>\n", memoryColour,
                           dash, x1, y1, x2, y2);
        svg += fmt::format("<text transform=\"translate({:.1f} {:.1f}) rotate({:.2f})\" fill=\"{}\">{}</text>\n",
                           x1 + (x2 - x1) * 0.08, y1 + (y2 - y1) * 0.08 + (measured ? 14 : -5),
                           std::atan2(y2 - y1, x2 - x1) * 180 / M_PI, memoryColour,
                           text::escapedHtml(label(perf::name(roof.level), roof.bytesPerSecond, "B/s")));
    }
    for (auto roof = roofline.compute.begin(); roof != roofline.compute.end(); ++roof) {
        const double left = std::max(area.xs().low, fastest > 0 ? roof->flopsPerSecond / fastest : area.xs().low);
        const bool isDrawn = std::any_of(roofline.compute.begin(), roof,
                                         [&](const auto& r) { return r.flopsPerSecond == roof->flopsPerSecond; });
        if (left >= area.xs().high || isDrawn) continue;
        std::string text; // of all that are one line
        for (const auto& other : roofline.compute)
            if (other.flopsPerSecond == roof->flopsPerSecond)
                text += (text.empty() ? "" : ", ") + label(perf::name(other.precision), other.flopsPerSecond, "FLOP/s");
        const double y = area.y(roof->flopsPerSecond);
        svg += fmt::format("<path class=\"roof\" stroke=\"{}\"{} d=\"M{:.1f} {:.1f} H{}\"/>\n", computeColour, dash,
                           area.x(left), y, areaRight);
        svg += textAt(areaRight - 6, y + (measured ? 13 : -4), "end", fmt::format("fill=\"{}\"", computeColour), text);
    }
    return svg;
}

std::string markShape(const ChartArea& area, const RooflineMark& mark) {
    const double x = area.x(mark.work.flops / mark.work.bytes), y = area.y(mark.work.flops / mark.work.seconds);
    const char* look = mark.origin == "measured"   ? "fill=\"#00734f\" stroke=\"#00734f\""
                       : mark.origin == "modelled" ? "fill=\"white\" stroke=\"#8a3d74\" stroke-dasharray=\"3 2\""
                                                   : "fill=\"white\" stroke=\"#444\"";
    std::string svg = fmt::format("<g><title>{}: {}, {}{}</title><circle cx=\"{:.1f}\" cy=\"{:.1f}\" "
                                  "r=\"5\" stroke-width=\"1.6\" {}/>",
                                  text::escapedHtml(mark.label), quantities::seconds(mark.work.seconds, 4), mark.origin,
                                  mark.right ? "" : ", not right", x, y, look);
    if (!mark.right)
        svg += fmt::format("<path stroke=\"#b00020\" d=\"M{0:.1f} {2:.1f} L{1:.1f} {3:.1f} M{0:.1f} {3:.1f} "
                           "L{1:.1f} {2:.1f}\"/>",
                           x - 6, x + 6, y - 6, y + 6);
    return svg + "</g>\n";
}

} // namespace

std::string rooflineSvg(const RooflineChart& chart) {
    const ChartArea area = areaFor(chart);
    std::string svg =
        fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\">\n"
                    "<title>{2}</title>\n<style>text{{font:12px sans-serif}}.muted{{fill:#555}}.grid{{stroke:#e4e4e4}}"
                    ".frame{{fill:none;stroke:#888}}.roof{{fill:none;stroke-width:1.6}}</style>\n<rect width=\"{0}\" "
                    "height=\"{1}\" fill=\"white\"/>\n",
                    chartWidth, chartHeight, text::escapedHtml(chart.title));
    svg += textAt(areaLeft, 30, "start", "style=\"font-size:15px\"", chart.title);
    svg += textAt(areaLeft, 52, "start", "class=\"muted\"",
                  "roofs: dashed from the data sheet, solid measured; marks: hollow archived, filled "
                  "measured, dashed modelled, crossed out not right");
    svg += axes(area);
    svg += roofs(area, chart.datasheet, false, {});
    if (chart.measured) svg += roofs(area, *chart.measured, true, chart.distrusted);
    for (const RooflineMark& mark : chart.marks)
        if (drawable(mark)) svg += markShape(area, mark);
    return svg + "</svg>\n";
}

} // namespace kernelarium::cli
