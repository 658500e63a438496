// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/ClangTidy.h"

#include "core/profile/PythonLiteral.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <tuple>

namespace kernelarium::profile {
namespace {

struct TidyHead {
    std::string_view file;
    int line = 0;
    int column = 0;
    std::string_view severity;
    std::string_view message;
};

/// A number behind a colon at `at`; moves behind it.
std::optional<int> numberBehindColon(std::string_view text, std::size_t& at) {
    if (at >= text.size() || text[at] != ':') return std::nullopt;
    int value = 0;
    const char* begin = text.data() + at + 1;
    const auto read = std::from_chars(begin, text.data() + text.size(), value);
    if (read.ec != std::errc() || read.ptr == begin || value < 0) return std::nullopt;
    at = static_cast<std::size_t>(read.ptr - text.data());
    return value;
}

/// "file:12:5: warning: message"
std::optional<TidyHead> headOf(std::string_view line) {
    for (const std::string_view severity : {"warning", "error", "note"}) {
        const std::string mark = fmt::format(": {}: ", severity);
        const auto found = line.find(mark);
        if (found == std::string_view::npos) continue;
        const auto columnColon = line.rfind(':', found - 1);
        if (found == 0 || columnColon == std::string_view::npos || columnColon == 0) return std::nullopt;
        const auto lineColon = line.rfind(':', columnColon - 1);
        if (lineColon == std::string_view::npos) return std::nullopt;
        std::size_t at = lineColon;
        const auto number = numberBehindColon(line, at);
        const auto column = number ? numberBehindColon(line, at) : std::nullopt;
        if (!column || at != found) return std::nullopt;
        return TidyHead{line.substr(0, lineColon), *number, *column, severity, line.substr(found + mark.size())};
    }
    return std::nullopt;
}

/// Takes " [check-name]" off the end of a message.
std::string takeCheck(std::string& message) {
    if (!message.ends_with(']')) return {};
    const auto open = message.rfind(" [");
    if (open == std::string::npos) return {};
    std::string check = message.substr(open + 2, message.size() - open - 3);
    if (check.empty() || check.find(' ') != std::string::npos) return {};
    message.erase(open);
    return check;
}

std::string withoutFolders(std::string_view file) {
    const auto slash = file.rfind('/');
    return std::string(slash == std::string_view::npos ? file : file.substr(slash + 1));
}

auto placeOf(const TidyFinding& finding) {
    return std::tie(finding.line, finding.column, finding.file, finding.severity, finding.message, finding.check);
}

} // namespace

std::size_t ClangTidyReport::warnings() const {
    return static_cast<std::size_t>(
        std::count_if(findings.begin(), findings.end(), [](const auto& f) { return f.severity == "warning"; }));
}

std::vector<TidyFinding> parseTidyOutput(std::string_view output) {
    std::vector<TidyFinding> findings;
    while (!output.empty()) {
        const auto end = std::min(output.find('\n'), output.size());
        std::string_view line = output.substr(0, end);
        output.remove_prefix(std::min(end + 1, output.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        const auto head = headOf(line);
        if (!head) continue; // the source line and the mark below it
        if (head->severity == "note") {
            if (!findings.empty())
                findings.back().notes.push_back(fmt::format("{}:{}: {}", head->line, head->column, head->message));
            continue;
        }
        TidyFinding finding{withoutFolders(head->file),
                            head->line,
                            head->column,
                            std::string(head->severity),
                            std::string(head->message),
                            {},
                            {}};
        finding.check = takeCheck(finding.message);
        findings.push_back(std::move(finding));
    }
    std::stable_sort(findings.begin(), findings.end(),
                     [](const auto& a, const auto& b) { return placeOf(a) < placeOf(b); });
    findings.erase(std::unique(findings.begin(), findings.end(),
                               [](const auto& a, const auto& b) { return placeOf(a) == placeOf(b); }),
                   findings.end());
    return findings;
}

bool isIndexNarrowing(const TidyFinding& finding, std::string_view source) {
    if (!finding.check.ends_with("narrowing-conversions") || finding.message.find("unsigned") == std::string::npos)
        return false;
    for (int line = 1; line < finding.line; ++line) {
        const auto end = source.find('\n');
        if (end == std::string_view::npos) return false;
        source.remove_prefix(end + 1);
    }
    const auto text = source.substr(0, source.find('\n'));
    constexpr std::array<std::string_view, 5> builtIns{"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"};
    return finding.line > 0 && std::any_of(builtIns.begin(), builtIns.end(), [text](std::string_view name) {
               return text.find(name) != std::string_view::npos;
           });
}

Result<ClangTidyReport> parseClangTidy(std::string_view cell) {
    const auto bad = [](const std::string& why) {
        return Error{"bad_profile", "The clang-tidy report cannot be read: " + why};
    };
    auto literal = parseLiteral(cell);
    if (!literal) return bad(literal.error().message);
    const Literal* output = literal->find("stdout");
    if (output == nullptr || output->kind() != Literal::Kind::text) return bad("it has no text 'stdout'.");
    ClangTidyReport report;
    report.findings = parseTidyOutput(*output->text());
    if (const Literal* errored = literal->find("errored")) report.errored = errored->truth().value_or(false);
    if (const Literal* log = literal->find("stderr"); log != nullptr && log->text() != nullptr)
        report.log = *log->text();
    return report;
}

} // namespace kernelarium::profile
