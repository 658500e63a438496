// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/BothSizes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kernelarium::verify {

namespace {

/// What another size can turn into a right result.
constexpr std::array<std::string_view, 8> ofSize = {"values",         "nan",           "structure", "unwritten_output",
                                                    "host_exception", "out_of_bounds", "crashed",   "launch"};
/// What no size excuses, among the reasons or beside them.
constexpr std::array<std::string_view, 13> ofNoSize = {
    "race",          "uninitialised_read", "misaligned",      "barrier",     "deadlock", "trap",      "host_memory",
    "device_memory", "async_read",         "async_overwrite", "proxy_fence", "mbarrier", "tensor_map"};

template <class Names> bool isAmong(const Names& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool showsMore(const Verdict& verdict) {
    const auto more = [](const std::string& name) { return isAmong(ofNoSize, name); };
    return std::any_of(verdict.reasons.begin(), verdict.reasons.end(), more) ||
           std::any_of(verdict.remarks.begin(), verdict.remarks.end(), more);
}

bool ranWhole(const Verdict& verdict) {
    return verdict.backend == "emulator" && !verdict.share;
}

/// Whether it speaks of the kernel, not of what could not be tried.
bool isAnswer(const Verdict& verdict) {
    switch (verdict.kind) {
    case VerdictKind::unsupported:
    case VerdictKind::timeout:
    case VerdictKind::unverifiable: return false;
    default: return true;
    }
}

std::string sentenceOf(const Verdict& verdict) {
    const std::string_view word = name(verdict.kind);
    return verdict.message.empty() ? std::string(word) : fmt::format("{}: {}", word, verdict.message);
}

void addRemark(Verdict& verdict, const std::string& remark) {
    if (!isAmong(verdict.remarks, remark)) verdict.remarks.push_back(remark);
}

void addReport(Verdict& verdict, CheckState state, std::string detail, double seconds, int runs) {
    verdict.checks.push_back({std::string(publishedSizeCheck), state, std::move(detail), seconds, runs});
}

double totalSeconds(const Verdict& verdict) {
    const auto found = verdict.seconds.find("total");
    return found == verdict.seconds.end() ? 0 : found->second;
}

int runsOf(const Verdict& verdict) {
    int runs = 0;
    for (const CheckReport& check : verdict.checks)
        runs += check.runs;
    return runs;
}

void takeLarger(std::optional<double>& mine, const std::optional<double>& other) {
    if (other && (!mine || *other > *mine)) mine = other;
}

Verdict rightAtBoth(Verdict small, const Verdict& published) {
    small.size = "both";
    for (const std::string& remark : published.remarks)
        addRemark(small, remark);
    takeLarger(small.maxAbsoluteError, published.maxAbsoluteError);
    takeLarger(small.maxRelativeError, published.maxRelativeError);
    takeLarger(small.rmsError, published.rmsError);
    takeLarger(small.referenceRms, published.referenceRms);
    takeLarger(small.mismatchShare, published.mismatchShare);
    if (!small.firstMismatch) small.firstMismatch = published.firstMismatch;
    small.share = published.share;
    addReport(small, CheckState::passed, "Right at the published size too.", totalSeconds(published),
              runsOf(published));
    return small;
}

Verdict rightAtPublishedAlone(const Verdict& small, Verdict published) {
    addRemark(published, "published_size_only");
    addReport(published, CheckState::remarked, "Right at the published size; at the small one " + sentenceOf(small),
              totalSeconds(small), runsOf(small));
    return published;
}

} // namespace

bool mayDependOnSize(const Verdict& small) {
    switch (small.kind) {
    case VerdictKind::wrong:
    case VerdictKind::fault:
    case VerdictKind::launch_error: break;
    default: return false;
    }
    const auto ofThese = [](const std::string& reason) { return isAmong(ofSize, reason) || isAmong(ofNoSize, reason); };
    return !small.reasons.empty() && std::all_of(small.reasons.begin(), small.reasons.end(), ofThese);
}

Verdict ofBothSizes(Verdict small, const Result<Verdict>& published) {
    const bool smallIsRight = small.kind == VerdictKind::verified;
    if (!published || !isAnswer(*published)) {
        const std::string why = published ? sentenceOf(*published) : published.error().message;
        if (smallIsRight) addRemark(small, "published_size_untried");
        addReport(small, CheckState::skipped, "The published size could not be tried: " + why,
                  published ? totalSeconds(*published) : 0, published ? runsOf(*published) : 0);
        return small;
    }
    const bool publishedIsRight = published->kind == VerdictKind::verified;
    if (smallIsRight && publishedIsRight) return rightAtBoth(std::move(small), *published);
    if (smallIsRight) {
        Verdict verdict = *published;
        for (const std::string& remark : small.remarks)
            addRemark(verdict, remark);
        addRemark(verdict, "small_size_only");
        addReport(verdict, CheckState::failed, "Right at the small size only.", totalSeconds(small), runsOf(small));
        return verdict;
    }
    if (publishedIsRight && mayDependOnSize(small) && (!showsMore(small) || ranWhole(*published)))
        return rightAtPublishedAlone(small, *published);
    const std::string sentence = publishedIsRight ? "Right at the published size, which does not excuse this."
                                                  : "Not right at the published size either: " + sentenceOf(*published);
    addReport(small, CheckState::failed, sentence, totalSeconds(*published), runsOf(*published));
    return small;
}

std::string_view publishedSizeExplanation() {
    return "The published size is what a task asks for; the small one is what can be run whole everywhere. A kernel that "
           "holds the published size's numbers fails at any other, and one whose index overflows fails at the "
           "published one alone.";
}

std::span<const Reason> sizeReasons() {
    static constexpr Reason all[] = {
        {{}, "published_size_only", "Right at the published size, not at the small one."},
        {{}, "published_size_untried", "Right at the small size; the published one could not be tried."},
        {{}, "small_size_only", "Right at the small size, not at the published one."}};
    return all;
}

bool smallSizeOnly(const Verdict& verdict) {
    return verdict.kind == VerdictKind::verified && verdict.size == "small";
}

} // namespace kernelarium::verify
