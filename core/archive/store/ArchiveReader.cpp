// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/store/ArchiveReader.h"

#include "core/archive/store/CodeSignature.h"
#include "core/archive/store/QuerySql.h"
#include "core/archive/store/TableReader.h"
#include "core/files/FileIdentity.h"

#include <stdexcept>

namespace kernelarium::archive {

ArchiveReader::ArchiveReader(std::filesystem::path file, sqlite::Database opened)
    : path(std::move(file))
    , identity(files::fileIdentity(path))
    , database(std::move(opened))
    , texts(database) {}

const ArchiveReader::Rows& ArchiveReader::rows() {
    if (!loadedRows.table) {
        auto table = std::make_shared<KernelTable>();
        loadedRows.codeTexts.clear();
        appendKernels(database, 0, *table, &loadedRows.codeTexts);
        for (std::size_t row = 0; row < table->size(); ++row) {
            loadedRows.namesAt.push_back(static_cast<std::uint32_t>(loadedRows.foldedNames.size()));
            loadedRows.foldedNames += table->name[row] + '\n' + table->opName[row] + '\n';
        }
        loadedRows.namesAt.push_back(static_cast<std::uint32_t>(loadedRows.foldedNames.size()));
        foldCase(loadedRows.foldedNames, loadedRows.foldedNames.data());
        loadedRows.table = std::move(table);
    }
    return loadedRows;
}

KernelSummary ArchiveReader::summary(std::int64_t id) {
    if (!summaryStatement)
        summaryStatement = database.prepare("SELECT " + summarySelection() + " FROM kernel WHERE id = ?");
    if (!summaryStatement->bind(1, id).step()) throw std::runtime_error("a kernel is missing");
    auto kernel = summaryAt(*summaryStatement);
    summaryStatement->reset();
    return kernel;
}

const SignatureTable& ArchiveReader::signatures() {
    if (!loadedSignatures) loadedSignatures.emplace(database);
    return *loadedSignatures;
}

} // namespace kernelarium::archive
