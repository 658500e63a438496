// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/schedule/SearchedKernel.h"

#include "app/cli/RunnerChild.h"
#include "app/cli/Workers.h"
#include "app/cli/kernel/CompilerOptions.h"
#include "app/cli/kernel/KernelJob.h"
#include "core/perf/DeviceSpec.h"
#include "core/schedule/Call.h"
#include "core/schedule/ModelledMeasurer.h"
#include "core/task/Card.h"
#include "gpu/protocol/schedules/Alternatives.h"

#include <filesystem>

namespace kernelarium::cli {

namespace {

/// This machine's GPU by name; empty without one.
Result<std::string> gpuHere() {
    const Result<protocol::DeviceList> list = makeRunner().devices(shown());
    if (!list) return list.error();
    const protocol::DeviceSummary* gpu = list->gpu(0);
    return gpu ? gpu->name : std::string();
}

/// This program as a file: others start it.
std::string programFile() {
    std::error_code problem;
    const std::filesystem::path file = std::filesystem::read_symlink("/proc/self/exe", problem);
    return problem ? "kernelarium-cli" : file.string();
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

Result<void> SearchedKernel::takeCubin(const SearchChoice& choice, const std::string& gpu, const task::Card* card,
                                       sass::Cubin cubin) {
    const Result<const sass::KernelCode*> kernel = chosenKernel(cubin, choice.cubin);
    if (!kernel) return kernel.error();
    const std::string name = (*kernel)->name;
    schedule::Call call;
    call.file = std::filesystem::absolute(choice.cubin.file).lexically_normal().string();
    call.compilerWords = choice.cubin.compilerWords;
    call.fastMath = choice.cubin.fastMath;
    call.task = choice.task;
    if (!gpu.empty()) {
        call.size = choice.size;
        call.timing = choice.timing;
        call.device = gpu;
        call.card = protocol::cardDigest(card);
    }
    m_subject = schedule::Subject{std::move(cubin), name, fieldsOf(call)};
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
        if (Result<void> taken = made->takeCubin(choice, gpu, nullptr, std::move(*cubin)); !taken) return taken.error();
        made->m_model = std::make_unique<schedule::ModelledMeasurer>(made->subject());
        std::vector<verify::Launch> launches;
        if (!choice.task.empty() && !isElf(choice.cubin.file)) { // how it is launched
            auto run = VariantRun::prepare(choice.cubin, choice.task, "small", "emulator");
            if (!run) return run.error();
            made->m_unit = (*run)->parameters().unit;
            Result<protocol::RunSummary> once = (*run)->original();
            if (once && once->end == "finished") launches = std::move(once->launches);
        }
        made->m_expectation = protocol::expectationOf(made->subject(), made->m_unit.get(), launches, choice.device);
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
    if (Result<void> taken = made->takeCubin(choice, gpu, (*run)->parameters().card.get(), std::move(*cubin)); !taken)
        return taken.error();
    Result<std::unique_ptr<protocol::MeasuredKernel>> measured = protocol::MeasuredKernel::prepare(
        made->subject(), (*run)->parameters(), choice.timing, gpu, makeRunnerChild, shown());
    if (!measured) return measured.error();
    made->m_measured = std::move(*measured);
    made->m_counting = protocol::ncuRequestOf((*run)->parameters(), (*run)->source(), programFile());
    made->m_expectation = made->m_measured->expectation();
    return made;
}

Result<void> SearchedKernel::count(tuning::Store& store, const std::stop_token& stop) {
    if (!m_measured) return Error{"unsupported", "Times are modelled: there is no GPU to count on."};
    protocol::ToolClient tools({m_counting.commandLine, "worker", "tools"});
    return protocol::countVariants(tools, m_counting, store, stop);
}

Result<void> SearchedKernel::addAlternatives(const SearchChoice& choice, tuning::Store& store,
                                             const std::stop_token& stop) {
    if (!m_unit) { // of a model, which needs none
        const Result<text::CompilerSettings> settings = compilerSettings(choice.cubin.compilerWords);
        if (!settings) return settings.error();
        Result<protocol::KernelClient::Unit> unit = compiledUnit(choice.cubin, *settings);
        if (!unit) return unit.error();
        m_unit = std::move(*unit);
    }
    return protocol::addAlternatives(store, *m_unit, *makeCompilerChild(), choice.cubin.toolkit, gpu(), stop);
}

} // namespace kernelarium::cli
