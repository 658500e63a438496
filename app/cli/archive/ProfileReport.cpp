// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/archive/ProfileReport.h"

#include "app/cli/archive/ArchiveCommands.h"
#include "core/profile/ClangTidy.h"
#include "core/profile/NcuProfile.h"
#include "core/profile/TorchProfile.h"

#include <fmt/format.h>

namespace kernelarium::cli {
namespace {

using nlohmann::json;

template <class T> json valueOrNull(const std::optional<T>& value) {
    return value ? json(*value) : json();
}

json profileJson(const profile::NcuProfile& profile) {
    json metrics = json::array();
    for (const auto& metric : profile.metrics)
        metrics.push_back({{"section", profile::ncuSectionNames[std::size_t(metric.section)]},
                           {"name", metric.name},
                           {"unit", metric.unit},
                           {"value", valueOrNull(metric.value)},
                           {"variance", valueOrNull(metric.variance)},
                           {"samples", valueOrNull(metric.samples)}});
    json rules = json::array();
    for (const auto& rule : profile.rules)
        rules.push_back({{"name", rule.name}, {"type", rule.type}, {"message", rule.message}});
    const auto roof = profile::roofInputs(profile);
    return {{"metrics", metrics},
            {"rules", rules},
            {"roofline",
             {{"bytes_per_second", valueOrNull(roof.bytesPerSecond)},
              {"memory_busy", valueOrNull(roof.memoryBusy)},
              {"bandwidth_share", valueOrNull(roof.bandwidthShare)},
              {"l1_hit_rate", valueOrNull(roof.l1HitRate)},
              {"l2_hit_rate", valueOrNull(roof.l2HitRate)},
              {"instructions_per_cycle", valueOrNull(roof.instructionsPerCycle)},
              {"sm_busy", valueOrNull(roof.smBusy)},
              {"achieved_occupancy", valueOrNull(roof.achievedOccupancy)}}}};
}

json profileJson(const profile::TorchProfile& profile) {
    json entries = json::array();
    for (const auto& entry : profile.entries)
        entries.push_back({{"name", entry.name},
                           {"cpu_total_us", valueOrNull(entry.cpuTotal)},
                           {"cpu_self_us", valueOrNull(entry.cpuSelf)},
                           {"device_total_us", valueOrNull(entry.deviceTotal)},
                           {"device_self_us", valueOrNull(entry.deviceSelf)},
                           {"calls", valueOrNull(entry.calls)},
                           {"device_bytes", valueOrNull(entry.deviceBytes)}});
    return {{"entries", entries}};
}

json profileJson(const profile::ClangTidyReport& report) {
    json findings = json::array();
    for (const auto& finding : report.findings)
        findings.push_back({{"file", finding.file},
                            {"line", finding.line},
                            {"column", finding.column},
                            {"severity", finding.severity},
                            {"message", finding.message},
                            {"check", finding.check},
                            {"notes", finding.notes}});
    return {{"findings", findings}, {"warnings", report.warnings()}, {"errored", report.errored}, {"log", report.log}};
}

void print(const profile::NcuProfile& profile) {
    TextTable table(
        {{"SECTION"}, {"METRIC"}, {"VALUE", TextTable::Align::right}, {"UNIT"}, {"SAMPLES", TextTable::Align::right}});
    for (const auto& metric : profile.metrics)
        table.add({std::string(profile::ncuSectionNames[std::size_t(metric.section)]), printable(metric.name),
                   metric.value ? fmt::format("{:.6g}", *metric.value) : "-", printable(metric.unit),
                   metric.samples ? std::to_string(*metric.samples) : "-"});
    fmt::print("{}", table.text());
    for (const auto& rule : profile.rules)
        fmt::print("\n{} {}: {}\n", printable(rule.type), printable(rule.name), printable(rule.message));
}

void print(const profile::TorchProfile& profile) {
    constexpr auto right = TextTable::Align::right;
    TextTable table(
        {{"NAME"}, {"DEVICE SELF us", right}, {"DEVICE us", right}, {"CPU SELF us", right}, {"CPU us", right}});
    for (const auto& entry : profile.entries)
        table.add({printable(entry.name), cell(entry.deviceSelf, 1), cell(entry.deviceTotal, 1), cell(entry.cpuSelf, 1),
                   cell(entry.cpuTotal, 1)});
    fmt::print("{}", table.text());
}

void print(const profile::ClangTidyReport& report) {
    for (const auto& finding : report.findings) {
        fmt::print("{}:{}: {}: {}{}\n", finding.line, finding.column, finding.severity, printable(finding.message),
                   finding.check.empty() ? "" : fmt::format(" [{}]", printable(finding.check)));
        for (const auto& note : finding.notes)
            fmt::print("    {}\n", printable(note));
    }
    fmt::print("{} findings{}\n", report.findings.size(), report.errored ? "; clang-tidy itself failed" : "");
}

template <class Profile>
int printProfile(Context& context, const archive::KernelSummary& kernel, const Result<Profile>& read) {
    if (!read) {
        Error error = read.error();
        error.action = "--raw prints it as it is.";
        return report(context, error);
    }
    if (!context.json) {
        print(*read);
        return exitSuccess;
    }
    json document = toJson(kernel);
    document["profile"] = profileJson(*read);
    printJson(document);
    return exitSuccess;
}

} // namespace

Error noSuchText(const archive::KernelSummary& kernel, archive::TextKind kind) {
    const auto& info = archive::textKinds[archive::indexOf(kind)];
    return {"missing_text", fmt::format("{} has no {}.", kernel.label(), info.published),
            "`archive show` without options says which texts are there."};
}

int showProfile(Context& context, archive::Archive& opened, const archive::KernelSummary& kernel,
                archive::TextKind kind) {
    const auto text = opened.text(kernel.id, kind);
    if (!text) return report(context, text.error());
    if (!*text) return report(context, noSuchText(kernel, kind));
    if (kind == archive::TextKind::ncuProfile) return printProfile(context, kernel, profile::parseNcuProfile(**text));
    if (kind == archive::TextKind::torchProfile)
        return printProfile(context, kernel, profile::parseTorchProfile(**text));
    return printProfile(context, kernel, profile::parseClangTidy(**text));
}

} // namespace kernelarium::cli
