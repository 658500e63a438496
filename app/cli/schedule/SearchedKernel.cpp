// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/schedule/SearchedKernel.h"

#include "app/cli/RunnerChild.h"
#include "app/cli/Workers.h"
#include "app/cli/kernel/CompilerOptions.h"
#include "app/cli/kernel/KernelJob.h"
#include "core/perf/Occupancy.h"
#include "core/sass/instruction/Decoder.h"
#include "core/schedule/ModelledMeasurer.h"
#include "core/schedule/StaticCost.h"
#include "core/task/Card.h"
#include "core/text/KernelName.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace kernelarium::cli {

namespace {

constexpr int schedulersOfMultiprocessor = 4;

/// This machine's GPU by name; empty without one.
Result<std::string> gpuHere() {
    const Result<protocol::DeviceList> list = makeRunner().devices(shown());
    if (!list) return list.error();
    const protocol::DeviceSummary* gpu = list->gpu(0);
    return gpu ? gpu->name : std::string();
}

const compile::KernelResources* resourcesOf(const compile::CompiledUnit& unit, const std::string& kernel) {
    const auto found = std::find_if(unit.kernels.begin(), unit.kernels.end(),
                                    [&](const compile::KernelResources& one) { return one.mangled == kernel; });
    return found == unit.kernels.end() ? nullptr : &*found;
}

/// The first launch of the kernel; null: the run has none.
const verify::Launch* launchOf(const protocol::RunSummary& ran, const std::string& kernel) {
    const auto found = std::find_if(ran.launches.begin(), ran.launches.end(), [&](const verify::Launch& one) {
        return one.kernel == kernel || one.kernel == text::demangled(kernel) || one.kernel == text::kernelTitle(kernel);
    });
    return found == ran.launches.end() ? nullptr : &*found;
}

/// Warps of the kernel that one scheduler holds; nothing where the run did not launch it.
std::optional<int> warpsOf(const protocol::RunSummary& ran, const compile::KernelResources& resources,
                           const perf::DeviceSpec& device) {
    const verify::Launch* launch = launchOf(ran, resources.mangled);
    if (!launch) return std::nullopt;
    perf::BlockNeeds needs;
    needs.threads = launch->block[0] * launch->block[1] * launch->block[2];
    needs.registers = std::uint32_t(resources.registers);
    needs.sharedBytes = std::uint32_t(resources.staticSharedBytes) + launch->dynamicSharedBytes;
    const perf::Occupancy held = perf::occupancyOf(needs, device);
    if (held.warps == 0) return std::nullopt;
    return std::max(1, int(held.warps) / schedulersOfMultiprocessor);
}

/// A model needs no size, but a wrong one is a mistake there, too.
Result<void> checkedSize(const SearchChoice& choice) {
    if (choice.task.empty()) return checkSize(choice.size, nullptr);
    const Result<task::TaskKey> key = task::parseTaskKey(choice.task);
    if (!key) return key.error();
    const Result<task::Card> card = task::loadCard(key->level, key->task);
    if (!card) return card.error();
    return checkSize(choice.size, &*card);
}

} // namespace

Result<void> SearchedKernel::takeCubin(const SearchChoice& choice, sass::Cubin cubin) {
    const Result<const sass::KernelCode*> kernel = chosenKernel(cubin, choice.cubin);
    if (!kernel) return kernel.error();
    const std::string name = (*kernel)->name;
    m_subject = schedule::Subject{
        std::move(cubin), name, {{"file", std::filesystem::absolute(choice.cubin.file).lexically_normal().string()}}};
    auto& call = m_subject->call;
    std::string words;
    for (const std::string& word : choice.cubin.compilerWords)
        words += (words.empty() ? "" : "\n") + word;
    if (!words.empty()) call["options"] = words;
    if (choice.cubin.fastMath) call["fast_math"] = "yes";
    if (!choice.task.empty()) call["task"] = choice.task;
    return {};
}

Result<std::unique_ptr<SearchedKernel>> SearchedKernel::prepare(const SearchChoice& choice) {
    if (Result<void> known = checkedSize(choice); !known) return known.error();
    std::unique_ptr<SearchedKernel> made(new SearchedKernel);
    std::string gpu;
    if (choice.backend != "model") {
        Result<std::string> here = gpuHere();
        if (!here) return here.error();
        gpu = *here;
        if (gpu.empty() && choice.backend == "cuda")
            return Error{"missing_component", "There is no GPU here: nothing can be measured.",
                         "Use --backend model, which asks a model of one warp in place of a GPU."};
    }
    if (gpu.empty()) {
        if (!perf::findDeviceSpec(choice.device))
            return Error{"bad_input", "No device specification is called " + choice.device + ".",
                         "Use the id of one, such as h100-sxm or h200."};
        Result<sass::Cubin> cubin = chosenCubin(choice.cubin);
        if (!cubin) return cubin.error();
        if (Result<void> taken = made->takeCubin(choice, std::move(*cubin)); !taken) return taken.error();
        made->m_measurer = std::make_unique<schedule::ModelledMeasurer>(made->subject());
        std::optional<protocol::RunSummary> ran;
        if (!choice.task.empty() && !isElf(choice.cubin.file)) { // how it is launched
            auto run = VariantRun::prepare(choice.cubin, choice.task, "small", "emulator");
            if (!run) return run.error();
            made->m_unit = (*run)->parameters().unit;
            Result<protocol::RunSummary> once = (*run)->original();
            if (once && once->end == "finished") ran = std::move(*once);
        }
        made->expect(ran, choice.device);
        return made;
    }
    if (isElf(choice.cubin.file))
        return Error{"bad_input", "Nothing says how the kernels of a cubin are called.",
                     "Give the kernel's source, or use --backend model."};
    Result<std::unique_ptr<VariantRun>> run = VariantRun::prepare(choice.cubin, choice.task, choice.size);
    if (!run) return run.error();
    made->m_unit = (*run)->parameters().unit;
    Result<sass::Cubin> cubin = (*run)->cubin();
    if (!cubin) return cubin.error();
    if (Result<void> taken = made->takeCubin(choice, std::move(*cubin)); !taken) return taken.error();
    auto& call = made->m_subject->call;
    call["size"] = choice.size;
    call["timing"] = choice.timing;
    call["device"] = gpu;
    Result<protocol::RunSummary> ran = (*run)->original();
    if (!ran) return ran.error();
    if (ran->end != "finished")
        return Error{"bad_input", "The kernel as compiled does not run: " + ran->reason, "Verify it first."};
    if (!launchOf(*ran, made->m_subject->kernel)) {
        std::string launched;
        for (const verify::Launch& one : ran->launches)
            if (launched.find(one.kernel) == std::string::npos) launched += (launched.empty() ? "" : ", ") + one.kernel;
        return Error{"bad_input",
                     fmt::format("The task launches {}, and not {}: no schedule of that would make a difference.",
                                 launched.empty() ? "nothing" : launched, text::kernelTitle(made->m_subject->kernel)),
                     "Choose a kernel that it launches with --kernel."};
    }
    auto measurer = std::make_unique<protocol::ScheduleMeasurer>((*run)->parameters(), choice.timing, makeRunnerChild);
    made->m_gpu = measurer.get();
    made->m_measurer = std::move(measurer);
    made->expect(*ran, gpu);
    return made;
}

void SearchedKernel::expect(const std::optional<protocol::RunSummary>& ran, const std::string& device) {
    const sass::Cubin& cubin = m_subject->original;
    const sass::Explanation e =
        sass::explain(cubin, m_subject->code(), sass::LineTable::read(cubin.bytes()), sass::minedDistances());
    std::optional<int> warps;
    const compile::KernelResources* resources = m_unit ? resourcesOf(*m_unit, m_subject->kernel) : nullptr;
    if (resources) m_registers = resources->registers;
    const perf::DeviceSpec* spec = perf::findDeviceSpec(device);
    if (ran && resources && spec) warps = warpsOf(*ran, *resources, *spec);
    m_expectation = schedule::expectationOf(e, warps, std::nullopt);
}

Result<std::vector<schedule::Alternative>> SearchedKernel::alternatives(const SearchChoice& choice,
                                                                        const std::stop_token& stop) {
    Result<text::CompilerSettings> settings = compilerSettings(choice.cubin.compilerWords);
    if (!settings) return settings.error();
    std::vector<text::CompilerSettings> wanted;
    for (const int cap : {168, 128, 96, 80, 64, 48, 40, 32})
        // Half of them and fewer spill more than another block is worth.
        if (m_registers == 0 || (cap < m_registers && cap * 2 > m_registers)) {
            wanted.push_back(*settings);
            wanted.back().maxRegisters = cap;
        }
    CubinChoice source = choice.cubin;
    source.arch = fmt::format("sm_{}", m_subject->original.computeCapability());
    std::vector<schedule::Alternative> all;
    for (const text::CompilerSettings& one : wanted) {
        if (stop.stop_requested()) return Error{"cancelled", "The search was stopped."};
        schedule::Alternative alternative;
        alternative.words = lineOf(one);
        Result<protocol::KernelClient::Unit> unit = compiledUnit(source, one);
        if (!unit && unit.error().message.find("is a cubin") != std::string::npos) return unit.error();
        Result<sass::Cubin> cubin = unit ? sass::Cubin::read((*unit)->cubin) : Result<sass::Cubin>(unit.error());
        const sass::KernelCode* kernel = cubin ? cubin->find(m_subject->kernel) : nullptr;
        if (!kernel) {
            alternative.refusal = unit ? "it has another kernel" : unit.error().message;
            all.push_back(std::move(alternative));
            continue;
        }
        if (const compile::KernelResources* resources = resourcesOf(**unit, m_subject->kernel))
            alternative.registers = resources->registers;
        const auto code = sass::decodeAll(sass::wordsOf(cubin->code(*kernel)), cubin->computeCapability());
        alternative.instructions = code.size();
        alternative.staticCost = schedule::StaticCost(code, sass::blocksOf(code)).original().cost();
        if (m_gpu)
            for (const char* timing : {"cold", "hot"}) {
                Result<schedule::FinalFigure> figure = m_gpu->confirmUnit(alternative.words, *unit, timing, stop);
                if (!figure) return figure.error();
                if (!figure->isTimed()) alternative.refusal = figure->reason;
                alternative.figures.push_back(std::move(*figure));
            }
        all.push_back(std::move(alternative));
    }
    return all;
}

} // namespace kernelarium::cli
