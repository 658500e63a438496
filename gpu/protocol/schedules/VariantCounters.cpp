// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/schedules/VariantCounters.h"

#include "core/profile/VariantCounters.h"
#include "core/schedule/Annealing.h"
#include "core/schedule/ScheduleHistory.h"
#include "core/text/KernelName.h"

#include <algorithm>
#include <chrono>

namespace kernelarium::protocol {

namespace {

std::int64_t millisecondsNow() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

} // namespace

NcuRequest ncuRequestOf(const RunParameters& run, const std::string& source, const std::string& program, int gpu) {
    NcuRequest request;
    request.gpu = gpu;
    request.commandLine = program;
    request.source = source;
    request.card = run.card;
    request.arguments = run.arguments;
    request.size = run.size;
    request.seed = run.seed;
    request.fastMath = run.unit->fastMath;
    request.settings = run.unit->settings;
    request.function = run.function;
    return request;
}

Result<schedule::CounterSet> counterSetOf(const std::vector<profile::NcuLaunch>& launches,
                                          const schedule::Subject& subject, const std::vector<sass::Word>& words,
                                          const std::string& size) {
    schedule::CounterSet set;
    set.hash = schedule::hashOf(words);
    set.size = size;
    set.when = millisecondsNow();
    std::vector<const profile::NcuLaunch*> own;
    const std::string title = text::kernelTitle(subject.kernel);
    for (const profile::NcuLaunch& launch : launches)
        if (text::isSameKernel(launch.kernel, subject.kernel)) own.push_back(&launch);
    if (own.empty())
        return Error{
            "nothing_profiled", "Nsight Compute saw no launch of " + title + ".",
            "It looks at the first 40 launches" +
                (launches.empty() ? std::string(".") : ", of which the first was " + launches.front().kernel + ".")};
    const auto device = subject.call.find("device"); // Nsight Compute tells a number
    set.device = device == subject.call.end() ? own.front()->device : device->second;
    set.launches = own.size();
    for (const profile::VariantCounter& one : profile::variantCounters()) {
        double sum = 0;
        std::size_t count = 0;
        std::string unit;
        for (const profile::NcuLaunch* launch : own)
            if (const profile::NcuMetric* metric = launch->find(one.name.metric); metric && metric->value) {
                sum += *metric->value;
                unit = metric->unit;
                ++count;
            }
        if (count > 0) set.figures.push_back({std::string(one.name.metric), unit, sum / double(count)});
    }
    return set;
}

Result<void> countVariants(ToolClient& tools, NcuRequest how, tuning::Store& store, const std::stop_token& stop) {
    const Result<schedule::ScheduleHistory> history = schedule::readScheduleHistory(store.path());
    if (!history) return history.error();
    if (!history->best) return {};
    for (const profile::VariantCounter& one : profile::variantCounters())
        how.metrics.emplace_back(one.name.metric);
    const std::vector<sass::Word> original = history->subject.words();
    std::vector<const std::vector<sass::Word>*> both{&original};
    if (history->bestWords != original) both.push_back(&history->bestWords);
    for (const std::vector<sass::Word>* words : both) {
        const std::string hash = schedule::hashOf(*words);
        if (std::any_of(history->counters.begin(), history->counters.end(),
                        [&](const schedule::CounterSet& known) { return known.hash == hash; }))
            continue;
        how.nativeCode = history->subject.with(*words).bytes();
        const auto launches = tools.measureWithNcu(how, {.stop = stop});
        if (!launches) return launches.error();
        const Result<schedule::CounterSet> set = counterSetOf(*launches, history->subject, *words, how.size);
        if (!set) return set.error();
        Result<tuning::Record> record = recordOf(*set);
        if (!record) return record.error();
        if (Result<void> kept = store.append(*record); !kept) return kept;
    }
    return {};
}

} // namespace kernelarium::protocol
