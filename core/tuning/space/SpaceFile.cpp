// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/SpaceFile.h"

#include "core/text/UntrustedJson.h"
#include "core/tuning/space/KernelTunerForm.h"
#include "core/tuning/space/Marks.h"
#include "core/tuning/space/ValueList.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

namespace kernelarium::tuning {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t mostFileParameters = 256;
constexpr std::size_t mostFileRestrictions = 1000;

Error refusedFile(const std::string& message, const std::string& action = {}) {
    return {"bad_input", "In the space's file: " + message, action};
}

bool isNameOfCpp(const std::string& name) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !name.empty() && name.size() <= 256 && letter(name[0]) &&
           std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

/// The document with its keys in their order, or why it is none.
Result<ordered_json> parsedFile(std::string_view json) {
    if (json.size() > largestSpaceFile) return refusedFile("it has more than 4 MiB.");
    if (text::nestsTooDeeply(json)) return refusedFile("it nests too deeply.");
    std::vector<std::set<std::string>> keys;
    std::string twice;
    const auto watch = [&](int, ordered_json::parse_event_t event, ordered_json& parsed) {
        if (event == ordered_json::parse_event_t::object_start) keys.emplace_back();
        if (event == ordered_json::parse_event_t::object_end && !keys.empty()) keys.pop_back();
        if (event == ordered_json::parse_event_t::key && !keys.empty() &&
            !keys.back().insert(parsed.get<std::string>()).second)
            twice = parsed.get<std::string>();
        return true;
    };
    ordered_json document = ordered_json::parse(json, watch, false);
    if (document.is_discarded()) return refusedFile("it is no JSON.");
    if (!twice.empty()) return refusedFile("`" + twice + "` stands there twice.", "Leave one out.");
    if (!document.is_object()) return refusedFile("it is no object.");
    return document;
}

std::optional<Value> valueOfFile(const ordered_json& value) {
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number_float() && std::isfinite(value.get<double>())) return value.get<double>();
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(INT64_MAX)) return std::nullopt;
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (value.is_string() && isPlainWord(value.get_ref<const std::string&>())) return value.get<std::string>();
    return std::nullopt;
}

Result<std::vector<Value>> valuesOfFile(const std::string& name, const ordered_json& list) {
    if (list.is_string()) {
        const auto& text = list.get_ref<const std::string&>();
        TextProblems problems;
        const std::vector<MarkToken> tokens = markTokens(text, 0, text.size(), problems);
        MarkStream stream(tokens);
        std::optional<std::vector<Value>> values = readValueList(stream, problems);
        if (problems.empty() && stream.peek().kind != MarkToken::Kind::end)
            problems.push_back(
                {stream.peek().begin, stream.peek().end, "The list does not go on with " + stream.found() + ".", {}});
        if (!problems.empty())
            return refusedFile("the values of `" + name + "`, column " + std::to_string(problems[0].begin + 1) + ": " +
                                   problems[0].message,
                               problems[0].action);
        return *std::move(values);
    }
    if (!list.is_array() || list.empty())
        return refusedFile("`" + name + "` has no list of values.", "Write it like [8, 16, 32] or \"8..64 step 8\".");
    if (list.size() > mostValues)
        return refusedFile("`" + name + "` has more than " + std::to_string(mostValues) + " values.");
    std::vector<Value> values;
    for (const ordered_json& item : list) {
        std::optional<Value> value = valueOfFile(item);
        if (!value)
            return refusedFile("`" + name + "` has the value " +
                                   item.dump(-1, ' ', false, ordered_json::error_handler_t::replace).substr(0, 60) +
                                   ", which is none.",
                               "Values are numbers, booleans and words.");
        values.push_back(*std::move(value));
    }
    if (const std::optional<std::string> wrong = unifyValues(values)) return refusedFile("`" + name + "`: " + *wrong);
    std::set<Value> seen;
    for (const Value& value : values)
        if (!seen.insert(value).second)
            return refusedFile("`" + name + "` has the value " + textOf(value) + " twice.", "Leave one out.");
    return values;
}

Result<void> readStart(const ordered_json& start, FileSpace& space) {
    if (!start.is_object()) return refusedFile("`start` is no object.", "Write it like {\"TILE\": 16}.");
    for (const auto& [name, given] : start.items()) {
        const auto parameter = std::find_if(space.parameters.begin(), space.parameters.end(),
                                            [&, &key = name](const Parameter& p) { return p.name == key; });
        if (parameter == space.parameters.end())
            return refusedFile("`start` names `" + name + "`, which is no parameter.");
        std::optional<Value> value = valueOfFile(given);
        if (value && value->index() == 0 && parameter->values[0].index() == 1)
            value = double(std::get<std::int64_t>(*value));
        const auto at =
            value ? std::find(parameter->values.begin(), parameter->values.end(), *value) : parameter->values.end();
        if (at == parameter->values.end())
            return refusedFile("the start of `" + name + "` is not among its values " + listed(parameter->values) +
                               ".");
        parameter->start = std::size_t(at - parameter->values.begin());
        space.startGiven[std::size_t(parameter - space.parameters.begin())] = true;
    }
    return {};
}

Result<void> readRestrictionsOfFile(const ordered_json& list, FileSpace& space) {
    const ordered_json all = list.is_string() ? ordered_json::array({list}) : list;
    if (!all.is_array()) return refusedFile("`restrictions` is no list of texts.");
    for (const ordered_json& text : all) {
        if (!text.is_string()) return refusedFile("`restrictions` is no list of texts.");
        space.restrictions.push_back(text.get<std::string>());
    }
    return {};
}

/// Whatever form it came in.
Result<FileSpace> checkedFile(FileSpace space) {
    std::set<std::string> names;
    for (const Parameter& p : space.parameters) {
        if (!isNameOfCpp(p.name) || p.name == "where")
            return refusedFile("`" + p.name.substr(0, 60) + "` is no name.",
                               "A parameter is named like a constant or macro of C++.");
        if (!names.insert(p.name).second) return refusedFile("`" + p.name + "` is named twice.");
    }
    if (space.parameters.empty()) return refusedFile("it has no parameters.");
    if (space.parameters.size() > mostFileParameters) return refusedFile("it has more than 256 parameters.");
    if (space.restrictions.size() > mostFileRestrictions) return refusedFile("it has more than 1000 restrictions.");
    for (const std::string& restriction : space.restrictions)
        if (restriction.size() > longestFileExpression) return refusedFile("a restriction has more than 64 KiB.");
    return space;
}

ordered_json jsonOf(const Value& value) {
    return std::visit([](const auto& v) { return ordered_json(v); }, value);
}

} // namespace

Result<FileSpace> readSpaceFile(std::string_view json) {
    Result<ordered_json> document = parsedFile(json);
    if (!document) return document.error();
    if (const nlohmann::json plain = *document; isKernelTunerForm(plain)) {
        Result<FileSpace> space = readKernelTunerForm(plain);
        return space ? checkedFile(*std::move(space)) : space;
    }
    FileSpace space;
    for (const char* key : {"parameters", "restrictions", "rules", "start"}) { // `start` needs the parameters
        if (!document->contains(key)) continue;
        const ordered_json& value = (*document)[key];
        Result<void> read;
        if (std::string_view(key) == "parameters") {
            if (!value.is_object())
                return refusedFile("`parameters` is no object.", "Write it like {\"TILE\": [8, 16]}.");
            std::size_t total = 0;
            for (const auto& [name, list] : value.items()) {
                Result<std::vector<Value>> values = valuesOfFile(name, list);
                if (!values) return values.error();
                total += values->size();
                if (total > mostFileValues) return refusedFile("it lists more than 1,048,576 values in all.");
                space.parameters.push_back({name, *std::move(values), 0});
                space.startGiven.push_back(false);
            }
        } else if (std::string_view(key) == "restrictions") {
            read = readRestrictionsOfFile(value, space);
        } else if (std::string_view(key) == "rules") {
            if (value != "c++" && value != "python") read = refusedFile("`rules` is \"c++\" or \"python\".");
            if (value == "python") space.rules = Expression::Rules::python;
        } else {
            read = readStart(value, space);
        }
        if (!read) return read.error();
    }
    for (const auto& [key, value] : document->items())
        if (key != "parameters" && key != "restrictions" && key != "rules" && key != "start")
            return refusedFile("`" + key.substr(0, 60) + "` is not known.",
                               "Known are parameters, restrictions, start and rules.");
    return checkedFile(std::move(space));
}

std::string spaceFile(const TunableText& tunable) {
    ordered_json document, parameters = ordered_json::object(), start = ordered_json::object();
    for (const Parameter& p : tunable.space.parameters()) {
        for (const Value& value : p.values)
            parameters[p.name].push_back(jsonOf(value));
        start[p.name] = jsonOf(p.values[p.start]);
    }
    document["parameters"] = parameters;
    for (const Space::Restriction& restriction : tunable.space.restrictions())
        document["restrictions"].push_back(restriction.text);
    if (tunable.rules == Expression::Rules::python) document["rules"] = "python";
    document["start"] = start;
    return document.dump(2) + "\n";
}

} // namespace kernelarium::tuning
