// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/proof/ScheduleProof.h"
#include "core/schedule/CountersBeside.h"
#include "core/schedule/Patch.h"
#include "core/schedule/ScheduleHistory.h"
#include "ui/schedule/ScheduleSubject.h"

#include <memory>

namespace kernelarium::ui {

/// A schedule that a search came to, beside the original, proved anew from the bytes of both.
struct ScheduleVariant {
    std::vector<sass::Word> words;
    std::optional<std::uint64_t> undone; ///< step of the best's that is left out
    double energy = 100;                 ///< percent of the original's time
    double low = 100, high = 100;        ///< of the energy, where it was measured
    bool isModelled = true;              ///< the energy
    NativeCodePointer code;              ///< of the one kernel, lines as in the original
    std::vector<int> cameFrom;           ///< by place: where each instruction stood in the original
    std::vector<schedule::Patch> patches;
    sass::ScheduleProof proof;
    schedule::CountersBeside counters; ///< beside the original's
};
using ScheduleVariantPointer = std::shared_ptr<const ScheduleVariant>;

struct ScheduleResult {
    schedule::ScheduleHistory history;
    ScheduleVariantPointer best;
};
using ScheduleResultPointer = std::shared_ptr<const ScheduleResult>;

/// What a store tells; null where there is none yet. Errors: those of schedule::readScheduleHistory.
[[nodiscard]] Result<ScheduleResultPointer> readScheduleResult(const ScheduleSubject& subject);
/// The best without one of its moves, its time taken as the search took its times. Errors: "bad_input": later ones need
/// it; those of timeSchedule().
[[nodiscard]] Result<ScheduleVariantPointer> undoMove(const ScheduleSubject& subject, const ScheduleResult& result,
                                                      std::uint64_t step, const std::stop_token& stop);

} // namespace kernelarium::ui
