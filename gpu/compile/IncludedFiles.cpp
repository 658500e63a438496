// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/IncludedFiles.h"

#include "gpu/compile/AbsentHeaders.h"
#include "gpu/compile/ExceptionRewrite.h"
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

std::optional<std::string> textOf(const fs::path& path) {
    std::error_code problem;
    if (!fs::is_regular_file(path, problem) || fs::file_size(path, problem) > mostBytes) return {};
    std::ifstream file(path, std::ios::binary);
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

class Reader {
public:
    Reader(const std::vector<std::string>& folders, bool program, bool& toolkit)
        : m_folders(folders)
        , m_program(program)
        , m_toolkit(toolkit) {}

    Result<std::map<std::string, std::string>> read(const SourceTokens& source) {
        want(source, {});
        while (!m_wanted.empty()) {
            const auto [name, folder] = m_wanted.front();
            m_wanted.pop_front();
            take(name, folder);
            if (m_bytes > mostBytes || m_out.size() > mostFiles)
                return Error{"bad_input", "The source includes more than 64 MB or 4,000 files.",
                             "Include less, or give other folders with -I."};
        }
        return std::move(m_out);
    }

private:
    /// What a text in this folder includes.
    void want(const SourceTokens& text, const fs::path& folder) {
        const SourceScan seen = scan(text);
        m_toolkit = m_toolkit || seen.includesToolkit;
        for (const std::string& name : seen.includes)
            if (!AbsentHeaders::isOfShim(name) && m_seen.insert(name).second) m_wanted.emplace_back(name, folder);
    }

    void take(const std::string& name, const fs::path& own) {
        std::vector<fs::path> places;
        if (!own.empty()) places.push_back(own);
        places.insert(places.end(), m_folders.begin(), m_folders.end());
        for (const fs::path& place : places) {
            const fs::path path = place / name;
            const std::optional<std::string> text = textOf(path);
            if (!text) continue;
            const SourceTokens tokens = tokenize(*text);
            m_out.emplace(name, rewrittenHeader(*text, tokens, m_program));
            m_bytes += text->size();
            return want(tokens, path.parent_path());
        }
    }

    const std::vector<std::string>& m_folders;
    bool m_program;
    bool& m_toolkit;
    std::set<std::string> m_seen;
    std::deque<std::pair<std::string, fs::path>> m_wanted;
    std::map<std::string, std::string> m_out;
    std::size_t m_bytes = 0;
};

} // namespace

Result<std::map<std::string, std::string>>
includedFiles(const SourceTokens& source, const std::vector<std::string>& folders, bool program, bool& toolkit) {
    if (folders.empty()) return std::map<std::string, std::string>();
    return Reader(folders, program, toolkit).read(source);
}

} // namespace kernelarium::compile
