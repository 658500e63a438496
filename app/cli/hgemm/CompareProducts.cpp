// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Output.h"
#include "app/cli/StopOnSignal.h"
#include "app/cli/hgemm/ComparisonText.h"
#include "app/cli/hgemm/TableChoice.h"
#include "core/quantities/Quantities.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::cli {

using hgemm::Comparison;
using hgemm::Configuration;
using hgemm::Mode;
using hgemm::Shape;
using hgemm::Subject;

namespace {

/// A call's time with its noise, and its energy where that was measured.
std::string timeCell(const hgemm::Measured* m) {
    if (!m) return "-";
    return fmt::format("{} ± {}{}", quantities::seconds(m->time.median, 4), quantities::percent(m->time.relativeNoise),
                       m->joules ? ", " + quantities::si(*m->joules, "J") : "");
}

std::string kernelText(const Comparison& c) {
    for (const hgemm::Measured& m : c.answer.measured)
        if (m.subject.kind == Subject::Kind::family && !m.error.empty()) return m.error;
    if (c.fellBack) return "falls back to cuBLASLt";
    const hgemm::Measured* ours = c.best(Subject::Kind::family);
    return ours ? ours->subject.configuration.title() : "";
}

void printComparisons(const std::vector<Comparison>& all, const std::vector<Mode>& modes, const std::string& device) {
    for (const Mode mode : modes) {
        ComparisonTable table;
        for (const Comparison& c : all) {
            if (c.mode != mode) continue;
            std::vector<std::string> times;
            for (const Subject::Kind kind : comparedKinds)
                times.push_back(timeCell(c.best(kind)));
            std::vector<std::optional<double>> speedups;
            for (const Subject::Kind kind : comparedLibraries)
                speedups.push_back(c.speedup(kind));
            table.add(c.shape, times, speedups, kernelText(c));
        }
        fmt::print("{}{}", comparisonTitle(mode, "measured on an " + device), table.text());
        for (const Subject::Kind kind : comparedLibraries)
            fmt::print("{}", summaryText(hgemm::summarise(all, mode, kind)));
    }
    for (const Comparison& c : all)
        if (!c.answer.energyRefusal.empty()) {
            fmt::print("No energy: {}\n", c.answer.energyRefusal);
            break;
        }
}

/// A mode of which the rows say nothing: that no kernel of ours is chosen then would not be falling back. Of sums in
/// float16 the model chooses where the rows have none.
std::optional<Error> unknownMode(const TableChoice& choice, Mode mode, const hgemm::ComparisonParts& parts) {
    const bool known = std::any_of(choice.rows.begin(), choice.rows.end(), [&](const hgemm::BestRow& row) {
        const Configuration& c = row.configuration;
        return row.mode == chosenIn(mode) && !c.halfSums &&
               std::find(parts.layouts.begin(), parts.layouts.end(), c.layout) != parts.layouts.end();
    });
    if (known || parts.halfSums) return {};
    return Error{"nothing_found",
                 fmt::format("The table has no kernel of an {} in the layout, chosen in {}.", choice.device,
                             hgemm::name(chosenIn(mode))),
                 "Leave the mode out, or tune for it with `hgemm tune --mode`."};
}

} // namespace

/// bench and compare: the same work, for one who looks at a shape and one who looks at many.
int compareProducts(Context& context, const LaboratoryOptions& options) {
    const Result<std::vector<Shape>> shapes = shapesOf(options);
    if (!shapes) return report(context, shapes.error());
    const hgemm::ComparisonParts parts{.layouts = layoutsOf(options), .halfSums = options.halfSums};
    const std::vector<Mode> modes = modesOf(options);
    protocol::KernelClient client = makeRunner(options.place);
    const StopOnSignal signals;
    const Deadline deadline(options.timeLimit);
    protocol::CallOptions call;
    call.stop = signals.token();
    const Result<TableChoice> choice = chosenRows(options, client, call);
    if (!choice) {
        Error error = choice.error();
        if (error.code == "missing_component") error.action += " `hgemm recorded` shows what was measured before.";
        return report(context, error);
    }
    say(choice->text());
    for (const Mode mode : modes)
        if (const std::optional<Error> unknown = unknownMode(*choice, mode, parts)) return report(context, *unknown);
    std::vector<Configuration> wanted;
    for (const auto& [shape, mode] : jobsOf(*shapes, modes)) {
        bool fallsBack = false;
        for (const Subject& s : hgemm::comparisonRequest(choice->rows, shape, mode, fallsBack, parts).subjects)
            if (s.kind == Subject::Kind::family) wanted.push_back(s.configuration);
    }
    if (const Result<void> prepared = client.prepareProducts(wanted, call); !prepared)
        return report(context, prepared.error());
    std::vector<Comparison> all;
    for (const auto& [shape, mode] : jobsOf(*shapes, modes)) {
        if (saidOver(deadline, all.size(), shapes->size() * modes.size())) break;
        Comparison c{shape, mode, false, {}};
        hgemm::MeasureRequest request = hgemm::comparisonRequest(choice->rows, shape, mode, c.fellBack, parts);
        request.stop = {10, 0.003, options.seconds, 5000};
        request.energy = options.energy && mode == Mode::hot;
        request.requestsPerSecond = options.rate;
        request.requests = options.requests;
        Result<hgemm::MeasureAnswer> answer = client.measureProducts(request, call);
        if (!answer) {
            const std::string& code = answer.error().code;
            if (code != "child_died" && code != "timeout" && code != "device_lost" && code != "out_of_memory")
                return report(context, answer.error());
            say(fmt::format("{} {}: {}", shapeText(shape), hgemm::name(mode), answer.error().text()));
            continue;
        }
        c.answer = std::move(*answer);
        const std::optional<double> speedup = c.speedup(Subject::Kind::ltFastest);
        say(fmt::format("{} {}: {}", shapeText(shape), hgemm::name(mode),
                        speedup ? fmt::format("{:.3f}", *speedup) : "no speed-up"));
        all.push_back(std::move(c));
    }
    if (context.json) {
        nlohmann::json list = nlohmann::json::array(), summaries = nlohmann::json::array();
        for (const Comparison& c : all)
            list.push_back(hgemm::toJson(c));
        for (const Mode mode : modes)
            for (const Subject::Kind kind : comparedLibraries)
                summaries.push_back(summaryJson(hgemm::summarise(all, mode, kind), mode));
        printJson({{"origin", "measured"},
                   {"device", choice->gpu},
                   {"table_device", choice->device},
                   {"comparisons", std::move(list)},
                   {"summaries", std::move(summaries)}});
    } else {
        printComparisons(all, modes, choice->gpu);
    }
    return exitSuccess;
}

} // namespace kernelarium::cli
