// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/schedule/ScheduleTimes.h"

#include "core/schedule/ModelledMeasurer.h"
#include "core/schedule/ScheduleStore.h"
#include "gpu/protocol/RemoteStarter.h"
#include "gpu/protocol/schedules/MeasuredKernel.h"
#include "gpu/protocol/schedules/VariantCounters.h"
#include "ui/threads/Ask.h"

namespace kernelarium::ui {

namespace {

/// Run children on that GPU. Error "bad_input".
Result<protocol::MeasuredKernel::Start> childrenOn(const ScheduleGpu& gpu) {
    const auto starter =
        protocol::starterFor(gpu.target.host.toStdString(), gpu.program.toStdString(), gpu.target.ordinal);
    if (!starter) return starter.error();
    return protocol::MeasuredKernel::Start(
        [starter = *starter] { return std::make_unique<protocol::WorkerClient>(starter); });
}

} // namespace

Result<schedule::ScheduleEnd> searchSchedule(const ScheduleSubject& subject, const SearchHearing& hearing,
                                             const std::stop_token& stop) {
    std::error_code code;
    std::filesystem::create_directories(subject.store.parent_path(), code); // or opening says why not
    const schedule::Settings& settings = subject.question.settings;
    Result<tuning::Store> store = schedule::openScheduleStore(subject.store, subject.subject, settings);
    if (!store) return store.error();
    std::unique_ptr<protocol::MeasuredKernel> measured;
    schedule::ModelledMeasurer model(subject.subject);
    if (const auto& gpu = subject.question.gpu) {
        hearing.part(SearchPart::original);
        Result<protocol::MeasuredKernel::Start> children = childrenOn(*gpu);
        if (!children) return children.error();
        auto prepared = protocol::MeasuredKernel::prepare(subject.subject, gpu->run, gpu->timing,
                                                          gpu->target.gpu.toStdString(), *children, {.stop = stop});
        if (!prepared) return prepared.error();
        measured = std::move(*prepared);
        hearing.expects(measured->expectation());
        hearing.part(SearchPart::steps);
    }
    schedule::Measurer& measurer = measured ? static_cast<schedule::Measurer&>(measured->measurer()) : model;
    Result<schedule::ScheduleEnd> end =
        schedule::runScheduleSearch(subject.subject, settings, measurer, *store, hearing.watch, stop);
    if (!end) return end;
    if (end->why == schedule::ScheduleEnd::Why::stopped) return cancelledError();
    if (measured) {
        hearing.part(SearchPart::finals);
        if (Result<void> confirmed = protocol::confirmBest(measured->measurer(), *store, stop); !confirmed)
            return confirmed.error();
    }
    return end;
}

Result<schedule::Measurement> timeSchedule(const ScheduleSubject& subject, const std::vector<sass::Word>& words,
                                           const std::stop_token& stop) {
    const sass::Cubin candidate = subject.subject.with(words);
    const auto& gpu = subject.question.gpu;
    if (!gpu) return schedule::ModelledMeasurer(subject.subject).measure(candidate, {}, 1, stop);
    Result<protocol::MeasuredKernel::Start> children = childrenOn(*gpu);
    if (!children) return children.error();
    schedule::Race whole;
    whole.best = 2; // to the last pair, whatever comes of it
    whole.dropAbove = 100;
    Result<schedule::Measurement> got = protocol::ScheduleMeasurer(gpu->run, gpu->timing, *children)
                                            .measure(candidate, whole, subject.question.settings.seed, stop);
    if (!got) return got;
    if (!got->fault.empty())
        return Error{"bad_input", "Proved, and yet it does not do what the original does: " + got->fault + ".",
                     "Please report it."};
    if (!got->failure.empty())
        return Error{"not_measured", "It could not be measured: " + got->failure + ".", "Try again."};
    return got;
}

Result<void> countSchedules(const ScheduleSubject& subject, const std::stop_token& stop) {
    const auto& gpu = subject.question.gpu;
    if (!gpu) return Error{"unsupported", "Without a GPU there is nothing to count."};
    Result<tuning::Store> store =
        schedule::openScheduleStore(subject.store, subject.subject, subject.question.settings);
    if (!store) return store.error();
    const std::string program = gpu->program.toStdString();
    protocol::ToolClient tools({program, "worker", "tools"});
    return protocol::countVariants(
        tools, protocol::ncuRequestOf(gpu->run, subject.question.source.toStdString(), program, gpu->target.ordinal),
        *store, stop);
}

} // namespace kernelarium::ui
