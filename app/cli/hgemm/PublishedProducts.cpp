// SPDX-License-Identifier: GPL-3.0-or-later
//
// hgemm run-published: kernels of a published set, from the user's own checkout.
#include "app/cli/Output.h"
#include "app/cli/StopOnSignal.h"
#include "app/cli/hgemm/LaboratoryOptions.h"
#include "app/cli/kernel/KernelJob.h"
#include "core/files/ScratchFolder.h"
#include "core/files/WorkFile.h"
#include "core/hgemm/HgemmStore.h"
#include "core/hgemm/laboratory/Published.h"
#include "core/quantities/Quantities.h"
#include "core/verify/Verdict.h"
#include "gpu/protocol/Trial.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kernelarium::cli {

namespace {

using hgemm::PublishedKernel;
using hgemm::Shape;

/// What became of one kernel.
struct Outcome {
    Shape shape;
    std::string accumulator;
    std::string verdict; ///< "verified", "wrong", ... or "refused"
    std::string reason;
    std::optional<double> relativeRms;        ///< of its error, over the output's root mean square
    std::optional<double> seconds, autotuned; ///< measured, in the options' mode
    std::optional<double> claimed;            ///< published speed-up over cuBLASLt autotuned

    [[nodiscard]] std::optional<double> speedup() const {
        return seconds && autotuned ? std::optional(*autotuned / *seconds) : std::nullopt;
    }
};

/// Of the imported tables, what is claimed against cuBLASLt autotuned: for a device whose name is in the table's.
std::optional<double> claimOf(const std::vector<hgemm::HgemmTable>& tables, const std::string& device,
                              const Shape& shape) {
    for (const hgemm::HgemmTable& table : tables) {
        if (table.device != device || table.mode != "offline" || table.precision.substr(0, 3) != "F32") continue;
        const auto baseline = std::find(table.baselines.begin(), table.baselines.end(), "cuBLASLt-auto-tuning-max");
        const auto at = std::find(table.shapes.begin(), table.shapes.end(), shape);
        if (baseline == table.baselines.end() || at == table.shapes.end()) continue;
        const double claimed =
            table.speedups[std::size_t(baseline - table.baselines.begin())][std::size_t(at - table.shapes.begin())];
        if (!std::isnan(claimed)) return claimed;
    }
    return {};
}

/// Each kernel has children of its own: what it leaves behind on the device ends with them.
class PublishedRun {
public:
    PublishedRun(const LaboratoryOptions& options, const std::filesystem::path& scratch)
        : m_options(options)
        , m_scratch(scratch) {}

    Outcome run(const PublishedKernel& kernel) {
        Outcome out;
        out.shape = kernel.shape;
        out.accumulator = std::string(hgemm::name(kernel.accumulator));
        if (Result<void> verified = verify(kernel, out); !verified) {
            out.verdict = "refused";
            out.reason = verified.error().text();
        } else if (m_options.backend == "cuda" && out.verdict == "verified") {
            if (Result<void> timed = time(kernel, out); !timed) out.reason = timed.error().text();
        }
        return out;
    }

private:
    Result<JobOptions> jobOf(const PublishedKernel& kernel, bool timed) const {
        JobOptions job;
        job.file = m_scratch / kernel.path.filename();
        job.card = m_scratch / "card.json";
        job.backend = m_options.backend;
        job.place = m_options.place;
        job.compilerWords = m_options.compilerWords;
        job.timeLimit = m_options.kernelLimit;
        job.timeLimitGiven = true;
        job.size = timed ? "full" : "small";
        job.timeMode = m_options.modes.front();
        job.sampleSeconds = m_options.seconds;
        job.noEnergy = true;
        for (const auto& [path, text] :
             {std::pair(std::filesystem::path(job.file), hgemm::withModule(kernel, timed)),
              std::pair(std::filesystem::path(job.card), hgemm::publishedCard(kernel, timed))})
            if (Result<void> written = files::replaceFile(path, text); !written) return written.error();
        return job;
    }

    Result<void> verify(const PublishedKernel& kernel, Outcome& out) const {
        const Result<JobOptions> options = jobOf(kernel, false);
        if (!options) return options.error();
        KernelJob work(*options);
        Result<PreparedJob> job = work.prepare();
        if (!job) return job.error();
        if (!job->unit().ok)
            return Error{"compile_error", "It does not compile (" + job->unit().failedStage + ").", "",
                         protocol::errorsText(job->unit()).substr(0, 600)};
        const Result<protocol::VerdictAnswer> answer = work.verify(*job);
        if (!answer) return answer.error();
        out.verdict = verify::name(answer->verdict.kind);
        if (answer->verdict.kind != verify::VerdictKind::verified) out.reason = answer->verdict.message;
        if (answer->verdict.rmsError && answer->verdict.referenceRms.value_or(0) > 0)
            out.relativeRms = *answer->verdict.rmsError / *answer->verdict.referenceRms;
        return {};
    }

    Result<void> time(const PublishedKernel& kernel, Outcome& out) const {
        const Result<JobOptions> options = jobOf(kernel, true);
        if (!options) return options.error();
        KernelJob work(*options);
        Result<PreparedJob> job = work.prepare();
        if (!job) return job.error();
        const Result<protocol::TimeSummary> time = work.time(*job);
        if (!time) return time.error();
        if (time->end != "finished" || time->summary.count == 0)
            return Error{"not_timed", "It could not be timed. " + time->reason};
        if (!time->deviceOnly)
            return Error{"not_timed", "Its host code waits for the device: its time would contain it."};
        out.seconds = time->summary.median;
        protocol::KernelClient client = makeRunner(m_options.place);
        hgemm::MeasureRequest beside;
        beside.shape = kernel.shape;
        beside.mode = *hgemm::modeOf(m_options.modes.front());
        beside.check = false;
        beside.stop.secondsAtMost = m_options.seconds;
        for (const hgemm::Layout layout : {hgemm::Layout::tn, hgemm::Layout::nn})
            beside.subjects.push_back({hgemm::Subject::Kind::ltFastest, layout, {}, false});
        const Result<hgemm::MeasureAnswer> answer = client.measureProducts(beside, shown());
        if (!answer) return answer.error();
        for (const hgemm::Measured& m : answer->measured)
            if (m.error.empty() && (!out.autotuned || m.time.median < *out.autotuned)) out.autotuned = m.time.median;
        return {};
    }

    const LaboratoryOptions& m_options;
    std::filesystem::path m_scratch;
};

std::vector<hgemm::HgemmTable> tablesOf(const std::filesystem::path& path) {
    std::error_code problem;
    if (!std::filesystem::exists(path, problem)) return {};
    Result<hgemm::HgemmStore> store = hgemm::HgemmStore::open(path);
    if (!store) return {};
    Result<std::vector<hgemm::HgemmTable>> tables = store->tables();
    return tables ? std::move(*tables) : std::vector<hgemm::HgemmTable>();
}

nlohmann::json outcomeJson(const Outcome& o) {
    const auto number = [](const std::optional<double>& x) { return x ? nlohmann::json(*x) : nlohmann::json(); };
    return {{"shape", {o.shape.m, o.shape.n, o.shape.k}},
            {"accumulator", o.accumulator},
            {"verdict", o.verdict},
            {"reason", o.reason},
            {"relative_rms_error", number(o.relativeRms)},
            {"seconds", number(o.seconds)},
            {"autotuned_seconds", number(o.autotuned)},
            {"speedup", number(o.speedup())},
            {"claimed_speedup", number(o.claimed)}};
}

} // namespace

int runPublished(Context& context, const LaboratoryOptions& options) {
    Result<std::vector<std::filesystem::path>> files = hgemm::publishedFiles(options.folder);
    if (!files) return report(context, files.error());
    std::vector<Shape> wanted;
    if (!options.shapes.empty() || !options.shapesFile.empty()) {
        Result<std::vector<Shape>> shapes = shapesOf(options);
        if (!shapes) return report(context, shapes.error());
        wanted = std::move(*shapes);
    }
    Result<files::ScratchFolder> scratch = files::ScratchFolder::make();
    if (!scratch) return report(context, scratch.error());
    const std::vector<hgemm::HgemmTable> tables = tablesOf(options.claims);
    const StopOnSignal signals;
    const Deadline deadline(options.timeLimit);
    PublishedRun run(options, scratch->path());
    std::vector<Outcome> all;
    for (const std::filesystem::path& path : *files) {
        Result<PublishedKernel> kernel = hgemm::readPublished(path);
        if (kernel && !wanted.empty() && std::find(wanted.begin(), wanted.end(), kernel->shape) == wanted.end())
            continue;
        if (signals.token().stop_requested() || saidOver(deadline, all.size(), files->size())) break;
        Outcome outcome;
        if (kernel) {
            outcome = run.run(*kernel);
            outcome.claimed = claimOf(tables, options.claimedDevice, kernel->shape);
        } else {
            outcome.shape = hgemm::shapeOf(path.stem().string()).value_or(Shape{});
            outcome.verdict = "refused";
            outcome.reason = kernel.error().text();
        }
        say(fmt::format("{}: {}{}", shapeText(outcome.shape), outcome.verdict,
                        outcome.reason.empty() ? "" : " (" + outcome.reason.substr(0, 200) + ")"));
        all.push_back(std::move(outcome));
    }
    if (all.empty())
        return report(context, {"nothing_found", "The folder has no kernel of these shapes.",
                                "Its files are named by their shape: 64_128_1024.cu."});
    const auto verified =
        std::size_t(std::count_if(all.begin(), all.end(), [](const Outcome& o) { return o.verdict == "verified"; }));
    if (context.json) {
        nlohmann::json list = nlohmann::json::array();
        for (const Outcome& o : all)
            list.push_back(outcomeJson(o));
        printJson({{"folder", options.folder.string()},
                   {"mode", options.modes.front()},
                   {"kernels", std::move(list)},
                   {"verified", verified}});
        return verified == all.size() ? exitSuccess : exitCheckFailed;
    }
    constexpr auto right = TextTable::Align::right;
    TextTable table({{"shape"},
                     {"accumulates in"},
                     {"verdict"},
                     {"RMS error", right},
                     {"measured", right},
                     {"autotuned", right},
                     {"speed-up", right},
                     {"claimed", right},
                     {"reason"}});
    const auto cellOf = [](const std::optional<double>& x) { return x ? fmt::format("{:.3f}", *x) : std::string("-"); };
    const auto timeCell = [](const std::optional<double>& x) {
        return x ? quantities::seconds(*x, 4) : std::string("-");
    };
    for (const Outcome& o : all)
        table.add({shapeText(o.shape), o.accumulator, o.verdict,
                   o.relativeRms ? fmt::format("{:.1e}", *o.relativeRms) : "-", timeCell(o.seconds),
                   timeCell(o.autotuned), cellOf(o.speedup()), cellOf(o.claimed),
                   printable(o.reason.substr(0, o.reason.find('\n')).substr(0, 100))});
    fmt::print("{}{} of {} verified. Times are device time, {}; claims are archived.\n", table.text(), verified,
               all.size(), options.modes.front());
    return verified == all.size() ? exitSuccess : exitCheckFailed;
}

} // namespace kernelarium::cli
