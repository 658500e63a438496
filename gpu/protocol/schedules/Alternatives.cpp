// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/schedules/Alternatives.h"

#include "core/sass/instruction/Decoder.h"
#include "core/schedule/Annealing.h"
#include "core/schedule/ScheduleHistory.h"
#include "core/schedule/StaticCost.h"
#include "gpu/protocol/schedules/AssembleMessages.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace kernelarium::protocol {

namespace {

/// Errors of an assembly that concern its words or its PTX only.
bool isRefusal(const Error& error) {
    return error.code == "assembler" || error.code == "unsupported" || error.code == "bad_request";
}

const schedule::Alternative* storedAs(const schedule::ScheduleHistory& history, const std::string& words) {
    const auto found = std::find_if(history.alternatives.begin(), history.alternatives.end(),
                                    [&](const schedule::Alternative& one) { return one.words == words; });
    return found == history.alternatives.end() ? nullptr : &*found;
}

/// What assembles and times.
struct AlternativeMeans {
    WorkerClient& compiler;
    const std::string& toolkit;
    ScheduleMeasurer* gpu; ///< null: none
};

/// One of them. `known`: the words of each code there is so far, to which its own is added.
Result<schedule::Alternative> alternativeOf(const schedule::Subject& subject, const compile::CompiledUnit& unit,
                                            const std::string& words, const AlternativeMeans& with,
                                            std::map<std::string, std::string>& known, const std::stop_token& stop) {
    const Error cancelled{"cancelled", "The search was stopped."};
    if (stop.stop_requested()) return cancelled;
    schedule::Alternative one;
    one.words = words;
    const Result<KernelClient::Unit> other =
        assembledOtherwise(with.compiler, unit, {words}, with.toolkit, {.stop = stop});
    if (stop.stop_requested()) return cancelled;
    if (!other && !isRefusal(other.error())) return other.error();
    const Result<sass::Cubin> cubin = other ? sass::Cubin::read((*other)->cubin) : Result<sass::Cubin>(other.error());
    const sass::KernelCode* kernel = cubin ? cubin->find(subject.kernel) : nullptr;
    if (!kernel) {
        one.refusal = cubin ? "it has another kernel" : cubin.error().message;
        return one;
    }
    if (const compile::KernelResources* resources = resourcesOf(**other, subject.kernel))
        one.registers = resources->registers;
    const std::vector<sass::Word> code = sass::wordsOf(cubin->code(*kernel));
    const std::vector<sass::Instruction> read = sass::decodeAll(code, cubin->computeCapability());
    one.code = schedule::hashOf(code);
    one.instructions = read.size();
    one.staticCost = schedule::StaticCost(read, sass::blocksOf(read), cubin->computeCapability()).original().cost();
    const auto [twin, isNew] = known.emplace(one.code, words);
    if (!isNew) one.sameAs = twin->second;
    if (!isNew || !with.gpu) return one;
    for (const char* timing : {"cold", "hot"}) {
        Result<schedule::FinalFigure> figure = with.gpu->confirmUnit(words, *other, timing, stop);
        if (!figure) return figure.error();
        if (!figure->isTimed()) one.refusal = figure->reason;
        one.figures.push_back(std::move(*figure));
    }
    return one;
}

} // namespace

const compile::KernelResources* resourcesOf(const compile::CompiledUnit& unit, const std::string& kernel) {
    const auto found = std::find_if(unit.kernels.begin(), unit.kernels.end(),
                                    [&](const compile::KernelResources& one) { return one.mangled == kernel; });
    return found == unit.kernels.end() ? nullptr : &*found;
}

Result<void> addAlternatives(tuning::Store& store, const compile::CompiledUnit& unit, WorkerClient& compiler,
                             const std::string& toolkit, ScheduleMeasurer* gpu, const std::stop_token& stop) {
    const Result<schedule::ScheduleHistory> history = schedule::readScheduleHistory(store.path());
    if (!history) return history.error();
    const schedule::Subject& subject = history->subject;
    const compile::KernelResources* own = resourcesOf(unit, subject.kernel);
    std::map<std::string, std::string> known{{schedule::hashOf(subject.words()), "the original"}};
    for (const std::string& words : schedule::offeredAlternatives(own ? own->registers : 0)) {
        const schedule::Alternative* const stored = storedAs(*history, words);
        if (stored && stored->isKnown()) {
            known.emplace(stored->code, words);
            continue;
        }
        const Result<schedule::Alternative> one =
            alternativeOf(subject, unit, words, {compiler, toolkit, gpu}, known, stop);
        if (!one) return one.error();
        if (stored && toJson(*stored) == toJson(*one)) continue; // refused as before
        Result<tuning::Record> record = recordOf(*one);
        if (!record) return record.error();
        if (Result<void> kept = store.append(*record); !kept) return kept;
    }
    return {};
}

} // namespace kernelarium::protocol
