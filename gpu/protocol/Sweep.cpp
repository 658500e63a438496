// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/Sweep.h"

#include "core/files/Sha256.h"
#include "core/perf/DeviceSpec.h"
#include "core/text/Utf8.h"
#include "core/tuning/space/SpaceFile.h"
#include "core/tuning/space/SpaceOnText.h"
#include "core/tuning/space/SpaceText.h"
#include "core/tuning/store/StoreReader.h"
#include "core/tuning/strategies/PointProposer.h"
#include "core/tuning/strategies/Strategies.h"
#include "core/verify/ChecksVersion.h"
#include "gpu/protocol/LaunchFilter.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace kernelarium::protocol {

namespace {

using nlohmann::json;

constexpr const char* sweepKind = "sweep";

constexpr std::array verifyWords{std::pair{PointSettings::Verify::promising, "promising"},
                                 std::pair{PointSettings::Verify::every, "every"},
                                 std::pair{PointSettings::Verify::none, "none"}};

const char* wordOf(PointSettings::Verify verify) {
    return std::find_if(verifyWords.begin(), verifyWords.end(), [=](const auto& w) { return w.first == verify; })
        ->second;
}

PointSettings::Verify verifyFrom(const std::string& word) {
    for (const auto& [verify, known] : verifyWords)
        if (word == known) return verify;
    throw std::invalid_argument("\"verify\" is " + word);
}

json runOf(const SweepRequest& request) {
    RunParameters run = request.points.run;
    run.unit = std::make_shared<const compile::CompiledUnit>(); // each point has its own
    return toJson(run);
}

std::string digest(const std::string& text) {
    return files::toHex(files::sha256(text));
}

Result<tuning::Record> recordOf(const SweepRequest& request) {
    const PointSettings& points = request.points;
    return tuning::recordOf(sweepKind, {{"key", sweepKind},
                                        {"label", request.label},
                                        {"task", request.task},
                                        {"source", *request.tunable.text},
                                        {"space_file", request.spaceFile},
                                        {"run", runOf(request)},
                                        {"compiler", text::wordsOf(points.compiler)},
                                        {"fast_math", points.fastMath},
                                        {"arch", points.arch},
                                        {"size", points.size},
                                        {"sizes", points.sizes},
                                        {"device", points.device},
                                        {"verify", wordOf(points.verify)},
                                        {"mode", points.mode},
                                        {"sample_seconds", points.sampleSeconds},
                                        {"strategy", request.strategy},
                                        {"seed", request.seed},
                                        {"earlier", request.earlier.store.string()},
                                        {"earlier_within", request.earlier.within}});
}

SweepRequest requestFrom(const json& j) {
    SweepRequest request;
    request.label = j.at("label");
    request.task = j.at("task");
    request.spaceFile = j.at("space_file");
    auto tunable = tunableOf(j.at("source"), request.spaceFile);
    if (!tunable) throw std::invalid_argument(tunable.error().text());
    request.tunable = std::move(*tunable);
    auto run = runParametersFromJson(j.at("run"));
    if (!run) throw std::invalid_argument(run.error().text());
    request.points.run = std::move(*run);
    auto compiler = text::settingsFromWords(j.at("compiler").get<std::vector<std::string>>());
    if (!compiler) throw std::invalid_argument(compiler.error().text());
    request.points.compiler = std::move(*compiler);
    request.points.fastMath = j.at("fast_math");
    request.points.arch = j.at("arch");
    request.points.size = j.at("size");
    request.points.sizes = j.value("sizes", std::vector<std::string>());
    if (request.points.sizes.size() == 1) throw std::invalid_argument("\"sizes\" has one");
    request.points.device = j.at("device");
    request.points.verify = verifyFrom(j.at("verify"));
    request.points.mode = j.at("mode");
    request.points.sampleSeconds = std::clamp(j.at("sample_seconds").get<double>(), 0.001, 3600.0);
    request.strategy = j.at("strategy");
    request.seed = j.at("seed");
    request.earlier.store = j.value("earlier", std::string());
    request.earlier.within = j.value("earlier_within", request.earlier.within);
    return request;
}

/// The kernel as it stands comes first: what a sweep finds is held against it.
class StartFirst : public tuning::Proposer {
public:
    StartFirst(tuning::Proposer& others, std::string start)
        : m_others(others)
        , m_start(std::move(start)) {}
    std::vector<tuning::Candidate> propose(std::size_t most) override {
        if (m_start.empty() || most == 0) return m_others.propose(most);
        return {{std::exchange(m_start, {})}};
    }
    void hear(const tuning::Candidate& candidate, const tuning::Outcome& outcome) override {
        if (candidate.key == m_start) m_start.clear();
        m_others.hear(candidate, outcome);
    }
    [[nodiscard]] std::optional<std::uint64_t> total() const override { return m_others.total(); }

private:
    tuning::Proposer& m_others;
    std::string m_start; ///< empty once it was proposed
};

/// Keeps in the store, and says so.
class Watched : public tuning::Keeper {
public:
    Watched(tuning::Store& store, const SweepWatch& watch, PointEvaluation& evaluation)
        : m_store(store)
        , m_watch(watch)
        , m_evaluation(evaluation) {}
    Result<void> each(const std::function<void(const tuning::Judged&)>& take) override {
        return m_store.each([&](const tuning::Judged& judged) {
            m_evaluation.know(judged);
            take(judged);
        });
    }
    Result<void> keep(const tuning::Judged& judged) override {
        Result<void> kept = m_store.keep(judged);
        if (!kept) return kept;
        m_evaluation.know(judged);
        if (m_watch.judged) m_watch.judged(judged);
        return kept;
    }

private:
    tuning::Store& m_store;
    const SweepWatch& m_watch;
    PointEvaluation& m_evaluation;
};

} // namespace

Result<tuning::TunableText> tunableOf(std::string text, const std::string& spaceFile) {
    if (const std::size_t valid = text::validUtf8(text); valid < text.size()) {
        const std::ptrdiff_t line = 1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(valid), '\n');
        return Error{"bad_input", fmt::format("Line {}: the text is not UTF-8 there.", line),
                     "Save it as UTF-8: a sweep keeps the text, and keeps it so."};
    }
    if (spaceFile.empty()) return tuning::spaceOfText(std::move(text));
    Result<tuning::FileSpace> file = tuning::readSpaceFile(spaceFile);
    if (!file) return file.error();
    return tuning::spaceOnText(std::move(text), *file);
}

std::string valueWords(const SweepRequest& request) {
    const PointSettings& points = request.points;
    const std::string at =
        points.sizes.empty() ? "size " + points.size : fmt::format("geometric mean over {} sizes", points.sizes.size());
    if (points.run.backend == "cuda") return fmt::format("measured, {}, {}", points.mode, at);
    const perf::DeviceSpec* device = perf::findDeviceSpec(points.device);
    return fmt::format("modelled on {}, {}", device ? device->name : points.device, at);
}

tuning::Header headerOf(const SweepRequest& request) {
    const PointSettings& points = request.points;
    const bool measured = points.run.backend == "cuda";
    json run = runOf(request);
    for (const char* how : {"jobs", "time_limit_ms", "gpu_bytes", "unit"})
        run.erase(how);
    std::string sizes;
    for (const std::string& size : sizesOf(points))
        sizes += (sizes.empty() ? "" : "; ") + size;
    const std::string how = points.sizes.empty() ? "" : ", geometric mean over the sizes";
    tuning::Header header;
    header.shard = request.shard;
    header.search = {{"search", "parameter sweep"},
                     {"kernel", request.label},
                     {"task", request.task},
                     {"source", digest(*request.tunable.text)},
                     {"space", digest(tuning::spaceFile(request.tunable))},
                     {"run", digest(run.dump())},
                     {"value", (measured ? "measured seconds, " + points.mode : "modelled seconds") + how},
                     {"device", measured ? "the GPU" : points.device},
                     {"arch", points.arch},
                     {"size", sizes},
                     {"options", text::lineOf(points.compiler) + (points.fastMath ? " fast math" : "")},
                     {"verify", wordOf(points.verify)},
                     {"versions", fmt::format("{}, checks {}", KERNELARIUM_VERSION, verify::checksVersion())}};
    if (!request.earlier.store.empty())
        header.search["left out"] = fmt::format(
            "what an earlier sweep refused, found wrong or slower than {} of its best", request.earlier.within);
    return header;
}

Result<tuning::Store> openSweepStore(const std::filesystem::path& path, const SweepRequest& request) {
    Result<tuning::Record> record = recordOf(request);
    if (!record) return record.error();
    if (!request.earlier.store.empty()) { // what cannot begin leaves no store behind
        Result<tuning::Filter> earlier = earlierFilter(request.earlier, headerOf(request), {}, {});
        if (!earlier) return earlier.error();
    }
    return tuning::Store::open(path, headerOf(request), *record);
}

Result<SweepRequest> readSweep(const std::filesystem::path& path) {
    Result<tuning::StoreReader> reader = tuning::StoreReader::open(path);
    if (!reader) return reader.error();
    for (;;) {
        auto record = reader->next();
        if (!record) return record.error();
        if (!*record)
            return Error{"not_sweep", fmt::format("{} does not hold a parameter sweep.", path.string()),
                         "Give a store that `tune` has written."};
        if ((*record)->kind != sweepKind) continue;
        try {
            SweepRequest request = requestFrom((*record)->fields);
            request.shard = reader->header().shard;
            return request;
        } catch (const std::exception& problem) {
            return reader->damaged(reader->lineNumber(), problem.what());
        }
    }
}

Result<tuning::Ended> runSweep(const SweepRequest& request, tuning::Store& store, const TrialJudge::Commands& commands,
                               const SweepWatch& watch, std::stop_token stop) {
    auto strategy = tuning::makeStrategy(request.strategy);
    if (!strategy) return strategy.error();
    tuning::PointOptions options;
    options.seed = request.seed;
    options.shard = request.shard;
    if (request.budget.looks) options.horizon = *request.budget.looks;
    constexpr std::uint64_t mostCounted = 10'000'000; // a second or two
    options.allowed = request.tunable.space.countAllowed(mostCounted, stop);
    if (options.allowed && *options.allowed == 0)
        return Error{"bad_input", "The restrictions forbid every point.", "Loosen one of them."};
    tuning::PointProposer proposer(request.tunable.space, std::move(*strategy), options);
    PointEvaluation evaluation(request.tunable, request.points, commands);
    Watched keeper(store, watch, evaluation);
    const tuning::Space& space = request.tunable.space;
    StartFirst withStart(proposer, space.forbids(space.start()) ? std::string() : space.key(space.start()));
    tuning::SearchParts parts{.proposer = withStart, .evaluation = evaluation};
    parts.keeper = &keeper;
    parts.filter = launchFilter(request.tunable, request.points);
    parts.progress = watch.progress;
    parts.pause = watch.pause;
    if (!request.earlier.store.empty()) {
        Result<tuning::Filter> filter =
            earlierFilter(request.earlier, headerOf(request), space.key(space.start()), std::move(parts.filter));
        if (!filter) return filter.error();
        parts.filter = std::move(*filter);
    }
    Result<tuning::Ended> ended = tuning::runSearch(parts, {.jobs = request.jobs, .budget = request.budget}, stop);
    if (ended) ended->note = proposer.note();
    const bool measured = request.points.run.backend == "cuda";
    if (!ended || ended->why == tuning::Ended::Why::stopped || !measured || !request.shard.whole()) return ended;
    FreshPairTimer timer(request.tunable, request.points, commands);
    Result<std::vector<Confirmation>> confirmed = confirmWinner(request.tunable, request.points, store, timer, stop);
    if (!confirmed && confirmed.error().code != "cancelled") return confirmed.error();
    if (!confirmed)
        ended->why = tuning::Ended::Why::stopped;
    else if (watch.confirmed)
        watch.confirmed(*confirmed);
    return ended;
}

} // namespace kernelarium::protocol
