// SPDX-License-Identifier: GPL-3.0-or-later
//
// hgemm run-published: kernels of a published set, from the user's own checkout.
#include "app/cli/Output.h"
#include "app/cli/StopOnSignal.h"
#include "app/cli/hgemm/PublishedOutcome.h"
#include "app/cli/hgemm/TableChoice.h"
#include "app/cli/kernel/KernelJob.h"
#include "core/audit/RowCard.h"
#include "core/files/ScratchFolder.h"
#include "core/files/WorkFile.h"
#include "core/hgemm/HgemmStore.h"
#include "core/hgemm/laboratory/Claims.h"
#include "core/hgemm/laboratory/Comparison.h"
#include "core/hgemm/laboratory/Published.h"
#include "core/quantities/Quantities.h"
#include "core/threads/FanOut.h"
#include "core/verify/Verdict.h"
#include "gpu/protocol/Trial.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kernelarium::cli {

namespace {

using hgemm::PublishedKernel;
using hgemm::Shape;

/// Of the imported tables, the first that claims something of the shape.
std::optional<double> claimIn(const std::vector<hgemm::HgemmTable>& tables, const std::string& device,
                              const Shape& shape) {
    for (const hgemm::HgemmTable& table : tables)
        if (const std::optional<double> claimed = hgemm::claimOf(table, device, shape)) return claimed;
    return {};
}

/// The first of the compiler's errors in the message, all of them in the detail.
Error compileError(const compile::CompiledUnit& unit) {
    const std::string all = protocol::errorsText(unit);
    const std::string first = all.substr(0, all.find('\n'));
    return {"compile_error",
            fmt::format("It does not compile ({}){}", unit.failedStage, first.empty() ? "." : ": " + first), "", all};
}

/// What PyTorch's build defines and these sets take away in their own builds.
constexpr std::array undefined{"-U__CUDA_NO_HALF_OPERATORS__", "-U__CUDA_NO_HALF_CONVERSIONS__",
                               "-U__CUDA_NO_HALF2_OPERATORS__", "-U__CUDA_NO_BFLOAT16_CONVERSIONS__"};

/// A kernel that was compiled, or why not.
struct Compiled {
    Result<PublishedKernel> kernel;
    Result<PreparedJob> job;
};

/// Compiles several at a time; what runs on the device runs alone. Each kernel has children of its own: what it leaves
/// behind on the device ends with them.
class PublishedRun {
public:
    PublishedRun(const LaboratoryOptions& options, const std::vector<hgemm::BestRow>& table,
                 const std::filesystem::path& scratch)
        : m_options(options)
        , m_table(table)
        , m_scratch(scratch) {}

    /// Whatever of them is begun before the stop.
    std::vector<std::optional<Compiled>> compile(const std::vector<std::filesystem::path>& files,
                                                 const std::stop_token& stop, const Deadline& deadline) const {
        std::vector<std::optional<Compiled>> all(files.size());
        threads::forEach(files.size(), m_options.jobs > 0 ? m_options.jobs : threads::cores(),
                         [&](std::size_t i, std::size_t) {
                             if (!stop.stop_requested() && !deadline.over()) all[i] = compiled(files[i]);
                         });
        return all;
    }

    PublishedOutcome run(const PublishedKernel& kernel, const Result<PreparedJob>& job) const {
        PublishedOutcome out;
        out.shape = kernel.shape;
        out.accumulator = std::string(hgemm::name(kernel.accumulator));
        Result<void> verified = job ? verify(kernel, *job, out) : Result<void>(job.error());
        if (!verified) {
            out.verdict = "refused";
            out.reason = verified.error().text();
            out.detail = verified.error().detail;
        } else if (m_options.backend == "cuda" && out.verdict == "verified") {
            if (Result<void> timed = time(kernel, *job, out); !timed) out.reason = timed.error().text();
        }
        return out;
    }

private:
    Compiled compiled(const std::filesystem::path& file) const {
        Result<PublishedKernel> kernel = hgemm::readPublished(file);
        if (!kernel) return {kernel.error(), kernel.error()};
        const Result<JobOptions> options = jobOf(*kernel, false);
        if (!options) return {std::move(kernel), options.error()};
        KernelJob work(*options);
        Result<PreparedJob> job = work.prepare();
        if (job && !job->unit().ok) job = compileError(job->unit());
        return {std::move(kernel), std::move(job)};
    }

    Result<JobOptions> jobOf(const PublishedKernel& kernel, bool timed) const {
        JobOptions job;
        job.file = m_scratch / kernel.path.filename();
        job.card = m_scratch / (kernel.path.stem().string() + (timed ? "_timed.json" : ".json"));
        job.backend = m_options.backend;
        job.place = m_options.place;
        job.compilerWords.assign(undefined.begin(), undefined.end());
        job.compilerWords.insert(job.compilerWords.end(), m_options.compilerWords.begin(),
                                 m_options.compilerWords.end()); // -D brings one back
        job.timeLimit = m_options.kernelLimit;
        job.timeLimitGiven = true;
        job.size = timed ? "full" : "small"; // the card has but one size, under both names
        job.function = timed ? "timed" : "forward";
        job.timeMode = m_options.modes.front();
        job.sampleSeconds = m_options.seconds;
        job.noEnergy = true;
        for (const auto& [path, text] :
             {std::pair(std::filesystem::path(job.file), hgemm::withModule(kernel)),
              std::pair(std::filesystem::path(job.card), hgemm::publishedCard(kernel, timed))})
            if (Result<void> written = files::replaceFile(path, text); !written) return written.error();
        return job;
    }

    Result<void> verify(const PublishedKernel& kernel, const PreparedJob& job, PublishedOutcome& out) const {
        const Result<JobOptions> options = jobOf(kernel, false);
        if (!options) return options.error();
        const Result<protocol::VerdictAnswer> answer = KernelJob(*options).verify(job);
        if (!answer) return answer.error();
        out.verdict = verify::name(answer->verdict.kind);
        if (answer->verdict.kind != verify::VerdictKind::verified) out.reason = answer->verdict.message;
        if (answer->verdict.rmsError && answer->verdict.referenceRms.value_or(0) > 0)
            out.relativeRms = *answer->verdict.rmsError / *answer->verdict.referenceRms;
        return {};
    }

    Result<void> time(const PublishedKernel& kernel, PreparedJob job, PublishedOutcome& out) const {
        const Result<JobOptions> options = jobOf(kernel, true);
        if (!options) return options.error();
        Result<task::Card> card = audit::readCardFile(options->card);
        if (!card) return card.error();
        job.parameters.card = std::make_shared<const task::Card>(std::move(*card));
        job.parameters.function = options->function;
        job.parameters.size = options->size;
        const Result<protocol::TimeSummary> time = KernelJob(*options).time(job);
        if (!time) return time.error();
        if (time->end != "finished" || time->summary.count == 0)
            return Error{"not_timed", "It could not be timed. " + time->reason};
        if (!time->deviceOnly)
            return Error{"not_timed", "Its host code waits for the device: its time would contain it."};
        out.seconds = time->summary.median;
        hgemm::Comparison beside{kernel.shape, *hgemm::modeOf(m_options.modes.front()), false, {}};
        hgemm::MeasureRequest request;
        request.shape = kernel.shape;
        request.mode = beside.mode;
        request.stop.secondsAtMost = m_options.seconds;
        if (const hgemm::BestRow* row = hgemm::bestFor(m_table, kernel.shape, beside.mode))
            request.subjects.push_back({hgemm::Subject::Kind::family, row->configuration.layout, row->configuration,
                                        row->configuration.halfSums});
        for (const hgemm::Layout layout : {hgemm::Layout::tn, hgemm::Layout::nn})
            request.subjects.push_back({hgemm::Subject::Kind::ltFastest, layout, {}, false});
        Result<hgemm::MeasureAnswer> answer = makeRunner(m_options.place).measureProducts(request, shown());
        if (!answer) return answer.error();
        beside.answer = std::move(*answer);
        if (const hgemm::Measured* m = beside.best(hgemm::Subject::Kind::ltFastest)) out.autotuned = m->time.median;
        if (const hgemm::Measured* m = beside.best(hgemm::Subject::Kind::family)) out.ours = m->time.median;
        return {};
    }

    const LaboratoryOptions& m_options;
    const std::vector<hgemm::BestRow>& m_table;
    std::filesystem::path m_scratch;
};

/// What was imported; why there are no claims is said.
std::vector<hgemm::HgemmTable> tablesOf(const LaboratoryOptions& options) {
    std::error_code problem;
    if (!std::filesystem::exists(options.claims, problem)) {
        say("no claims: no table was imported (`hgemm import`)");
        return {};
    }
    Result<hgemm::HgemmStore> store = hgemm::HgemmStore::open(options.claims);
    Result<std::vector<hgemm::HgemmTable>> tables = store ? store->tables() : store.error();
    if (!tables) {
        say("no claims: " + printable(tables.error().text()));
        return {};
    }
    if (std::none_of(tables->begin(), tables->end(),
                     [&](const hgemm::HgemmTable& table) { return table.device == options.claimedDevice; }))
        say(fmt::format("no claims: no imported table is of a device `{}` (--claimed-device)",
                        printable(options.claimedDevice)));
    return std::move(*tables);
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
    protocol::KernelClient runner = makeRunner(options.place);
    const Result<TableChoice> choice =
        options.backend == "cuda" ? chosenRows(options, runner, shown()) : chosenRows(options);
    if (!choice) {
        Error error = choice.error();
        if (error.code == "missing_component") error.action += " --backend emulator verifies here, without times.";
        return report(context, error);
    }
    if (options.backend == "cuda") say("ours: " + choice->text());
    Result<files::ScratchFolder> scratch = files::ScratchFolder::make();
    if (!scratch) return report(context, scratch.error());
    const std::vector<hgemm::HgemmTable> tables = tablesOf(options);
    const StopOnSignal signals;
    const Deadline deadline(options.timeLimit);
    std::erase_if(*files, [&](const std::filesystem::path& path) {
        const std::optional<Shape> shape = hgemm::shapeOf(path.stem().string());
        return !wanted.empty() && shape && std::find(wanted.begin(), wanted.end(), *shape) == wanted.end();
    });
    const PublishedRun run(options, choice->rows, scratch->path());
    say(fmt::format("{} to compile", quantities::counted(double(files->size()), "file")));
    // Whatever has to end in time: some of it is for running.
    constexpr double ofCompiling = 0.4;
    const std::vector<std::optional<Compiled>> compiled =
        run.compile(*files, signals.token(), Deadline(ofCompiling * options.timeLimit));
    std::vector<PublishedOutcome> all;
    for (std::size_t i = 0; i < files->size(); ++i) {
        if (signals.token().stop_requested() || saidOver(deadline, all.size(), files->size())) break;
        if (!compiled[i]) continue;
        PublishedOutcome outcome;
        if (const Result<PublishedKernel>& kernel = compiled[i]->kernel; kernel) {
            outcome = run.run(*kernel, compiled[i]->job);
            outcome.claimed = claimIn(tables, options.claimedDevice, kernel->shape);
        } else {
            outcome.shape = hgemm::shapeOf((*files)[i].stem().string()).value_or(Shape{});
            outcome.verdict = "refused";
            outcome.reason = kernel.error().text();
        }
        say(fmt::format("{}: {}{}", shapeText(outcome.shape), outcome.verdict,
                        outcome.reason.empty() ? "" : " (" + outcome.reason.substr(0, 200) + ")"));
        all.push_back(std::move(outcome));
    }
    const std::size_t missed = files->size() - all.size();
    if (missed > 0) say(fmt::format("{} of {} files were not reached", missed, files->size()));
    if (all.empty() && missed > 0)
        return report(context, {"timeout", fmt::format("None of the {} files was reached.", missed),
                                "Give more time with --time-limit."});
    if (all.empty())
        return report(context, {"nothing_found", "The folder has no kernel of these shapes.",
                                "Its files are named by their shape: 64_128_1024.cu."});
    const auto verified = std::size_t(
        std::count_if(all.begin(), all.end(), [](const PublishedOutcome& o) { return o.verdict == "verified"; }));
    if (context.json) {
        nlohmann::json list = nlohmann::json::array();
        for (const PublishedOutcome& o : all)
            list.push_back(toJson(o));
        printJson({{"folder", options.folder.string()},
                   {"device", choice->gpu},
                   {"table_device", choice->device},
                   {"mode", options.modes.front()},
                   {"kernels", std::move(list)},
                   {"not_reached", missed},
                   {"verified", verified}});
        return verified == files->size() ? exitSuccess : exitCheckFailed;
    }
    fmt::print("{}{} of {} verified{}. Times are device time, {}; claims are archived.\n", publishedTable(all),
               verified, files->size(), missed > 0 ? fmt::format(", {} not reached", missed) : "",
               options.modes.front());
    return verified == files->size() ? exitSuccess : exitCheckFailed;
}

} // namespace kernelarium::cli
