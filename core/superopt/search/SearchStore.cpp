// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/superopt/search/SearchStore.h"

#include "core/tuning/store/StoreReader.h"

#include <fmt/format.h>

namespace kernelarium::superopt {

namespace {

constexpr const char* subjectKind = "superopt";

} // namespace

tuning::Header searchHeader(const std::map<std::string, std::string>& identity) {
    tuning::Header header{identity, {}};
    header.search["search"] = "graphs";
    return header;
}

Result<tuning::Store> openSearchStore(const std::filesystem::path& path,
                                      const std::map<std::string, std::string>& identity, const nlohmann::json& subject,
                                      const tuning::Shard& shard) {
    tuning::Header header = searchHeader(identity);
    header.shard = shard;
    auto record = tuning::recordOf(subjectKind, {{"key", "subject"}, {"subject", subject}});
    if (!record) return record.error();
    return tuning::Store::open(path, header, *record);
}

Result<SearchSaid> readSearchStore(const std::filesystem::path& path) {
    Result<tuning::StoreReader> reader = tuning::StoreReader::open(path);
    if (!reader) return reader.error();
    for (;;) {
        auto record = reader->next();
        if (!record) return record.error();
        if (!*record)
            return Error{"not_superopt", fmt::format("{} does not hold a search for graphs.", path.string()),
                         "Give a store that `superopt search` has written."};
        if ((*record)->kind != subjectKind) continue;
        const auto subject = (*record)->fields.find("subject");
        if (subject == (*record)->fields.end()) return reader->damaged(reader->lineNumber(), "\"subject\" is missing");
        return SearchSaid{reader->header(), *subject};
    }
}

} // namespace kernelarium::superopt
