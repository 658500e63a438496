// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Context.h"
#include "app/cli/Output.h"
#include "app/cli/kernel/KernelJob.h"
#include "app/cli/kernel/TensorsReport.h"
#include "gpu/protocol/Trial.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <fmt/format.h>

namespace kernelarium::cli {

namespace {

/// Numbers between commas.
template <class T> bool readNumbers(std::string_view text, std::vector<T>& numbers) {
    for (;;) {
        T value{};
        const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
        if (read.ec != std::errc()) return false;
        numbers.push_back(value);
        text.remove_prefix(std::size_t(read.ptr - text.data()));
        if (text.empty()) return true;
        if (text.front() != ',') return false;
        text.remove_prefix(1);
    }
}

bool readPlace(std::string_view text, std::optional<std::array<std::uint32_t, 3>>& place) {
    std::vector<std::uint32_t> numbers;
    if (!readNumbers(text, numbers) || numbers.size() > 3) return false;
    place.emplace();
    std::copy(numbers.begin(), numbers.end(), place->begin());
    return true;
}

/// "line:12 block:0,1 thread:3 launch:1", launches from 1.
verify::WriterFilter filterFrom(const std::string& text) {
    verify::WriterFilter filter;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const std::size_t colon = word.find(':');
        const std::string key = word.substr(0, colon);
        const std::string_view value =
            colon == std::string::npos ? std::string_view() : std::string_view(word).substr(colon + 1);
        std::vector<std::uint32_t> one;
        const bool isOne = readNumbers(value, one) && one.size() == 1 && one[0] >= 1;
        bool read = false;
        if (key == "line" && isOne && one[0] < (1u << 30)) filter.line = int(one[0]), read = true;
        if (key == "launch" && isOne) filter.launch = one[0] - 1, read = true;
        if (key == "block") read = readPlace(value, filter.block);
        if (key == "thread") read = readPlace(value, filter.thread);
        if (!read)
            throw CLI::ValidationError("--written-by",
                                       "say line:N, launch:N, block:X,Y,Z or thread:X,Y,Z, or several of these");
    }
    if (filter.isEmpty())
        throw CLI::ValidationError("--written-by", "say line:N, launch:N, block:X,Y,Z or thread:X,Y,Z");
    return filter;
}

tensor::Shape indexFrom(const std::string& text) {
    tensor::Shape index;
    if (text == "()" || readNumbers(std::string_view(text), index)) return index;
    throw CLI::ValidationError("--writer", "an element is I,J,..., or () of a tensor without dimensions");
}

} // namespace

void addTensorsOptions(CLI::App& command, JobOptions& options) {
    tensorview::Query& query = options.tensors;
    query.statistics = true;
    query.worst = 10;
    query.slice.emplace();
    query.slice->mostRows = query.slice->mostColumns = 8;
    command
        .add_option_function<std::string>(
            "--tensor",
            [&query](const std::string& text) {
                const Result<tensorview::Subject> subject = tensorview::parseSubject(text);
                if (!subject) throw CLI::ValidationError("--tensor", subject.error().text());
                query.subject = *subject;
            },
            "Which tensor: output, reference, difference (output - reference) or input, with its number: input:1; the "
            "first output by default")
        ->option_text("output|reference|difference|input[:N]");
    command
        .add_option("--slice", query.sliceText,
                    "What of it is shown, as Python writes it: \"0, :, 3, 10:20\"; the last two dimensions at index 0 "
                    "of the others by default")
        ->option_text("SLICE");
    command
        .add_option_function<std::int64_t>(
            "--cells", [&query](std::int64_t n) { query.slice->mostRows = query.slice->mostColumns = n; },
            "Rows and columns of the slice at most; where it has more elements, a cell stands for several; 8 by default")
        ->check(CLI::Range(1, 256))
        ->option_text("N");
    command
        .add_option_function<int>(
            "--bins", [&query](int bins) { query.histogram.emplace().bins = bins; }, "Show a histogram of so many bins")
        ->check(CLI::Range(1, tensorview::HistogramRequest::mostBins))
        ->option_text("N");
    command
        .add_option("--worst", query.worst, "List so many of the wrong elements of an output, the worst first; 0: none")
        ->check(CLI::Range(std::size_t(0), tensorview::WrongElements::mostElements))
        ->capture_default_str();
    command
        .add_option_function<std::string>(
            "--writer", [&query](const std::string& text) { query.writerOf = indexFrom(text); },
            "Which thread and line stored into this element of the output, in the emulator")
        ->option_text("I,J,...");
    command
        .add_option_function<std::string>(
            "--written-by", [&query](const std::string& text) { query.writtenBy = filterFrom(text); },
            "The way back: elements of the output that this line, block, thread or launch (from 1) wrote last; several "
            "of these hold together: \"line:12 block:0,1\"")
        ->option_text("line:N|block:X,Y,Z|thread:X,Y,Z|launch:N");
}

void runTensors(const JobOptions& options, Context& context) {
    KernelJob work(options);
    Result<PreparedJob> job = work.prepare();
    if (!job) return void(report(context, job.error()));
    if (!job->unit().ok)
        return void(report(context, {"bad_input", "The kernel does not compile (" + job->unit().failedStage + ").", "",
                                     protocol::errorsText(job->unit())}));
    tensorview::Query query = options.tensors;
    const protocol::RunParameters& p = job->parameters;
    const bool compared = (p.card || p.referenceUnit) && query.subject.role != tensorview::Role::input;
    if (!compared) query.worst = 0; // there is nothing to be wrong by
    Result<tensorview::Answer> answer = work.tensors(*job, query);
    // A run without outputs, or with one of another shape, is looked at all the same.
    if (!answer && answer.error().code == "no_such_tensor" && query.worst > 0 && !query.asksForWriters()) {
        query.worst = 0;
        Result<tensorview::Answer> uncompared = work.tensors(*job, query);
        if (uncompared) answer = std::move(uncompared);
    }
    if (!answer) return void(report(context, answer.error()));
    const std::string label = job->source.label + (job->task ? "  (task " + job->task->text() + ")" : "");
    if (context.json) {
        nlohmann::json j = tensorview::toJson(*answer);
        j["kernel"] = job->source.label;
        j["task"] = job->task ? nlohmann::json(job->task->text()) : nlohmann::json(nullptr);
        j["tensor"] = tensorview::toString(query.subject);
        printJson(j);
    } else {
        fmt::print("{}", tensorsText(*answer, query, label, job->source.text));
    }
    const bool wrong = answer->wrong && answer->wrong->wrong > 0;
    context.exitCode = answer->end == "finished" && !wrong ? exitSuccess : exitCheckFailed;
}

} // namespace kernelarium::cli
