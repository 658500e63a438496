// SPDX-License-Identifier: GPL-3.0-or-later
//
// Slices as Python writes them.
#include "core/tensorview/Slice.h"

#include <charconv>
#include <fmt/format.h>

namespace kernelarium::tensorview {

namespace {

struct SliceWord {
    std::optional<std::int64_t> first, end;
    bool isRange = false;
};

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

/// A number, or nothing where there is none; false where it is something else.
bool readNumber(std::string_view text, std::optional<std::int64_t>& number) {
    text = trimmed(text);
    if (text.empty()) return true;
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return false;
    number = value;
    return true;
}

Error badText(std::string_view text, const std::string& why, const tensor::Shape& shape) {
    return {"bad_input",
            fmt::format("\"{}\" is no slice of a tensor of shape {}: {}.", text, tensor::toString(shape), why),
            "Give an index or a range for each dimension, at most two ranges: 0, :, 10:20."};
}

} // namespace

Result<SliceRequest> parseSlice(std::string_view whole, const tensor::Shape& shape) {
    std::vector<SliceWord> words;
    std::string_view text = trimmed(whole);
    if (text.size() >= 2 && text.front() == '[' && text.back() == ']') text = text.substr(1, text.size() - 2);
    for (bool more = !trimmed(text).empty(); more;) {
        const std::size_t comma = text.find(',');
        const std::string_view part = trimmed(text.substr(0, comma));
        more = comma != std::string_view::npos;
        if (more) text.remove_prefix(comma + 1);
        SliceWord word;
        const std::size_t colon = part.find(':');
        word.isRange = colon != std::string_view::npos;
        const bool ok =
            word.isRange ? readNumber(part.substr(0, colon), word.first) && readNumber(part.substr(colon + 1), word.end)
                         : !part.empty() && readNumber(part, word.first);
        if (!ok) return badText(whole, fmt::format("\"{}\" is neither an index nor a range", part), shape);
        words.push_back(word);
    }
    if (words.size() > shape.size()) return badText(whole, fmt::format("it has {} indexes", words.size()), shape);
    std::size_t ranges = 0;
    for (const SliceWord& word : words)
        ranges += word.isRange;
    if (ranges > 2) return badText(whole, "it has more than two ranges", shape);
    // The last dimensions are seen, as many as may still be.
    const std::size_t missing = shape.size() - words.size(), open = std::min(missing, 2 - ranges);
    for (std::size_t k = 0; k < missing; ++k)
        words.push_back({k + open < missing ? std::optional<std::int64_t>(0) : std::nullopt, {}, k + open >= missing});
    SliceRequest request;
    request.at.assign(shape.size(), 0);
    std::vector<std::size_t> seen;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const SliceWord& word = words[d];
        const auto wrapped = [&](std::int64_t n) { return n < 0 ? n + shape[d] : n; };
        if (word.isRange) {
            seen.push_back(d);
            continue;
        }
        request.at[d] = wrapped(*word.first);
        if (request.at[d] < 0 || (shape[d] > 0 && request.at[d] >= shape[d]))
            return badText(whole, fmt::format("dimension {} has no index {}", d, *word.first), shape);
    }
    const auto take = [&](std::size_t d, std::int64_t& first, std::int64_t& count) {
        const auto inside = [&](std::int64_t n) {
            return std::clamp<std::int64_t>(n < 0 ? n + shape[d] : n, 0, shape[d]);
        };
        first = inside(words[d].first.value_or(0));
        count = std::max<std::int64_t>(0, inside(words[d].end.value_or(shape[d])) - first);
    };
    if (seen.empty() && !shape.empty()) { // one element
        request.columnDim = shape.size() - 1;
        request.firstColumn = request.at.back();
        request.columns = 1;
    }
    if (!seen.empty()) {
        request.columnDim = seen.back();
        take(seen.back(), request.firstColumn, request.columns);
        if (request.columns == 0 && shape[seen.back()] > 0) return badText(whole, "a range is empty", shape);
    }
    if (seen.size() == 2) {
        request.rowDim = seen.front();
        take(seen.front(), request.firstRow, request.rows);
        if (request.rows == 0 && shape[seen.front()] > 0) return badText(whole, "a range is empty", shape);
    }
    return request;
}

std::string toString(const Slice& slice, const tensor::Shape& shape) {
    std::string text;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (d) text += ", ";
        const bool isRow = slice.rowDim == d, isColumn = slice.columnDim == d;
        if (!isRow && !isColumn) {
            text += std::to_string(d < slice.at.size() ? slice.at[d] : 0);
            continue;
        }
        const std::int64_t first = isRow ? slice.firstRow : slice.firstColumn;
        const std::int64_t count = isRow ? slice.elementRows : slice.elementColumns;
        text += first == 0 && count == shape[d] ? ":" : fmt::format("{}:{}", first, first + count);
    }
    return "[" + text + "]";
}

} // namespace kernelarium::tensorview
