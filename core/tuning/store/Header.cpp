// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/store/Header.h"

#include "core/text/Shortened.h"

#include <fmt/format.h>

namespace kernelarium::tuning {
namespace {

constexpr const char* formatName = "kernelarium-search";
constexpr int formatVersion = 1;

Error notAStore(const char* why) {
    return {"bad_input", fmt::format("it is no header of a search's store: {}", why)};
}

std::string saidValue(const std::map<std::string, std::string>& fields, const std::string& name) {
    const auto at = fields.find(name);
    return at == fields.end() ? std::string("absent") : fmt::format("`{}`", text::shortened(at->second, 200));
}

} // namespace

Result<Record> recordOf(const Header& header) {
    nlohmann::json fields{
        {"kind", "header"}, {"format", formatName}, {"version", formatVersion}, {"search", header.search}};
    if (!header.shard.whole()) fields["shard"] = header.shard.text();
    try {
        Record record{"header", fields, fields.dump()};
        if (record.line.size() > longestRecord) return Error{"too_large", "The header of the store is too long."};
        return record;
    } catch (const nlohmann::json::exception&) {
        return Error{"bad_input", "What is searched has a text that is not UTF-8."};
    }
}

Result<Header> headerFrom(const Record& record) {
    const auto& fields = record.fields;
    const auto format = fields.find("format");
    const auto version = fields.find("version");
    if (record.kind != "header" || format == fields.end() || *format != formatName)
        return notAStore("\"format\" is not the one");
    if (version == fields.end() || !version->is_number_unsigned() || *version == 0U)
        return notAStore("\"version\" is not a number");
    if (*version > unsigned(formatVersion))
        return Error{"newer_store", "it was written by a later version of this program"};
    const auto search = fields.find("search");
    if (search == fields.end() || !search->is_object()) return notAStore("\"search\" is not an object");
    Header header;
    for (const auto& [name, value] : search->items()) {
        if (!value.is_string()) return notAStore("a field of \"search\" is not a text");
        header.search.emplace(name, value.get<std::string>());
    }
    if (const auto shard = fields.find("shard"); shard != fields.end()) {
        auto read =
            shard->is_string() ? shardOf(shard->get_ref<const std::string&>()) : Result<Shard>(Error{"bad_input", {}});
        if (!read) return notAStore("\"shard\" is not I/N");
        header.shard = *read;
    }
    return header;
}

std::string differenceOf(const Header& stored, const Header& wanted, const std::string& there,
                         const std::string& here) {
    std::map<std::string, std::string> names = stored.search;
    names.insert(wanted.search.begin(), wanted.search.end());
    std::string said;
    for (const auto& [name, unused] : names) {
        const auto a = stored.search.find(name), b = wanted.search.find(name);
        if (a != stored.search.end() && b != wanted.search.end() && a->second == b->second) continue;
        said += fmt::format("{}{} is {} {} and {} {}", said.empty() ? "" : "; ", name, saidValue(stored.search, name),
                            there, saidValue(wanted.search, name), here);
    }
    return said;
}

std::filesystem::path shardPath(const std::filesystem::path& path, const Shard& shard) {
    if (shard.whole()) return path;
    std::filesystem::path named = path;
    named += fmt::format(".{}-of-{}", shard.index, shard.count);
    return named;
}

} // namespace kernelarium::tuning
