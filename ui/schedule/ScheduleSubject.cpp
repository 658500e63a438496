// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/schedule/ScheduleSubject.h"

#include "core/files/Sha256.h"
#include "core/sass/moves/Rescheduler.h"
#include "core/schedule/ScheduleStore.h"
#include "core/text/KernelName.h"
#include "ui/words/Words.h"

#include <nlohmann/json.hpp>

namespace kernelarium::ui {

namespace {

/// Counts what the header of a store says of a search (core/schedule/ScheduleStore.cpp): what an earlier version made
/// cannot be gone on with.
constexpr int storeHeader = 2;

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
                                            {"rules", schedule::rulesOfNow()},
                                            {"header", storeHeader}})
                                .dump();
    return question.folder /
           (text::kernelTitle(subject.kernel).substr(0, 40) + "-" + files::toHex(files::sha256(all), 16) + ".schedule");
}

} // namespace

QString whyModelled(const Kernel& kernel, const Target& target, const task::Card* card, bool isProgram,
                    const QString& obstacle) {
    if (!target.onGpu()) return Words::tr("one warp alone, no GPU is asked");
    if (kernel.origin == Kernel::Origin::lesson) return Words::tr("lessons are about what the emulator sees");
    if (!obstacle.isEmpty()) return obstacle;
    if (isProgram) return Words::tr("it cannot be measured, for it is a program that calls its kernels itself");
    if (!card && kernel.arguments.isEmpty())
        return Words::tr("it cannot be measured, for nothing says what the kernel is called with: Task and reference "
                         "(Ctrl+T)");
    return {};
}

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

} // namespace kernelarium::ui
