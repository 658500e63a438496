// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/search/SearchFields.h"

#include "core/archive/store/ErrorKind.h"
#include "core/archive/store/OperatorClass.h"
#include "core/archive/store/OwnVerdicts.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::archive {

namespace {

/// Names that need more changes than this are not alike.
constexpr std::size_t mostChanges = 2;

std::vector<std::string_view> errorValues() {
    std::vector<std::string_view> values = {"yes", "no"};
    values.insert(values.end(), errorKindWords.begin(), errorKindWords.end());
    return values;
}

std::vector<std::string_view> verdictValues() {
    std::vector<std::string_view> values(ownVerdictWords.begin(), ownVerdictWords.end());
    values.insert(values.end(), {"none", "any", "stale"});
    return values;
}

/// Changes between two names: a letter more, less, another one, or two neighbours exchanged (Damerau and Levenshtein's
/// distance, restricted to neighbours).
std::size_t changesBetween(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a.size()][b.size()];
}

} // namespace

std::span<const SearchField> searchFields() {
    static const std::vector<SearchField> fields = {
        {"task", "task:1/23", "KernelBench level and task, or the task alone"},
        {"level", "level:2", "KernelBench level"},
        {"op", "op:softmax", "part of the operator's name"},
        {"class",
         "class:reduction",
         "operators of that kind",
         false,
         {operatorClassWords.begin(), operatorClassWords.end()}},
        {"name", "name:\"two words\"", "part of the kernel's name"},
        {"word", "word:warp", "a whole word of the kernel's name"},
        {"correct", "correct:yes", "what the archive says", false, {"yes", "no"}},
        {"verdict", "verdict:wrong,fault", "our own newest verdict: one of these; none, any, stale", false,
         verdictValues(), true},
        {"reason", "reason:race", "part of a reason of our verdict", false, {}, true},
        {"remark", "remark:precision", "part of a remark of our verdict", false, {}, true},
        {"checks", "checks<12", "the version of the checks behind our verdict", true},
        {"when", "when>=2026-11-01", "the day of our verdict; also when:2026-11-01..2026-11-30", true},
        {"speedup", "speedup>2", "archived speed-up over PyTorch native", true},
        {"compile", "compile>=1.5", "archived speed-up over torch.compile", true},
        {"runtime", "runtime<0.1", "archived time in milliseconds; also runtime:0.1..0.5", true},
        {"native-time", "native-time>1", "archived time of PyTorch native in milliseconds", true},
        {"compile-time", "compile-time>1", "archived time of torch.compile in milliseconds", true},
        {"max-diff", "max-diff>0.01", "archived largest difference from PyTorch", true},
        {"bytes", "bytes>10000", "size of the code", true},
        {"index", "index:17", "the row's number in the published archive", true},
        {"error", "error:compile", "has an error text, or failed at that stage", false, errorValues()},
        {"has", "has:ncu", "a profile is there", false, {"ncu"}},
        {"uses", "uses:wmma", "the code has this whole word"},
        {"re", "re:\"x\\[[0-9]+\\]\"", "a regular expression (RE2) instead of a text"},
        {"all", "all:\"shared conv\"", "each of these words, anywhere in names and code, instead of a text"},
    };
    return fields;
}

const SearchField* searchField(std::string_view name) {
    const auto fields = searchFields();
    const auto found =
        std::find_if(fields.begin(), fields.end(), [&](const SearchField& field) { return field.name == name; });
    return found == fields.end() ? nullptr : &*found;
}

const SearchField* nearestSearchField(std::string_view mistyped) {
    std::string lower(mistyped.substr(0, 40));
    for (char& c : lower)
        c = c == '_' ? '-' : c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    const SearchField* nearest = nullptr;
    std::size_t fewest = std::min(mostChanges, lower.size() / 2) + 1;
    for (const SearchField& field : searchFields()) {
        // The beginning of a name, or a name with more behind it ("verdicts"), is meant as well.
        const bool continues = lower.size() >= 3 && field.name.size() >= 3 &&
                               (field.name.starts_with(lower) || lower.starts_with(field.name));
        const std::size_t changes =
            continues ? std::min<std::size_t>(1, changesBetween(lower, field.name)) : changesBetween(lower, field.name);
        if (changes >= fewest) continue;
        fewest = changes;
        nearest = &field;
    }
    return nearest;
}

std::string unknownFieldText(std::string_view name, std::string_view typed) {
    std::string all;
    for (const SearchField& field : searchFields())
        all += fmt::format("{}{}", all.empty() ? "" : ", ", field.name);
    const SearchField* nearest = nearestSearchField(name);
    const std::string text = typed.find('"') == std::string_view::npos
                                 ? fmt::format(" all:\"{}\" looks for the text.", typed)
                                 : std::string(); // cannot stand in quotes
    return fmt::format("There is no field {}{}; fields are {}.{}", name,
                       nearest ? fmt::format(", {} is the nearest", nearest->name) : std::string(), all, text);
}

std::string quotedSearchValue(std::string_view value) {
    const bool plain = !value.empty() && value.front() != '"' && value.find_first_of(" \t\n\r") == value.npos;
    return plain ? std::string(value) : fmt::format("\"{}\"", value);
}

} // namespace kernelarium::archive
