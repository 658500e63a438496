// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/SweepCurve.h"

#include "core/quantities/Quantities.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace kernelarium::session {

namespace {

constexpr double width = 860, height = 300, left = 78, right = 16, top = 14, bottom = 40;

class Curve {
public:
    explicit Curve(std::vector<double> values)
        : m_values(std::move(values)) {
        const auto [least, most] = std::minmax_element(m_values.begin(), m_values.end());
        m_low = std::log(*least) - 0.04;
        m_high = std::log(*most) + 0.04;
    }

    std::string svg() {
        add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" "
            "font-size=\"12\" fill=\"#3d454e\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
            width, height);
        axes();
        for (std::size_t i = 0; i < m_values.size(); ++i)
            add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.2\" fill=\"#8a949f\"/>\n", x(double(i + 1)), y(m_values[i]));
        bestLine();
        add("</svg>\n");
        return std::move(m_svg);
    }

private:
    template <class... Args> void add(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(m_svg), format, std::forward<Args>(args)...);
    }
    double x(double look) const { return left + (width - left - right) * (look - 0.5) / double(m_values.size()); }
    double y(double value) const {
        return top + (height - top - bottom) * (m_high - std::log(value)) / (m_high - m_low);
    }

    void axes() {
        constexpr int steps = 4;
        for (int i = 0; i <= steps; ++i) {
            const double value = std::exp(m_low + (m_high - m_low) * i / steps);
            add("<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#dfe3e8\"/>\n"
                "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
                left, width - right, y(value), left - 8, y(value) + 4, quantities::seconds(value));
        }
        add("<text x=\"{}\" y=\"{}\">1</text>\n<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n"
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">points with a time, in the order of the looks</text>\n",
            left, height - 12, width - right, height - 12, quantities::count(double(m_values.size())),
            (left + width - right) / 2, height - 12);
    }

    void bestLine() {
        double best = m_values.front();
        add("<path fill=\"none\" stroke=\"#9a5b00\" stroke-width=\"2\" d=\"M{:.1f} {:.1f}", x(1), y(best));
        for (std::size_t i = 1; i < m_values.size(); ++i) {
            add("H{:.1f}", x(double(i + 1)));
            if (m_values[i] >= best) continue;
            best = m_values[i];
            add("V{:.1f}", y(best));
        }
        add("\"/>\n");
    }

    std::vector<double> m_values;
    double m_low, m_high;
    std::string m_svg;
};

} // namespace

std::string sweepCurveSvg(const std::vector<tuning::Judged>& points) {
    std::vector<double> values;
    for (const tuning::Judged& point : points)
        if (point.ranks() && *point.outcome.value > 0 && std::isfinite(*point.outcome.value))
            values.push_back(*point.outcome.value);
    return values.size() < 2 ? std::string() : Curve(std::move(values)).svg();
}

} // namespace kernelarium::session
