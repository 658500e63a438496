// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/import/SourceFile.h"

#include "core/archive/import/JsonLines.h"
#include "core/archive/import/Parquet.h"

#include <fstream>

namespace kernelarium::archive {
namespace {

bool isParquet(const std::filesystem::path& path) {
    if (path == "-") return false;
    if (path.extension() == ".parquet") return true;
    std::error_code code;
    if (!std::filesystem::is_regular_file(path, code)) return false;
    char head[4] = {};
    std::ifstream(path, std::ios::binary).read(head, sizeof head);
    return std::string_view(head, sizeof head) == "PAR1";
}

template <class Source> Result<std::unique_ptr<RowSource>> owned(Result<Source> source) {
    if (!source) return source.error();
    return std::unique_ptr<RowSource>(std::make_unique<Source>(std::move(source).value()));
}

} // namespace

Result<std::unique_ptr<RowSource>> openSourceFile(const std::filesystem::path& path) {
    return isParquet(path) ? owned(ParquetSource::open(path)) : owned(JsonLinesSource::open(path));
}

Result<std::vector<std::unique_ptr<RowSource>>> openSourceFiles(const std::vector<std::filesystem::path>& paths) {
    std::vector<std::unique_ptr<RowSource>> sources;
    for (const auto& path : paths) {
        auto source = openSourceFile(path);
        if (!source) return source.error();
        sources.push_back(std::move(source).value());
    }
    return sources;
}

std::vector<RowSource*> pointersTo(const std::vector<std::unique_ptr<RowSource>>& sources) {
    std::vector<RowSource*> pointers;
    for (const auto& source : sources)
        pointers.push_back(source.get());
    return pointers;
}

} // namespace kernelarium::archive
