// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/import/JsonLines.h"
#include "core/archive/import/JsonTokens.h"
#include "core/archive/import/RowCheck.h"
#include "core/archive/store/OwnVerdicts.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::archive {
namespace {

using Json = nlohmann::json;

constexpr std::size_t deepestNesting = 64;

/// Why a line is not a row; caught in parseJsonRow.
struct BadRow {
    std::string reason;
};

std::string typeName(const Json& value) {
    return value.is_number_float() ? "a number" : value.is_number() ? "an integer" : std::string(value.type_name());
}

[[noreturn]] void wrongType(std::string_view column, std::string_view expected, const Json& value) {
    throw BadRow{fmt::format("{} should be {} and is {}", column, expected, typeName(value))};
}

/// Takes columns out of the object, so that what remains is what is not known.
class Columns {
public:
    explicit Columns(Json& object)
        : m_object(object) {}

    std::optional<double> number(const char* column) {
        const Json value = take(column);
        if (value.is_null()) return std::nullopt;
        if (!value.is_number()) wrongType(column, "a number", value);
        const double real = value.get<double>();
        return std::isfinite(real) ? std::optional(real) : std::nullopt;
    }

    std::optional<bool> boolean(const char* column) {
        const Json value = take(column);
        if (value.is_null()) return std::nullopt;
        if (!value.is_boolean()) wrongType(column, "true or false", value);
        return value.get<bool>();
    }

    std::optional<std::int64_t> integer(const char* column) {
        const Json value = take(column);
        if (value.is_null()) return std::nullopt;
        if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(INT64_MAX))
            throw BadRow{fmt::format("{} is out of range", column)};
        if (value.is_number_integer()) return value.get<std::int64_t>();
        if (!value.is_number()) wrongType(column, "an integer", value);
        const double real = value.get<double>(); // a column with gaps is written as 3.0 by pandas
        if (!(std::abs(real) < 1e15) || real != std::floor(real)) wrongType(column, "an integer", value);
        return static_cast<std::int64_t>(real);
    }

    std::optional<std::string> text(const char* column) {
        Json value = take(column);
        if (value.is_null()) return std::nullopt;
        if (!value.is_string()) wrongType(column, "a string", value);
        return std::move(value.get_ref<std::string&>());
    }

    template <class T> T require(const char* column, std::optional<T> value) {
        if (!value) throw BadRow{fmt::format("{} is missing", column)};
        return std::move(*value);
    }

private:
    Json take(const char* column) {
        const auto found = m_object.find(column);
        if (found == m_object.end()) return nullptr;
        Json value = std::move(*found);
        m_object.erase(found);
        return value;
    }

    Json& m_object;
};

Json parseObject(std::string_view line) {
    if (nestingDepth(line) > deepestNesting)
        throw BadRow{fmt::format("values are nested deeper than {} levels", deepestNesting)};
    Json object;
    if (mayHaveNonFinite(line))
        object = Json::parse(nonFiniteToNull(line));
    else
        object = Json::parse(line.begin(), line.end());
    if (!object.is_object()) throw BadRow{fmt::format("the line is {}, not an object", typeName(object))};
    return object;
}

std::string unknownColumns(Json& object) {
    for (auto it = object.begin(); it != object.end();)
        it = it->is_null() ? object.erase(it) : std::next(it);
    return object.empty() ? std::string() : object.dump();
}

void fill(SourceRow& row, Json& object) {
    Columns columns(object);
    row.opName = columns.require("Op_Name", columns.text("Op_Name"));
    row.level = columns.require("Level_ID", columns.integer("Level_ID"));
    row.task = columns.require("Task_ID", columns.integer("Task_ID"));
    row.name = columns.require("Kernel_Name", columns.text("Kernel_Name"));
    row.runtime = columns.number("CUDA_Runtime");
    row.nativeRuntime = columns.number("PyTorch_Native_Runtime");
    row.compileRuntime = columns.number("PyTorch_Compile_Runtime");
    row.speedupNative = columns.number("CUDA_Speedup_Native");
    row.speedupCompile = columns.number("CUDA_Speedup_Compile");
    row.correct = columns.boolean("Correct");
    row.maxDiff = columns.number("Max_Diff");
    row.originalIndex = columns.integer("__index_level_0__");
    for (const auto& info : textKinds)
        row.texts[indexOf(info.kind)] = columns.text(info.published.data());
    if (const std::string problem = rowProblem(row); !problem.empty()) throw BadRow{problem};
    object.erase(ownVerdictColumn); // of an export: no claim of the archive
    row.extraJson = unknownColumns(object);
}

/// The parser's message without its own numbering and quoting of the text.
std::string parserReason(const Json::exception& error) {
    std::string message = error.what();
    if (const auto bracket = message.find("] "); message.starts_with("[json") && bracket != std::string::npos)
        message.erase(0, bracket + 2);
    constexpr std::size_t longest = 160;
    if (message.size() > longest) { // what was last read may be long and hold broken UTF-8
        message.resize(longest);
        message += " ...";
    }
    for (char& c : message)
        if (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126) c = '?';
    const bool utf8 = message.find("UTF-8") != std::string::npos;
    return (utf8 ? "not valid UTF-8: " : "not valid JSON: ") + message;
}

} // namespace

Result<void> parseJsonRow(std::string_view line, SourceRow& row) {
    try {
        Json object = parseObject(line);
        fill(row, object);
        return {};
    } catch (const BadRow& bad) {
        return Error{"bad_row", bad.reason};
    } catch (const Json::exception& error) {
        return Error{"bad_row", parserReason(error)};
    }
}

} // namespace kernelarium::archive
