// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/Evaluation.h"

#include "core/quantities/Quantities.h"
#include "core/text/CppLiterals.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace kernelarium::lesson {
namespace {

using Kind = Condition::Kind;
using Comparison = Condition::Comparison;

std::string_view words(Comparison comparison) {
    switch (comparison) {
    case Comparison::atMost: return "at most";
    case Comparison::atLeast: return "at least";
    case Comparison::below: return "below";
    case Comparison::above: return "above";
    case Comparison::equal: return "exactly";
    }
    return "exactly";
}

bool holds(Comparison comparison, double value, double bound) {
    switch (comparison) {
    case Comparison::atMost: return value <= bound;
    case Comparison::atLeast: return value >= bound;
    case Comparison::below: return value < bound;
    case Comparison::above: return value > bound;
    case Comparison::equal: return value == bound;
    }
    return false;
}

std::string timeText(double milliseconds) {
    return quantities::seconds(milliseconds / 1e3, 4);
}

bool sameDevice(std::string_view name, std::string_view wanted) {
    const auto plain = [](std::string_view text) {
        std::string kept;
        for (const unsigned char c : text)
            if (std::isalnum(c) != 0) kept += static_cast<char>(std::tolower(c));
        return kept;
    };
    return plain(name).find(plain(wanted)) != std::string::npos;
}

std::optional<double> counterValue(const Condition& condition, const StepEvidence& evidence) {
    if (evidence.counters.empty()) return std::nullopt;
    const auto value = [&](const std::string& name) {
        const auto found = evidence.counters.find(name);
        return found == evidence.counters.end() ? 0.0 : found->second;
    };
    if (condition.perCounter.empty()) return value(condition.counter);
    const double divisor = value(condition.perCounter);
    if (divisor == 0) return std::nullopt;
    return value(condition.counter) / divisor;
}

std::optional<double> figureValue(const Condition& condition, const StepEvidence& evidence) {
    const auto found = evidence.figures.find(condition.counter);
    return found == evidence.figures.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> timeValue(const Condition& condition, const StepEvidence& evidence) {
    const bool modelled = condition.kind == Kind::modelledTime;
    const auto found =
        std::find_if(evidence.times.rbegin(), evidence.times.rend(), [&](const StepEvidence::Time& time) {
            return time.modelled == modelled && time.size == condition.size &&
                   sameDevice(time.device, condition.device);
        });
    return found == evidence.times.rend() ? std::nullopt : std::optional(found->milliseconds);
}

ConditionResult compared(const Condition& condition, std::optional<double> value, std::string_view missing,
                         std::string (*text)(double)) {
    ConditionResult result;
    result.text = describe(condition);
    if (!value || !std::isfinite(*value)) {
        result.sentence = missing;
        return result;
    }
    result.got = text(*value);
    result.state = holds(condition.comparison, *value, condition.bound) ? ConditionState::met : ConditionState::unmet;
    result.sentence =
        fmt::format("It is {}; required is {} {}.", result.got, words(condition.comparison), text(condition.bound));
    return result;
}

bool asksForRight(const Condition& condition) {
    return condition.kind == Kind::verdict && condition.word == "verified";
}

/// A task asks for its own size, a lesson for a kernel that knows its tails.
bool rightAtOwnSizeOnly(const StepEvidence& evidence) {
    return evidence.verdict == "verified" &&
           std::find(evidence.remarks.begin(), evidence.remarks.end(), "shape_specific") != evidence.remarks.end();
}

ConditionResult verdictResult(const Condition& condition, const StepEvidence& evidence) {
    ConditionResult result;
    result.text = describe(condition);
    result.got = inWords(evidence.verdict);
    if (evidence.verdict.empty()) {
        result.sentence = "Not verified yet.";
    } else if (asksForRight(condition) && rightAtOwnSizeOnly(evidence)) {
        result.state = ConditionState::unmet;
        result.got = "right at the task's own size only";
        result.sentence = "The kernel is right at the task's own size only. It also has to be right, or to refuse, "
                          "where the numbers of elements are odd: what is left over at the end of a row or a tensor "
                          "needs code of its own.";
    } else if (evidence.verdict == condition.word) {
        result.state = ConditionState::met;
        result.sentence = fmt::format("The verdict is {}.", result.got);
    } else {
        result.state = ConditionState::unmet;
        result.sentence = fmt::format("The verdict is {}; required is {}.", result.got, inWords(condition.word));
        if (!evidence.message.empty()) result.sentence += ' ' + evidence.message;
    }
    return result;
}

ConditionResult reasonResult(const Condition& condition, const StepEvidence& evidence) {
    ConditionResult result;
    result.text = describe(condition);
    if (evidence.verdict.empty()) {
        result.sentence = "Not verified yet.";
        return result;
    }
    const auto named = [&](const std::vector<std::string>& names) {
        return std::find(names.begin(), names.end(), condition.word) != names.end();
    };
    const bool found = named(evidence.reasons) || named(evidence.remarks);
    result.state = found == (condition.kind == Kind::reasonNamed) ? ConditionState::met : ConditionState::unmet;
    result.got = found ? "named" : "not named";
    result.sentence = fmt::format("The verdict {} {}.", found ? "names" : "does not name", inWords(condition.word));
    if (result.state == ConditionState::unmet && !evidence.message.empty()) result.sentence += ' ' + evidence.message;
    return result;
}

ConditionResult sourceResult(const Condition& condition, const StepEvidence& evidence) {
    ConditionResult result;
    result.text = describe(condition);
    if (evidence.source.empty()) {
        result.sentence = "The kernel has not been opened yet.";
        return result;
    }
    const bool found = text::withoutComments(evidence.source).find(condition.word) != std::string::npos;
    const bool wanted = condition.kind == Kind::sourceContains;
    result.state = found == wanted ? ConditionState::met : ConditionState::unmet;
    result.got = found ? "found" : "not found";
    result.sentence = fmt::format("{} {} in the kernel's code.", condition.word, found ? "occurs" : "does not occur");
    return result;
}

ConditionResult answerResult(const Condition& condition, const StepEvidence& evidence) {
    ConditionResult result;
    result.text = describe(condition);
    const auto found = evidence.answers.find(condition.key);
    if (found == evidence.answers.end() || !std::isfinite(found->second)) {
        result.sentence = "Not answered yet.";
        return result;
    }
    result.got = quantities::number(found->second, 6);
    const double allowed = std::abs(condition.bound) * condition.tolerance;
    // One unit in the sixth digit more: "1 %" of a reader is not 0.01 to the last bit.
    const bool right = std::abs(found->second - condition.bound) <= allowed + 1e-6 * std::abs(condition.bound);
    result.state = right ? ConditionState::met : ConditionState::unmet;
    const bool tooBig = found->second > condition.bound;
    result.sentence = right ? fmt::format("{} is right.", result.got)
                            : fmt::format("{} is too {}.", result.got, tooBig ? "big" : "small");
    return result;
}

} // namespace

std::string inWords(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

std::string nameOfCount(const Condition& condition) {
    if (!condition.label.empty()) return condition.label;
    if (condition.perCounter.empty()) return inWords(condition.counter);
    return fmt::format("{} / {}", inWords(condition.counter), inWords(condition.perCounter));
}

std::optional<double> countOf(const Condition& condition, const StepEvidence& evidence) {
    return condition.kind == Kind::figure ? figureValue(condition, evidence) : counterValue(condition, evidence);
}

std::string describe(const Condition& condition) {
    const auto comparison = words(condition.comparison);
    switch (condition.kind) {
    case Kind::verdict: return fmt::format("the kernel is {}", inWords(condition.word));
    case Kind::reasonNamed:
        return condition.label.empty() ? fmt::format("the verdict names {}", inWords(condition.word)) : condition.label;
    case Kind::reasonAbsent:
        return condition.label.empty() ? fmt::format("the verdict does not name {}", inWords(condition.word))
                                       : condition.label;
    case Kind::figure:
    case Kind::counter:
        return fmt::format("{} {} {}", nameOfCount(condition), comparison, quantities::number(condition.bound, 4));
    case Kind::modelledTime:
    case Kind::measuredTime:
        return fmt::format("{} time {} {} on {}, {} size",
                           condition.kind == Kind::modelledTime ? "modelled" : "measured", comparison,
                           timeText(condition.bound), condition.device, condition.size);
    case Kind::sourceContains:
        return condition.label.empty() ? fmt::format("the code contains {}", condition.word) : condition.label;
    case Kind::sourceLacks:
        return condition.label.empty() ? fmt::format("the code does not contain {}", condition.word) : condition.label;
    case Kind::answer: return condition.label;
    }
    return condition.label;
}

std::vector<ConditionResult> evaluate(const Step& step, const StepEvidence& evidence) {
    const auto plainNumber = [](double value) { return quantities::number(value, 4); };
    std::vector<ConditionResult> results;
    for (const auto& condition : step.conditions) {
        switch (condition.kind) {
        case Kind::verdict: results.push_back(verdictResult(condition, evidence)); break;
        case Kind::reasonNamed:
        case Kind::reasonAbsent: results.push_back(reasonResult(condition, evidence)); break;
        case Kind::counter:
        case Kind::figure:
            results.push_back(compared(condition, countOf(condition, evidence), "Not counted yet.", plainNumber));
            break;
        case Kind::modelledTime:
            results.push_back(compared(condition, timeValue(condition, evidence), "Not modelled yet.", timeText));
            break;
        case Kind::measuredTime:
            results.push_back(compared(condition, timeValue(condition, evidence),
                                       "Not measured here: the step is done without it.", timeText));
            results.back().counts = results.back().state != ConditionState::unknown;
            break;
        case Kind::sourceContains:
        case Kind::sourceLacks: results.push_back(sourceResult(condition, evidence)); break;
        case Kind::answer: results.push_back(answerResult(condition, evidence)); break;
        }
    }
    return results;
}

bool allMet(const std::vector<ConditionResult>& results) {
    return std::all_of(results.begin(), results.end(), [](const ConditionResult& result) {
        return result.state == ConditionState::met || !result.counts;
    });
}

Needs needsOf(const Step& step) {
    Needs needs;
    for (const auto& condition : step.conditions) {
        needs.verdict |= condition.kind == Kind::verdict || condition.kind == Kind::reasonNamed ||
                         condition.kind == Kind::reasonAbsent;
        needs.counters |= condition.kind == Kind::counter || condition.kind == Kind::figure;
        if (condition.kind == Kind::modelledTime || condition.kind == Kind::measuredTime)
            needs.times.push_back(condition);
    }
    return needs;
}

} // namespace kernelarium::lesson
