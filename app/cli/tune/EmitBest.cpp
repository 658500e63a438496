// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tune/EmitBest.h"

#include "app/cli/Output.h"
#include "core/files/WorkFile.h"
#include "core/tuning/store/StoreFile.h"
#include "core/tuning/store/StoreReader.h"
#include "gpu/protocol/BestText.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

using nlohmann::json;

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
