// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cluster/GraphArray.h"

#include "core/superopt/search/SearchStore.h"
#include "core/tuning/store/Merge.h"
#include "core/tuning/store/StoreReader.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <unordered_map>

namespace kernelarium::cluster {

namespace {

namespace fs = std::filesystem;
using tuning::Judged;
using tuning::JudgedKind;

fs::path graphPart(const fs::path& folder, unsigned task) {
    return folder / fmt::format("part-{}.graphs", task);
}

tuning::Shard graphShard(unsigned task, unsigned tasks) {
    tuning::Shard shard;
    shard.index = task;
    shard.count = tasks;
    return shard;
}

/// Explored units of the target; none where there is no target yet.
Result<std::vector<Judged>> exploredIn(const GraphArrayWish& search) {
    std::error_code problem;
    std::vector<Judged> explored;
    if (!fs::exists(search.target, problem)) return explored;
    Result<tuning::StoreReader> reader = tuning::StoreReader::open(search.target);
    if (!reader && reader.error().code == "empty_store") return explored;
    if (!reader) return reader.error();
    const std::string difference =
        tuning::differenceOf(reader->header(), superopt::searchHeader(search.identity), "there", "in this search");
    if (!difference.empty())
        return Error{"other_search", fmt::format("{} is of another search: {}.", search.target.string(), difference),
                     "Name another --store."};
    Result<void> read = tuning::eachJudged(*reader, [&](JudgedKind kind, const Judged& judged) {
        if (kind == JudgedKind::unit && judged.outcome.kind != tuning::Outcome::Kind::failed)
            explored.push_back(judged);
    });
    if (!read) return read.error();
    return explored;
}

/// Units in a part that another process appends to; only what is new is read.
class GrowingUnits {
public:
    std::uint64_t count(const fs::path& path) {
        if (!m_reader) {
            Result<tuning::StoreReader> opened = tuning::StoreReader::open(path);
            if (!opened) return m_units; // not begun yet, or of a machine whose files show late
            m_reader.emplace(std::move(*opened));
        }
        while (true) {
            auto record = m_reader->next();
            if (!record) {
                m_reader.reset(); // what a killed process left unfinished was cut: from the beginning
                m_units = 0;
                return m_units;
            }
            if (!*record) return m_units;
            if (tuning::judgedKindOf((*record)->kind) == JudgedKind::unit) ++m_units;
        }
    }

private:
    std::optional<tuning::StoreReader> m_reader;
    std::uint64_t m_units = 0;
};

class GraphWork : public Work {
public:
    GraphWork(const Plan& plan, fs::path folder)
        : m_target(plan.target)
        , m_folder(std::move(folder))
        , m_units(plan.tasks) {}

    std::uint64_t done(unsigned task) override { return m_units.at(task - 1).count(graphPart(m_folder, task)); }
    Result<void> collect(const std::stop_token& stop) override {
        std::vector<fs::path> parts;
        for (unsigned task = 1; task <= m_units.size(); ++task)
            parts.push_back(graphPart(m_folder, task));
        Result<tuning::MergedStores> merged = tuning::mergeStores(m_target, parts, stop);
        if (!merged) return merged.error();
        return {};
    }

private:
    fs::path m_target;
    fs::path m_folder;
    std::vector<GrowingUnits> m_units;
};

} // namespace

Result<Book> makeGraphArray(const GraphArrayWish& search, const std::vector<std::string>& units, const Engine& engine,
                            ArrayWish wish) {
    const fs::path folder = arrayFolder(search.target);
    Result<std::vector<Judged>> explored = exploredIn(search);
    if (!explored) return explored.error();
    std::unordered_map<std::string, std::uint64_t> places;
    for (std::size_t i = 0; i < units.size(); ++i)
        places.emplace(units[i], i);
    wish.tasks = unsigned(std::max<std::size_t>(1, std::min<std::size_t>(wish.tasks, units.size())));
    ArrayContents contents;
    contents.plan.kind = graphWork;
    contents.plan.title = search.title;
    contents.plan.target = search.target;
    contents.plan.total = units.size();
    contents.arguments = {"superopt", "resume",    TaskWord((folder / "part-").string(), ".graphs"),
                          "--part",   "--threads", processorsWord()};
    if (!search.timeBudget.empty())
        contents.arguments.insert(contents.arguments.end(), {"--budget", search.timeBudget});
    contents.part = [&](unsigned task) -> Result<void> {
        const tuning::Shard shard = graphShard(task, wish.tasks);
        Result<tuning::Store> store =
            superopt::openSearchStore(graphPart(folder, task), search.identity, search.subject, shard);
        if (!store) return store.error();
        for (const Judged& unit : *explored) {
            const auto place = places.find(unit.candidate.key);
            if (place == places.end() || !shard.has(place->second)) continue;
            if (Result<void> kept = store->keepUnit(unit); !kept) return kept;
        }
        return {};
    };
    return makeArray(folder, engine, wish, std::move(contents));
}

Result<std::unique_ptr<Work>> makeGraphWork(const Plan& plan, const fs::path& folder) {
    return std::unique_ptr<Work>(std::make_unique<GraphWork>(plan, folder));
}

Result<void> checkGraphArray(const fs::path& folder, const GraphArrayWish& search) {
    Result<superopt::SearchSaid> said = superopt::readSearchStore(graphPart(folder, 1));
    if (!said) return said.error();
    const std::string difference =
        tuning::differenceOf(said->header, superopt::searchHeader(search.identity), "in the array", "now");
    if (difference.empty()) return {};
    return Error{"other_search",
                 fmt::format("An array of another search is under way in {}: {}.", folder.string(), difference),
                 "Name another --store, or end it with `kernelarium-cli cluster cancel`."};
}

} // namespace kernelarium::cluster
