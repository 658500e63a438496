// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/Diagnostics.h"

#include "core/text/Shortened.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace kernelarium::compile {

namespace {

constexpr std::string_view userFile = "kernel.cu";

std::vector<std::string_view> splitLines(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::optional<int> leadingNumber(std::string_view text) {
    int value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    return parsed.ec == std::errc() ? std::optional<int>(value) : std::nullopt;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string baseName(std::string_view path) {
    return std::string(path.substr(path.rfind('/') + 1));
}

/// "file(12): error #20: text" and its kin.
std::optional<Diagnostic> header(std::string_view line) {
    const std::size_t close = line.find("): ");
    if (close == std::string_view::npos || line.empty() || line[0] == ' ') return std::nullopt;
    const std::size_t open = line.rfind('(', close);
    if (open == std::string_view::npos || open == 0) return std::nullopt;
    const std::optional<int> number = leadingNumber(line.substr(open + 1));
    if (!number) return std::nullopt;
    std::string_view rest = line.substr(close + 3);
    Diagnostic d;
    d.file = baseName(line.substr(0, open));
    d.line = *number;
    struct Kind {
        std::string_view word;
        Severity severity;
    };
    for (const Kind& kind : {Kind{"catastrophic error", Severity::error}, Kind{"internal error", Severity::error},
                             Kind{"error", Severity::error}, Kind{"warning", Severity::warning},
                             Kind{"remark", Severity::note}, Kind{"note", Severity::note}}) {
        if (!rest.starts_with(kind.word)) continue;
        const std::size_t colon = rest.find(": ");
        if (colon == std::string_view::npos) return std::nullopt;
        d.severity = kind.severity;
        d.text = rest.substr(colon + 2);
        return d;
    }
    return std::nullopt;
}

bool isCaret(std::string_view line) {
    const std::string_view mark = trimmed(line);
    return !mark.empty() && mark.front() == '^' && mark.find_first_not_of("^~") == std::string_view::npos;
}

/// "... at line 12 of kernel.cu" in the lines that say how a template came to be instantiated. Without a file the line
/// belongs to the file of the message.
int instantiationLine(std::string_view line) {
    const std::size_t at = line.find("at line ");
    if (at == std::string_view::npos) return 0;
    const std::string_view rest = line.substr(at + 8);
    const std::size_t of = rest.find(" of ");
    if (of == std::string_view::npos || baseName(trimmed(rest.substr(of + 4))).rfind(userFile, 0) != 0) return 0;
    return leadingNumber(rest).value_or(0);
}

struct Message {
    Diagnostic diagnostic;
    int userLine = 0; ///< where the user's file led into the header that the message is about; 0 when nowhere
};

/// The message that starts at lines[at]; moves `at` past it.
Message readMessage(Diagnostic d, const std::vector<std::string_view>& lines, std::size_t& at) {
    Message message{std::move(d), 0};
    bool pastCaret = false;
    for (++at; at < lines.size() && !header(lines[at]); ++at) {
        const std::string_view line = lines[at];
        if (const int found = instantiationLine(line)) message.userLine = found;
        if (isCaret(line)) {
            // The source line above the caret is indented by two.
            if (!pastCaret) message.diagnostic.column = int(line.find('^')) - 1;
            pastCaret = true;
        } else if (!pastCaret && line.starts_with("            ") && at + 1 < lines.size() && !isCaret(lines[at + 1])) {
            message.diagnostic.text += " " + std::string(trimmed(line));
        } else if (trimmed(line).empty() && pastCaret) {
            ++at;
            break;
        }
    }
    return message;
}

void moveToUser(Diagnostic& d, int userLine) {
    if (d.file == userFile || userLine == 0) return;
    d.text += " (in " + d.file + ")";
    d.file = userFile;
    d.line = userLine;
    d.column = 0;
}

/// NVRTC does not say which name it means in `name followed by "::" must be a class or namespace name`.
void nameTheUnknown(Diagnostic& d, const std::vector<std::string_view>& source) {
    if (!d.text.starts_with("name followed by \"::\"") || d.line < 1 || d.line > int(source.size()) || d.column < 1)
        return;
    const std::string_view line = source[std::size_t(d.line) - 1];
    std::size_t end = std::size_t(d.column) - 1;
    while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '_'))
        ++end;
    if (end >= std::size_t(d.column))
        d.text += ": " + std::string(line.substr(std::size_t(d.column) - 1, end - std::size_t(d.column) + 1));
}

} // namespace

std::vector<Diagnostic> parseCompilerLog(std::string_view log, std::string_view source) {
    std::vector<Diagnostic> found;
    const std::vector<std::string_view> lines = splitLines(log), sourceLines = splitLines(source);
    for (std::size_t at = 0; at < lines.size();) {
        std::optional<Diagnostic> start = header(lines[at]);
        if (!start) {
            ++at;
            continue;
        }
        Message message = readMessage(*start, lines, at);
        Diagnostic& d = message.diagnostic;
        if (d.severity == Severity::note && d.file != userFile) {
            // Candidates of a failed overload; the last of them says how the user's code came to the error before.
            if (!found.empty()) moveToUser(found.back(), message.userLine);
            continue;
        }
        moveToUser(d, message.userLine);
        nameTheUnknown(d, sourceLines);
        if (d.file == userFile || d.severity == Severity::error) found.push_back(std::move(d));
    }
    return found;
}

namespace {

int fileIndexOfUser(std::string_view ptx) {
    for (std::size_t at = ptx.find(".file"); at != std::string_view::npos; at = ptx.find(".file", at + 5)) {
        const std::string_view line = ptx.substr(at, ptx.find('\n', at) - at);
        if (line.find("kernel.cu\"") != std::string_view::npos)
            return leadingNumber(trimmed(line.substr(5))).value_or(0);
    }
    return 0;
}

/// The user's line of a ".loc" statement, 0 when it is another file's.
int userLineOf(std::string_view loc, int userFileIndex) {
    std::string_view rest = trimmed(loc.substr(4));
    if (leadingNumber(rest).value_or(-1) != userFileIndex) return 0;
    rest = trimmed(rest.substr(std::min(rest.find_first_of(" \t"), rest.size())));
    return leadingNumber(rest).value_or(0);
}

int lineOfPtx(std::string_view ptx, int ptxLine) {
    const int file = fileIndexOfUser(ptx);
    const std::vector<std::string_view> lines = splitLines(ptx);
    for (int i = std::min(ptxLine, int(lines.size())); i-- > 0;) {
        const std::string_view line = trimmed(lines[std::size_t(i)]);
        if (line.starts_with(".loc"))
            if (const int found = userLineOf(line, file)) return found;
    }
    return 0;
}

/// The line of a kernel's first statement, by its name.
int lineOfKernel(std::string_view ptx, std::string_view name) {
    const std::size_t at = ptx.find(".entry " + std::string(name) + "(");
    if (at == std::string_view::npos) return 0;
    const int file = fileIndexOfUser(ptx);
    for (std::size_t loc = ptx.find(".loc", at); loc != std::string_view::npos; loc = ptx.find(".loc", loc + 4))
        if (const int line = userLineOf(ptx.substr(loc, ptx.find('\n', loc) - loc), file)) return line;
    return 0;
}

} // namespace

std::string_view quotedName(std::string_view text) {
    const std::size_t open = text.find('\'');
    const std::size_t close = text.find('\'', open + 1);
    return close == std::string_view::npos ? std::string_view() : text.substr(open + 1, close - open - 1);
}

std::vector<Diagnostic> parseAssemblerLog(std::string_view log, std::string_view ptx) {
    std::vector<Diagnostic> found;
    for (const std::string_view line : splitLines(log)) {
        const std::size_t word = line.find("error");
        const std::size_t fatal = line.find("fatal");
        const std::size_t at = std::min(word, fatal);
        if (at == std::string_view::npos) continue;
        const std::size_t colon = line.find(':', at);
        if (colon == std::string_view::npos) continue;
        Diagnostic d;
        d.file = userFile;
        d.text = "ptxas: " + std::string(trimmed(line.substr(colon + 1)));
        if (const std::size_t place = line.find(", line "); place != std::string_view::npos)
            d.line = lineOfPtx(ptx, leadingNumber(line.substr(place + 7)).value_or(0));
        else if (const std::string_view kernel = quotedName(line); !kernel.empty())
            d.line = lineOfKernel(ptx, kernel);
        if (d.text.find("aborted due to errors") == std::string::npos || found.empty()) found.push_back(std::move(d));
    }
    return found;
}

std::vector<Diagnostic> parseAssemblerNotes(std::string_view log, std::string_view ptx) {
    std::vector<Diagnostic> found;
    for (const std::string_view line : splitLines(log)) {
        const std::size_t code = line.find("(C75");
        if (code == std::string_view::npos) continue;
        std::string said(trimmed(line.substr(code)));
        Diagnostic d;
        d.file = userFile;
        d.severity = Severity::note;
        constexpr std::string_view around = " in around line ";
        if (const std::size_t place = said.find(around); place != std::string::npos) {
            const std::size_t number = place + around.size();
            d.line = lineOfPtx(ptx, leadingNumber(std::string_view(said).substr(number)).value_or(0));
            said.erase(place, said.find(' ', number) - place);
        } else if (const std::string_view kernel = quotedName(said); !kernel.empty()) {
            d.line = lineOfKernel(ptx, kernel); // which then names the kernel
        }
        const std::size_t setting = ptx.find("setmaxnreg.");
        if (d.line == 0 && said.find("'setmaxnreg'") != std::string::npos && setting != std::string_view::npos)
            d.line = lineOfPtx(ptx, 1 + int(std::count(ptx.begin(), ptx.begin() + std::ptrdiff_t(setting), '\n')));
        for (const std::string_view name : {" in the function '", " in function '", " for the function '"})
            said.erase(std::min(said.find(name), said.size()));
        d.text = "ptxas: " + said;
        const auto same = [&](const Diagnostic& o) { return o.line == d.line && o.text == d.text; };
        if (std::none_of(found.begin(), found.end(), same)) found.push_back(std::move(d));
    }
    return found;
}

std::vector<Diagnostic> passedOn(std::vector<Diagnostic> all, std::size_t& leftOut) {
    constexpr std::size_t most = 1000, longest = 4096;
    leftOut = all.size() - std::min(all.size(), most);
    if (leftOut > 0) {
        const auto isError = [](const Diagnostic& d) { return d.severity == Severity::error; };
        auto errors = std::size_t(std::count_if(all.begin(), all.end(), isError)), others = all.size() - errors;
        errors = std::min(errors, most);
        others = std::min(others, most - errors);
        std::erase_if(all, [&](const Diagnostic& d) {
            std::size_t& left = isError(d) ? errors : others;
            return left == 0 || left-- == 0;
        });
        all.push_back(
            {std::string(userFile), 0, 0, Severity::note, std::to_string(leftOut) + " more messages were left out."});
    }
    for (Diagnostic& d : all) {
        d.text = text::shortened(std::move(d.text), longest);
        d.file = text::shortened(std::move(d.file), longest);
    }
    return all;
}

} // namespace kernelarium::compile
