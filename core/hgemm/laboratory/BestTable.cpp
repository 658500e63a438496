// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hgemm/laboratory/BestTable.h"

#include "core/hgemm/family/Templates.h"
#include "core/hgemm/laboratory/CsvLines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <tuple>

namespace kernelarium::hgemm {

namespace {

constexpr std::string_view header = "device,mnk,mode,seconds,autotuned,configuration";

Error badLine(std::size_t number, std::string_view what) {
    return {"bad_table", fmt::format("Line {}: {}", number + 1, what), "See the form in `hgemm tune --help`."};
}

/// Error: what is wrong with it.
Result<BestRow> rowOf(const std::vector<std::string_view>& f) {
    const auto bad = [](std::string what) { return Error{"bad_table", std::move(what)}; };
    BestRow row;
    row.device = f[0];
    if (row.device.empty()) return bad("the device has no name.");
    const std::optional<Shape> shape = hgemm::shapeOf(f[1]);
    if (!shape) return bad(fmt::format("`{}` is no shape like 64_128_1024.", f[1]));
    const std::optional<Mode> mode = modeOf(f[2]);
    if (!mode) return bad(fmt::format("`{}` is no mode.", f[2]));
    if (!readNumber(f[3], row.seconds) || !std::isfinite(row.seconds) || row.seconds <= 0)
        return bad(fmt::format("`{}` is no time of ours in seconds.", f[3]));
    if (!readNumber(f[4], row.autotuned) || !std::isfinite(row.autotuned) || row.autotuned < 0)
        return bad(fmt::format("`{}` is no time of cuBLASLt in seconds; 0 where there is none.", f[4]));
    const std::optional<Configuration> configuration = configurationOf(f[5]);
    if (!configuration) return bad("the last field is no configuration.");
    if (const std::string why = refusal(*configuration, *shape); !why.empty())
        return bad(fmt::format("there is no such kernel for {}. {}", f[1], why));
    row.shape = *shape;
    row.mode = *mode;
    row.configuration = *configuration;
    return row;
}

/// Of tables and lists, whatever they are given as: a pipe has no size.
Result<std::string> contentOf(const std::filesystem::path& path) {
    constexpr std::size_t mostBytes = 64u << 20, atOnce = 1u << 16;
    std::error_code problem;
    if (std::filesystem::is_directory(path, problem))
        return Error{"unreadable_file", path.string() + " is a folder.", "Name a file."};
    std::ifstream in(path, std::ios::binary);
    std::string all;
    while (in && all.size() <= mostBytes) {
        const std::size_t before = all.size();
        all.resize(before + atOnce);
        in.read(all.data() + before, std::streamsize(atOnce));
        all.resize(before + std::size_t(in.gcount()));
    }
    if (all.size() > mostBytes)
        return Error{"bad_table", path.string() + " has more than 64 MB.", "Name a table, or a list of shapes."};
    if (!in.eof()) return Error{"unreadable_file", "Cannot read " + path.string() + ".", "Name a file that exists."};
    return all;
}

double distance(const Shape& a, const Shape& b) {
    const auto apart = [](std::int64_t x, std::int64_t y) { return std::abs(std::log(double(x) / double(y))); };
    return apart(a.m, b.m) + apart(a.n, b.n) + apart(a.k, b.k);
}

} // namespace

Result<std::vector<BestRow>> parseBestTable(std::string_view text) {
    std::vector<BestRow> rows;
    std::set<std::tuple<std::string, Shape, Mode, Layout, bool>> seen;
    const std::vector<std::string_view> lines = linesOf(text);
    if (lines.empty() || lines.front() != header) return badLine(0, fmt::format("the header is not {}.", header));
    for (std::size_t i = 1; i < lines.size(); ++i) {
        if (lines[i].empty()) continue;
        const std::vector<std::string_view> f = fieldsOf(lines[i]);
        if (f.size() != 6) return badLine(i, "it has not six fields.");
        Result<BestRow> row = rowOf(f);
        if (!row) return badLine(i, row.error().message);
        const Configuration& c = row->configuration;
        if (!seen.emplace(row->device, row->shape, row->mode, c.layout, c.halfSums).second)
            return badLine(i, "its device has that shape already, in that mode, layout and kind of sums.");
        rows.push_back(std::move(*row));
    }
    return rows;
}

Result<std::vector<BestRow>> readBestTable(const std::filesystem::path& path) {
    const Result<std::string> text = contentOf(path);
    if (!text) return text.error();
    return parseBestTable(*text);
}

std::string bestTableText(std::span<const BestRow> rows) {
    std::string text = fmt::format("{}\n", header);
    for (const BestRow& r : rows)
        text += fmt::format("{},{}_{}_{},{},{:.4e},{:.4e},{}\n", r.device, r.shape.m, r.shape.n, r.shape.k,
                            name(r.mode), r.seconds, r.autotuned, r.configuration.key());
    return text;
}

const std::vector<BestRow>& shippedBestTable() {
    static const std::vector<BestRow> rows = [] {
        Result<std::vector<BestRow>> read = parseBestTable(bestTableCsv());
        return read ? std::move(*read) : std::vector<BestRow>();
    }();
    return rows;
}

Mode chosenIn(Mode mode) {
    return mode == Mode::server ? Mode::cold : mode == Mode::offline ? Mode::hot : mode;
}

const BestRow* bestFor(std::span<const BestRow> rows, const Shape& shape, Mode mode, bool halfSums) {
    const BestRow* best = nullptr;
    double least = 0;
    for (const BestRow& row : rows) {
        const Configuration& c = row.configuration;
        if (row.mode != chosenIn(mode) || c.halfSums != halfSums || !refusal(c, shape).empty()) continue;
        const double far = distance(row.shape, shape);
        if (best && far >= least) continue;
        best = &row;
        least = far;
    }
    return best;
}

std::optional<Shape> shapeOf(std::string_view text) {
    std::array<std::int64_t, 3> extents{};
    std::size_t count = 0;
    for (;;) {
        const std::size_t end = text.find_first_of("x_");
        if (count == 3 || !readNumber(text.substr(0, end), extents[count]) || extents[count] < 1) return {};
        ++count;
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    if (count == 1) return Shape{extents[0], extents[0], extents[0]};
    if (count == 3) return Shape{extents[0], extents[1], extents[2]};
    return {};
}

Result<std::vector<Shape>> readShapes(const std::filesystem::path& path) {
    const Result<std::string> text = contentOf(path);
    if (!text) return text.error();
    const std::vector<std::string_view> lines = linesOf(*text);
    std::vector<Shape> shapes;
    std::size_t column = 0, first = 0;
    if (!lines.empty() && !shapeOf(fieldsOf(lines[0])[0])) {
        const std::vector<std::string_view> names = fieldsOf(lines[0]);
        const auto at = std::find(names.begin(), names.end(), "mnk");
        if (at == names.end()) return badLine(0, "it is no shape, and names no column mnk.");
        column = std::size_t(at - names.begin());
        first = 1;
    }
    for (std::size_t i = first; i < lines.size(); ++i) {
        if (lines[i].empty()) continue;
        const std::vector<std::string_view> f = fieldsOf(lines[i]);
        const std::optional<Shape> shape = column < f.size() ? shapeOf(f[column]) : std::nullopt;
        if (!shape) return badLine(i, "it has no shape like 64_128_1024.");
        shapes.push_back(*shape);
    }
    return shapes;
}

} // namespace kernelarium::hgemm
