// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Output.h"
#include "app/cli/hgemm/TableChoice.h"
#include "core/files/WorkFile.h"
#include "core/hgemm/family/KernelText.h"
#include "core/tuning/emit/Dispatch.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::cli {

namespace {

using hgemm::Configuration;

/// A device's rows of a mode and layout, as versions of one kernel file and the shapes that each serves.
struct Versions {
    std::vector<Configuration> configurations;
    std::vector<tuning::DispatchShape> shapes;
};

Versions versionsOf(const std::vector<hgemm::BestRow>& table, hgemm::Mode mode, hgemm::Layout layout) {
    Versions v;
    for (const hgemm::BestRow& row : table) {
        if (row.mode != mode || row.configuration.layout != layout) continue;
        auto at = std::find(v.configurations.begin(), v.configurations.end(), row.configuration);
        if (at == v.configurations.end()) at = v.configurations.insert(at, row.configuration);
        const hgemm::Shape& s = row.shape;
        const std::vector<std::int64_t> b = layout == hgemm::Layout::tn ? std::vector{s.n, s.k} : std::vector{s.k, s.n};
        v.shapes.push_back({shapeText(s), std::size_t(at - v.configurations.begin()), {{s.m, s.k}, b}});
    }
    return v;
}

} // namespace

int emitProducts(Context& context, const LaboratoryOptions& options) {
    const hgemm::Layout layout = options.layouts.front() == "tn" ? hgemm::Layout::tn : hgemm::Layout::nn;
    if (const Result<void> there = folderIsThere(options.out); !there) return report(context, there.error());
    std::string text, said, device;
    if (!options.configuration.empty()) {
        const std::optional<Configuration> c = hgemm::configurationOf(options.configuration);
        const std::string why = c ? hgemm::refusal(*c) : "It is no configuration.";
        if (!why.empty()) return report(context, {"bad_usage", why, "Take a configuration from `hgemm tune`'s table."});
        text = hgemm::kernelFile(*c);
    } else {
        const Result<TableChoice> choice = chosenRows(options);
        if (!choice) return report(context, choice.error());
        const Versions v = versionsOf(choice->rows, modesOf(options).front(), layout);
        if (v.shapes.empty())
            return report(context, {"nothing_found",
                                    choice->device.empty()
                                        ? std::string("The table is empty.")
                                        : fmt::format("The table has no kernel of an {} in that mode and layout.",
                                                      choice->device),
                                    "Give --table, as `hgemm tune --out` writes it, or another --device."});
        std::vector<tuning::DispatchVersion> versions;
        for (const Configuration& c : v.configurations)
            versions.push_back({hgemm::kernelFile(c), c.title()});
        Result<std::string> made = tuning::dispatchingText(versions, v.shapes);
        if (!made) return report(context, made.error());
        device = choice->device;
        said = fmt::format("{} kernels for {} shapes, {}", v.configurations.size(), v.shapes.size(), choice->text());
        text = fmt::format("// {}, {}.\n{}", said, options.modes.front(), *made);
    }
    if (options.out.empty()) {
        if (context.json)
            printJson({{"text", text}, {"table_device", device}});
        else
            fmt::print("{}", text);
        if (!said.empty()) say(said);
        return exitSuccess;
    }
    if (const Result<void> written = files::replaceFile(options.out, text); !written)
        return report(context, written.error());
    if (context.json)
        printJson({{"file", options.out.string()}, {"bytes", text.size()}, {"table_device", device}});
    else
        fmt::print("{} is written{}\n", printable(options.out.string()), said.empty() ? "" : ": " + said);
    return exitSuccess;
}

} // namespace kernelarium::cli
