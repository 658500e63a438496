// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensorview/Query.h"

#include <nlohmann/json.hpp>

namespace kernelarium::tensorview {

namespace {

using nlohmann::json;

template <class T> json orNull(const std::optional<T>& value) {
    return value ? json(*value) : json(nullptr);
}
template <class T> std::optional<T> queryPart(const json& j, const char* key) {
    if (!j.contains(key) || j.at(key).is_null()) return std::nullopt;
    return j.at(key).get<T>();
}

json sliceRequestJson(const SliceRequest& r) {
    return {{"at", r.at},
            {"row_dim", orNull(r.rowDim)},
            {"column_dim", orNull(r.columnDim)},
            {"first_row", r.firstRow},
            {"rows", r.rows},
            {"first_column", r.firstColumn},
            {"columns", r.columns},
            {"most_rows", r.mostRows},
            {"most_columns", r.mostColumns},
            {"join", r.join == Join::largest ? "largest" : "mean"}};
}

SliceRequest sliceRequestFrom(const json& j) {
    SliceRequest r;
    r.at = j.at("at").get<tensor::Shape>();
    r.rowDim = queryPart<std::size_t>(j, "row_dim");
    r.columnDim = queryPart<std::size_t>(j, "column_dim");
    r.firstRow = j.at("first_row").get<std::int64_t>();
    r.rows = j.at("rows").get<std::int64_t>();
    r.firstColumn = j.at("first_column").get<std::int64_t>();
    r.columns = j.at("columns").get<std::int64_t>();
    r.mostRows = j.at("most_rows").get<std::int64_t>();
    r.mostColumns = j.at("most_columns").get<std::int64_t>();
    r.join = j.at("join").get<std::string>() == "largest" ? Join::largest : Join::mean;
    return r;
}

} // namespace

bool Query::asksForReference() const {
    const bool looksAt = statistics || histogram || slice;
    return (looksAt && (subject.role == Role::reference || subject.role == Role::difference)) || worst > 0;
}

const Entry* Answer::find(const Subject& subject) const {
    for (const Entry& entry : tensors)
        if (entry.subject == subject) return &entry;
    return nullptr;
}

json toJson(const Query& q) {
    json j = {{"subject", toString(q.subject)},
              {"statistics", q.statistics},
              {"worst", q.worst},
              {"slice_text", q.sliceText},
              {"writer_of", orNull(q.writerOf)},
              {"written", q.written},
              {"near", q.near}};
    if (q.histogram)
        j["histogram"] = {
            {"bins", q.histogram->bins}, {"low", orNull(q.histogram->low)}, {"high", orNull(q.histogram->high)}};
    if (q.slice) j["slice"] = sliceRequestJson(*q.slice);
    if (q.writtenBy)
        j["written_by"] = {{"line", q.writtenBy->line},
                           {"launch", orNull(q.writtenBy->launch)},
                           {"block", orNull(q.writtenBy->block)},
                           {"thread", orNull(q.writtenBy->thread)}};
    return j;
}

Result<Query> queryFromJson(const json& j) {
    using Place = std::array<std::uint32_t, 3>;
    Query q;
    try {
        Result<Subject> subject = parseSubject(j.at("subject").get<std::string>());
        if (!subject) return subject.error();
        q.subject = *subject;
        q.statistics = j.at("statistics").get<bool>();
        q.worst = j.at("worst").get<std::size_t>();
        q.sliceText = j.at("slice_text").get<std::string>();
        q.writerOf = queryPart<tensor::Shape>(j, "writer_of");
        q.written = std::min(j.at("written").get<std::size_t>(), Query::mostWritten);
        q.near = j.at("near").get<std::int64_t>();
        if (j.contains("histogram")) {
            const json& h = j.at("histogram");
            q.histogram = {h.at("bins").get<int>(), queryPart<double>(h, "low"), queryPart<double>(h, "high")};
        }
        if (j.contains("slice")) q.slice = sliceRequestFrom(j.at("slice"));
        if (j.contains("written_by")) {
            const json& w = j.at("written_by");
            q.writtenBy = {w.at("line").get<int>(), queryPart<std::uint32_t>(w, "launch"), queryPart<Place>(w, "block"),
                           queryPart<Place>(w, "thread")};
        }
    } catch (const std::exception& failure) {
        return Error{"bad_request", std::string("Not a question about tensors: ") + failure.what()};
    }
    return q;
}

} // namespace kernelarium::tensorview
