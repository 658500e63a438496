// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hgemm/HgemmTable.h"

#include "core/numbers/Median.h"
#include "core/text/Csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>

namespace kernelarium::hgemm {
namespace {

constexpr std::size_t mostLines = 1'000'000;
constexpr std::size_t mostBaselines = 64;
constexpr std::uintmax_t largestFile = 256u << 20;
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// Why a text is not a table; caught in parseHgemmTable.
struct BadTable {
    std::string reason;
};

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const auto end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

void readName(HgemmTable& table, std::string_view fileName) {
    if (fileName.ends_with(".csv")) fileName.remove_suffix(4);
    const auto parts = split(fileName, '_');
    if (parts.size() < 4 || parts[parts.size() - 2] != "speedup")
        throw BadTable{"the file's name should end in _DEVICE_PRECISION_speedup_MODE.csv"};
    table.mode = parts[parts.size() - 1];
    table.precision = parts[parts.size() - 3];
    table.device = parts[parts.size() - 4];
    for (const auto* part : {&table.mode, &table.precision, &table.device})
        if (part->empty()) throw BadTable{"a part of the file's name is empty"};
    if (table.mode != "offline" && table.mode != "server")
        throw BadTable{fmt::format("the mode in the file's name is offline or server, not '{}'", table.mode)};
}

Shape shapeOf(std::string_view text, std::size_t line) {
    const auto parts = split(text, '_');
    Shape shape;
    std::int64_t* const sizes[] = {&shape.m, &shape.n, &shape.k};
    bool good = parts.size() == 3;
    for (std::size_t i = 0; good && i < 3; ++i) {
        const auto read = std::from_chars(parts[i].data(), parts[i].data() + parts[i].size(), *sizes[i]);
        good = read.ec == std::errc() && read.ptr == parts[i].data() + parts[i].size() && *sizes[i] > 0 &&
               *sizes[i] <= 1 << 24;
    }
    if (!good) throw BadTable{fmt::format("line {}: '{}' should be M_N_K", line, text.substr(0, 60))};
    return shape;
}

double speedupOf(std::string_view text, std::size_t line) {
    if (text.empty()) return missing;
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size() || !std::isfinite(value) || value <= 0)
        throw BadTable{fmt::format("line {}: '{}' is not a speed-up", line, text.substr(0, 60))};
    return value;
}

void readHeader(HgemmTable& table, std::string_view header) {
    const auto columns = text::csvCells(header);
    if (columns.front() != "mnk" || columns.size() < 2) throw BadTable{"the first line should be mnk,BASELINE,..."};
    if (columns.size() > mostBaselines) throw BadTable{fmt::format("there are more than {} columns", mostBaselines)};
    for (std::size_t i = 1; i < columns.size(); ++i) {
        if (columns[i].empty()) throw BadTable{"a column has no name"};
        if (std::find(table.baselines.begin(), table.baselines.end(), columns[i]) != table.baselines.end())
            throw BadTable{fmt::format("the column {} is there twice", columns[i])};
        table.baselines.emplace_back(columns[i]);
    }
    table.speedups.resize(table.baselines.size());
}

void readRow(HgemmTable& table, std::string_view text, std::size_t line, std::set<Shape>& seen) {
    const auto fields = text::csvCells(text);
    if (fields.size() != table.baselines.size() + 1)
        throw BadTable{fmt::format("line {} has {} fields, not {}", line, fields.size(), table.baselines.size() + 1)};
    const Shape shape = shapeOf(fields[0], line);
    if (!seen.insert(shape).second)
        throw BadTable{fmt::format("line {}: the shape {} is there twice", line, fields[0])};
    table.shapes.push_back(shape);
    for (std::size_t i = 1; i < fields.size(); ++i)
        table.speedups[i - 1].push_back(speedupOf(fields[i], line));
}

} // namespace

Result<HgemmTable> parseHgemmTable(std::string_view text, std::string_view fileName) {
    try {
        HgemmTable table;
        table.origin = fileName;
        readName(table, fileName);
        if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
        std::set<Shape> seen;
        std::size_t number = 0;
        while (!text.empty()) {
            const auto end = std::min(text.find('\n'), text.size());
            std::string_view line = text.substr(0, end);
            text.remove_prefix(std::min(end + 1, text.size()));
            if (line.ends_with('\r')) line.remove_suffix(1);
            if (++number > mostLines) throw BadTable{fmt::format("there are more than {} lines", mostLines)};
            if (number == 1)
                readHeader(table, line);
            else if (!line.empty())
                readRow(table, line, number, seen);
        }
        if (table.shapes.empty()) throw BadTable{"there are no shapes in it"};
        return table;
    } catch (const BadTable& bad) {
        return Error{"bad_hgemm", fmt::format("{}: {}.", fileName, bad.reason),
                     "The form of these files is in the help of HGEMM results (F1) and in "
                     "`kernelarium-cli hgemm import --help`."};
    }
}

Result<HgemmTable> readHgemmTable(const std::filesystem::path& path) {
    std::error_code code;
    const bool regular = std::filesystem::is_regular_file(path, code);
    std::ifstream file(path, std::ios::binary);
    if (!regular || !file)
        return Error{"unreadable_file", fmt::format("{} cannot be read.", path.string()),
                     "Check the file's name and that you may read it."};
    if (std::filesystem::file_size(path, code) > largestFile)
        return Error{"bad_hgemm", fmt::format("{} has more than {} MB.", path.string(), largestFile >> 20)};
    std::ostringstream text;
    text << file.rdbuf();
    return parseHgemmTable(text.str(), path.filename().string());
}

std::vector<HgemmSummary> summarise(const HgemmTable& table) {
    std::vector<HgemmSummary> summaries;
    for (std::size_t b = 0; b < table.baselines.size(); ++b) {
        HgemmSummary summary{.baseline = table.baselines[b],
                             .shapes = 0,
                             .geometricMean = missing,
                             .median = missing,
                             .shareSlower = missing,
                             .worst = missing,
                             .worstShape = {},
                             .best = missing,
                             .bestShape = {}};
        std::vector<double> values;
        double logarithms = 0;
        std::int64_t slower = 0;
        for (std::size_t i = 0; i < table.shapes.size(); ++i) {
            const double value = table.speedups[b][i];
            if (std::isnan(value)) continue;
            values.push_back(value);
            logarithms += std::log(value);
            slower += value < 1;
            if (!(value >= summary.worst)) summary.worst = value, summary.worstShape = table.shapes[i];
            if (!(value <= summary.best)) summary.best = value, summary.bestShape = table.shapes[i];
        }
        summary.shapes = std::int64_t(values.size());
        if (!values.empty()) {
            summary.geometricMean = std::exp(logarithms / double(values.size()));
            summary.median = numbers::medianOf(values);
            summary.shareSlower = double(slower) / double(values.size());
        }
        summaries.push_back(std::move(summary));
    }
    return summaries;
}

} // namespace kernelarium::hgemm
