// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/MeasuredCeilings.h"
#include "core/recording/Cursor.h"
#include "core/recording/Words.h"
#include "core/task/CardJson.h"
#include "core/task/Cost.h"
#include "core/task/Evaluator.h"
#include "core/task/MemoryNeed.h"
#include "core/tensorview/Query.h"
#include "core/verify/CardSubject.h"
#include "core/verify/VerdictJson.h"
#include "gpu/protocol/CompileMessages.h"
#include "gpu/protocol/DeviceMessages.h"
#include "gpu/protocol/MeasuredTiming.h"
#include "gpu/protocol/Messages.h"
#include "gpu/protocol/ModelledTiming.h"
#include "gpu/protocol/ProfileMessages.h"
#include "gpu/protocol/RecordMessages.h"
#include "gpu/protocol/RunMessages.h"
#include "gpu/protocol/TimeMessages.h"
#include "gpu/protocol/ToolMessages.h"
#include "tests/fuzz/Readers.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace kernelarium::fuzz {

namespace {

using nlohmann::json;

task::Card smallCard(int level, int task) {
    task::Card card = *task::loadCard(level, task);
    // So small that a mutated one is drawn and evaluated in a moment.
    for (auto& [name, symbols] : card.sizes)
        for (auto& [symbol, value] : symbols)
            value = std::min<std::int64_t>(value, 4);
    return card;
}

/// Requests as the program sends them, for tasks with few operators of many kinds.
std::vector<std::string> cardRequests() {
    protocol::RunParameters run;
    run.unit = std::make_shared<const compile::CompiledUnit>();
    std::vector<std::string> lines;
    for (const task::TaskKey& key : task::builtInCards()) {
        const auto card = task::loadCard(key.level, key.task);
        if (!card || card->graph.size() > 8) continue;
        run.card = std::make_shared<const task::Card>(smallCard(key.level, key.task));
        protocol::Request request;
        request.id = key.task;
        request.method = "verify";
        request.params = protocol::toJson(run);
        lines.push_back(protocol::toLine(request));
    }
    protocol::Request tensors; // of a run without a card
    tensors.id = 1;
    tensors.method = "tensors";
    run.card.reset();
    tensors.params = protocol::toJson(run);
    tensorview::Query query;
    query.statistics = true;
    query.histogram = {8, 0.0, 1.0};
    query.slice = {{0, 1}, 1, 2, 0, 2, 1, 3, 4, 4, tensorview::Join::largest};
    query.sliceText = "0, :, 1:3";
    query.writtenBy = {7, 1, std::array<std::uint32_t, 3>{1, 0, 0}, {}};
    tensors.params["query"] = tensorview::toJson(query);
    lines.push_back(protocol::toLine(tensors));
    return lines;
}

/// What a child does with a question about a small tensor.
void answerQuery(const json& j) {
    const auto query = tensorview::queryFromJson(j);
    if (!query) return;
    tensor::Tensor t(tensor::DType::Float32, {2, 3, 4});
    const tensorview::Elements elements(t);
    if (query->histogram) (void)tensorview::histogramOf(elements, *query->histogram);
    if (query->slice) (void)tensorview::sliceOf(elements, *query->slice);
    if (const auto slice = tensorview::parseSlice(query->sliceText, t.shape()))
        (void)tensorview::sliceOf(elements, *slice);
    (void)tensorview::wrongElements(t, t, t.dtype(), {}, query->worst);
}

/// What a child does with a card before a kernel comes into it.
void useCard(const task::Card& card, const std::string& size) {
    const auto symbols = card.size(size);
    if (!symbols) return;
    (void)task::costOf(card, *symbols);
    const auto plan = verify::planOf(card, size);
    if (!plan) return;
    std::int64_t elements = 0;
    for (const auto& tensor : plan->tensors)
        elements += std::min<std::int64_t>(tensor::elementCount(tensor.shape), 1 << 20);
    const auto needed = task::memoryNeeded(card, *symbols, tensor::DType::Float64);
    const auto cost = task::costOf(card, *symbols);
    if (elements > 10'000 || !needed || *needed > (std::uint64_t(80) << 20) || !cost || cost->flops > 1e7) return;
    const auto tensors = verify::drawTensors(*plan, 1);
    (void)verify::argumentsOf(*plan, tensors);
    (void)verify::outputsOf(*plan);
    task::EvaluationOptions options;
    options.threads = 1;
    options.memoryLimit = std::uint64_t(100) << 20;
    (void)task::evaluate(card, *symbols, tensors, options);
}

void readRequest(const std::string& line) {
    const auto request = protocol::parseRequest(line);
    if (!request) return;
    (void)protocol::timeParametersFromJson(request->params);
    (void)protocol::profileParametersFromJson(request->params);
    (void)protocol::recordParametersFromJson(request->params);
    (void)protocol::ncuRequestFromJson(request->params);
    if (const auto query = request->params.find("query"); query != request->params.end()) answerQuery(*query);
    const auto run = protocol::runParametersFromJson(request->params);
    if (run && run->card) useCard(*run->card, run->size);
}

std::string finished(json result) {
    protocol::Event event;
    event.kind = protocol::EventKind::finished;
    event.id = 1;
    event.result = std::move(result);
    return protocol::toLine(event);
}

protocol::TimeSummary someTimes() {
    protocol::TimeSummary s;
    s.device = "NVIDIA H200";
    s.mode = "cold";
    s.size = "full";
    s.samples = {{1e-3, 1980}, {1.1e-3, 1900}, {9e-4, 1980}};
    s.serviceSeconds = {1e-3, 2e-3};
    s.steps.push_back({"relu_kernel", true, {3, 1, 1}, {64, 1, 1}, 1e-5});
    s.against = protocol::PairedSummary{"other", {}, {{1e-3, 2e-3, true}, {1e-3, 9e-4, false}}};
    s.baselines.push_back({"cuBLAS", "13", "cold", "", {{1e-3, 1980}}, 1980, {}});
    return s;
}

/// What the children answered to a right, a wrong and a broken kernel, and what needs a GPU or PyTorch.
std::vector<std::string> answers() {
    std::vector<std::string> lines;
    std::ifstream file(std::filesystem::path(KERNELARIUM_SOURCE_DIR) / "tests/fuzz/seeds/answers.jsonl");
    json steps;
    for (std::string line; std::getline(file, line);) {
        json answer = json::parse(line);
        if (const json result = answer.value("result", json()); result.contains("steps")) steps = result.at("steps");
        if (const json result = answer.value("result", json()); result.contains("step_count"))
            answer["result"]["steps"] = steps; // in one, so that a damaged one is read the same again
        lines.push_back(answer.dump());
    }
    lines.push_back(finished(protocol::toJson(someTimes())));
    perf::MeasuredCeilings ceilings;
    ceilings.device = "NVIDIA H200";
    ceilings.ceilings.push_back({"dram", 4e12, 1980, "copy"});
    lines.push_back(finished(perf::toJson(ceilings)));
    profile::NcuLaunch launch{"relu_kernel", "0", "(3, 1, 1)", "(64, 1, 1)", {}};
    launch.metrics.push_back({profile::NcuSection::other, "gpu__time_duration.sum", "ns", 5.0, {}, 3});
    lines.push_back(finished(protocol::toJson(std::vector<profile::NcuLaunch>{launch})));
    lines.push_back(finished(protocol::toJson(protocol::Python{"/usr/bin/python3", "3.11", "2.5", ""})));
    lines.push_back(finished(task::toJson(smallCard(1, 23))));
    tensorview::Answer tensors;
    tensors.tensors = {{{}, "", tensor::DType::Float16, {2, 2}}};
    tensors.statistics =
        tensorview::Statistics{4, 1, 1, 0, 0, tensorview::Statistics::Finite{-1, 2, 0, 3, 0.5, 1, 1.5}};
    tensors.histogram = tensorview::Histogram{-1, 2, {1, 0, 1}, 0, 0, 2};
    tensors.slice = tensorview::Slice{0, 1, {0, 0}, 0, 0, 2, 2, 1, 1, 2, 2, {-1, 0, 1, 2}, {}};
    tensors.wrong = tensorview::WrongElements{4, 1, {{2, 1, 0, 7}}};
    tensors.story = tensorview::Story{{1, 0}, 1, 0.5, {}, {3, {{}}}};
    tensors.written = tensorview::Written{{1, {3}, 3}, 0, 4};
    lines.push_back(finished(tensorview::toJson(tensors)));
    return lines;
}

void walk(const std::shared_ptr<const recording::Recording>& r) {
    recording::Cursor cursor(r);
    cursor.goTo(r->steps.size());
    for (const recording::Step& step : r->steps) {
        (void)cursor.registersOf(step.warp, step.frame);
        for (const recording::RegisterChange& c : step.registers)
            if (const auto* values = cursor.valuesOf(step.warp, step.frame, c.reg))
                (void)recording::summaryText(values->values, r->registers[c.reg].words, values->written,
                                             r->registers[c.reg].type, recording::Format::byType);
        for (const recording::Access& a : step.accesses)
            for (const std::uint64_t address : a.addresses)
                (void)recording::addressText(*r, a.space, address);
    }
    cursor.goTo(0);
    (void)recording::nextLine(*r, 0, {});
    (void)recording::nextBarrier(*r, 0, {});
}

/// Whatever was asked for: a child may answer anything.
void readAnswer(const std::string& line) {
    const auto event = protocol::parseEvent(line);
    if (!event) return;
    const json& result = event->result;
    (void)event->error.text();
    if (const auto unit = protocol::unitFromJson(result)) (void)protocol::unitToJson(*unit, {"ptx", "log"});
    (void)protocol::diagnosticsFromJson(result);
    if (const auto verdict = verify::verdictFromJson(result)) (void)verify::toJson(*verdict).dump();
    if (const auto run = protocol::runSummaryFromJson(result)) (void)protocol::toJson(*run).dump();
    if (const auto profile = protocol::profileSummaryFromJson(result)) {
        (void)protocol::modelledTiming(*profile, "h200");
        (void)protocol::countersText(*profile);
    }
    if (const auto time = protocol::timeSummaryFromJson(result)) {
        const auto timing = protocol::measuredTiming(*time, nullptr);
        (void)protocol::summaryOf(timing);
    }
    if (const auto tensors = tensorview::answerFromJson(result)) {
        (void)tensorview::toJson(*tensors).dump();
        for (const tensorview::Entry& entry : tensors->tensors) {
            if (tensors->slice) (void)tensorview::toString(*tensors->slice, entry.shape);
            if (tensors->wrong)
                for (const tensorview::WrongElement& e : tensors->wrong->worst)
                    (void)tensorview::indexOf(e.element, entry.shape);
        }
        if (tensors->slice && !tensors->slice->values.empty())
            (void)tensors->slice->indexOf(tensors->slice->rows - 1, tensors->slice->columns - 1);
    }
    (void)protocol::deviceListFromJson(result);
    (void)perf::measuredCeilingsFromJson(result);
    (void)protocol::tidyAnswerFromJson(result);
    (void)protocol::ncuLaunchesFromJson(result);
    (void)protocol::pythonFromJson(result);
    (void)task::cardFromJson(result);
    protocol::RecordingReader recording;
    if (!recording.addPage(result)) return;
    if (const auto recorded = recording.finish(result)) walk(*recorded);
}

} // namespace

std::vector<Reader> protocolReaders() {
    return {{"card in request", cardRequests(), readRequest}, {"child's answer", answers(), readAnswer}};
}

} // namespace kernelarium::fuzz
