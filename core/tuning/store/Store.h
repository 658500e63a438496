// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Judged.h"
#include "core/tuning/store/StoreReader.h"

#include <chrono>
#include <filesystem>
#include <functional>

namespace kernelarium::tuning {

/// The file in which a search keeps what it finds: a header, then a line of JSON for each record, only ever appended.
///
/// What it promises:
/// - A record that was kept is in the file when its process is killed, at any moment. A line that was not written to
///   its end is cut off at the next opening for writing, and readers do not see it. Anything else that is not as it was
///   written is refused with the file's name and the line, as far as it can be told: a line that is still a record of
///   its kind (another digit) cannot.
/// - When the machine itself dies, what was kept in its last second may be gone: the file is brought to the disk once a
///   second, and when it is closed. (Measured: a record takes 3 to 6 µs to write and
///   0.2 to 5 ms to bring to the disk, by how busy that is: for each record it would hold cheap candidates back. What
///   is lost is looked at again.)
/// - One process writes at a time (flock); any number read meanwhile. On NFS the lock holds between machines where the
///   server locks (Linux: NFS 4, or 3 with lockd); another machine's reader sees lines late, when its client looks
///   again, but whole and in order. On a file system without locks every process needs a store of its own: a shard.
/// - Lines up to longestRecord, files up to largestStore.
class Store : public Keeper {
public:
    /// Makes the store, or opens it to go on where it ended. Errors: "busy" (another process writes to it),
    /// "other_search" (says what differs), "unwritable_file", "disk_full", and those of StoreReader::open().
    [[nodiscard]] static Result<Store> open(const std::filesystem::path& path, const Header& header);
    /// Likewise, of a search whose first record says what it is about: it is appended where there is no record yet.
    [[nodiscard]] static Result<Store> open(const std::filesystem::path& path, const Header& header,
                                            const Record& first);
    ~Store() override;
    Store(Store&& other) noexcept;
    Store& operator=(Store&&) = delete;

    /// The candidates. Other kinds are checked and passed over. Errors as StoreReader::next().
    [[nodiscard]] Result<void> each(const std::function<void(const Judged&)>& take) override;
    [[nodiscard]] Result<void> keep(const Judged& judged) override;

    /// A unit; eachJudged() reads them. Errors as keep().
    [[nodiscard]] Result<void> keepUnit(const Judged& unit);

    /// A record of any other kind. Errors: "unwritable_file", "disk_full", "too_large".
    [[nodiscard]] Result<void> append(const Record& record);
    /// Brings all to the disk now.
    [[nodiscard]] Result<void> sync();

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    Store(int descriptor, std::filesystem::path path)
        : m_descriptor(descriptor)
        , m_path(std::move(path)) {}
    Result<void> begin(const Header& header);
    Result<void> write(const Record& record);

    int m_descriptor;
    std::filesystem::path m_path;
    std::uint64_t m_size = 0;
    std::chrono::steady_clock::time_point m_synced;
    bool m_dirty = false;
};

/// Every candidate and unit of a store, in its order, parsed on all processors; see StoreReader for the errors.
[[nodiscard]] Result<void> eachJudged(StoreReader& reader, const std::function<void(JudgedKind, const Judged&)>& take);
/// The candidates alone.
[[nodiscard]] Result<void> eachCandidate(StoreReader& reader, const std::function<void(const Judged&)>& take);

} // namespace kernelarium::tuning
