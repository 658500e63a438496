// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Output.h"
#include "app/cli/StopOnSignal.h"
#include "app/cli/hgemm/TableChoice.h"
#include "core/files/WorkFile.h"
#include "core/quantities/Quantities.h"
#include "gpu/protocol/products/ProductTuning.h"

#include <fmt/format.h>

namespace kernelarium::cli {

int tuneProducts(Context& context, const LaboratoryOptions& options) {
    Result<std::vector<hgemm::Shape>> shapes = shapesOf(options);
    if (!shapes) return report(context, shapes.error());
    if (const Result<void> there = folderIsThere(options.out); !there) return report(context, there.error());
    std::error_code problem;
    if (std::filesystem::exists(options.store, problem) && !std::filesystem::is_directory(options.store, problem))
        return report(context, {"bad_usage", fmt::format("{} is no folder.", options.store.string()),
                                "Name a folder with --store; it is made where it does not exist."});
    for (const hgemm::Shape& shape : *shapes)
        if (const std::string why = hgemm::familyRefusal(shape); !why.empty()) {
            const Error refused{"unsupported",
                                fmt::format("No kernel of the family takes {}: {}", shapeText(shape), why),
                                "Leave it out: cuBLASLt serves it."};
            if (shapes->size() == 1) return report(context, refused);
            say(refused.text());
        }
    std::erase_if(*shapes, [](const hgemm::Shape& shape) { return !hgemm::familyRefusal(shape).empty(); });
    if (shapes->empty())
        return report(context, {"unsupported", "No kernel of the family takes any of these shapes.",
                                "n and k have to be multiples of 8; cuBLASLt serves the others."});
    protocol::ProductTuning tuning;
    tuning.shapes = std::move(*shapes);
    tuning.modes = modesOf(options);
    tuning.layouts = layoutsOf(options);
    tuning.halfSums = options.halfSums;
    tuning.looks = options.looks;
    tuning.fullLooks = options.fullLooks;
    tuning.fullSeconds = options.seconds;
    tuning.store = options.store;
    if (options.timeLimit > 0) tuning.secondsAtMost = options.timeLimit;
    protocol::KernelClient client = makeRunner(options.place);
    const StopOnSignal signals;
    protocol::CallOptions call;
    call.stop = signals.token();
    if (const Result<std::string> gpu = gpuAtHand(options, client, call); !gpu) return report(context, gpu.error());
    if (!options.store.empty()) {
        std::error_code made;
        std::filesystem::create_directories(options.store, made);
    }
    std::vector<hgemm::BestRow> rows;
    std::optional<Error> notSaved;
    protocol::TuningEvents events;
    events.compiling = [](std::size_t kernels) { say(fmt::format("{} kernels are compiled", kernels)); };
    events.tuned = [&](const protocol::TunedProduct& one, std::size_t done, std::size_t all) {
        if (!one.row)
            return say(fmt::format("{} of {}: {} {}: {}", done, all, shapeText(one.shape), hgemm::name(one.mode),
                                   printable(one.why)));
        const hgemm::BestRow& row = *one.row;
        say(fmt::format("{} of {}: {} {}: {}, {:.3f} x cuBLASLt autotuned, {}", done, all, shapeText(one.shape),
                        hgemm::name(one.mode), quantities::seconds(row.seconds, 4), row.autotuned / row.seconds,
                        row.configuration.title()));
        rows.push_back(row);
        if (options.out.empty()) return;
        if (const Result<void> saved = files::replaceFile(options.out, hgemm::bestTableText(rows)); !saved)
            notSaved = saved.error();
    };
    const Result<std::vector<hgemm::BestRow>> tuned =
        protocol::tuneProducts(client, tuning, events, signals.token()); // its rows are those that were told
    if (!tuned) return report(context, tuned.error());
    if (notSaved) return report(context, *notSaved);
    if (context.json) {
        nlohmann::json list = nlohmann::json::array();
        for (const hgemm::BestRow& r : rows)
            list.push_back({{"device", r.device},
                            {"shape", {r.shape.m, r.shape.n, r.shape.k}},
                            {"mode", hgemm::name(r.mode)},
                            {"seconds", r.seconds},
                            {"autotuned", r.autotuned},
                            {"falls_back", r.fallsBackIn(r.mode)},
                            {"configuration", r.configuration.key()}});
        printJson({{"origin", "measured"}, {"rows", std::move(list)}});
    } else if (options.out.empty()) {
        fmt::print("{}", hgemm::bestTableText(rows));
    }
    return rows.empty() ? exitCheckFailed : exitSuccess;
}

} // namespace kernelarium::cli
