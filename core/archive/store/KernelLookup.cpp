// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/store/Archive.h"
#include "core/archive/store/ArchiveReader.h"

#include "core/archive/store/QuerySql.h"
#include "core/archive/store/Schema.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace kernelarium::archive {
namespace {

constexpr std::size_t labelDigits = 8;
constexpr std::size_t mostCandidates = 20;

std::optional<std::int64_t> wholeNumber(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || code != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

/// What a person typed, taken apart: level and task when it begins with "L1/T1/" or "1/1/", the rest of it.
struct TypedId {
    std::optional<std::int64_t> level;
    std::optional<std::int64_t> task;
    std::string_view rest;
};

std::optional<std::int64_t> takePart(std::string_view& text, char letter) {
    const auto slash = text.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    auto part = text.substr(0, slash);
    if (!part.empty() && (part[0] == letter || part[0] == letter + ('a' - 'A'))) part.remove_prefix(1);
    const auto value = wholeNumber(part);
    if (value) text.remove_prefix(slash + 1);
    return value;
}

TypedId takenApart(std::string_view id) {
    TypedId typed{std::nullopt, std::nullopt, id};
    auto rest = id;
    const auto level = takePart(rest, 'L');
    const auto task = level ? takePart(rest, 'T') : std::nullopt;
    if (task) typed = {level, task, rest};
    return typed;
}

/// Whether `rest` is the kernel's whole name, with or without the beginning of its hash.
bool isWholeName(std::string_view rest, const KernelSummary& kernel) {
    if (rest == kernel.name) return true;
    const auto at = rest.rfind('@');
    if (at == std::string_view::npos || rest.substr(0, at) != kernel.name) return false;
    return files::toHex(kernel.codeHash).starts_with(rest.substr(at + 1));
}

std::vector<KernelSummary> candidates(sqlite::Database& database, const TypedId& typed) {
    const auto name = typed.rest.substr(0, typed.rest.rfind('@'));
    auto row = database.prepare("SELECT " + summarySelection() +
                                " FROM kernel WHERE (?1 IS NULL OR level = ?1) AND (?2 IS NULL OR task = ?2) AND "
                                "(substr(name, 1, length(?3)) = ?3 OR substr(name, 1, length(?4)) = ?4) ORDER BY id");
    row.bind(1, typed.level).bind(2, typed.task).bind(3, typed.rest).bind(4, name);
    std::vector<KernelSummary> whole;
    std::vector<KernelSummary> begun;
    while (row.step()) {
        auto kernel = summaryAt(row);
        if (isWholeName(typed.rest, kernel))
            whole.push_back(std::move(kernel));
        else if (kernel.name.starts_with(typed.rest))
            begun.push_back(std::move(kernel));
    }
    return whole.empty() ? begun : whole;
}

Error ambiguous(std::string_view id, const std::vector<KernelSummary>& kernels) {
    std::string labels;
    for (std::size_t i = 0; i < std::min(kernels.size(), mostCandidates); ++i)
        labels += fmt::format("{}{}", labels.empty() ? "" : "\n", kernels[i].label());
    if (kernels.size() > mostCandidates) labels += fmt::format("\nand {} more", kernels.size() - mostCandidates);
    return {"ambiguous_kernel", fmt::format("\"{}\" fits {} kernels.", id, kernels.size()),
            "Give more of the name, or the hash behind @.", labels};
}

} // namespace

std::string kernelLabel(std::int64_t level, std::int64_t task, const std::string& name, const files::Digest& codeHash) {
    return fmt::format("L{}/T{}/{}@{}", level, task, name, files::toHex(codeHash, labelDigits));
}

std::string KernelSummary::label() const {
    return kernelLabel(level, task, name, codeHash);
}

std::string KernelTable::label(std::size_t row) const {
    return kernelLabel(level[row], task[row], name[row], codeHash[row]);
}

Result<KernelSummary> Archive::find(std::string_view id) {
    auto found = guarded(path(), [&]() -> Result<KernelSummary> {
        std::vector<KernelSummary> kernels;
        if (const auto number = wholeNumber(id)) {
            auto row = m_reader->database.prepare("SELECT " + summarySelection() + " FROM kernel WHERE id = ?");
            if (row.bind(1, *number).step()) kernels.push_back(summaryAt(row));
        } else if (!id.empty()) {
            kernels = candidates(m_reader->database, takenApart(id));
        }
        if (kernels.size() > 1) return ambiguous(id, kernels);
        if (kernels.empty())
            return Error{"unknown_kernel", fmt::format("No kernel in {} matches \"{}\".", path().string(), id),
                         "The Archive panel and `kernelarium-cli archive list` show what is there."};
        return std::move(kernels.front());
    });
    return found ? std::move(found).value() : Result<KernelSummary>(found.error());
}

} // namespace kernelarium::archive
