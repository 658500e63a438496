// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensorview/Query.h"

#include "core/tensor/Limits.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace kernelarium::tensorview {

namespace {

using nlohmann::json;

json number(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;
}
double readNumber(const json& j) {
    if (!j.is_string()) return j.get<double>();
    const std::string text = j.get<std::string>();
    if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (text != "inf" && text != "-inf") throw std::invalid_argument("not a number: " + text);
    return text == "inf" ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
}
void require(bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
}

json entryJson(const Entry& e) {
    return {{"tensor", toString(e.subject)}, {"name", e.name}, {"dtype", tensor::name(e.dtype)}, {"shape", e.shape}};
}
Entry entryFrom(const json& j) {
    const Result<Subject> subject = parseSubject(j.at("tensor").get<std::string>());
    const auto dtype = tensor::parseDType(j.at("dtype").get<std::string>());
    require(subject && dtype, "a tensor's name or type");
    Entry e{*subject, j.at("name").get<std::string>(), *dtype, j.at("shape").get<tensor::Shape>()};
    for (const std::int64_t size : e.shape)
        require(size >= 0, "a negative size");
    return e;
}

json statisticsJson(const Statistics& s) {
    json j = {{"elements", s.elements},
              {"nan", s.nans},
              {"inf", s.infinities},
              {"negative_inf", s.negativeInfinities},
              {"zeros", s.zeros}};
    if (const auto& f = s.finite)
        j["finite"] = {{"smallest", f->smallest},    {"largest", f->largest},   {"smallest_at", f->smallestAt},
                       {"largest_at", f->largestAt}, {"mean", number(f->mean)}, {"deviation", number(f->deviation)},
                       {"rms", number(f->rms)}};
    return j;
}
Statistics statisticsFrom(const json& j) {
    Statistics s;
    s.elements = j.at("elements").get<std::int64_t>();
    s.nans = j.at("nan").get<std::int64_t>();
    s.infinities = j.at("inf").get<std::int64_t>();
    s.negativeInfinities = j.at("negative_inf").get<std::int64_t>();
    s.zeros = j.at("zeros").get<std::int64_t>();
    if (j.contains("finite")) {
        const json& f = j.at("finite");
        s.finite = {f.at("smallest").get<double>(),
                    f.at("largest").get<double>(),
                    f.at("smallest_at").get<std::int64_t>(),
                    f.at("largest_at").get<std::int64_t>(),
                    readNumber(f.at("mean")),
                    readNumber(f.at("deviation")),
                    readNumber(f.at("rms"))};
    }
    return s;
}

json histogramJson(const Histogram& h) {
    return {{"low", h.low},     {"high", h.high},   {"counts", h.counts},
            {"below", h.below}, {"above", h.above}, {"not_finite", h.notFinite}};
}
Histogram histogramFrom(const json& j) {
    Histogram h{j.at("low").get<double>(),
                j.at("high").get<double>(),
                j.at("counts").get<std::vector<std::int64_t>>(),
                j.at("below").get<std::int64_t>(),
                j.at("above").get<std::int64_t>(),
                j.at("not_finite").get<std::int64_t>()};
    require(h.counts.size() <= std::size_t(HistogramRequest::mostBins), "too many bins");
    for (const std::int64_t count : h.counts)
        require(count >= 0, "a negative count");
    return h;
}

json sliceJson(const Slice& s) {
    json values = json::array();
    for (const double value : s.values)
        values.push_back(number(value));
    json j = {{"row_dim", s.rowDim ? json(*s.rowDim) : json(nullptr)},
              {"column_dim", s.columnDim ? json(*s.columnDim) : json(nullptr)},
              {"at", s.at},
              {"first_row", s.firstRow},
              {"first_column", s.firstColumn},
              {"element_rows", s.elementRows},
              {"element_columns", s.elementColumns},
              {"row_step", s.rowStep},
              {"column_step", s.columnStep},
              {"rows", s.rows},
              {"columns", s.columns},
              {"values", std::move(values)}};
    if (!s.exact.empty()) j["exact"] = s.exact;
    return j;
}
Slice sliceFrom(const json& j) {
    Slice s;
    s.at = j.at("at").get<tensor::Shape>();
    if (!j.at("row_dim").is_null()) s.rowDim = j.at("row_dim").get<std::size_t>();
    if (!j.at("column_dim").is_null()) s.columnDim = j.at("column_dim").get<std::size_t>();
    require((!s.rowDim || *s.rowDim < s.at.size()) && (!s.columnDim || *s.columnDim < s.at.size()),
            "a dimension that is not there");
    s.firstRow = j.at("first_row").get<std::int64_t>();
    s.firstColumn = j.at("first_column").get<std::int64_t>();
    s.elementRows = j.at("element_rows").get<std::int64_t>();
    s.elementColumns = j.at("element_columns").get<std::int64_t>();
    s.rowStep = j.at("row_step").get<std::int64_t>();
    s.columnStep = j.at("column_step").get<std::int64_t>();
    s.rows = j.at("rows").get<std::int64_t>();
    s.columns = j.at("columns").get<std::int64_t>();
    const json& values = j.at("values");
    const bool sides = s.rows >= 0 && s.columns >= 0 && s.rows <= SliceRequest::mostCells &&
                       s.columns <= SliceRequest::mostCells && s.rowStep > 0 && s.columnStep > 0;
    // Indexes are computed from these.
    for (const std::int64_t number :
         {s.firstRow, s.firstColumn, s.rowStep, s.columnStep, s.elementRows, s.elementColumns})
        require(number >= 0 && number <= tensor::largestDimension, "a slice's place");
    require(sides && values.size() <= std::size_t(SliceRequest::mostCells) &&
                values.size() == std::size_t(s.rows * s.columns),
            "a slice's cells do not fill its rows and columns");
    for (const json& value : values)
        s.values.push_back(readNumber(value));
    if (j.contains("exact")) s.exact = j.at("exact").get<std::vector<std::int64_t>>();
    require(s.exact.empty() || s.exact.size() == s.values.size(), "a slice's exact values");
    return s;
}

json wrongJson(const WrongElements& w) {
    json worst = json::array();
    for (const WrongElement& e : w.worst)
        worst.push_back({{"element", e.element},
                         {"got", number(e.got)},
                         {"expected", number(e.expected)},
                         {"excess", number(e.excess)}});
    return {{"elements", w.elements}, {"wrong", w.wrong}, {"worst", std::move(worst)}};
}
WrongElements wrongFrom(const json& j) {
    WrongElements w;
    w.elements = j.at("elements").get<std::int64_t>();
    w.wrong = j.at("wrong").get<std::int64_t>();
    for (const json& e : j.at("worst"))
        w.worst.push_back({e.at("element").get<std::int64_t>(), readNumber(e.at("got")), readNumber(e.at("expected")),
                           float(readNumber(e.at("excess")))});
    require(w.worst.size() <= WrongElements::mostElements, "too many wrong elements");
    return w;
}

json writerJson(const verify::WriterInfo& w) {
    using Kind = verify::WriterInfo::Kind;
    json j = {{"kind", w.kind == Kind::kernel ? "kernel" : w.kind == Kind::call ? "call" : "never"}, {"line", w.line}};
    if (w.kind == Kind::call) j["call"] = w.call;
    if (w.kind != Kind::kernel) return j;
    j["kernel"] = w.kernel;
    j["block"] = w.block;
    j["thread"] = w.thread;
    j["block_size"] = w.blockSize;
    j["launch"] = w.launch ? json(*w.launch) : json(nullptr);
    return j;
}
verify::WriterInfo writerFrom(const json& j) {
    using Kind = verify::WriterInfo::Kind;
    verify::WriterInfo w;
    const std::string kind = j.at("kind").get<std::string>();
    w.kind = kind == "kernel" ? Kind::kernel : kind == "call" ? Kind::call : Kind::never;
    w.line = j.at("line").get<int>();
    if (w.kind == Kind::call) w.call = j.at("call").get<std::string>();
    if (w.kind != Kind::kernel) return w;
    w.kernel = j.at("kernel").get<std::string>();
    w.block = j.at("block").get<std::array<std::uint32_t, 3>>();
    w.thread = j.at("thread").get<std::array<std::uint32_t, 3>>();
    w.blockSize = j.at("block_size").get<std::array<std::uint32_t, 3>>();
    if (!j.at("launch").is_null()) w.launch = j.at("launch").get<std::uint32_t>();
    return w;
}

json storyJson(const Story& s) {
    json stores = json::array();
    for (const verify::ElementStore& store : s.history.list)
        stores.push_back({{"writer", writerJson(store.writer)}, {"before", number(store.before)}});
    return {{"index", s.index},
            {"value", number(s.value)},
            {"expected", s.expected ? number(*s.expected) : json(nullptr)},
            {"writer", writerJson(s.writer)},
            {"stores", s.history.stores},
            {"last_stores", std::move(stores)}};
}
Story storyFrom(const json& j) {
    Story s;
    s.index = j.at("index").get<tensor::Shape>();
    s.value = readNumber(j.at("value"));
    if (!j.at("expected").is_null()) s.expected = readNumber(j.at("expected"));
    s.writer = writerFrom(j.at("writer"));
    s.history.stores = j.at("stores").get<std::uint64_t>();
    for (const json& store : j.at("last_stores"))
        s.history.list.push_back({writerFrom(store.at("writer")), readNumber(store.at("before"))});
    return s;
}

json writtenJson(const Written& w) {
    return {{"count", w.found.count},
            {"elements", w.found.elements},
            {"last", w.found.last ? json(*w.found.last) : json(nullptr)},
            {"looked_at", {{"first", w.first}, {"count", w.count}}}};
}
Written writtenFrom(const json& j) {
    Written w;
    w.found.count = j.at("count").get<std::int64_t>();
    w.found.elements = j.at("elements").get<std::vector<std::int64_t>>();
    if (!j.at("last").is_null()) w.found.last = j.at("last").get<std::int64_t>();
    w.first = j.at("looked_at").at("first").get<std::int64_t>();
    w.count = j.at("looked_at").at("count").get<std::int64_t>();
    require(w.found.elements.size() <= Query::mostWritten, "too many elements");
    return w;
}

} // namespace

json toJson(const Answer& a) {
    json tensors = json::array();
    for (const Entry& entry : a.tensors)
        tensors.push_back(entryJson(entry));
    json j = {{"end", a.end},
              {"reason", a.reason},
              {"faults", a.faults},
              {"backend", a.backend},
              {"size", a.size},
              {"seed", a.seed},
              {"tensors", std::move(tensors)},
              {"why_no_reference", a.whyNoReference},
              {"names_writers", a.namesWriters}};
    if (a.statistics) j["statistics"] = statisticsJson(*a.statistics);
    if (a.histogram) j["histogram"] = histogramJson(*a.histogram);
    if (a.slice) j["slice"] = sliceJson(*a.slice);
    if (a.wrong) j["wrong"] = wrongJson(*a.wrong);
    if (a.story) j["writer_of"] = storyJson(*a.story);
    if (a.written) j["written"] = writtenJson(*a.written);
    return j;
}

Result<Answer> answerFromJson(const json& j) {
    Answer a;
    try {
        a.end = j.at("end").get<std::string>();
        a.reason = j.at("reason").get<std::string>();
        a.faults = j.at("faults").get<std::string>();
        a.backend = j.at("backend").get<std::string>();
        a.size = j.at("size").get<std::string>();
        a.seed = j.at("seed").get<std::uint64_t>();
        for (const json& entry : j.at("tensors"))
            a.tensors.push_back(entryFrom(entry));
        a.whyNoReference = j.at("why_no_reference").get<std::string>();
        a.namesWriters = j.at("names_writers").get<bool>();
        if (j.contains("statistics")) a.statistics = statisticsFrom(j.at("statistics"));
        if (j.contains("histogram")) a.histogram = histogramFrom(j.at("histogram"));
        if (j.contains("slice")) a.slice = sliceFrom(j.at("slice"));
        if (j.contains("wrong")) a.wrong = wrongFrom(j.at("wrong"));
        if (j.contains("writer_of")) a.story = storyFrom(j.at("writer_of"));
        if (j.contains("written")) a.written = writtenFrom(j.at("written"));
    } catch (const std::exception& failure) {
        return Error{"bad_request", std::string("Not an answer about tensors: ") + failure.what()};
    }
    return a;
}

} // namespace kernelarium::tensorview
