// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/schedules/Alternatives.h"

#include "core/sass/instruction/Decoder.h"
#include "core/schedule/Annealing.h"
#include "core/schedule/StaticCost.h"
#include "gpu/protocol/schedules/AssembleMessages.h"

#include <algorithm>
#include <map>

namespace kernelarium::protocol {

namespace {

/// Errors of an assembly that concern its words or its PTX only.
bool isRefusal(const Error& error) {
    return error.code == "assembler" || error.code == "unsupported" || error.code == "bad_request";
}

} // namespace

const compile::KernelResources* resourcesOf(const compile::CompiledUnit& unit, const std::string& kernel) {
    const auto found = std::find_if(unit.kernels.begin(), unit.kernels.end(),
                                    [&](const compile::KernelResources& one) { return one.mangled == kernel; });
    return found == unit.kernels.end() ? nullptr : &*found;
}

Result<std::vector<schedule::Alternative>> alternativesOf(const schedule::Subject& subject,
                                                          const compile::CompiledUnit& unit, WorkerClient& compiler,
                                                          const std::string& toolkit, ScheduleMeasurer* gpu,
                                                          const std::stop_token& stop) {
    const compile::KernelResources* own = resourcesOf(unit, subject.kernel);
    std::map<std::string, std::string> known{{schedule::hashOf(subject.words()), "the original"}};
    std::vector<schedule::Alternative> all;
    for (const std::string& words : schedule::offeredAlternatives(own ? own->registers : 0)) {
        if (stop.stop_requested()) return Error{"cancelled", "The search was stopped."};
        schedule::Alternative& one = all.emplace_back();
        one.words = words;
        const Result<KernelClient::Unit> other = assembledOtherwise(compiler, unit, {words}, toolkit, {.stop = stop});
        if (!other && !isRefusal(other.error())) return other.error();
        const Result<sass::Cubin> cubin =
            other ? sass::Cubin::read((*other)->cubin) : Result<sass::Cubin>(other.error());
        const sass::KernelCode* kernel = cubin ? cubin->find(subject.kernel) : nullptr;
        if (!kernel) {
            one.refusal = cubin ? "it has another kernel" : cubin.error().message;
            continue;
        }
        if (const compile::KernelResources* resources = resourcesOf(**other, subject.kernel))
            one.registers = resources->registers;
        const std::vector<sass::Word> code = sass::wordsOf(cubin->code(*kernel));
        const std::vector<sass::Instruction> read = sass::decodeAll(code, cubin->computeCapability());
        one.instructions = read.size();
        one.staticCost = schedule::StaticCost(read, sass::blocksOf(read)).original().cost();
        const auto [twin, isNew] = known.emplace(schedule::hashOf(code), words);
        if (!isNew) one.sameAs = twin->second;
        if (!isNew || !gpu) continue;
        for (const char* timing : {"cold", "hot"}) {
            Result<schedule::FinalFigure> figure = gpu->confirmUnit(words, *other, timing, stop);
            if (!figure) return figure.error();
            if (!figure->isTimed()) one.refusal = figure->reason;
            one.figures.push_back(std::move(*figure));
        }
    }
    return all;
}

} // namespace kernelarium::protocol
