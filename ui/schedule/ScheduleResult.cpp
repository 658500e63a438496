// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/schedule/ScheduleResult.h"

#include "core/files/Sha256.h"
#include "core/sass/instruction/Decoder.h"
#include "core/schedule/ModelledMeasurer.h"
#include "core/schedule/ScheduleStore.h"
#include "core/text/KernelName.h"

#include <nlohmann/json.hpp>

namespace kernelarium::ui {

namespace {

/// Each search has a store of its own: other settings make another one, and none is lost.
std::filesystem::path scheduleStore(const ScheduleQuestion& question, const schedule::Subject& subject) {
    const schedule::Settings& s = question.settings;
    const auto& bytes = subject.original.bytes();
    const std::string code(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::string all = nlohmann::json({{"code", files::toHex(files::sha256(code), 64)},
                                            {"kernel", subject.kernel},
                                            {"call", subject.call},
                                            {"mode", schedule::name(s.mode)},
                                            {"seed", s.seed},
                                            {"steps", s.steps},
                                            {"worsen", s.worsen},
                                            {"rules", schedule::rulesOfNow()}})
                                .dump();
    return question.folder /
           (text::kernelTitle(subject.kernel).substr(0, 40) + "-" + files::toHex(files::sha256(all), 16) + ".schedule");
}

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

Result<ScheduleSubjectPointer> lookAtSchedule(const ScheduleQuestion& question) {
    Result<sass::Cubin> cubin = sass::Cubin::read(question.code->cubin);
    if (!cubin) return cubin.error();
    const sass::Explanation& e = question.code->kernels[std::size_t(question.kernel)];
    if (!cubin->find(e.kernel)) return Error{"bad_input", "The kernel is not in the cubin.", {}};
    const sass::KernelCode& code = *cubin->find(e.kernel);
    if (Result<void> movable = sass::Rescheduler::check(sass::wordsOf(cubin->code(code)), cubin->computeCapability());
        !movable)
        return movable.error();
    ScheduleSubject subject{question, {*std::move(cubin), e.kernel, question.call}, {}, {}};
    const std::optional<int> warps = e.residentWarps > 0 ? std::optional<int>(e.residentWarps) : std::nullopt;
    subject.expectation = schedule::expectationOf(e, warps, std::nullopt);
    subject.store = scheduleStore(question, subject.subject);
    return std::make_shared<const ScheduleSubject>(std::move(subject));
}

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
        own->isModelled = result.history.settings.mode == schedule::Mode::modelled;
        result.best = std::move(own);
    }
    return std::make_shared<const ScheduleResult>(std::move(result));
}

Result<ScheduleVariantPointer> undoMove(const ScheduleSubject& subject, const ScheduleResult& result,
                                        std::uint64_t step) {
    std::optional<std::vector<sass::Word>> words = schedule::withoutMove(result.history, step);
    if (!words)
        return Error{"bad_input", "This move cannot be undone alone: later moves need it.",
                     "Undo a later one, or search with another seed."};
    Result<ScheduleVariantPointer> variant = variantOf(subject, *std::move(words));
    if (!variant) return variant.error();
    auto own = std::make_shared<ScheduleVariant>(**variant);
    own->undone = step;
    schedule::ModelledMeasurer measurer(subject.subject);
    const auto measured = measurer.measure(subject.subject.with(own->words), {}, 1, {});
    if (!measured) return measured.error();
    own->energy = measured->energy;
    own->isModelled = true;
    return ScheduleVariantPointer(std::move(own));
}

} // namespace kernelarium::ui
