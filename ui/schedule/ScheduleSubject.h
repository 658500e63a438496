// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/Expectation.h"
#include "core/schedule/Subject.h"
#include "gpu/protocol/RunMessages.h"
#include "ui/desks/Kernel.h"
#include "ui/schedule/NativeCodeDesk.h"

#include <QString>
#include <filesystem>
#include <memory>

namespace kernelarium::ui {

/// Where a search's times are measured, and of which call.
struct ScheduleGpu {
    QString program;             ///< kernelarium-cli, whose run child has the GPU
    Target target;               ///< which GPU, of which machine
    protocol::RunParameters run; ///< how the kernel is called; its unit is the kernel as compiled, with its cubin
    std::string timing = "cold"; ///< "cold", "hot"
};

/// Why a kernel's schedules cannot be measured where it runs; empty: they can. `card` may be null.
[[nodiscard]] QString whyModelled(const Kernel& kernel, const Target& target, const task::Card* card, bool isProgram,
                                  const QString& obstacle);

/// Whose schedule is to be searched.
struct ScheduleQuestion {
    NativeCodePointer code;
    int kernel = 0;                          ///< of the code
    std::map<std::string, std::string> call; ///< schedule::Subject::call
    std::filesystem::path folder;            ///< of the searches' stores
    schedule::Settings settings;             ///< each settings have a store of their own
    std::shared_ptr<const ScheduleGpu> gpu;  ///< that measures; null: times are modelled
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

/// Errors: those of sass::Cubin::read; "bad_input" without the kernel.
[[nodiscard]] Result<ScheduleSubjectPointer> lookAtSchedule(const ScheduleQuestion& question);
} // namespace kernelarium::ui
