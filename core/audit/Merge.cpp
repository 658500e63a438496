// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audit/Merge.h"

#include "core/audit/VerdictFile.h"
#include "core/audit/VerdictLine.h"
#include "core/text/UntrustedJson.h"
#include "core/verify/VerdictJson.h"

#include <array>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace kernelarium::audit {

namespace {

namespace fs = std::filesystem;
using Take = std::function<void(const JudgedKernel&)>;

Error mergeCancelled() {
    return {"cancelled", "The merge was cancelled; nothing was changed."};
}

/// What the whole of a verdict says has to be what its row says.
void requireEvidence(const fs::path& input, const JudgedKernel& kernel) {
    if (kernel.evidence.empty() && kernel.verdict.isFailure()) return;
    const auto json = text::untrustedJson(kernel.evidence);
    const auto whole = verify::verdictFromJson(json);
    if (!whole || verify::name(whole->kind) != kernel.verdict.verdict)
        throw sqlite::Refusal{{"damaged_verdicts",
                               fmt::format("The file of verdicts {} is damaged: the evidence on {} cannot be read.",
                                           input.string(), kernel.verdict.key.label()),
                               "Nothing was changed. Leave this file out, or audit again."}};
}

Result<void> feedStore(const fs::path& input, const Take& take, const std::stop_token& stop) {
    return guardedVerdicts(input, [&] {
        inspectVerdicts(input, true);
        auto store = VerdictStore::openExisting(input);
        if (!store) throw sqlite::Refusal{store.error()};
        if (!*store) return;
        const Result<void> read = (**store).forEach([&](const JudgedKernel& kernel) {
            if (stop.stop_requested()) throw sqlite::Refusal{mergeCancelled()};
            requireEvidence(input, kernel);
            take(kernel);
        });
        if (!read) throw sqlite::Refusal{read.error()};
    });
}

Result<void> feedLines(const fs::path& input, const Take& take, const std::stop_token& stop) {
    std::ifstream file(input, std::ios::binary);
    std::string line;
    for (std::int64_t number = 1; std::getline(file, line); ++number) {
        if (stop.stop_requested()) return mergeCancelled();
        if (line.empty()) continue;
        const Result<JudgedKernel> kernel = verdictFromLine(line);
        if (!kernel)
            return Error{"bad_input", fmt::format("{}:{}: {}", input.string(), number, kernel.error().message),
                         "Nothing was changed. Give files of verdicts, or what `audit --out` wrote."};
        take(*kernel);
    }
    if (file.bad()) return Error{"unreadable_file", fmt::format("{} cannot be read to its end.", input.string())};
    return {};
}

Result<void> feed(const fs::path& input, const Take& take, const std::stop_token& stop) {
    std::error_code problem;
    if (fs::is_directory(input, problem))
        return Error{"bad_input", fmt::format("{} is a folder.", input.string()), "Name the files in it."};
    std::ifstream file(input, std::ios::binary);
    if (!file)
        return Error{"bad_input", fmt::format("{} cannot be read.", input.string()),
                     "Check that it is there and that you may read it."};
    std::array<char, 16> head{};
    file.read(head.data(), head.size());
    const bool database = std::string_view(head.data(), std::size_t(file.gcount())).starts_with("SQLite format 3");
    file.close();
    return database ? feedStore(input, take, stop) : feedLines(input, take, stop);
}

} // namespace

Result<VerdictStore::Merged> mergeVerdicts(const fs::path& target, const std::vector<fs::path>& inputs,
                                           const std::stop_token& stop) {
    std::error_code problem;
    const bool isNew = !fs::exists(target, problem);
    Result<VerdictStore::Merged> merged = Error{"bad_input", "There is nothing to merge."};
    {
        Result<VerdictStore> store = VerdictStore::open(target);
        if (!store) return store.error();
        merged = store->merge([&](const Take& take) -> Result<void> {
            for (const fs::path& input : inputs) {
                if (fs::equivalent(input, target, problem)) continue; // merged already
                if (Result<void> fed = feed(input, take, stop); !fed) return fed;
            }
            return {};
        });
    }
    if (!merged && isNew)
        for (const char* side : {"", "-wal", "-shm"})
            fs::remove(target.string() + side, problem);
    return merged;
}

} // namespace kernelarium::audit
