// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/lesson/Lesson.h"

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace kernelarium::lesson {

/// How far a reader is with a step.
struct StepProgress {
    enum class State { open, met, skipped };
    State state = State::open;
    std::int64_t metAtMs = 0; ///< since 1970, UTC; 0: not known
    std::string metVersion;   ///< Lesson::version when it was met; empty: not known
    int hintsShown = 0;
    bool solutionShown = false;
    std::map<std::string, double> answers;
};

/// How far a reader is with a lesson.
struct LessonProgress {
    std::string currentStep;                   ///< id; empty: the introduction
    std::map<std::string, StepProgress> steps; ///< by id
};

/// Of one reader, over all lessons. Steps and lessons that no longer exist are kept: they may come back.
struct Progress {
    std::map<std::string, LessonProgress> lessons; ///< by id
};

/// A step is open to the reader when every step before it is met or skipped.
[[nodiscard]] bool isUnlocked(const Lesson& lesson, const LessonProgress& progress, std::size_t step);
[[nodiscard]] std::size_t stepsMet(const Lesson& lesson, const LessonProgress& progress);

[[nodiscard]] nlohmann::json toJson(const Progress& progress);
/// Errors: "bad_input". What a newer version added is ignored.
Result<Progress> progressFromJson(const nlohmann::json& json);

// The same as text.
[[nodiscard]] std::string progressText(const Progress& progress);
Result<Progress> progressFromText(std::string_view text);

} // namespace kernelarium::lesson
