// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hgemm/laboratory/ComparedTable.h"

#include "core/hgemm/family/Templates.h"
#include "core/hgemm/laboratory/CsvLines.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>

namespace kernelarium::hgemm {

namespace {

constexpr std::string_view comparedHeader =
    "device,mnk,mode,ours_us,ours_from,ours_to,ours_noise,autotuned_us,autotuned_from,autotuned_to,autotuned_noise,"
    "heuristic_us,heuristic_noise,cublas_us,cublas_noise";
constexpr std::size_t comparedFields = 15;

/// False: it is neither a positive number nor empty.
bool readPositive(std::string_view text, std::optional<double>& number) {
    number.reset();
    double read = 0;
    if (text.empty()) return true;
    if (!readNumber(text, read) || !std::isfinite(read) || read < 0) return false;
    number = read;
    return true;
}

/// From microseconds, then with `interval` its two ends, then the noise. False: a field is no number.
bool readTime(std::span<const std::string_view> fields, bool interval, std::optional<ComparedTime>& time) {
    std::optional<double> microseconds, from, to, noise;
    const std::size_t last = interval ? 3 : 1;
    if (!readPositive(fields[0], microseconds) || !readPositive(fields[last], noise)) return false;
    if (interval && (!readPositive(fields[1], from) || !readPositive(fields[2], to))) return false;
    if (microseconds && *microseconds <= 0) return false;
    time.reset();
    if (microseconds) time = ComparedTime{*microseconds * 1e-6, noise};
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
        if (f.size() != comparedFields) return bad(i, "it has not fifteen fields.");
        const std::optional<Shape> shape = hgemm::shapeOf(f[1]);
        const std::optional<Mode> mode = modeOf(f[2]);
        if (f[0].empty() || !shape || !mode) return bad(i, "it has no device, shape or mode.");
        ComparedRow row{std::string(f[0]), *shape, *mode, {}, {}, {}, {}};
        const std::span<const std::string_view> all(f);
        if (!readTime(all.subspan(3), true, row.ours) || !readTime(all.subspan(7), true, row.autotuned) ||
            !readTime(all.subspan(11), false, row.heuristic) || !readTime(all.subspan(13), false, row.cublas))
            return bad(i, "a time is no number of microseconds, or a noise no share.");
        rows.push_back(std::move(row));
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

const std::optional<ComparedTime>& RecordedProduct::time(Subject::Kind kind) const {
    switch (kind) {
    case Subject::Kind::cublas: return figures.cublas;
    case Subject::Kind::ltFirst: return figures.heuristic;
    case Subject::Kind::ltFastest: return figures.autotuned;
    case Subject::Kind::family: break;
    }
    return figures.ours;
}

std::optional<double> RecordedProduct::speedup(Subject::Kind library) const {
    const std::optional<ComparedTime>& called = time(fellBack ? Subject::Kind::ltFastest : Subject::Kind::family);
    const std::optional<ComparedTime>& theirs = time(library);
    if (!called || !theirs) return {};
    return theirs->seconds / called->seconds;
}

std::vector<RecordedProduct> recordedProducts(std::string_view device, Mode mode) {
    std::vector<RecordedProduct> products;
    const std::vector<BestRow>& chosen = shippedBestTable();
    for (const ComparedRow& figures : shippedComparedTable()) {
        if (figures.device != device || figures.mode != mode) continue;
        const auto row = std::find_if(chosen.begin(), chosen.end(), [&](const BestRow& r) {
            return r.device == device && r.shape == figures.shape && r.mode == chosenIn(mode) &&
                   !r.configuration.halfSums; // the figures are those of float32 sums
        });
        if (row != chosen.end()) products.push_back({figures, row->configuration, row->fallsBackIn(mode)});
    }
    return products;
}

} // namespace kernelarium::hgemm
