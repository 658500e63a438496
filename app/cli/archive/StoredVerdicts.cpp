// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/archive/StoredVerdicts.h"

#include "app/cli/archive/ArchiveCommands.h"
#include "core/audit/VerdictLine.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fmt/format.h>

namespace kernelarium::cli {

void addVerdictsOption(CLI::App& command, std::filesystem::path& path) {
    command.add_option("--verdicts", path, "The file of our verdicts; the archive's own, FILE.verdicts, by default")
        ->option_text("FILE");
}

std::filesystem::path verdictsOf(const std::filesystem::path& archive, const std::filesystem::path& named) {
    return named.empty() ? audit::verdictsPathFor(archive) : named;
}

StoredVerdicts::StoredVerdicts(const std::filesystem::path& archive, const std::filesystem::path& named) {
    auto store = audit::VerdictStore::openExisting(verdictsOf(archive, named));
    if (store)
        m_store = std::move(*store);
    else
        fmt::print(stderr, "kernelarium-cli: {}\n", printable(store.error().text()));
}

const audit::StoredVerdict* StoredVerdicts::of(const archive::KernelSummary& kernel) {
    if (!m_store) return nullptr;
    const audit::VerdictKey key = audit::candidateOf(kernel).key;
    auto found = m_read.find(key);
    if (found == m_read.end()) {
        auto verdict = m_store->find(key);
        if (!verdict) {
            fmt::print(stderr, "kernelarium-cli: {}\n", printable(verdict.error().text()));
            m_store.reset();
            return nullptr;
        }
        found = m_read.emplace(key, std::move(*verdict)).first;
    }
    return found->second ? &*found->second : nullptr;
}

bool StoredVerdicts::isStale(const audit::StoredVerdict& verdict) {
    return !audit::isOfToday(verdict, m_today.of(verdict.key.level, verdict.key.task));
}

std::string StoredVerdicts::wordOf(const archive::KernelSummary& kernel) {
    const audit::StoredVerdict* verdict = of(kernel);
    if (!verdict) return "-";
    std::string word = verdict->verdict;
    if (!verdict->reasons.empty()) word += fmt::format(" ({})", fmt::join(verdict->reasons, ", "));
    return isStale(*verdict) ? word + ", stale" : word;
}

nlohmann::json StoredVerdicts::jsonOf(const archive::KernelSummary& kernel) {
    const audit::StoredVerdict* verdict = of(kernel);
    if (!verdict) return nullptr;
    nlohmann::json j = audit::toJson(*verdict);
    for (const char* key : {"level", "task", "name", "code_hash", "label"})
        j.erase(key); // stand beside it
    j["stale"] = isStale(*verdict);
    return j;
}

Result<archive::OwnVerdictsPointer> ownVerdictsOf(const std::filesystem::path& archive,
                                                  const std::filesystem::path& named) {
    auto store = audit::VerdictStore::openExisting(verdictsOf(archive, named));
    if (!store) return store.error();
    if (!*store) return archive::OwnVerdictsPointer();
    auto all = (*store)->all();
    if (!all) return all.error();
    return archive::OwnVerdictsPointer(audit::ownVerdicts(*all));
}

Result<void> giveVerdicts(archive::SearchQuery& query, const std::filesystem::path& archive,
                          const std::filesystem::path& named) {
    if (!query.asksForVerdicts()) return {};
    auto verdicts = ownVerdictsOf(archive, named);
    if (!verdicts) return verdicts.error();
    query.verdicts = std::move(*verdicts);
    return {};
}

std::string claimWord(const archive::KernelSummary& kernel) {
    if (!kernel.correct) return "-";
    return *kernel.correct ? "correct" : std::string(archive::errorKindWord(kernel.errorKind));
}

nlohmann::json withVerdict(const archive::KernelSummary& kernel, StoredVerdicts& verdicts) {
    auto json = toJson(kernel);
    json["our_verdict"] = verdicts.jsonOf(kernel);
    return json;
}

} // namespace kernelarium::cli
