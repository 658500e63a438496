// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tuning/ArrayRun.h"

#include "core/tuning/store/StoreReader.h"
#include "gpu/cluster/Kinds.h"
#include "gpu/cluster/SweepArray.h"

#include <condition_variable>
#include <fmt/format.h>
#include <mutex>
#include <unordered_set>

namespace kernelarium::ui {

namespace {

using cluster::ArrayProgress;
using cluster::WatchedArray;
using ArrayClock = std::chrono::steady_clock;

/// Of the time, at most a tenth goes into bringing parts together.
constexpr int gatherShare = 10;

/// Brings an array's points together and tells those that are new.
class Gatherer {
public:
    explicit Gatherer(const ArrayRun& run)
        : m_run(run) {}

    void gather(cluster::Work& work, const ArrayProgress& progress, const std::stop_token& stop) {
        const ArrayClock::time_point began = ArrayClock::now();
        if (progress.done == m_done || began < m_next) return;
        if (!work.collect(stop)) return; // another one does; what does not pass is said at the end
        m_done = progress.done;
        read();
        m_next = ArrayClock::now() + gatherShare * (ArrayClock::now() - began);
    }

    void read() {
        Result<tuning::StoreReader> reader = tuning::StoreReader::open(m_run.store);
        if (!reader) return;
        std::vector<tuning::Judged> fresh;
        static_cast<void>(tuning::eachCandidate(*reader, [&](const tuning::Judged& judged) {
            const bool failed = judged.outcome.kind == tuning::Outcome::Kind::failed;
            std::string id =
                fmt::format("{}@{}{}", judged.candidate.key, judged.candidate.effort, failed ? " failed" : "");
            if (m_told.insert(std::move(id)).second) fresh.push_back(judged);
        }));
        if (!fresh.empty()) m_run.judged(std::move(fresh));
    }

private:
    const ArrayRun& m_run;
    std::uint64_t m_done = 0; ///< when they were brought together
    ArrayClock::time_point m_next = ArrayClock::now();
    std::unordered_set<std::string> m_told;
};

void waitFor(std::chrono::milliseconds time, const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    wake.wait_for(lock, stop, time, [] { return false; });
}

/// The array that is under way, or a new one.
Result<cluster::Book> bookFor(const ArrayRun& run, cluster::Engine& engine, const std::stop_token& stop) {
    const std::filesystem::path folder = cluster::arrayFolder(run.store);
    Result<bool> underWay =
        isArrayUnderWay(run.store) ? Result<bool>(true) : cluster::settleEarlier(engine, folder, stop);
    if (!underWay) return underWay.error();
    if (*underWay) return cluster::Book::open(folder);
    {
        // It says what the sweep is of before any part has found something.
        std::error_code code;
        std::filesystem::create_directories(run.store.parent_path(), code); // or opening says why not
        Result<tuning::Store> store = protocol::openSweepStore(run.store, run.request);
        if (!store) return store.error();
    }
    cluster::ArrayWish wish{run.order.tasks, run.order.options, run.program, run.store.parent_path()};
    wish.stop = stop;
    wish.made = [&run](unsigned made) { run.said(fmt::format("{} of {} parts made", made, run.order.tasks)); };
    Result<cluster::Book> book =
        cluster::makeSweepArray(run.request, run.order.timeBudget, run.store, engine, std::move(wish));
    if (book) run.said({});
    return book;
}

/// A look at what another process watches.
Result<void> lookOn(const ArrayRun& run, cluster::Engine& engine, std::unique_ptr<cluster::Work>& work,
                    Gatherer& gatherer, const std::stop_token& stop) {
    const std::filesystem::path folder = cluster::arrayFolder(run.store);
    Result<cluster::Notes> notes = cluster::readNotes(folder);
    if (!notes) return notes.error();
    if (!work) {
        Result<std::unique_ptr<cluster::Work>> made = cluster::makeWork(notes->plan, folder);
        if (!made) return made.error();
        work = std::move(*made);
    }
    Result<ArrayProgress> progress = cluster::lookAtArray(engine, folder, *notes, *work, stop);
    if (!progress) return progress.error().code == "cluster_silent" ? Result<void>() : progress.error();
    gatherer.gather(*work, *progress, stop);
    run.progress(*progress);
    return {};
}

} // namespace

Result<WatchedArray> runArray(const ArrayRun& run, const std::stop_token& stop) {
    Result<std::unique_ptr<cluster::Engine>> engine = cluster::makeEngine("slurm");
    if (!engine) return engine.error();
    Gatherer gatherer(run);
    std::unique_ptr<cluster::Work> work;
    std::optional<Result<cluster::Book>> opened;
    for (;;) {
        opened.emplace(bookFor(run, **engine, stop));
        if (*opened || opened->error().code != "busy" || !isArrayUnderWay(run.store)) break;
        run.said(opened->error().message);
        if (Result<void> looked = lookOn(run, **engine, work, gatherer, stop); !looked) return looked.error();
        waitFor(run.pace.interval, stop);
        if (stop.stop_requested()) return WatchedArray{};
    }
    if (!*opened) return opened->error();
    Result<cluster::Book>& book = *opened;
    if (Result<std::unique_ptr<cluster::Work>> made = cluster::makeWork(book->notes().plan, book->folder()); made)
        work = std::move(*made);
    else
        return made.error();
    cluster::ArrayWatch watch;
    watch.interval = run.pace.interval;
    watch.settle = run.pace.settle;
    watch.said = run.said;
    watch.progress = [&](const ArrayProgress& progress) {
        gatherer.gather(*work, progress, stop);
        run.progress(progress);
    };
    Result<WatchedArray> watched = cluster::watchArray(**engine, *book, *work, watch, stop);
    if (!watched) cluster::removeRefused(*book);
    gatherer.read();
    return watched;
}

bool isArrayUnderWay(const std::filesystem::path& store) {
    Result<cluster::Notes> notes = cluster::readNotes(cluster::arrayFolder(store));
    return notes && notes->plan.kind == cluster::sweepWork && !notes->collected;
}

Result<void> cancelArrayOf(const std::filesystem::path& store, const std::stop_token& stop) {
    Result<std::unique_ptr<cluster::Engine>> engine = cluster::makeEngine("slurm");
    if (!engine) return engine.error();
    return cluster::cancelArray(**engine, cluster::arrayFolder(store), stop);
}

} // namespace kernelarium::ui
