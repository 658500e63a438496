// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lesson/Lesson.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::lesson {

/// What is known of the reader's kernel. Whatever is not there leaves its conditions unknown.
struct StepEvidence {
    struct Time {
        bool modelled = true; ///< else measured
        double milliseconds = 0;
        std::string device; ///< "NVIDIA H200"
        std::string size;   ///< "small", "full"
    };
    std::string verdict;                    ///< verify::name(VerdictKind); empty: not verified yet
    std::string message;                    ///< the verdict's own sentences, verify::Verdict::message
    std::vector<std::string> reasons;       ///< the verdict's, verify::Verdict::reasons
    std::vector<std::string> remarks;       ///< the verdict's, verify::Verdict::remarks
    std::map<std::string, double> counters; ///< by the keys of perf::metrics(); 0 where left out of a non-empty map
    std::map<std::string, double> figures;  ///< by figureNames(), from figuresOf(); one that is not there is unknown
    std::vector<Time> times;                ///< the last of a device and size counts
    std::string source;                     ///< as it stands in the editor
    std::map<std::string, double> answers;  ///< by Condition::key
};

/// Whether a condition holds; unknown where its evidence is missing.
enum class ConditionState { met, unmet, unknown };

/// What a condition came to.
struct ConditionResult {
    ConditionState state = ConditionState::unknown;
    std::string text;     ///< what is asked: "sectors per load request at most 4.5"
    std::string got;      ///< "32", "wrong"; empty when unknown
    std::string sentence; ///< for the reader: what is and what is asked
    bool counts = true;   ///< false of a measured time that nobody measured: not everybody has that GPU
};

/// One result for each condition of the step, in order.
[[nodiscard]] std::vector<ConditionResult> evaluate(const Step& step, const StepEvidence& evidence);
[[nodiscard]] bool allMet(const std::vector<ConditionResult>& results);

/// What a condition asks, in words.
[[nodiscard]] std::string describe(const Condition& condition);
/// A name of the program in words: "out of bounds".
[[nodiscard]] std::string inWords(std::string name);

/// Of a condition on a counter or a figure: what it is called, and what it came to; nothing where that is not known.
[[nodiscard]] std::string nameOfCount(const Condition& condition);
[[nodiscard]] std::optional<double> countOf(const Condition& condition, const StepEvidence& evidence);

/// Which of the program's work a step's conditions need.
struct Needs {
    bool verdict = false;
    bool counters = false;
    std::vector<Condition> times; ///< those of its conditions that are about times
};
[[nodiscard]] Needs needsOf(const Step& step);

} // namespace kernelarium::lesson
