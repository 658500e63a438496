// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tune/EmitBest.h"

#include "app/cli/Output.h"
#include "app/cli/tune/SizesReport.h"
#include "app/cli/tune/SweepReport.h"
#include "core/files/WorkFile.h"
#include "core/quantities/Quantities.h"
#include "core/tuning/emit/Dispatch.h"
#include "core/tuning/space/PointText.h"
#include "core/tuning/store/LockedFile.h"
#include "core/tuning/store/StoreReader.h"
#include "gpu/protocol/Trial.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

using nlohmann::json;
using tuning::Judged;

/// A point that is written, and the sizes that it serves.
struct Emitted {
    std::string key;
    tuning::PointText made;
    std::vector<std::string> sizes;
};

Result<Emitted> emittedAt(const protocol::SweepRequest& request, const std::string& key) {
    const auto point = request.tunable.space.pointOf(key);
    if (!point) return Error{"bad_input", fmt::format("`{}` is no point of this sweep.", key)};
    return Emitted{
        key, tuning::pointText(request.tunable, *point, request.points.compiler, request.points.fastMath), {}};
}

/// How a point is compiled: one file has one way.
std::string optionsOf(const tuning::PointText& made) {
    return text::lineOf(made.settings) + (made.fastMath ? " --fast-math" : "");
}

/// The best for each size of those points that are compiled in the same way, of all ways the one whose versions are the
/// fastest in the geometric mean; empty where none has a version for every size.
std::vector<protocol::SizeBest> bestsOfOneWay(const protocol::SweepRequest& request, const std::vector<Judged>& all,
                                              std::map<std::string, std::vector<Judged>>& ways) {
    for (const Judged& judged : all) {
        const Result<Emitted> point = emittedAt(request, judged.candidate.key);
        if (judged.ranks() && point) ways[optionsOf(point->made)].push_back(judged);
    }
    std::vector<protocol::SizeBest> best;
    double least = 0;
    for (const auto& [options, points] : ways) {
        std::vector<protocol::SizeBest> bests = sizeBests(request, points);
        double logs = 0;
        for (const protocol::SizeBest& at : bests)
            logs += at.judged != nullptr ? std::log(at.time.seconds) : INFINITY;
        if (!std::isfinite(logs) || (!best.empty() && logs >= least)) continue;
        least = logs;
        best = std::move(bests);
    }
    return best;
}

struct Chosen {
    std::vector<Emitted> versions;
    std::vector<std::string> slower; ///< sentences: sizes whose best is compiled in another way
};

Result<Chosen> chosenFor(const protocol::SweepRequest& request, const std::vector<Judged>& all) {
    Chosen chosen;
    if (request.points.sizes.empty()) {
        const Judged* best = bestOf(all);
        if (!best) return Error{"nothing_found", "No point has a time and right results.", "See `tune show`."};
        Result<Emitted> version = emittedAt(request, best->candidate.key);
        if (!version) return version.error();
        chosen.versions.push_back(std::move(*version));
        return chosen;
    }
    const std::vector<protocol::SizeBest> free = sizeBests(request, all);
    for (const protocol::SizeBest& best : free)
        if (best.judged == nullptr)
            return Error{"nothing_found", fmt::format("No point has a time and right results at {}.", best.size),
                         "See `tune show`."};
    std::map<std::string, std::vector<Judged>> ways; // what the bests point to
    const std::vector<protocol::SizeBest> bests = bestsOfOneWay(request, all, ways);
    if (bests.empty())
        return Error{
            "not_mergeable",
            "The versions cannot be put into one file: no compiler options have a right version for each size.",
            "Tune with the register cap and fast math at one value, or print versions with --text KEY."};
    for (std::size_t i = 0; i < bests.size(); ++i) {
        const std::string& key = bests[i].judged->candidate.key;
        if (bests[i].time.seconds > free[i].time.seconds)
            chosen.slower.push_back(fmt::format("{}: {} instead of {} with other compiler options ({})", bests[i].size,
                                                quantities::seconds(bests[i].time.seconds),
                                                quantities::seconds(free[i].time.seconds),
                                                free[i].judged->candidate.key));
        auto at = std::find_if(chosen.versions.begin(), chosen.versions.end(),
                               [&](const Emitted& e) { return e.key == key; });
        if (at == chosen.versions.end()) {
            Result<Emitted> version = emittedAt(request, key);
            if (!version) return version.error();
            chosen.versions.push_back(std::move(*version));
            at = chosen.versions.end() - 1;
        }
        at->sizes.push_back(bests[i].size);
    }
    return chosen;
}

Result<std::vector<tuning::DispatchShape>> shapesOf(const protocol::SweepRequest& request,
                                                    const std::vector<Emitted>& versions) {
    std::vector<tuning::DispatchShape> shapes;
    const task::Card& card = *request.points.run.card;
    for (const std::string& size : request.points.sizes) {
        const Result<task::Symbols> symbols = card.size(size);
        if (!symbols) return symbols.error();
        const Result<std::vector<tensor::Shape>> tensors = task::tensorShapes(card, *symbols);
        if (!tensors) return tensors.error();
        tuning::DispatchShape shape;
        shape.name = size;
        for (const auto& [key, value] : *symbols)
            if (size.find('=') == std::string::npos) shape.name += fmt::format(" {}={}", key, value);
        for (std::size_t v = 0; v < versions.size(); ++v)
            if (std::find(versions[v].sizes.begin(), versions[v].sizes.end(), size) != versions[v].sizes.end())
                shape.version = v;
        for (const auto& [name, argument] : card.call) {
            const auto* tensor = std::get_if<task::CardTensorRef>(&argument.kind);
            shape.extents.emplace_back();
            if (tensor != nullptr && tensor->index < tensors->size())
                shape.extents.back().assign((*tensors)[tensor->index].begin(), (*tensors)[tensor->index].end());
        }
        shapes.push_back(std::move(shape));
    }
    return shapes;
}

/// What was put together has to compile by itself.
Result<void> compiles(const protocol::SweepRequest& request, const tuning::PointText& made, const std::string& text) {
    protocol::KernelClient compiler(protocol::TrialJudge::commandsFor("/proc/self/exe", 1).compile);
    protocol::CompileParameters parameters;
    parameters.source = text;
    parameters.arch = request.points.arch;
    parameters.fastMath = made.fastMath;
    parameters.settings = made.settings;
    parameters.early = false;
    const Result<protocol::KernelClient::Unit> unit =
        compiler.compile(parameters, {.compileLimit = protocol::compileLimit});
    if (!unit) return unit.error();
    if ((*unit)->ok) return {};
    return Error{"not_mergeable",
                 "The versions compile one by one, and not in one file: " + protocol::errorsText(**unit),
                 "`tune show STORE --text KEY` prints one version's text."};
}

/// A store's points took hours, and its name differs from a kernel's in its end alone.
Result<void> isNoStore(const std::filesystem::path& file) {
    std::error_code code;
    if (!std::filesystem::is_regular_file(file, code) || !tuning::StoreReader::open(file)) return {};
    return Error{"bad_input", fmt::format("{} is the store of a search.", file.string()),
                 "Name another file for the kernel."};
}

Result<void> write(const std::filesystem::path& file, const std::string& text) {
    if (Result<void> other = isNoStore(file); !other) return other;
    const auto unwritable = [&file](const Error& error) {
        return error.code == "unwritable_file" ? Error{error.code, error.message, "Name a file that can be written."}
                                               : error;
    };
    Result<files::WorkFile> work = files::WorkFile::begin(file);
    if (!work) return unwritable(work.error());
    std::ofstream stream(work->path(), std::ios::binary | std::ios::trunc);
    errno = 0;
    stream << text;
    stream.close();
    if (!stream) return tuning::unwritableStore(file, errno != 0 ? errno : EIO);
    const Result<void> committed = work->commit();
    return committed ? committed : unwritable(committed.error());
}

} // namespace

void addEmitOption(CLI::App& command, std::filesystem::path& file) {
    command
        .add_option("--emit", file,
                    "Write the best as a kernel file; of a sweep over several sizes one whose function takes the best "
                    "version of the size that it is called with. A file of that name is replaced, but never a store")
        ->option_text("FILE.cu");
}

int emitBest(Context& context, const protocol::SweepRequest& request, const std::vector<Judged>& all,
             const std::filesystem::path& file) {
    const Result<Chosen> chosen = chosenFor(request, all);
    if (!chosen) return report(context, chosen.error());
    const std::vector<Emitted>* versions = &chosen->versions;
    const tuning::PointText& first = versions->front().made;
    std::string text = first.text;
    if (versions->size() > 1) {
        const Result<std::vector<tuning::DispatchShape>> shapes = shapesOf(request, *versions);
        if (!shapes) return report(context, shapes.error());
        std::vector<tuning::DispatchVersion> parts;
        for (const Emitted& version : *versions)
            parts.push_back({version.made.text, version.key});
        Result<std::string> merged = tuning::dispatchingText(parts, *shapes, request.points.run.function);
        if (!merged) return report(context, merged.error());
        text = std::move(*merged);
        if (const Result<void> compiled = compiles(request, first, text); !compiled)
            return report(context, compiled.error());
    }
    if (const Result<void> written = write(file, text); !written) return report(context, written.error());
    const std::string options = text::lineOf(first.settings);
    if (context.json) {
        json rows = json::array();
        for (const Emitted& version : *versions)
            rows.push_back({{"key", version.key}, {"sizes", version.sizes}});
        printJson({{"file", file.string()},
                   {"versions", rows},
                   {"slower", chosen->slower},
                   {"options", options},
                   {"fast_math", first.fastMath}});
        return exitSuccess;
    }
    fmt::print("{}: {}\n", file.string(),
               versions->size() > 1
                   ? fmt::format("{} versions for {} sizes", versions->size(), request.points.sizes.size())
                   : printable(versions->front().key));
    for (const std::string& sentence : chosen->slower)
        fmt::print("{}\n", printable(sentence));
    if (!options.empty() || first.fastMath)
        fmt::print("Compile it with: {}{}\n", options,
                   first.fastMath ? (options.empty() ? "" : " ") + std::string("--fast-math") : "");
    return exitSuccess;
}

} // namespace kernelarium::cli
