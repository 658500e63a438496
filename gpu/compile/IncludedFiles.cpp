// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/IncludedFiles.h"

#include "gpu/compile/AbsentHeaders.h"
#include "gpu/compile/CompilerFiles.h"
#include "gpu/compile/ExceptionRewrite.h"
#include "gpu/compile/HostGroups.h"
#include "gpu/compile/ProgramEntry.h"
#include "gpu/compile/SourceScan.h"

#include <deque>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>

namespace kernelarium::compile {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t mostBytes = 64u << 20;
constexpr std::size_t mostFiles = 4000;

std::optional<std::string> textOf(const fs::path& path, const FileReach& reach) {
    std::error_code problem;
    const std::optional<std::string> found = reach.find(path.string());
    if (!found || !fs::is_regular_file(*found, problem) || fs::file_size(*found, problem) > mostBytes) return {};
    std::ifstream file(*found, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(file), {});
    if (!file || text.find('\0') != std::string::npos) return {};
    return text;
}

/// Variables that a try block of a header changes are not kept in memory: only the source's own are known.
std::string rewrittenHeader(const std::string& text, const SourceTokens& tokens, bool program) {
    RewrittenSource rewritten = rewriteExceptions(text, tokens);
    for (const TryGuard& guard : rewritten.guards)
        for (std::size_t at = 0; (at = rewritten.text.find(guard.macro, at)) != std::string::npos;)
            rewritten.text.replace(at, guard.macro.size(), "_kT");
    if (program) plainLambdas(rewritten.text, tokens);
    return std::move(rewritten.text);
}

/// The name that an #include means, where a macro of the settings stands for it.
std::string named(const std::string& name, const text::CompilerSettings& settings) {
    for (const std::string& macro : settings.macros) {
        const std::string start = "-D" + name + "=";
        if (macro.size() < start.size() + 2 || !macro.starts_with(start)) continue;
        const char first = macro[start.size()], last = macro.back();
        if ((first == '"' && last == '"') || (first == '<' && last == '>'))
            return macro.substr(start.size() + 1, macro.size() - start.size() - 2);
    }
    return name;
}

/// Where the name in `#include "name"` stands in a line: its first character and its length; 0 where there is none.
std::pair<std::size_t, std::size_t> quotedInclude(std::string_view line) {
    const auto skip = [&](std::size_t at) { return std::min(line.find_first_not_of(" \t", at), line.size()); };
    std::size_t at = skip(0);
    if (at == line.size() || line[at] != '#') return {};
    at = skip(at + 1);
    if (line.substr(at, 7) != "include") return {};
    at = skip(at + 7);
    if (at == line.size() || line[at] != '"') return {};
    const std::size_t end = line.find('"', at + 1);
    if (end == line.npos) return {};
    return {at + 1, end - at - 1};
}

/// The text with each name in quotes that means a file of the header's own folder replaced by that file's one name:
/// NVRTC knows headers by their written names alone, and "mma.h" of two folders would be one. `nameOf` gives nothing
/// for names that mean no such file.
template <class F> std::string withWholeNames(const std::string& text, F nameOf) {
    if (text.find("include") == text.npos) return text;
    std::string out;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size() - 1) + 1;
        const std::string_view line(text.data() + start, end - start);
        const auto [at, length] = quotedInclude(line);
        const std::optional<std::string> name = length ? nameOf(line.substr(at, length)) : std::nullopt;
        if (name) {
            out += line.substr(0, at);
            out += *name;
            out += line.substr(at + length);
        } else {
            out += line;
        }
        start = end;
    }
    return out;
}

class Reader {
public:
    Reader(const text::CompilerSettings& settings, bool program)
        : m_settings(settings)
        , m_program(program) {
        std::vector<std::string> options;
        for (const std::string& folder : settings.folders)
            options.push_back("-I" + folder);
        m_reach = FileReach::of(options);
    }

    Result<IncludedFiles> read(const SourceTokens& source) {
        want(source, {});
        while (!m_wanted.empty()) {
            const auto [name, folder] = m_wanted.front();
            m_wanted.pop_front();
            take(name, folder);
            if (m_bytes > mostBytes || m_found.texts.size() > mostFiles)
                return Error{"bad_input", "The source includes more than 64 MB or 4,000 files.",
                             "Include less, or give other folders with -I."};
        }
        letHostGroupsThrough(m_found.texts, &AbsentHeaders::isOfShim);
        return std::move(m_found);
    }

private:
    /// What a text in this folder includes.
    void want(const SourceTokens& text, const fs::path& folder) {
        const SourceScan seen = scan(text);
        m_found.includesTorch |= seen.includesTorch;
        m_found.includesToolkit |= seen.includesToolkit;
        for (const std::string& written : seen.includes) {
            const std::string name = named(written, m_settings);
            if (!AbsentHeaders::isOfShim(name) && m_seen.insert(name).second) m_wanted.emplace_back(name, folder);
        }
    }

    /// The real path of a file within reach.
    [[nodiscard]] std::optional<std::string> fileAt(const fs::path& path) const {
        std::error_code problem;
        std::optional<std::string> found = m_reach.find(path.string());
        return found && fs::is_regular_file(*found, problem) ? found : std::nullopt;
    }

    /// A name by which the settings' folders have this file: as it would be written from where the name of the header
    /// that includes it begins, or the shortest; its path where each of its names means a file of an earlier folder.
    [[nodiscard]] std::string nameOf(const std::string& file, const fs::path& written) const {
        const auto meant = [&](const std::string& name) {
            for (const fs::path folder : m_settings.folders)
                if (const std::optional<std::string> found = fileAt(folder / name)) return *found;
            return std::string();
        };
        if (written.is_relative() && meant(written.string()) == file) return written.string();
        std::string best = file;
        for (const std::string& folder : m_reach.folders) {
            if (!file.starts_with(folder + "/")) continue;
            const std::string name = file.substr(folder.size() + 1);
            if (name.size() < best.size() && meant(name) == file) best = name;
        }
        return best;
    }

    void take(const std::string& name, const fs::path& own) {
        std::vector<fs::path> places;
        if (!own.empty()) places.push_back(own);
        places.insert(places.end(), m_settings.folders.begin(), m_settings.folders.end());
        for (const fs::path& place : places) {
            const fs::path path = place / name;
            std::optional<std::string> text = textOf(path, m_reach);
            if (!text) continue;
            const fs::path folder = path.parent_path();
            text = withWholeNames(*text, [&](std::string_view other) -> std::optional<std::string> {
                const std::optional<std::string> file = fileAt(folder / other);
                if (!file) return std::nullopt;
                return nameOf(*file, (fs::path(name).parent_path() / other).lexically_normal());
            });
            const SourceTokens tokens = tokenize(*text);
            m_found.texts.emplace(name, rewrittenHeader(*text, tokens, m_program));
            m_bytes += text->size();
            // What stands in quotes has its whole name by now, and what does not never meant a neighbour.
            return want(tokens, fs::path(name).has_parent_path() ? fs::path() : folder);
        }
        m_found.absent.push_back(name);
    }

    const text::CompilerSettings& m_settings;
    bool m_program;
    FileReach m_reach; ///< no link leads out of the folders
    std::set<std::string> m_seen;
    std::deque<std::pair<std::string, fs::path>> m_wanted;
    IncludedFiles m_found;
    std::size_t m_bytes = 0;
};

} // namespace

Result<IncludedFiles> includedFiles(const SourceTokens& source, const text::CompilerSettings& settings, bool program) {
    if (settings.folders.empty()) return IncludedFiles();
    return Reader(settings, program).read(source);
}

} // namespace kernelarium::compile
