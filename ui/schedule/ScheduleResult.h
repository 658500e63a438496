// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/proof/ScheduleProof.h"
#include "core/schedule/Expectation.h"
#include "core/schedule/Patch.h"
#include "core/schedule/ScheduleHistory.h"
#include "ui/desks/Kernel.h"
#include "ui/schedule/NativeCodeDesk.h"

#include <filesystem>
#include <memory>

namespace kernelarium::ui {

/// Whose schedule is to be searched.
struct ScheduleQuestion {
    NativeCodePointer code;
    int kernel = 0;                          ///< of the code
    std::map<std::string, std::string> call; ///< schedule::Subject::call
    std::filesystem::path folder;            ///< of the searches' stores
    schedule::Settings settings;             ///< each settings have a store of their own
    Kernel from;                             ///< of the bench, as it was when its text was compiled
    QString source;                          ///< that text
    std::string options;                     ///< Place::optionsFor, then
};

/// The same, looked at: what to expect, and where the store is.
struct ScheduleSubject {
    ScheduleQuestion question;
    schedule::Subject subject;
    schedule::Expectation expectation;
    std::filesystem::path store;
    [[nodiscard]] const sass::Explanation& before() const {
        return question.code->kernels[std::size_t(question.kernel)];
    }
};
using ScheduleSubjectPointer = std::shared_ptr<const ScheduleSubject>;

/// A schedule that a search came to, beside the original, proved anew from the bytes of both.
struct ScheduleVariant {
    std::vector<sass::Word> words;
    std::optional<std::uint64_t> undone; ///< step of the best's that is left out
    double energy = 100;                 ///< percent of the original's time
    bool isModelled = true;              ///< the energy
    NativeCodePointer code;              ///< of the one kernel, lines as in the original
    std::vector<int> cameFrom;           ///< by place: where each instruction stood in the original
    std::vector<schedule::Patch> patches;
    sass::ScheduleProof proof;
};
using ScheduleVariantPointer = std::shared_ptr<const ScheduleVariant>;

struct ScheduleResult {
    schedule::ScheduleHistory history;
    ScheduleVariantPointer best;
};
using ScheduleResultPointer = std::shared_ptr<const ScheduleResult>;

/// Errors: those of sass::Cubin::read; "bad_input" without the kernel.
[[nodiscard]] Result<ScheduleSubjectPointer> lookAtSchedule(const ScheduleQuestion& question);
/// What a store tells; null where there is none yet. Errors: those of schedule::readScheduleHistory.
[[nodiscard]] Result<ScheduleResultPointer> readScheduleResult(const ScheduleSubject& subject);
/// The best without one of its moves. Error "bad_input": later ones need it.
[[nodiscard]] Result<ScheduleVariantPointer> undoMove(const ScheduleSubject& subject, const ScheduleResult& result,
                                                      std::uint64_t step);

} // namespace kernelarium::ui
