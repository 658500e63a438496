// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/space/KernelTunerForm.h"

#include "core/tuning/space/PythonList.h"
#include "core/tuning/space/ValueList.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace kernelarium::tuning {

namespace {

using nlohmann::json;

Error refusedForm(const std::string& message, const std::string& action = {}) {
    return {"bad_input", "In the Kernel Tuner file: " + message, action};
}

std::string stringAt(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// A value as the type has it, or nothing.
std::optional<Value> converted(const Value& value, const std::string& type) {
    const auto* integer = std::get_if<std::int64_t>(&value);
    const auto* real = std::get_if<double>(&value);
    const auto* truth = std::get_if<bool>(&value);
    if (type == "float") {
        if (integer) return double(*integer);
        if (real) return *real;
    } else if (type == "bool") {
        if (truth) return *truth;
        if (integer && (*integer == 0 || *integer == 1)) return *integer == 1;
    } else if (type == "string") {
        const auto* text = std::get_if<std::string>(&value);
        if (text && isPlainWord(*text)) return value;
    } else if (integer && (type == "int" || *integer >= 0)) {
        return value;
    }
    return std::nullopt;
}

std::optional<Value> valueOf(const json& value) {
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number_float()) return value.get<double>();
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(INT64_MAX)) return std::nullopt;
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (value.is_string()) return value.get<std::string>();
    return std::nullopt;
}

Result<std::vector<Value>> readValues(const json& values, const std::string& name) {
    std::vector<Value> out;
    if (values.is_array()) {
        for (const json& value : values) {
            std::optional<Value> read = valueOf(value);
            if (!read) return refusedForm("a value of `" + name + "` is no number, boolean or text.");
            out.push_back(*std::move(read));
        }
        return out;
    }
    if (!values.is_string()) return refusedForm("`" + name + "` has no Values.");
    if (values.get_ref<const std::string&>().size() > longestFileExpression)
        return refusedForm("the Values of `" + name + "` have more than 64 KiB.");
    TextProblems problems;
    std::optional<std::vector<Value>> read = readPythonList(values.get_ref<const std::string&>(), problems);
    if (!read)
        return refusedForm("the Values of `" + name + "`, column " + std::to_string(problems[0].begin + 1) + ": " +
                               problems[0].message,
                           problems[0].action);
    return *std::move(read);
}

Result<void> readParameter(const json& entry, FileSpace& space) {
    const std::string name = entry.is_object() ? stringAt(entry, "Name") : std::string();
    if (name.empty()) return refusedForm("a tuning parameter has no Name.");
    const std::string type = stringAt(entry, "Type");
    static const std::set<std::string> types{"int", "uint", "float", "bool", "string"};
    if (!types.count(type)) return refusedForm("`" + name + "` is of the type `" + type + "`, which T1 does not have.");
    Result<std::vector<Value>> values = readValues(entry.contains("Values") ? entry["Values"] : json(), name);
    if (!values) return values.error();
    if (values->empty()) return refusedForm("`" + name + "` has no values.");
    std::set<Value> seen;
    for (Value& value : *values) {
        const std::optional<Value> as = converted(value, type);
        if (!as) return refusedForm("`" + textOf(value) + "` of `" + name + "` is no value of the type " + type + ".");
        value = *as;
        if (!seen.insert(value).second) return refusedForm("`" + name + "` has the value " + textOf(value) + " twice.");
    }
    Parameter parameter{name, *std::move(values), 0};
    bool given = false;
    if (entry.contains("Default")) {
        const std::optional<Value> raw = valueOf(entry["Default"]);
        const std::optional<Value> own = raw ? converted(*raw, type) : std::nullopt;
        const auto at =
            own ? std::find(parameter.values.begin(), parameter.values.end(), *own) : parameter.values.end();
        given = at != parameter.values.end();
        if (given)
            parameter.start = std::size_t(at - parameter.values.begin());
        else
            space.remarks.push_back("The Default of " + name + " is not among its values and was ignored.");
    }
    space.parameters.push_back(std::move(parameter));
    space.startGiven.push_back(given);
    return {};
}

Result<void> readSpecification(const json& specification, FileSpace& space) {
    std::string ignored;
    for (const auto& [key, value] : specification.items()) {
        if (key == "Language") {
            if (value != "CUDA")
                return Error{"unsupported", "The Kernel Tuner file is for the language " + value.dump() + ".",
                             "Only CUDA is compiled here."};
        } else if (key == "CompilerOptions" && value.is_array()) {
            for (const json& option : value) {
                const std::string word = option.is_string() ? option.get<std::string>() : option.dump();
                std::vector<std::string> words = text::wordsOf(space.settings);
                words.push_back(word);
                const Result<text::CompilerSettings> read = text::settingsFromWords(words);
                if (word == "--use_fast_math" || word == "-use_fast_math")
                    space.fastMath = true;
                else if (read && read->folders.empty())
                    space.settings = *read;
                else
                    space.remarks.push_back("The compiler option " + word + " was ignored.");
            }
        } else {
            ignored += (ignored.empty() ? "" : ", ") + key;
        }
    }
    if (!ignored.empty())
        space.remarks.push_back("Of the KernelSpecification were ignored: " + ignored +
                                ". The kernel's own forward() says how it is launched.");
    return {};
}

} // namespace

bool isKernelTunerForm(const nlohmann::json& document) {
    return document.is_object() && document.contains("ConfigurationSpace");
}

Result<FileSpace> readKernelTunerForm(const nlohmann::json& document) {
    FileSpace space;
    space.rules = Expression::Rules::python;
    const json& configuration = document["ConfigurationSpace"];
    if (!configuration.is_object() || !configuration.contains("TuningParameters") ||
        !configuration["TuningParameters"].is_array())
        return refusedForm("the ConfigurationSpace has no list TuningParameters.");
    std::size_t total = 0;
    for (const json& entry : configuration["TuningParameters"]) {
        if (Result<void> read = readParameter(entry, space); !read) return read.error();
        total += space.parameters.back().values.size();
        if (total > mostFileValues) return refusedForm("it lists more than 1,048,576 values in all.");
    }
    if (configuration.contains("Conditions")) {
        if (!configuration["Conditions"].is_array()) return refusedForm("Conditions is no list.");
        for (const json& condition : configuration["Conditions"]) {
            const std::string expression = condition.is_object() ? stringAt(condition, "Expression") : std::string();
            if (expression.empty()) return refusedForm("a condition has no Expression.");
            space.restrictions.push_back(expression);
        }
    }
    for (const auto& [key, value] : document.items()) {
        if (key == "KernelSpecification" && value.is_object()) {
            if (Result<void> read = readSpecification(value, space); !read) return read.error();
        } else if (key != "ConfigurationSpace") {
            space.remarks.push_back(key + " was ignored.");
        }
    }
    return space;
}

} // namespace kernelarium::tuning
