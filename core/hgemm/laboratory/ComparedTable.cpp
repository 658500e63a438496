// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hgemm/laboratory/ComparedTable.h"

#include "core/hgemm/family/Templates.h"
#include "core/hgemm/laboratory/BestTable.h"
#include "core/hgemm/laboratory/CsvLines.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace kernelarium::hgemm {

namespace {

constexpr std::string_view comparedHeader =
    "device,mnk,mode,ours_us,ours_from,ours_to,autotuned_us,autotuned_from,autotuned_to,heuristic_us,cublas_us";

/// False: it is neither a time nor empty.
bool readMicroseconds(std::string_view text, std::optional<double>& seconds) {
    seconds.reset();
    if (text.empty()) return true;
    double microseconds = 0;
    if (!readNumber(text, microseconds) || !std::isfinite(microseconds) || microseconds <= 0) return false;
    seconds = microseconds * 1e-6;
    return true;
}

} // namespace

Result<std::vector<ComparedRow>> parseComparedTable(std::string_view text) {
    std::vector<ComparedRow> rows;
    const std::vector<std::string_view> lines = linesOf(text);
    const auto bad = [](std::size_t line, const char* what) {
        return Error{"bad_table", fmt::format("Line {}: {}", line + 1, what)};
    };
    if (lines.empty() || lines.front() != comparedHeader) return bad(0, "the header is another one.");
    for (std::size_t i = 1; i < lines.size(); ++i) {
        if (lines[i].empty()) continue;
        const std::vector<std::string_view> f = fieldsOf(lines[i]);
        if (f.size() != 11) return bad(i, "it has not eleven fields.");
        const std::optional<Shape> shape = hgemm::shapeOf(f[1]);
        const std::optional<Mode> mode = modeOf(f[2]);
        if (f[0].empty() || !shape || !mode) return bad(i, "it has no device, shape or mode.");
        std::array<std::optional<double>, 8> times; // ours, autotuned, each with its interval; heuristic, cublas
        for (std::size_t t = 0; t < times.size(); ++t)
            if (!readMicroseconds(f[3 + t], times[t])) return bad(i, "a time is no number of microseconds.");
        rows.push_back({std::string(f[0]), *shape, *mode, times[0], times[3], times[6], times[7]});
    }
    return rows;
}

const std::vector<ComparedRow>& shippedComparedTable() {
    static const std::vector<ComparedRow> rows = [] {
        Result<std::vector<ComparedRow>> read = parseComparedTable(comparedTableCsv());
        return read ? std::move(*read) : std::vector<ComparedRow>();
    }();
    return rows;
}

} // namespace kernelarium::hgemm
