// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/store/Record.h"

#include "core/text/UntrustedJson.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace kernelarium::tuning {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 4> outcomeWords{"valued", "refused", "wrong", "failed"};
constexpr std::array<std::string_view, 2> judgedWords{"candidate", "unit"};
constexpr unsigned mostRungs = 1000;

Error badRecord(std::string what) {
    return {"bad_input", std::move(what)};
}

Result<Record> recordWith(std::string kind, Json fields) {
    Record record;
    try {
        record.line = fields.dump();
    } catch (const Json::exception&) {
        return badRecord("A record has a text that is not UTF-8.");
    }
    if (record.line.size() > longestRecord)
        return Error{"too_large",
                     fmt::format("A record has {} bytes; a store takes {}.", record.line.size(), longestRecord)};
    record.kind = std::move(kind);
    record.fields = std::move(fields);
    return record;
}

/// Reads members of a candidate; the first that is not what it must be is remembered.
class Members {
public:
    explicit Members(const Json& fields)
        : m_fields(fields) {}

    std::string text(const char* name, bool required = false) {
        const Json* value = find(name, required);
        if (value == nullptr) return {};
        if (!value->is_string()) return wrong(name, "is not a text"), std::string();
        return value->get<std::string>();
    }
    std::optional<double> number(const char* name, bool required = false) {
        const Json* value = find(name, required);
        if (value == nullptr) return std::nullopt;
        if (!value->is_number() || !std::isfinite(value->get<double>()))
            return wrong(name, "is not a number"), std::nullopt;
        return value->get<double>();
    }
    std::int64_t whole(const char* name) {
        const Json* value = find(name, false);
        if (value == nullptr) return 0;
        if (!value->is_number_integer() || (value->is_number_unsigned() && value->get<std::uint64_t>() > INT64_MAX))
            return wrong(name, "is not a whole number"), 0;
        return value->get<std::int64_t>();
    }
    bool flag(const char* name) {
        const Json* value = find(name, false);
        if (value == nullptr) return false;
        if (!value->is_boolean()) return wrong(name, "is not true or false"), false;
        return value->get<bool>();
    }
    std::string object(const char* name) {
        const Json* value = find(name, false);
        if (value == nullptr) return {};
        if (!value->is_object()) return wrong(name, "is not an object"), std::string();
        return value->dump();
    }
    void wrong(const char* name, const char* what) {
        if (error.empty()) error = fmt::format("\"{}\" {}", name, what);
    }
    std::string error;

private:
    const Json* find(const char* name, bool required) {
        const auto at = m_fields.find(name);
        if (at != m_fields.end()) return &*at;
        if (required) wrong(name, "is missing");
        return nullptr;
    }
    const Json& m_fields;
};

/// What a record of any kind may have.
std::string wrongInGeneral(const Json& fields) {
    Members members(fields);
    members.text("key");
    members.number("rank");
    members.whole("when");
    return members.error;
}

} // namespace

std::string_view wordOf(Outcome::Kind kind) {
    return outcomeWords[std::size_t(kind)];
}

std::string_view wordOf(JudgedKind kind) {
    return judgedWords[std::size_t(kind)];
}

std::optional<JudgedKind> judgedKindOf(std::string_view kind) {
    const auto at = std::find(judgedWords.begin(), judgedWords.end(), kind);
    if (at == judgedWords.end()) return std::nullopt;
    return JudgedKind(at - judgedWords.begin());
}

std::string Record::key() const {
    return fields.value("key", std::string());
}

double Record::rank() const {
    return fields.value("rank", 0.0);
}

std::int64_t Record::when() const {
    return fields.value("when", std::int64_t(0));
}

Result<Record> recordOf(const std::string& kind, Json fields) {
    if (kind.empty() || kind == "header" || judgedKindOf(kind))
        return badRecord(fmt::format("`{}` is not a kind of record of one's own.", kind));
    if (!fields.is_object()) return badRecord("A record's fields are not an object.");
    if (const std::string wrong = wrongInGeneral(fields); !wrong.empty())
        return badRecord(fmt::format("A record of the kind `{}` is wrong: {}.", kind, wrong));
    fields["kind"] = kind;
    return recordWith(kind, std::move(fields));
}

Result<Record> recordOf(const Judged& judged, JudgedKind kind) {
    const Outcome& outcome = judged.outcome;
    if (judged.candidate.key.empty() || judged.candidate.key.find('\n') != std::string::npos)
        return badRecord("A candidate's key is not one line.");
    if (!(judged.candidate.effort > 0) || judged.candidate.effort > 1)
        return badRecord(fmt::format("A candidate's effort is {}.", judged.candidate.effort));
    if (outcome.value && !std::isfinite(*outcome.value)) return badRecord("A candidate's value is not a number.");
    Json fields{{"kind", wordOf(kind)},
                {"key", judged.candidate.key},
                {"outcome", wordOf(outcome.kind)},
                {"when", judged.when},
                {"seconds", std::isfinite(judged.seconds) ? judged.seconds : 0.0}};
    if (judged.candidate.effort < 1) fields["effort"] = judged.candidate.effort;
    if (outcome.value) fields["value"] = *outcome.value;
    if (!outcome.reason.empty()) fields["reason"] = outcome.reason;
    if (!judged.secondKey.empty()) fields["second_key"] = judged.secondKey;
    if (!judged.sameAs.empty()) fields["same_as"] = judged.sameAs;
    if (judged.filtered) fields["filtered"] = true;
    if (judged.rung > 0) fields["rung"] = judged.rung;
    if (outcome.unproven) fields["unproven"] = true;
    if (!outcome.details.empty()) {
        Json details = text::untrustedJson(outcome.details);
        if (!details.is_object()) return badRecord("A candidate's details are not a JSON object.");
        fields["details"] = std::move(details);
    }
    return recordWith(std::string(wordOf(kind)), std::move(fields));
}

Result<Record> recordFrom(std::string_view line) {
    Record record;
    record.fields = text::untrustedJson(line);
    if (!record.fields.is_object()) return badRecord("it is not a JSON object");
    const auto kind = record.fields.find("kind");
    if (kind == record.fields.end() || !kind->is_string() || kind->get_ref<const std::string&>().empty())
        return badRecord("it has no \"kind\"");
    if (const std::string wrong = wrongInGeneral(record.fields); !wrong.empty()) return badRecord(wrong);
    record.kind = kind->get<std::string>();
    record.line = line;
    return record;
}

Result<Judged> judgedFrom(const Record& record) {
    Members members(record.fields);
    Judged judged;
    judged.candidate.key = members.text("key", true);
    judged.candidate.effort = members.number("effort").value_or(1);
    const std::string word = members.text("outcome", true);
    judged.outcome.value = members.number("value");
    judged.outcome.reason = members.text("reason");
    judged.outcome.details = members.object("details");
    judged.secondKey = members.text("second_key");
    judged.sameAs = members.text("same_as");
    judged.filtered = members.flag("filtered");
    judged.outcome.unproven = members.flag("unproven");
    judged.when = members.whole("when");
    judged.seconds = members.number("seconds").value_or(0);
    const std::int64_t rung = members.whole("rung");
    if (rung < 0 || rung > mostRungs) members.wrong("rung", "is not from 0 to 1000");
    judged.rung = unsigned(rung);

    const auto at = std::find(outcomeWords.begin(), outcomeWords.end(), word);
    if (members.error.empty() && at == outcomeWords.end()) members.wrong("outcome", "is not a known word");
    if (judged.candidate.key.empty() || judged.candidate.key.find('\n') != std::string::npos)
        members.wrong("key", "is not one line");
    if (!(judged.candidate.effort > 0) || judged.candidate.effort > 1) members.wrong("effort", "is not from 0 to 1");
    if (!members.error.empty()) return badRecord(members.error);
    judged.outcome.kind = Outcome::Kind(at - outcomeWords.begin());
    if (judged.outcome.kind == Outcome::Kind::valued && !judged.outcome.value) return badRecord("\"value\" is missing");
    return judged;
}

} // namespace kernelarium::tuning
