// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cluster/AuditArray.h"

#include "core/audit/Merge.h"
#include "core/audit/VerdictStore.h"

#include <fmt/format.h>
#include <set>

namespace kernelarium::cluster {

namespace {

namespace fs = std::filesystem;

fs::path verdictPart(const fs::path& folder, unsigned task) {
    return folder / fmt::format("part-{}.verdicts", task);
}

fs::path linePart(const fs::path& folder, unsigned task) {
    return folder / fmt::format("part-{}.jsonl", task);
}

class AuditWork : public Work {
public:
    AuditWork(const Plan& plan, fs::path folder)
        : m_target(plan.target)
        , m_folder(std::move(folder))
        , m_lines(plan.tasks) {}
    std::uint64_t done(unsigned task) override { return m_lines.at(task - 1).count(linePart(m_folder, task)); }
    Result<void> collect(const std::stop_token& stop) override {
        std::vector<fs::path> parts;
        std::error_code problem;
        for (unsigned task = 1; task <= m_lines.size(); ++task)
            if (fs::exists(verdictPart(m_folder, task), problem)) parts.push_back(verdictPart(m_folder, task));
        if (parts.empty()) return {};
        auto merged = audit::mergeVerdicts(m_target, parts, stop);
        if (!merged) return merged.error();
        return {};
    }

private:
    fs::path m_target;
    fs::path m_folder;
    std::vector<GrowingLines> m_lines;
};

/// What is known of kernels that are not due.
Result<std::vector<audit::JudgedKernel>> settledVerdicts(const fs::path& verdicts, const audit::AuditPlan& plan) {
    std::vector<audit::JudgedKernel> settled;
    auto store = audit::VerdictStore::openExisting(verdicts);
    if (!store) return store.error();
    if (!*store) return settled;
    std::set<audit::VerdictKey> due;
    for (const audit::Candidate& candidate : plan.due)
        due.insert(candidate.key);
    std::set<audit::VerdictKey> selected;
    for (const audit::Candidate& candidate : plan.selected)
        if (!due.contains(candidate.key)) selected.insert(candidate.key);
    Result<void> read = (**store).forEach([&](audit::JudgedKernel kernel) {
        if (selected.contains(kernel.verdict.key)) settled.push_back(std::move(kernel));
    });
    if (!read) return read.error();
    return settled;
}

} // namespace

Result<Book> makeAuditArray(const AuditWish& audit, const Engine& engine, ArrayWish wish) {
    const fs::path folder = arrayFolder(audit.verdicts);
    auto settled = settledVerdicts(audit.verdicts, audit.plan);
    if (!settled) return settled.error();
    wish.gpu = audit.backend == "cuda";
    ArrayContents contents;
    contents.plan.kind = auditWork;
    contents.plan.title = audit.title;
    contents.plan.target = audit.verdicts;
    contents.plan.total = audit.plan.due.size();
    contents.arguments = {"audit"};
    contents.arguments.insert(contents.arguments.end(), audit.arguments.begin(), audit.arguments.end());
    const std::string parts = (folder / "part-").string();
    contents.arguments.insert(contents.arguments.end(),
                              {"--part", "--shard", TaskWord("", fmt::format("/{}", wish.tasks)), "--verdicts",
                               TaskWord(parts, ".verdicts"), "--out", TaskWord(parts, ".jsonl"), "--jobs",
                               processorsWord()});
    contents.part = [&](unsigned task) -> Result<void> {
        audit::Shard shard;
        shard.index = task;
        shard.count = wish.tasks;
        auto store = audit::VerdictStore::open(verdictPart(folder, task));
        if (!store) return store.error();
        auto merged = store->merge([&](const std::function<void(const audit::JudgedKernel&)>& take) -> Result<void> {
            for (const audit::JudgedKernel& kernel : *settled)
                if (shard.has(kernel.verdict.key)) take(kernel);
            return {};
        });
        if (!merged) return merged.error();
        return {};
    };
    return makeArray(folder, engine, wish, std::move(contents));
}

Result<std::unique_ptr<Work>> makeAuditWork(const Plan& plan, const fs::path& folder) {
    return std::unique_ptr<Work>(std::make_unique<AuditWork>(plan, folder));
}

} // namespace kernelarium::cluster
