// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Output.h"
#include "app/cli/hgemm/TableChoice.h"
#include "core/files/WorkFile.h"
#include "core/hgemm/family/KernelText.h"
#include "core/hgemm/family/LibraryText.h"
#include "core/tuning/emit/Dispatch.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace kernelarium::cli {

namespace {

using hgemm::Configuration;

/// A device's rows of a mode, a layout and a kind of sums, as versions of one kernel file and the shapes that each
/// serves; behind the configurations comes cuBLASLt.
struct Versions {
    std::vector<Configuration> configurations;
    std::vector<tuning::DispatchShape> shapes;
    std::size_t fallen = 0; ///< of the shapes: cuBLASLt was faster
    std::size_t others = 0; ///< shapes that the table has with the other layout alone

    [[nodiscard]] std::string text(const TableChoice& choice, const LaboratoryOptions& options) const {
        const auto counted = [](std::size_t n, const char* one, const char* more) {
            return fmt::format("{} {}", n, n == 1 ? one : more);
        };
        return fmt::format("{} for {}, cuBLASLt for {} where it was faster{}; {}",
                           counted(configurations.size(), "kernel", "kernels"),
                           counted(shapes.size() - fallen, "shape", "shapes"), fallen,
                           options.nearest ? ", the nearest shape's for all others"
                           : others > 0 ? fmt::format(", for the {} whose best kernel has B in the other layout, and "
                                                      "for all that the table does not have",
                                                      others)
                                        : " and for all that the table does not have",
                           choice.text());
    }
};

Versions versionsOf(const std::vector<hgemm::BestRow>& table, hgemm::Mode mode, hgemm::Layout layout, bool halfSums) {
    Versions v;
    std::set<hgemm::Shape> own, other;
    for (const bool falls : {false, true}) // the library is numbered last
        for (const hgemm::BestRow& row : table) {
            const Configuration& c = row.configuration;
            if (row.mode != mode || c.halfSums != halfSums) continue;
            (c.layout == layout ? own : other).insert(row.shape);
            if (c.layout != layout || row.fallsBackIn(mode) != falls) continue;
            auto at = std::find(v.configurations.begin(), v.configurations.end(), c);
            if (!falls && at == v.configurations.end()) at = v.configurations.insert(at, c);
            const std::size_t version = falls ? v.configurations.size() : std::size_t(at - v.configurations.begin());
            const hgemm::Shape& s = row.shape;
            const std::vector<std::int64_t> b =
                layout == hgemm::Layout::tn ? std::vector{s.n, s.k} : std::vector{s.k, s.n};
            v.shapes.push_back({shapeText(s), version, {{s.m, s.k}, b}});
            v.fallen += falls ? 1 : 0;
        }
    v.others =
        std::size_t(std::count_if(other.begin(), other.end(), [&](const hgemm::Shape& s) { return !own.contains(s); }));
    return v;
}

Result<std::string> dispatchingFile(const Versions& v, hgemm::Layout layout, bool nearest) {
    std::vector<tuning::DispatchVersion> versions;
    for (const Configuration& c : v.configurations)
        versions.push_back({hgemm::kernelFile(c), c.title(), hgemm::takesText(c)});
    versions.push_back({hgemm::libraryFile(layout), "cuBLASLt"});
    return tuning::dispatchingText(versions, v.shapes, {}, {versions.size() - 1, nearest});
}

Error noRow(const TableChoice& choice, const LaboratoryOptions& options) {
    return {"nothing_found",
            fmt::format("The table has no kernel of an {} for {}, B as {}, sums in {}.", choice.device,
                        options.modes.front(), options.layouts.front() == "tn" ? "[n, k] (tn)" : "[k, n] (nn)",
                        options.halfSums ? "float16" : "float32"),
            options.halfSums ? "Find some with `hgemm tune --half-sums --out FILE.csv` on a GPU, and give --table."
                             : "Give --table, as `hgemm tune --out` writes it, or another --device."};
}

/// The text, or where it was written, for people or as JSON.
int giveOut(Context& context, const LaboratoryOptions& options, const std::string& text, const std::string& said,
            nlohmann::json facts) {
    if (options.out.empty()) {
        facts["text"] = text;
        if (context.json)
            printJson(facts);
        else
            fmt::print("{}", text);
        if (!said.empty()) say(said);
        return exitSuccess;
    }
    if (const Result<void> written = files::replaceFile(options.out, text); !written)
        return report(context, written.error());
    facts["file"] = options.out.string();
    facts["bytes"] = text.size();
    if (context.json)
        printJson(facts);
    else
        fmt::print("{} is written{}\n", printable(options.out.string()), said.empty() ? "" : ": " + said);
    return exitSuccess;
}

} // namespace

int emitProducts(Context& context, const LaboratoryOptions& options) {
    if (const Result<void> there = folderIsThere(options.out); !there) return report(context, there.error());
    if (!options.configuration.empty()) {
        const std::optional<Configuration> c = hgemm::configurationOf(options.configuration);
        const std::string why = c ? hgemm::refusal(*c) : "It is no configuration.";
        if (!why.empty()) return report(context, {"bad_usage", why, "Take a configuration from `hgemm tune`'s table."});
        return giveOut(context, options, hgemm::kernelFile(*c), {}, {{"table_device", ""}});
    }
    const Result<TableChoice> choice = chosenRows(options);
    if (!choice) return report(context, choice.error());
    const hgemm::Layout layout = layoutsOf(options).front();
    const Versions v = versionsOf(choice->rows, modesOf(options).front(), layout, options.halfSums);
    if (v.shapes.empty()) return report(context, noRow(*choice, options));
    const Result<std::string> made = dispatchingFile(v, layout, options.nearest);
    if (!made) return report(context, made.error());
    const std::string said = v.text(*choice, options);
    const std::string text =
        fmt::format("// {}.\n// Chosen for {}; B is {}, sums in {}.\n{}", said, options.modes.front(),
                    layout == hgemm::Layout::tn ? "[n, k]" : "[k, n]", options.halfSums ? "float16" : "float32", *made);
    return giveOut(context, options, text, said,
                   {{"table_device", choice->device},
                    {"kernels", v.configurations.size()},
                    {"shapes", v.shapes.size() - v.fallen},
                    {"fall_back", v.fallen},
                    {"of_other_layout", v.others},
                    {"others", options.nearest ? "nearest" : "cublaslt"}});
}

} // namespace kernelarium::cli
