// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cluster/SweepArray.h"

#include "core/tuning/store/Merge.h"
#include "core/tuning/store/StoreReader.h"
#include "core/tuning/strategies/Strategies.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kernelarium::cluster {

namespace {

namespace fs = std::filesystem;
using tuning::Judged;

constexpr std::uint64_t linesBeside = 2; // of a part: the header and the sweep itself

fs::path sweepPart(const fs::path& folder, unsigned task) {
    return folder / fmt::format("part-{}.sweep", task);
}

tuning::Shard shardOfTask(unsigned task, unsigned tasks) {
    tuning::Shard shard;
    shard.index = task;
    shard.count = tasks;
    return shard;
}

Result<bool> dividesPoints(const protocol::SweepRequest& request) {
    auto strategy = tuning::makeStrategy(request.strategy);
    if (!strategy) return strategy.error();
    return (*strategy)->dividesPoints();
}

/// What the target has found; nothing where there is none yet.
Result<std::vector<Judged>> knownIn(const fs::path& target, const protocol::SweepRequest& request) {
    std::error_code problem;
    std::vector<Judged> known;
    if (!fs::exists(target, problem)) return known;
    Result<tuning::StoreReader> reader = tuning::StoreReader::open(target);
    if (!reader && reader.error().code == "empty_store") return known;
    if (!reader) return reader.error();
    const std::string difference =
        tuning::differenceOf(reader->header(), protocol::headerOf(request), "there", "in this sweep");
    if (!difference.empty())
        return Error{"other_search", fmt::format("{} is of another search: {}.", target.string(), difference),
                     "Name another --store."};
    Result<void> read = tuning::eachCandidate(*reader, [&](const Judged& judged) { known.push_back(judged); });
    if (!read) return read.error();
    return known;
}

bool belongs(const tuning::Space& space, const Judged& judged, const tuning::Shard& shard) {
    const auto point = space.pointOf(judged.candidate.key);
    return point && shard.has(space.number(*point));
}

class SweepWork : public Work {
public:
    SweepWork(const Plan& plan, fs::path folder, unsigned startOwner)
        : m_target(plan.target)
        , m_folder(std::move(folder))
        , m_startOwner(startOwner)
        , m_known(plan.known)
        , m_lines(plan.tasks) {}

    std::uint64_t done(unsigned task) override {
        const std::uint64_t lines = m_lines.at(task - 1).count(sweepPart(m_folder, task));
        // Every task looks at the kernel as it stands, and it is one point all the same.
        const std::uint64_t beside = linesBeside + m_known + (task == m_startOwner || m_known > 0 ? 0 : 1);
        return lines > beside ? lines - beside : 0;
    }
    [[nodiscard]] std::uint64_t doneOf(std::uint64_t sum) const override { return sum + m_known; }
    Result<void> collect(const std::stop_token& stop) override {
        std::vector<fs::path> parts;
        for (unsigned task = 1; task <= m_lines.size(); ++task)
            parts.push_back(sweepPart(m_folder, task));
        Result<tuning::MergedStores> merged = tuning::mergeStores(m_target, parts, stop);
        if (!merged) return merged.error();
        return {};
    }

private:
    fs::path m_target;
    fs::path m_folder;
    unsigned m_startOwner;
    std::uint64_t m_known; ///< that every part began with
    std::vector<GrowingLines> m_lines;
};

} // namespace

Result<Book> makeSweepArray(const protocol::SweepRequest& request, const std::string& timeBudget,
                            const fs::path& target, const Engine& engine, ArrayWish wish) {
    const fs::path folder = arrayFolder(target);
    Result<std::vector<Judged>> known = knownIn(target, request);
    if (!known) return known.error();
    Result<bool> divides = dividesPoints(request);
    if (!divides) return divides.error();
    const tuning::Space& space = request.tunable.space;
    const auto looks = request.budget.looks;
    if (!*divides && !looks && timeBudget.empty())
        return Error{
            "bad_usage",
            fmt::format("With `{}` each task searches on its own, and would look at every point.", request.strategy),
            "Give a --budget, or a strategy that divides the points, such as exhaustive."};
    if (looks) wish.tasks = unsigned(std::max(1.0, std::min(double(wish.tasks), *looks)));
    wish.gpu = request.points.run.backend == "cuda";

    ArrayContents contents;
    contents.plan.kind = sweepWork;
    contents.plan.title =
        fmt::format("sweep of {}{}", request.label, request.task.empty() ? "" : ", task " + request.task);
    contents.plan.target = target;
    contents.plan.known = *divides ? 0 : known->size();
    constexpr std::uint64_t mostCounted = 10'000'000;
    contents.plan.total = space.countAllowed(mostCounted);
    if (looks) contents.plan.total = std::min(contents.plan.total.value_or(UINT64_MAX), std::uint64_t(*looks));
    contents.arguments = {"tune",   "resume", TaskWord((folder / "part-").string(), ".sweep"),
                          "--part", "--jobs", processorsWord()};
    if (looks) {
        // Of a part that knows only its own points the budget is a share; else what is left is shared.
        const double shared = double(contents.plan.known);
        const double each = shared + std::ceil(std::max(0.0, *looks - shared) / wish.tasks);
        contents.arguments.insert(contents.arguments.end(), {"--budget", fmt::format("{:.0f}", each)});
    } else if (!timeBudget.empty()) {
        contents.arguments.insert(contents.arguments.end(), {"--budget", timeBudget});
    }
    contents.part = [&](unsigned task) -> Result<void> {
        protocol::SweepRequest part = request;
        part.shard = shardOfTask(task, wish.tasks);
        Result<tuning::Store> store = protocol::openSweepStore(sweepPart(folder, task), part);
        if (!store) return store.error();
        for (const Judged& judged : *known)
            if (!*divides || belongs(space, judged, part.shard))
                if (Result<void> kept = store->keep(judged); !kept) return kept;
        return {};
    };
    return makeArray(folder, engine, wish, std::move(contents));
}

Result<protocol::SweepRequest> sweepOfArray(const fs::path& folder) {
    Result<protocol::SweepRequest> request = protocol::readSweep(sweepPart(folder, 1));
    if (request) request->shard = {};
    return request;
}

Result<std::unique_ptr<Work>> makeSweepWork(const Plan& plan, const fs::path& folder) {
    Result<protocol::SweepRequest> request = sweepOfArray(folder);
    if (!request) return request.error();
    const tuning::Space& space = request->tunable.space;
    Result<bool> divides = dividesPoints(*request);
    if (!divides) return divides.error();
    unsigned owner = 1;
    while (*divides && owner < plan.tasks && !shardOfTask(owner, plan.tasks).has(space.number(space.start())))
        ++owner;
    return std::unique_ptr<Work>(std::make_unique<SweepWork>(plan, folder, owner));
}

} // namespace kernelarium::cluster
