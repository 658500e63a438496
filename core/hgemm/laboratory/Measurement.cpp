// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hgemm/laboratory/Measurement.h"

#include <array>
#include <fmt/format.h>

namespace kernelarium::hgemm {

namespace {

constexpr std::array<std::pair<Mode, std::string_view>, 4> modes{
    {{Mode::hot, "hot"}, {Mode::cold, "cold"}, {Mode::offline, "offline"}, {Mode::server, "server"}}};

constexpr std::array<std::pair<Subject::Kind, std::string_view>, 3> libraries{
    {{Subject::Kind::cublas, "cublas"},
     {Subject::Kind::ltFirst, "cublaslt-heuristic"},
     {Subject::Kind::ltFastest, "cublaslt-autotuned"}}};

nlohmann::json shapeJson(const Shape& shape) {
    return nlohmann::json::array({shape.m, shape.n, shape.k});
}

Subject readSubject(const nlohmann::json& json) {
    const std::optional<Subject> subject = subjectOf(json.get<std::string>());
    if (!subject) throw std::invalid_argument("no subject: " + json.get<std::string>());
    return *subject;
}

nlohmann::json timeJson(const perf::SampleSummary& t) {
    return {{"count", t.count},
            {"dropped", t.dropped},
            {"median", t.median},
            {"smallest", t.smallest},
            {"from", t.confidentFrom},
            {"to", t.confidentTo},
            {"noise", t.relativeNoise},
            {"clock_mhz", t.medianClockMHz},
            {"upper_quartile", t.upperQuartile},
            {"lower_quartile", t.lowerQuartile}};
}

perf::SampleSummary readTime(const nlohmann::json& j) {
    perf::SampleSummary t;
    t.count = j.at("count");
    t.dropped = j.at("dropped");
    t.median = j.at("median");
    t.smallest = j.at("smallest");
    t.confidentFrom = j.at("from");
    t.confidentTo = j.at("to");
    t.relativeNoise = j.at("noise");
    t.medianClockMHz = j.at("clock_mhz");
    t.upperQuartile = j.at("upper_quartile");
    t.lowerQuartile = j.at("lower_quartile");
    return t;
}

nlohmann::json measuredJson(const Measured& m) {
    nlohmann::json j = {
        {"subject", m.subject.text()}, {"error", m.error}, {"note", m.note}, {"time", timeJson(m.time)}};
    j["joules"] = m.joules ? nlohmann::json(*m.joules) : nlohmann::json();
    j["check"] = nullptr;
    if (m.check)
        j["check"] = {{"right", m.check->right()},      {"samples", m.check->samples},
                      {"wrong", m.check->wrong},        {"worst", m.check->worst},
                      {"elements", m.check->elements},  {"differing", m.check->differing},
                      {"unwritten", m.check->unwritten}};
    return j;
}

Measured readMeasured(const nlohmann::json& j) {
    Measured m;
    m.subject = readSubject(j.at("subject"));
    m.error = j.at("error");
    m.note = j.at("note");
    m.time = readTime(j.at("time"));
    if (!j.at("joules").is_null()) m.joules = j.at("joules").get<double>();
    if (const nlohmann::json& c = j.at("check"); !c.is_null())
        m.check = Check{c.at("samples"),  c.at("wrong"),     c.at("worst"),
                        c.at("elements"), c.at("differing"), c.at("unwritten")};
    return m;
}

template <class F> auto reading(F read) -> Result<decltype(read())> {
    try {
        return read();
    } catch (const std::exception& e) {
        return Error{"bad_message", "A message about products is damaged.", "", e.what()};
    }
}

} // namespace

std::string_view name(Mode mode) {
    for (const auto& [known, text] : modes)
        if (known == mode) return text;
    return {};
}

std::optional<Mode> modeOf(std::string_view text) {
    for (const auto& [mode, known] : modes)
        if (known == text) return mode;
    return {};
}

std::string Subject::text() const {
    for (const auto& [known, text] : libraries)
        if (known == kind)
            return fmt::format("{} {}{}", text, layout == Layout::tn ? "tn" : "nn", halfSums ? " half_sums" : "");
    return configuration.key();
}

std::optional<Subject> subjectOf(std::string_view text) {
    Subject subject;
    for (const auto& [kind, known] : libraries) {
        if (!text.starts_with(known) || text.size() < known.size() + 3 || text[known.size()] != ' ') continue;
        std::string_view rest = text.substr(known.size() + 1);
        subject.kind = kind;
        if (rest.ends_with(" half_sums")) {
            subject.halfSums = true;
            rest.remove_suffix(10);
        }
        if (rest != "tn" && rest != "nn") return {};
        subject.layout = rest == "tn" ? Layout::tn : Layout::nn;
        return subject;
    }
    const std::optional<Configuration> configuration = configurationOf(text);
    if (!configuration) return {};
    subject.configuration = *configuration;
    subject.layout = configuration->layout;
    subject.halfSums = configuration->halfSums;
    return subject;
}

nlohmann::json toJson(const MeasureRequest& r) {
    nlohmann::json subjects = nlohmann::json::array();
    for (const Subject& subject : r.subjects)
        subjects.push_back(subject.text());
    return {{"shape", shapeJson(r.shape)},
            {"mode", name(r.mode)},
            {"subjects", std::move(subjects)},
            {"check", r.check},
            {"energy", r.energy},
            {"least", r.stop.least},
            {"noise", r.stop.relativeNoise},
            {"seconds", r.stop.secondsAtMost},
            {"most", r.stop.most},
            {"rate", r.requestsPerSecond},
            {"requests", r.requests},
            {"time_limit", r.timeLimit}};
}

Result<MeasureRequest> measureRequestFromJson(const nlohmann::json& j) {
    return reading([&] {
        MeasureRequest r;
        const auto shape = j.at("shape").get<std::vector<std::int64_t>>();
        r.shape = {shape.at(0), shape.at(1), shape.at(2)};
        if (const std::string why = refusal(r.shape); !why.empty()) throw std::invalid_argument(why);
        const std::optional<Mode> mode = modeOf(j.at("mode").get<std::string>());
        if (!mode) throw std::invalid_argument("mode");
        r.mode = *mode;
        for (const nlohmann::json& subject : j.at("subjects"))
            r.subjects.push_back(readSubject(subject));
        r.check = j.at("check");
        r.energy = j.at("energy");
        r.stop = {j.at("least"), j.at("noise"), j.at("seconds"), j.at("most")};
        r.requestsPerSecond = j.at("rate");
        r.requests = j.at("requests");
        r.timeLimit = j.at("time_limit");
        if (!(r.timeLimit > 0) || r.timeLimit > 300) throw std::invalid_argument("time_limit");
        return r;
    });
}

nlohmann::json toJson(const MeasureAnswer& a) {
    nlohmann::json measured = nlohmann::json::array();
    for (const Measured& one : a.measured)
        measured.push_back(measuredJson(one));
    return {{"device", a.device},
            {"driver", a.driver},
            {"library", a.library},
            {"energy_refusal", a.energyRefusal},
            {"measured", std::move(measured)}};
}

Result<MeasureAnswer> measureAnswerFromJson(const nlohmann::json& j) {
    return reading([&] {
        MeasureAnswer a;
        a.device = j.at("device");
        a.driver = j.at("driver");
        a.library = j.at("library");
        a.energyRefusal = j.at("energy_refusal");
        for (const nlohmann::json& one : j.at("measured"))
            a.measured.push_back(readMeasured(one));
        return a;
    });
}

} // namespace kernelarium::hgemm
