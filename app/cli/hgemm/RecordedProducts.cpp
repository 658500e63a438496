// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Output.h"
#include "app/cli/hgemm/ComparisonText.h"
#include "core/hgemm/laboratory/ComparedTable.h"
#include "core/hgemm/laboratory/TableDevices.h"
#include "core/quantities/Quantities.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::cli {

using hgemm::Mode;
using hgemm::RecordedProduct;
using hgemm::Shape;
using hgemm::Subject;

namespace {

std::string timeCell(const std::optional<hgemm::ComparedTime>& time) {
    if (!time) return "-";
    return quantities::seconds(time->seconds, 4) +
           (time->noise ? " ± " + quantities::percent(*time->noise) : std::string());
}

nlohmann::json timeJson(const std::optional<hgemm::ComparedTime>& time) {
    if (!time) return {};
    return {{"seconds", time->seconds}, {"noise", time->noise ? nlohmann::json(*time->noise) : nlohmann::json()}};
}

hgemm::ComparisonSummary summaryOf(const std::vector<RecordedProduct>& all, Subject::Kind library) {
    std::vector<hgemm::Speedup> speedups;
    for (const RecordedProduct& p : all)
        if (const std::optional<double> ratio = p.speedup(library))
            speedups.push_back({p.figures.shape, *ratio, p.fellBack});
    return hgemm::summarise(speedups, library);
}

std::string kernelText(const RecordedProduct& p) {
    return p.fellBack ? "falls back to cuBLASLt" : p.configuration.title();
}

void print(const std::vector<RecordedProduct>& all, Mode mode, const std::string& device) {
    ComparisonTable table;
    for (const RecordedProduct& p : all) {
        std::vector<std::string> times;
        for (const Subject::Kind kind : comparedKinds)
            times.push_back(timeCell(p.time(kind)));
        std::vector<std::optional<double>> speedups;
        for (const Subject::Kind kind : comparedLibraries)
            speedups.push_back(p.speedup(kind));
        table.add(p.figures.shape, times, speedups, kernelText(p));
    }
    fmt::print("{}{}", comparisonTitle(mode, "recorded on an " + device), table.text());
    for (const Subject::Kind kind : comparedLibraries)
        fmt::print("{}", summaryText(summaryOf(all, kind)));
}

nlohmann::json toJson(const RecordedProduct& p) {
    nlohmann::json speedups = nlohmann::json::object(), times = nlohmann::json::object();
    for (const Subject::Kind kind : comparedKinds) {
        const std::string key(kind == Subject::Kind::family ? "ours" : hgemm::key(kind));
        times[key] = timeJson(p.time(kind));
        if (kind == Subject::Kind::family) continue;
        const std::optional<double> ratio = p.speedup(kind);
        speedups[key] = ratio ? nlohmann::json(*ratio) : nlohmann::json();
    }
    return {{"shape", {p.figures.shape.m, p.figures.shape.n, p.figures.shape.k}},
            {"mode", hgemm::name(p.figures.mode)},
            {"clock", hgemm::isWallTime(p.figures.mode) ? "wall" : "device"},
            {"fell_back", p.fellBack},
            {"configuration", p.configuration.key()},
            {"times", std::move(times)},
            {"speedup", std::move(speedups)}};
}

} // namespace

int recordedProducts(Context& context, const LaboratoryOptions& options) {
    std::vector<Shape> wanted;
    if (!options.shapes.empty() || !options.shapesFile.empty()) {
        Result<std::vector<Shape>> shapes = shapesOf(options);
        if (!shapes) return report(context, shapes.error());
        wanted = std::move(*shapes);
    }
    const std::vector<hgemm::BestRow>& shipped = hgemm::shippedBestTable();
    const Result<std::string> device =
        options.device.empty() ? hgemm::deviceFor(shipped, {}) : hgemm::deviceNamed(shipped, options.device);
    if (!device) return report(context, device.error());
    nlohmann::json list = nlohmann::json::array(), summaries = nlohmann::json::array();
    std::size_t found = 0;
    for (const Mode mode : modesOf(options)) {
        std::vector<RecordedProduct> all = hgemm::recordedProducts(*device, mode);
        std::erase_if(all, [&](const RecordedProduct& p) {
            return !wanted.empty() && std::find(wanted.begin(), wanted.end(), p.figures.shape) == wanted.end();
        });
        if (all.empty()) {
            say(fmt::format("{}: nothing of {} is recorded", hgemm::name(mode),
                            wanted.empty() ? "an " + *device : "these shapes"));
            continue;
        }
        found += all.size();
        if (!context.json) print(all, mode, *device);
        for (const RecordedProduct& p : all)
            list.push_back(toJson(p));
        for (const Subject::Kind kind : comparedLibraries)
            summaries.push_back(summaryJson(summaryOf(all, kind), mode));
    }
    if (found == 0)
        return report(context, {"nothing_found", fmt::format("Nothing of that is recorded on an {}.", *device),
                                "Leave the shapes out to see all that are; `hgemm bench` measures others on a GPU."});
    if (context.json)
        printJson({{"origin", "recorded"},
                   {"device", *device},
                   {"products", std::move(list)},
                   {"summaries", std::move(summaries)}});
    return exitSuccess;
}

} // namespace kernelarium::cli
