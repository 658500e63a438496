// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernel/StallsCommand.h"

#include "app/cli/Context.h"
#include "app/cli/Output.h"
#include "app/cli/StopOnSignal.h"
#include "core/profile/NcuSource.h"
#include "core/quantities/Quantities.h"
#include "gpu/protocol/Trial.h"
#include "gpu/tools/Ncu.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace kernelarium::cli {

namespace {

constexpr std::size_t shownReasons = 4;

std::string ownProgram() {
    std::error_code problem;
    const auto path = std::filesystem::read_symlink("/proc/self/exe", problem);
    return problem ? std::string("kernelarium-cli") : path.string();
}

double samplesOf(const std::vector<profile::LineStalls>& lines) {
    double all = 0;
    for (const profile::LineStalls& line : lines)
        all += line.samples;
    return all;
}

nlohmann::json stallsJson(const std::vector<profile::LineStalls>& lines) {
    nlohmann::json all = nlohmann::json::array();
    for (const profile::LineStalls& line : lines) {
        nlohmann::json reasons = nlohmann::json::object();
        for (const profile::StallSamples& reason : line.reasons)
            reasons[reason.reason] = reason.samples;
        all.push_back({{"line", line.line},
                       {"samples", line.samples},
                       {"not_issued", line.notIssued},
                       {"reasons", std::move(reasons)}});
    }
    return all;
}

std::string stalledLine(const std::string& text, int wanted) {
    std::size_t from = 0;
    for (int line = 1; line < wanted && from != std::string::npos; ++line) {
        from = text.find('\n', from);
        if (from != std::string::npos) ++from;
    }
    if (from == std::string::npos) return {};
    std::string line = text.substr(from, text.find('\n', from) - from);
    line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
    return line.substr(0, 60);
}

std::string stallsText(const std::vector<profile::LineStalls>& lines, const std::string& source) {
    using Align = TextTable::Align;
    TextTable table({{"line", Align::right}, {"samples", Align::right}, {"waits for", Align::left}, {"", Align::left}});
    const double all = samplesOf(lines);
    std::set<std::string> named;
    for (const profile::LineStalls& line : lines) {
        std::vector<std::string> reasons;
        for (const profile::StallSamples& reason : line.reasons) {
            if (reasons.size() == shownReasons) break;
            reasons.push_back(fmt::format("{} {}", reason.reason, quantities::percent(reason.samples / line.samples)));
            named.insert(reason.reason);
        }
        table.add({std::to_string(line.line), quantities::percent(line.samples / all),
                   fmt::format("{}", fmt::join(reasons, ", ")), stalledLine(source, line.line)});
    }
    std::string out = table.text();
    for (const std::string& reason : named)
        if (const auto about = profile::aboutStall(reason); !about.empty())
            out += fmt::format("  {:<16} waits for {}\n", reason, about);
    return out;
}

Result<std::vector<profile::LineStalls>> sampled(const PreparedJob& job, const KernelJob& work,
                                                 const JobOptions& options, std::vector<std::string>& functions) {
    protocol::NcuRequest request;
    request.commandLine = ownProgram();
    request.source = job.source.text;
    request.card = job.parameters.card;
    request.arguments = job.parameters.arguments;
    request.size = options.size;
    request.seed = options.seed;
    request.fastMath = options.fastMath;
    request.settings = work.settings();
    request.function = options.function;
    if (options.timeLimitGiven) request.timeLimit = std::chrono::milliseconds(std::int64_t(options.timeLimit * 1000));
    const StopOnSignal stop;
    const auto parts = tools::sampleStalls(tools::findNcu(), request, stop.token());
    if (!parts) return parts.error();
    for (const profile::SourceStalls& part : *parts)
        if (std::find(functions.begin(), functions.end(), part.function) == functions.end())
            functions.push_back(part.function);
    std::vector<profile::LineStalls> lines = profile::mergedStalls(*parts, tools::sampledFile);
    if (lines.empty())
        return Error{"nothing_profiled", "No sample fell on a line of the kernel's text.",
                     "Launches that end within some microseconds have none: use --size full, or larger arguments."};
    return lines;
}

} // namespace

void runStalls(const JobOptions& options, Context& context) {
    if (options.file.empty() && options.kernelId.empty())
        return void(report(context, {"bad_usage", "No kernel was given.", "Give FILE.cu or --kernel ID."}));
    if (tools::findNcu().program.empty()) // before anything is compiled
        return void(report(context, tools::sampleStalls(tools::findNcu(), {}).error()));
    KernelJob work(options);
    const Result<PreparedJob> job = work.prepare();
    if (!job) return void(report(context, job.error()));
    if (!job->unit().ok)
        return void(report(context, {"bad_input", "The kernel does not compile (" + job->unit().failedStage + ").", "",
                                     protocol::errorsText(job->unit())}));
    if (!job->parameters.card && job->parameters.arguments.empty())
        return void(report(context, {"bad_usage", "Nothing says how the kernel is called.", "Give --task or --arg."}));
    std::vector<std::string> functions;
    const auto lines = sampled(*job, work, options, functions);
    if (!lines) return void(report(context, lines.error()));
    if (context.json)
        printJson({{"kernel", job->source.label},
                   {"functions", functions},
                   {"samples", samplesOf(*lines)},
                   {"lines", stallsJson(*lines)}});
    else
        fmt::print("{}", printable(stallsText(*lines, job->source.text)));
    context.exitCode = exitSuccess;
}

} // namespace kernelarium::cli
