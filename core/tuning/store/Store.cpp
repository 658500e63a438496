// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/store/Store.h"

#include "core/threads/FanOut.h"
#include "core/tuning/store/StoreFile.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace kernelarium::tuning {
namespace {

constexpr auto syncEvery = std::chrono::seconds(1);

/// Whether a file without a whole first line is what is left of a header of ours.
bool isTornHeader(int descriptor, std::uint64_t size) {
    static constexpr std::string_view beginning = "{\"format\":\"kernelarium-search\",";
    std::string start(std::size_t(std::min<std::uint64_t>(size, beginning.size())), '\0');
    return ::pread(descriptor, start.data(), start.size(), 0) == ssize_t(start.size()) && beginning.starts_with(start);
}

/// How many bytes of a file are whole lines. Only the end is read: a torn line is no longer than a record.
Result<std::uint64_t> wholeBytes(int descriptor, std::uint64_t size, const std::filesystem::path& path) {
    std::string block(std::size_t(1) << 16, '\0');
    std::uint64_t end = size;
    while (end > 0) {
        const std::uint64_t take = std::min<std::uint64_t>(block.size(), end);
        const ssize_t got = ::pread(descriptor, block.data(), std::size_t(take), off_t(end - take));
        if (got < 0 && errno == EINTR) continue;
        if (got != ssize_t(take)) return unwritableStore(path, got < 0 ? errno : EIO);
        const std::size_t at = std::string_view(block).substr(0, std::size_t(take)).rfind('\n');
        if (at != std::string_view::npos) return end - take + at + 1;
        end -= take;
        if (size - end > longestRecord + block.size())
            return Error{
                "damaged_store",
                fmt::format("{} is damaged: its last line has more than {} bytes.", path.string(), longestRecord),
                "Restore it from a copy, or move it away and search again."};
    }
    return 0;
}

} // namespace

Store::Store(Store&& other) noexcept
    : Keeper(other)
    , m_descriptor(std::exchange(other.m_descriptor, -1))
    , m_path(std::move(other.m_path))
    , m_size(other.m_size)
    , m_synced(other.m_synced)
    , m_dirty(other.m_dirty) {}

Store::~Store() {
    if (m_descriptor < 0) return;
    static_cast<void>(sync()); // an error here has nobody to tell, and loses no more than a dying machine would
    ::close(m_descriptor);
}

Result<Store> Store::open(const std::filesystem::path& path, const Header& header) {
    auto descriptor = openLocked(path);
    if (!descriptor) return descriptor.error();
    Store store(*descriptor, path);
    if (auto begun = store.begin(header); !begun) return begun.error();
    return store;
}

Result<Store> Store::open(const std::filesystem::path& path, const Header& header, const Record& first) {
    auto store = open(path, header);
    if (!store) return store;
    auto reader = StoreReader::open(path);
    if (!reader) return reader.error();
    const auto there = reader->next();
    if (!there) return there.error();
    if (*there) return store;
    if (auto kept = store->append(first); !kept) return kept.error();
    return store;
}

Result<void> Store::begin(const Header& header) {
    struct stat status {};
    if (fstat(m_descriptor, &status) != 0) return unwritableStore(m_path, errno);
    const auto size = std::uint64_t(status.st_size);
    auto whole = wholeBytes(m_descriptor, size, m_path);
    if (!whole) return whole.error();
    if (*whole == 0 && !isTornHeader(m_descriptor, size))
        return Error{"not_store", fmt::format("{} is not the store of a search.", m_path.string()),
                     "Name the store of a search, or a file that does not exist yet."};
    if (*whole > 0) {
        auto reader = StoreReader::open(m_path);
        if (!reader) return reader.error();
        if (const std::string difference = differenceOf(reader->header(), header, "in the store", "now");
            !difference.empty())
            return Error{"other_search", fmt::format("{} is of another search: {}.", m_path.string(), difference),
                         "Name another store, or search as that one did."};
        if (!(reader->header().shard == header.shard))
            return Error{"other_search",
                         fmt::format("{} is of shard {}, and this is {}.", m_path.string(),
                                     reader->header().shard.text(), header.shard.text()),
                         "Give each shard a store of its own; merge them in the end."};
    }
    if (*whole < size && ftruncate(m_descriptor, off_t(*whole)) != 0) return unwritableStore(m_path, errno);
    m_size = *whole;
    m_synced = std::chrono::steady_clock::now();
    if (m_size > 0) return {};
    auto record = recordOf(header);
    if (!record) return record.error();
    if (auto written = write(*record); !written) return written;
    if (auto synced = sync(); !synced) return synced;
    syncFolderOf(m_path);
    return {};
}

Result<void> Store::write(const Record& record) {
    if (record.line.size() > longestRecord || record.line.find('\n') != std::string::npos)
        return Error{"too_large", "A record does not fit on a line of the store.", {}};
    if (m_size + record.line.size() + 1 > largestStore)
        return Error{"too_large", fmt::format("{} is as large as a store may be.", m_path.string()),
                     "Go on in another one: search in shards."};
    std::string line;
    line.reserve(record.line.size() + 1);
    line.append(record.line).push_back('\n');
    if (auto written = appendWhole(m_descriptor, line, m_size, m_path); !written) return written;
    m_size += line.size();
    m_dirty = true;
    return std::chrono::steady_clock::now() - m_synced >= syncEvery ? sync() : Result<void>();
}

Result<void> Store::sync() {
    if (!m_dirty) return {};
    if (fdatasync(m_descriptor) != 0) return unwritableStore(m_path, errno);
    m_dirty = false;
    m_synced = std::chrono::steady_clock::now();
    return {};
}

Result<void> Store::append(const Record& record) {
    auto again = recordFrom(record.line); // what could not be read again would make the store a damaged one
    if (!again) return Error{"bad_input", fmt::format("A record is wrong: {}.", again.error().message), {}};
    if (again->kind == "header" || judgedKindOf(again->kind))
        return Error{"bad_input", fmt::format("Records of the kind `{}` are the store's own.", again->kind), {}};
    return write(record);
}

Result<void> Store::keep(const Judged& judged) {
    auto record = recordOf(judged);
    if (!record) return record.error();
    return write(*record);
}

Result<void> Store::each(const std::function<void(const Judged&)>& take) {
    auto reader = StoreReader::open(m_path);
    if (!reader) return reader.error();
    return eachCandidate(*reader, take);
}

Result<void> Store::keepUnit(const Judged& unit) {
    auto record = recordOf(unit, JudgedKind::unit);
    if (!record) return record.error();
    return write(*record);
}

Result<void> eachCandidate(StoreReader& reader, const std::function<void(const Judged&)>& take) {
    return eachJudged(reader, [&](JudgedKind kind, const Judged& judged) {
        if (kind == JudgedKind::candidate) take(judged);
    });
}

Result<void> eachJudged(StoreReader& reader, const std::function<void(JudgedKind, const Judged&)>& take) {
    struct Line {
        std::string text;
        JudgedKind kind = JudgedKind::candidate;
        std::optional<Judged> judged; ///< none: of another kind
        std::string wrong;
    };
    constexpr std::size_t batchLines = 8192;
    constexpr std::size_t batchBytes = std::size_t(16) << 20;
    std::vector<Line> batch(batchLines);
    const auto parse = [&](std::size_t i, std::size_t) {
        Line& line = batch[i];
        line.judged.reset();
        line.wrong.clear();
        auto record = recordFrom(line.text);
        if (!record) {
            line.wrong = record.error().message;
        } else if (const auto judgedKind = judgedKindOf(record->kind)) {
            line.kind = *judgedKind;
            auto judged = judgedFrom(*record);
            if (judged)
                line.judged = std::move(*judged);
            else
                line.wrong = judged.error().message;
        } else if (record->kind == "header") {
            line.wrong = "it is a second header";
        }
    };
    while (true) {
        const std::uint64_t first = reader.lineNumber() + 1;
        std::size_t count = 0, bytes = 0;
        while (count < batchLines && bytes < batchBytes) {
            auto line = reader.nextLine();
            if (!line) return line.error();
            if (!*line) break;
            batch[count++].text.assign(**line);
            bytes += (*line)->size();
        }
        if (count == 0) return {};
        threads::forEach(count, count < 256 ? 1 : threads::cores(), parse);
        for (std::size_t i = 0; i < count; ++i) {
            if (!batch[i].wrong.empty()) return reader.damaged(first + i, batch[i].wrong);
            if (batch[i].judged) take(batch[i].kind, *batch[i].judged);
        }
    }
}

} // namespace kernelarium::tuning
