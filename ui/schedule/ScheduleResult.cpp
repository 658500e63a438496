// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/schedule/ScheduleResult.h"

#include "core/sass/instruction/Decoder.h"
#include "ui/schedule/ScheduleTimes.h"

namespace kernelarium::ui {

namespace {

/// The code of one kernel with other words, read. The line table tells of places as they were compiled: a moved
/// instruction takes its line along.
Result<NativeCodePointer> variantCode(const ScheduleSubject& subject, const sass::Cubin& cubin,
                                      const std::vector<int>& cameFrom) {
    const sass::KernelCode* kernel = cubin.find(subject.subject.kernel);
    if (!kernel) return Error{"bad_input", "The kernel is not in the cubin.", {}};
    NativeCode code;
    code.cubin = cubin.bytes();
    code.kernels.push_back(sass::explain(cubin, *kernel, sass::LineTable::read(cubin.bytes()), sass::minedDistances()));
    const std::vector<int>& lines = subject.before().lines;
    sass::Explanation& e = code.kernels.front();
    for (std::size_t i = 0; i < e.lines.size() && i < cameFrom.size(); ++i)
        if (const auto from = std::size_t(cameFrom[i]); from < lines.size()) e.lines[i] = lines[from];
    return std::make_shared<const NativeCode>(std::move(code));
}

Result<ScheduleVariantPointer> variantOf(const ScheduleSubject& subject, std::vector<sass::Word> words) {
    ScheduleVariant variant;
    variant.words = std::move(words);
    variant.cameFrom = schedule::permutationOf(subject.subject, variant.words);
    variant.patches = schedule::patchesOf(subject.subject, variant.words);
    const sass::Cubin cubin = subject.subject.with(variant.words);
    variant.proof = sass::proveSchedule(subject.subject.original, cubin, sass::minedDistances());
    Result<NativeCodePointer> code = variantCode(subject, cubin, variant.cameFrom);
    if (!code) return code.error();
    variant.code = *std::move(code);
    return std::make_shared<const ScheduleVariant>(std::move(variant));
}

} // namespace

Result<ScheduleResultPointer> readScheduleResult(const ScheduleSubject& subject) {
    std::error_code problem;
    if (!std::filesystem::exists(subject.store, problem)) return ScheduleResultPointer();
    Result<schedule::ScheduleHistory> history = schedule::readScheduleHistory(subject.store);
    if (!history) {
        if (history.error().code == "empty_store") return ScheduleResultPointer();
        return history.error();
    }
    ScheduleResult result{*std::move(history), {}};
    if (const schedule::Step* best = result.history.bestStep()) {
        Result<ScheduleVariantPointer> variant = variantOf(subject, result.history.bestWords);
        if (!variant) return variant.error();
        auto own = std::make_shared<ScheduleVariant>(**variant);
        own->energy = best->energy.value_or(100);
        own->low = best->low;
        own->high = best->high;
        own->isModelled = result.history.settings.mode == schedule::Mode::modelled;
        own->counters = countersBeside(result.history);
        result.best = std::move(own);
    }
    return std::make_shared<const ScheduleResult>(std::move(result));
}

Result<ScheduleVariantPointer> undoMove(const ScheduleSubject& subject, const ScheduleResult& result,
                                        std::uint64_t step, const std::stop_token& stop) {
    std::optional<std::vector<sass::Word>> words = schedule::withoutMove(result.history, step);
    if (!words)
        return Error{"bad_input", "This move cannot be undone alone: later moves need it.",
                     "Undo a later one, or search with another seed."};
    Result<ScheduleVariantPointer> variant = variantOf(subject, *std::move(words));
    if (!variant) return variant.error();
    auto own = std::make_shared<ScheduleVariant>(**variant);
    own->undone = step;
    own->counters = schedule::modelledBeside(subject.subject, own->words);
    const Result<schedule::Measurement> timed = timeSchedule(subject, own->words, stop);
    if (!timed) return timed.error();
    own->energy = timed->energy;
    own->low = timed->low;
    own->high = timed->high;
    own->isModelled = timed->pairs == 0;
    return ScheduleVariantPointer(std::move(own));
}

} // namespace kernelarium::ui
