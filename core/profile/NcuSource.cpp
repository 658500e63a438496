// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/NcuSource.h"

#include "core/profile/NcuCsv.h"
#include "core/text/Csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace kernelarium::profile {
namespace {

using Row = std::vector<std::string>;

constexpr std::string_view stallPrefix = "stall_";

/// "1,234" has separators of thousands; "-" is none.
std::optional<double> countOf(std::string text) {
    std::erase(text, ',');
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size() || !std::isfinite(value) ||
        value < 0)
        return std::nullopt;
    return value;
}

/// Where the columns are that are of use.
struct Columns {
    std::size_t count = 0;
    std::size_t samples = 0;
    std::size_t notIssued = 0;
    std::vector<std::pair<std::size_t, std::string>> reasons;
};

std::optional<Columns> columnsOf(const Row& row) {
    if (row.empty() || row.front() != "Line No") return std::nullopt;
    Columns columns;
    columns.count = row.size();
    for (std::size_t i = 1; i < row.size(); ++i) {
        const std::string& name = row[i];
        if (name == "Warp Stall Sampling (All Samples)") columns.samples = i;
        if (name == "Warp Stall Sampling (Not-issued Samples)") columns.notIssued = i;
        // The same again for samples without an issue: "stall_wait (Not Issued)".
        if (name.starts_with(stallPrefix) && name.find(' ') == std::string::npos)
            columns.reasons.emplace_back(i, name.substr(stallPrefix.size()));
    }
    if (columns.samples == 0) return std::nullopt;
    return columns;
}

void sortReasons(LineStalls& line) {
    std::stable_sort(line.reasons.begin(), line.reasons.end(),
                     [](const StallSamples& a, const StallSamples& b) { return a.samples > b.samples; });
}

std::optional<LineStalls> lineFrom(const Row& row, const Columns& columns) {
    LineStalls line;
    const std::string& number = row.front();
    const auto read = std::from_chars(number.data(), number.data() + number.size(), line.line);
    if (read.ec != std::errc() || read.ptr != number.data() + number.size() || line.line <= 0) return std::nullopt;
    const auto at = [&row](std::size_t column) { return column < row.size() ? countOf(row[column]).value_or(0) : 0; };
    line.samples = at(columns.samples);
    if (line.samples <= 0) return std::nullopt;
    if (columns.notIssued > 0) line.notIssued = at(columns.notIssued);
    for (const auto& [column, reason] : columns.reasons)
        if (const double samples = at(column); samples > 0) line.reasons.push_back({reason, samples});
    sortReasons(line);
    return line;
}

} // namespace

Result<std::vector<SourceStalls>> parseNcuSource(std::string_view text) {
    std::vector<SourceStalls> parts;
    std::string file, function;
    std::optional<Columns> columns;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const Row row = text::csvCells(text.substr(start, end - start));
        start = end + 1;
        if (row.size() >= 2 && row[0] == "File Path") {
            file = row[1];
            columns.reset();
        } else if (row.size() >= 2 && row[0] == "Function Name") {
            function = row[1];
            columns.reset();
        } else if (auto head = columnsOf(row)) {
            columns = std::move(head);
            parts.push_back({file, function, {}});
        } else if (columns && row.size() > columns->samples) {
            if (auto line = lineFrom(row, *columns)) parts.back().lines.push_back(std::move(*line));
        }
    }
    if (!parts.empty()) return parts;
    const auto none = parseNcuCsv(text); // it knows why there is no table
    if (!none && none.error().code != "bad_profile") return none.error();
    return Error{"bad_profile", "Nsight Compute's table of samples by source line was expected, and there is none.",
                 "Nsight Compute 2022.2 or newer prints it.", std::string(text.substr(0, 4000))};
}

std::vector<LineStalls> mergedStalls(const std::vector<SourceStalls>& parts, std::string_view file) {
    struct Sum {
        double samples = 0, notIssued = 0;
        std::map<std::string, double> reasons;
    };
    std::map<int, Sum> sums;
    for (const SourceStalls& part : parts) {
        if (!part.file.ends_with(file)) continue;
        for (const LineStalls& line : part.lines) {
            Sum& sum = sums[line.line];
            sum.samples += line.samples;
            sum.notIssued += line.notIssued;
            for (const StallSamples& reason : line.reasons)
                sum.reasons[reason.reason] += reason.samples;
        }
    }
    std::vector<LineStalls> lines;
    for (const auto& [number, sum] : sums) {
        LineStalls line{number, sum.samples, sum.notIssued, {}};
        for (const auto& [reason, samples] : sum.reasons)
            line.reasons.push_back({reason, samples});
        sortReasons(line);
        lines.push_back(std::move(line));
    }
    return lines;
}

std::string_view aboutStall(std::string_view reason) {
    constexpr std::pair<std::string_view, std::string_view> known[] = {
        {"barrier", "the other warps of the block, at a barrier"},
        {"branch_resolving", "a branch's target"},
        {"dispatch", "the dispatcher, which holds the instruction back"},
        {"drain", "stores that have to leave before the warp can end"},
        {"gmma", "the tensor cores' warp-group instructions"},
        {"imc", "constants that the constant cache does not hold"},
        {"lg", "room in the queue to local and global memory"},
        {"long_sb", "data of global, local, surface or texture memory"},
        {"math", "an arithmetic unit that is busy"},
        {"membar", "a memory barrier"},
        {"mio", "room in the queue to shared memory and special functions"},
        {"no_inst", "the instructions themselves, which are not in the cache"},
        {"no_instruction", "the instructions themselves, which are not in the cache"},
        {"not_selected", "nothing: another warp was chosen"},
        {"selected", "nothing: it issued an instruction"},
        {"short_sb", "shared memory, special functions and the like"},
        {"sleep", "the end of a sleep"},
        {"sleeping", "the end of a sleep"},
        {"tex", "room in the queue to the texture unit"},
        {"wait", "the fixed latency of the instruction before"},
        {"warpgroup_arrive", "the other warps of its group"},
    };
    for (const auto& [name, about] : known)
        if (name == reason) return about;
    return {};
}

} // namespace kernelarium::profile
