// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/search/Condition.h"

#include <algorithm>

namespace kernelarium::archive {

namespace {

bool anyHas(const std::vector<std::string>& words, const std::vector<std::string>& parts) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return std::any_of(parts.begin(), parts.end(),
                           [&](const std::string& part) { return word.find(part) != std::string::npos; });
    });
}

bool isOneOf(const std::vector<std::string>& words, const OwnVerdict* verdict) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        if (word == "none") return verdict == nullptr;
        if (verdict == nullptr) return false;
        return word == "any" || word == verdict->verdict || (word == "stale" && verdict->stale);
    });
}

} // namespace

bool holds(const VerdictTest& test, const OwnVerdict* verdict) {
    if (!test.verdicts.empty() && !isOneOf(test.verdicts, verdict)) return false;
    const bool asksMore =
        !test.reasons.empty() || !test.remarks.empty() || test.minChecks || test.maxChecks || test.from || test.before;
    if (!asksMore) return true;
    if (verdict == nullptr) return false;
    if (!test.reasons.empty() && !anyHas(verdict->reasons, test.reasons)) return false;
    if (!test.remarks.empty() && !anyHas(verdict->remarks, test.remarks)) return false;
    if (test.minChecks && verdict->checks < *test.minChecks) return false;
    if (test.maxChecks && verdict->checks > *test.maxChecks) return false;
    return (!test.from || verdict->timeMs >= *test.from) && (!test.before || verdict->timeMs < *test.before);
}

bool Condition::looksIntoTexts() const {
    return kind == Kind::text || kind == Kind::uses ||
           std::any_of(parts.begin(), parts.end(), [](const Condition& part) { return part.looksIntoTexts(); });
}

bool Condition::asksForVerdicts() const {
    return kind == Kind::verdict ||
           std::any_of(parts.begin(), parts.end(), [](const Condition& part) { return part.asksForVerdicts(); });
}

ConditionPointer bothOf(ConditionPointer a, ConditionPointer b) {
    if (!a || !b) return a ? a : b;
    return std::make_shared<const Condition>(Condition{.kind = Condition::Kind::all, .parts = {*a, *b}});
}

ConditionPointer verdictCondition(VerdictTest test) {
    return std::make_shared<const Condition>(Condition{.kind = Condition::Kind::verdict, .verdict = std::move(test)});
}

bool SearchQuery::looksIntoTexts() const {
    return !text.empty() || !uses.empty() || (condition && condition->looksIntoTexts());
}

bool SearchQuery::asksForVerdicts() const {
    return isOfVerdicts(kernels.sort) || (condition && condition->asksForVerdicts());
}

} // namespace kernelarium::archive
