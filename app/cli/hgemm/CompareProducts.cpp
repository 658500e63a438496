// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Output.h"
#include "app/cli/StopOnSignal.h"
#include "app/cli/hgemm/TableChoice.h"
#include "core/hgemm/laboratory/Comparison.h"
#include "core/quantities/Quantities.h"

#include <fmt/format.h>

namespace kernelarium::cli {

using hgemm::Comparison;
using hgemm::Configuration;
using hgemm::Mode;
using hgemm::Shape;
using hgemm::Subject;

namespace {

std::string timeCell(const hgemm::Measured* m) {
    return m ? quantities::seconds(m->time.median, 4) : "-";
}

std::string speedupCell(const Comparison& c, Subject::Kind kind) {
    const std::optional<double> s = c.speedup(kind);
    return s ? fmt::format("{:.3f}", *s) : "-";
}

void printComparisons(const std::vector<Comparison>& all, const std::vector<Mode>& modes) {
    constexpr auto right = TextTable::Align::right;
    for (const Mode mode : modes) {
        fmt::print("{} time, {}; ours against the better layout of each\n", isWallTime(mode) ? "Wall" : "Device",
                   hgemm::name(mode));
        TextTable table({{"shape"},
                         {"ours", right},
                         {"noise", right},
                         {"autotuned", right},
                         {"heuristic", right},
                         {"cuBLAS", right},
                         {"x autotuned", right},
                         {"x heuristic", right},
                         {"x cuBLAS", right},
                         {"energy", right},
                         {"kernel"}});
        for (const Comparison& c : all) {
            if (c.mode != mode) continue;
            const hgemm::Measured* ours = c.best(Subject::Kind::family);
            std::string kernel = c.fellBack ? "falls back to cuBLASLt"
                                 : ours     ? ours->subject.configuration.title()
                                            : "";
            for (const hgemm::Measured& m : c.answer.measured)
                if (m.subject.kind == Subject::Kind::family && !m.error.empty()) kernel = m.error;
            table.add({shapeText(c.shape), timeCell(ours), ours ? quantities::percent(ours->time.relativeNoise) : "-",
                       timeCell(c.best(Subject::Kind::ltFastest)), timeCell(c.best(Subject::Kind::ltFirst)),
                       timeCell(c.best(Subject::Kind::cublas)), speedupCell(c, Subject::Kind::ltFastest),
                       speedupCell(c, Subject::Kind::ltFirst), speedupCell(c, Subject::Kind::cublas),
                       ours && ours->joules ? quantities::si(*ours->joules, "J") : "-", printable(kernel)});
        }
        fmt::print("{}", table.text());
        for (const Subject::Kind kind : {Subject::Kind::ltFastest, Subject::Kind::ltFirst, Subject::Kind::cublas}) {
            const hgemm::ComparisonSummary s = hgemm::summarise(all, mode, kind);
            if (s.shapes > 0)
                fmt::print(
                    "{}: geometric mean {:.3f} over {} shapes ({} fall back and count as cuBLASLt's, {} slower); "
                    "{:.3f} at {} to {:.3f} at {}\n",
                    hgemm::name(kind), s.geometricMean, s.shapes, s.fellBack, s.slower, s.least, shapeText(s.leastAt),
                    s.most, shapeText(s.mostAt));
        }
    }
    for (const Comparison& c : all)
        if (!c.answer.energyRefusal.empty()) {
            fmt::print("No energy: {}\n", c.answer.energyRefusal);
            break;
        }
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
    if (!choice) return report(context, choice.error());
    say(choice->text());
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
            for (const Subject::Kind kind : {Subject::Kind::ltFastest, Subject::Kind::ltFirst, Subject::Kind::cublas}) {
                const hgemm::ComparisonSummary s = hgemm::summarise(all, mode, kind);
                summaries.push_back({{"mode", hgemm::name(mode)},
                                     {"library", hgemm::name(kind)},
                                     {"shapes", s.shapes},
                                     {"fell_back", s.fellBack},
                                     {"slower", s.slower},
                                     {"geometric_mean", s.geometricMean},
                                     {"least", s.least},
                                     {"most", s.most}});
            }
        printJson({{"origin", "measured"},
                   {"device", choice->gpu},
                   {"table_device", choice->device},
                   {"comparisons", std::move(list)},
                   {"summaries", std::move(summaries)}});
    } else {
        printComparisons(all, modes);
    }
    return exitSuccess;
}

} // namespace kernelarium::cli
