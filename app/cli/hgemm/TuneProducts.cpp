// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Output.h"
#include "app/cli/StopOnSignal.h"
#include "app/cli/hgemm/LaboratoryOptions.h"
#include "core/files/WorkFile.h"
#include "core/hgemm/family/Pool.h"
#include "core/hgemm/laboratory/Comparison.h"
#include "core/quantities/Quantities.h"
#include "gpu/protocol/products/ProductEvaluation.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::cli {

using hgemm::Comparison;
using hgemm::Configuration;
using hgemm::Mode;
using hgemm::Shape;
using hgemm::Subject;

namespace {

std::vector<Configuration> candidatesOf(const LaboratoryOptions& options, const Shape& shape) {
    std::vector<Configuration> all;
    // Large products take long: the model orders them well enough for a shorter list.
    const double flops = 2.0 * double(shape.m) * double(shape.n) * double(shape.k);
    const std::size_t most = flops > 1e12   ? std::max<std::size_t>(4, options.looks / 4)
                             : flops > 5e10 ? std::max<std::size_t>(6, options.looks / 2)
                                            : options.looks;
    for (const std::string& layout : options.layouts)
        for (const Configuration& c :
             hgemm::candidates(shape, layout == "tn" ? hgemm::Layout::tn : hgemm::Layout::nn, options.halfSums, most))
            all.push_back(c);
    return all;
}

} // namespace

int tuneProducts(Context& context, const LaboratoryOptions& options) {
    const Result<std::vector<Shape>> shapes = shapesOf(options);
    if (!shapes) return report(context, shapes.error());
    const std::vector<Mode> modes = modesOf(options);
    protocol::KernelClient client = makeRunner(options.place);
    const StopOnSignal signals;
    const Deadline deadline(options.timeLimit);
    protocol::CallOptions call;
    call.stop = signals.token();
    std::vector<Configuration> all;
    for (const Shape& shape : *shapes)
        for (const Configuration& c : candidatesOf(options, shape))
            if (std::find(all.begin(), all.end(), c) == all.end()) all.push_back(c);
    say(fmt::format("{} kernels are compiled", all.size()));
    if (const Result<void> prepared = client.prepareProducts(all, call); !prepared)
        return report(context, prepared.error());
    if (!options.store.empty()) {
        std::error_code made;
        std::filesystem::create_directories(options.store, made);
    }
    std::vector<hgemm::BestRow> rows;
    const auto save = [&]() -> Result<void> {
        if (options.out.empty()) return {};
        return files::replaceFile(options.out, hgemm::bestTableText(rows));
    };
    for (const auto& [shape, mode] : jobsOf(*shapes, modes)) {
        if (saidOver(deadline, rows.size(), shapes->size() * modes.size())) break;
        protocol::ProductSearch search;
        search.shape = shape;
        search.mode = mode;
        search.configurations = candidatesOf(options, shape);
        search.fullSeconds = options.seconds;
        search.fullLooks = options.fullLooks;
        if (!options.store.empty())
            search.store = options.store / fmt::format("{}_{}.sweep", shapeText(shape), hgemm::name(mode));
        const Result<std::optional<tuning::Judged>> best = protocol::searchProducts(client, search, signals.token());
        if (!best) return report(context, best.error());
        if (!*best) {
            say(fmt::format("{} {}: no kernel of the family is right", shapeText(shape), hgemm::name(mode)));
            continue;
        }
        const std::optional<Configuration> c =
            protocol::configurationAt(protocol::configurationSpace(search.configurations), (*best)->candidate.key);
        if (!c) continue; // of an earlier search with other candidates
        hgemm::MeasureRequest beside;
        beside.shape = shape;
        beside.mode = mode;
        beside.stop = {10, 0.003, options.seconds, 2000};
        beside.subjects = {{Subject::Kind::family, c->layout, *c, c->halfSums},
                           {Subject::Kind::ltFastest, hgemm::Layout::tn, {}, false},
                           {Subject::Kind::ltFastest, hgemm::Layout::nn, {}, false}};
        Result<hgemm::MeasureAnswer> answer = client.measureProducts(beside, call);
        if (!answer) {
            if (answer.error().code == "cancelled") return report(context, answer.error());
            say(fmt::format("{} {}: {}", shapeText(shape), hgemm::name(mode), answer.error().text()));
            continue;
        }
        const Comparison compared{shape, mode, false, std::move(*answer)};
        const hgemm::Measured* ours = compared.best(Subject::Kind::family);
        const hgemm::Measured* theirs = compared.best(Subject::Kind::ltFastest);
        if (!ours) continue;
        rows.push_back({compared.answer.device, shape, mode, *c, ours->time.median, theirs ? theirs->time.median : 0});
        say(fmt::format("{} {}: {}, {:.3f} x cuBLASLt autotuned, {}", shapeText(shape), hgemm::name(mode),
                        quantities::seconds(ours->time.median, 4), theirs ? theirs->time.median / ours->time.median : 0,
                        c->title()));
        if (const Result<void> saved = save(); !saved) return report(context, saved.error());
    }
    if (context.json) {
        nlohmann::json list = nlohmann::json::array();
        for (const hgemm::BestRow& r : rows)
            list.push_back({{"device", r.device},
                            {"shape", {r.shape.m, r.shape.n, r.shape.k}},
                            {"mode", hgemm::name(r.mode)},
                            {"seconds", r.seconds},
                            {"autotuned", r.autotuned},
                            {"falls_back", r.fallsBack()},
                            {"configuration", r.configuration.key()}});
        printJson({{"origin", "measured"}, {"rows", std::move(list)}});
    } else if (options.out.empty()) {
        fmt::print("{}", hgemm::bestTableText(rows));
    }
    return rows.empty() ? exitCheckFailed : exitSuccess;
}

} // namespace kernelarium::cli
