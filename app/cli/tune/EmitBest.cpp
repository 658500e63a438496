// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tune/EmitBest.h"

#include "app/cli/Output.h"
#include "core/files/WorkFile.h"
#include "gpu/protocol/BestText.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

using nlohmann::json;

Result<void> write(const std::filesystem::path& file, const std::string& text) {
    Result<files::WorkFile> work = files::WorkFile::begin(file);
    if (!work) return work.error();
    std::ofstream stream(work->path(), std::ios::binary | std::ios::trunc);
    stream << text;
    stream.close();
    if (!stream) return Error{"unwritable_file", fmt::format("{} cannot be written.", file.string())};
    return work->commit();
}

} // namespace

void addEmitOption(CLI::App& command, std::filesystem::path& file) {
    command
        .add_option("--emit", file,
                    "Write the best as a kernel file; of a sweep over several sizes one whose function takes the best "
                    "version of the size that it is called with")
        ->option_text("FILE.cu");
}

int emitBest(Context& context, const protocol::SweepRequest& request, const std::vector<tuning::Judged>& all,
             const std::filesystem::path& file) {
    const Result<protocol::BestText> best =
        protocol::bestText(request, all, protocol::TrialJudge::commandsFor("/proc/self/exe", 1).compile);
    if (!best) return report(context, best.error());
    if (const Result<void> written = write(file, best->text); !written) return report(context, written.error());
    const std::string options = text::lineOf(best->settings);
    if (context.json) {
        json rows = json::array();
        for (const protocol::BestText::Version& version : best->versions)
            rows.push_back({{"key", version.key}, {"sizes", version.sizes}});
        printJson({{"file", file.string()},
                   {"versions", rows},
                   {"slower", best->slower},
                   {"options", options},
                   {"fast_math", best->fastMath}});
        return exitSuccess;
    }
    fmt::print("{}: {}\n", file.string(),
               best->versions.size() > 1
                   ? fmt::format("{} versions for {} sizes", best->versions.size(), request.points.sizes.size())
                   : printable(best->versions.front().key));
    for (const std::string& sentence : best->slower)
        fmt::print("{}\n", printable(sentence));
    if (!options.empty() || best->fastMath)
        fmt::print("Compile it with: {}{}\n", options,
                   best->fastMath ? (options.empty() ? "" : " ") + std::string("--fast-math") : "");
    return exitSuccess;
}

} // namespace kernelarium::cli
