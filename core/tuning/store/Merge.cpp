// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/store/Merge.h"

#include "core/tuning/store/StoreFile.h"
#include "core/tuning/store/StoreReader.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <unordered_map>

namespace kernelarium::tuning {
namespace {

namespace fs = std::filesystem;

struct Kept {
    std::tuple<int, bool, unsigned> standing{}; ///< of candidates and units
    double rank = 0;
    std::int64_t when = 0;
    std::string line;
    [[nodiscard]] auto order() const { return std::tie(standing, rank, when, line); }
    [[nodiscard]] auto byTime() const { return std::tie(when, line); }
};

/// Closes a descriptor.
struct Descriptor {
    int number;
    explicit Descriptor(int opened)
        : number(opened) {}
    ~Descriptor() {
        if (number >= 0) ::close(number);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
};

class Union {
public:
    Result<void> add(const fs::path& path, const std::stop_token& stop);
    Result<MergedStores> writeTo(const fs::path& target, const std::stop_token& stop);
    [[nodiscard]] bool empty() const { return !m_header; }

private:
    std::optional<Header> m_header;
    fs::path m_first;
    std::unordered_map<std::string, Kept> m_records; ///< by kind and key, or by the line
    std::uint64_t m_dropped = 0;
};

Result<void> Union::add(const fs::path& path, const std::stop_token& stop) {
    auto reader = StoreReader::open(path);
    if (!reader) return reader.error();
    if (!m_header) {
        m_header = reader->header();
        m_first = path;
    } else if (const std::string difference =
                   differenceOf(*m_header, reader->header(), "in the first", "in the second");
               !difference.empty()) {
        return Error{
            "other_search",
            fmt::format("{} and {} are of different searches: {}.", m_first.string(), path.string(), difference),
            "Merge stores of one search only."};
    } else if (!(reader->header().shard == m_header->shard)) {
        m_header->shard = {};
    }
    while (true) {
        if (stop.stop_requested()) return Error{"cancelled", "Merging was stopped."};
        auto record = reader->next();
        if (!record) return record.error();
        if (!*record) return {};
        Kept kept{{}, (*record)->rank(), (*record)->when(), (*record)->line};
        std::string name = (*record)->kind + '\n' + (*record)->key();
        if (judgedKindOf((*record)->kind)) {
            auto judged = judgedFrom(**record);
            if (!judged) return reader->damaged(reader->lineNumber(), judged.error().message);
            if (judged->candidate.effort < 1) name += fmt::format("\n{}", judged->candidate.effort);
            if (judged->fell()) name += "\nfell";
            kept.standing = judged->standing();
            kept.rank = 0;
        } else if ((*record)->key().empty()) {
            name = "\n" + (*record)->line;
        }
        const auto [at, isNew] = m_records.try_emplace(std::move(name), kept);
        if (isNew) continue;
        ++m_dropped;
        if (at->second.order() < kept.order()) at->second = std::move(kept);
    }
}

Result<MergedStores> Union::writeTo(const fs::path& target, const std::stop_token& stop) {
    std::vector<const Kept*> ordered;
    ordered.reserve(m_records.size());
    for (const auto& [name, kept] : m_records)
        ordered.push_back(&kept);
    std::sort(ordered.begin(), ordered.end(), [](const Kept* a, const Kept* b) { return a->byTime() < b->byTime(); });
    auto header = recordOf(*m_header);
    if (!header) return header.error();

    fs::path work = target;
    work.replace_filename(fmt::format(".{}.merge", target.filename().string()));
    auto opened = openLocked(work); // what a killed merge left behind is overwritten
    if (!opened) return opened.error();
    const Descriptor file(*opened);
    const auto written = [&]() -> Result<void> {
        if (ftruncate(file.number, 0) != 0) return unwritableStore(work, errno);
        std::string block = header->line + '\n';
        std::uint64_t size = 0;
        for (const Kept* kept : ordered) {
            block.append(kept->line).push_back('\n');
            if (block.size() < (std::size_t(4) << 20)) continue;
            if (stop.stop_requested()) return Error{"cancelled", "Merging was stopped."};
            if (auto appended = appendWhole(file.number, block, size, work); !appended) return appended;
            size += block.size();
            block.clear();
        }
        if (size + block.size() > largestStore) return Error{"too_large", "The result is too large for a store.", {}};
        if (auto appended = appendWhole(file.number, block, size, work); !appended) return appended;
        if (fsync(file.number) != 0 || ::rename(work.c_str(), target.c_str()) != 0)
            return unwritableStore(target, errno);
        syncFolderOf(target);
        return {};
    }();
    if (!written) {
        ::unlink(work.c_str());
        return written.error();
    }
    return MergedStores{m_records.size(), m_dropped};
}

} // namespace

Result<MergedStores> mergeStores(const fs::path& target, const std::vector<fs::path>& inputs,
                                 const std::stop_token& stop) {
    std::error_code code;
    const fs::path real = fs::weakly_canonical(target, code); // so that a link survives the rename
    const fs::path file = code ? target : real;
    Union all;
    std::optional<Descriptor> locked;
    if (fs::exists(file, code)) {
        auto descriptor = openLocked(file);
        if (!descriptor) return descriptor.error();
        locked.emplace(*descriptor);
        if (auto added = all.add(file, stop); !added) return added.error();
    }
    for (const fs::path& input : inputs)
        if (!fs::equivalent(input, file, code))
            if (auto added = all.add(input, stop); !added) return added.error();
    if (all.empty()) return Error{"bad_input", "There is nothing to merge.", "Name the stores of a search."};
    return all.writeTo(file, stop);
}

} // namespace kernelarium::tuning
