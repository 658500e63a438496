// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/archive/store/KernelTable.h"
#include "core/archive/store/Query.h"
#include "core/archive/store/Search.h"
#include "core/archive/store/TextKind.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::archive {

struct ArchiveReader;

/// An archive file opened for reading. It never changes under a reader: an import puts a new file in its
/// place. Use one object from one thread at a time; open another for another thread.
///
///     auto archive = Archive::open(path);
///     if (!archive) return archive.error();
///     auto kernel = archive->find("L1/T1/block_size_optimized_base");
///     auto code = archive->text(kernel->id, TextKind::cudaCode);
///
/// Every function returns "bad_archive" when it meets damage in the file.
class Archive {
public:
    /// A file of an older version is upgraded first, in one step; where that is not possible it is refused.
    /// Errors: "missing_file", "unreadable_file", "bad_archive", "newer_archive", "busy", "unwritable_file".
    static Result<Archive> open(const std::filesystem::path& path);
    ~Archive();
    Archive(Archive&&) noexcept;
    Archive& operator=(Archive&&) noexcept;

    [[nodiscard]] const std::filesystem::path& path() const;
    /// True when an import has put a new file in the place of the one that is open.
    [[nodiscard]] bool changedOnDisk() const;

    Result<std::int64_t> count(const KernelFilter& filter = {});
    /// Error "bad_input" for an order by our verdicts, which the file does not have: search() knows them.
    Result<std::vector<KernelSummary>> list(const KernelQuery& query = {});
    /// Every kernel's numbers, keys and flags at once.
    Result<KernelTable> table();
    /// The same, loaded once and kept: the rows that walk() speaks of.
    Result<std::shared_ptr<const KernelTable>> sharedTable();

    /// By the row's number ("17"), a label ("L1/T1/name@1a2b3c4d", also "1/1/name"), a label's unique
    /// beginning, or a kernel's name that is unique in the archive. Errors: "unknown_kernel";
    /// "ambiguous_kernel" with the candidates' labels, one a line, in the detail.
    Result<KernelSummary> find(std::string_view id);

    /// Empty when the kernel has no such text. Error "unknown_kernel".
    Result<std::optional<std::string>> text(std::int64_t kernel, TextKind kind);
    /// The columns that are not published ones as one JSON object; empty when there are none.
    Result<std::string> extraJson(std::int64_t kernel);

    /// Error "bad_input" for a query that asks for nothing and for what is not a regular expression, "cancelled" when
    /// stopped. Uses several threads where many texts have to be looked through.
    Result<SearchResult> search(const SearchQuery& query, const std::stop_token& stop = {});

    /// The hits of a search as they are found, in the order asked for, all of them: the query's limit and offset do
    /// not hold here. A query that asks for nothing finds every kernel. Ends early where `found` returns false. Errors
    /// as search().
    Result<void> walk(const SearchQuery& query, const FoundRows& found, const std::stop_token& stop = {});

    /// Loads what the first search would otherwise have to wait for: the rows and the signatures.
    Result<void> prepareSearch();

private:
    explicit Archive(std::unique_ptr<ArchiveReader> reader);
    std::unique_ptr<ArchiveReader> m_reader;
};

} // namespace kernelarium::archive
