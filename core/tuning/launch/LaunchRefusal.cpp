// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/launch/LaunchRefusal.h"

#include "core/quantities/Quantities.h"
#include "core/tuning/launch/ConstantNumbers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <set>

namespace kernelarium::tuning {

namespace {

using Range = std::pair<std::size_t, std::size_t>;
using Extents = std::array<std::optional<std::int64_t>, 3>;

constexpr std::int64_t sharedWithoutAsking = 48 * 1024; ///< of a block: CUDA C++ Programming Guide, "Shared Memory"
constexpr int deepestStatement = 100;                   ///< of branches without braces
constexpr std::int64_t deepestBlock = 64, mostGridRows = 65535;

bool contains(std::string_view word, std::string_view part) {
    return word.find(part) != std::string_view::npos;
}

/// Whether the text may go on after a launch that was refused.
class Recovery {
public:
    explicit Recovery(const CodeMap& map)
        : m_map(map) {}

    bool possible() const {
        for (const char* word : {"try", "catch"})
            if (!m_map.occurrences(word).empty()) return true;
        for (const MacroDefinition& macro : m_map.macros())
            for (const CodeToken& token : macro.body)
                if (isQuery(token.of(m_map.text())) && !throws(macro)) return true;
        for (const char* word : {"cudaGetLastError", "cudaPeekAtLastError"})
            for (const std::size_t at : m_map.occurrences(word))
                if (!isHarmless(at)) return true;
        return false;
    }

private:
    static bool isQuery(std::string_view word) { return word == "cudaGetLastError" || word == "cudaPeekAtLastError"; }
    static bool isThrowing(std::string_view word) {
        return word == "throw" || contains(word, "CHECK") || contains(word, "ASSERT") || contains(word, "AT_ERROR") ||
               word == "exit" || word == "abort";
    }
    bool throws(const MacroDefinition& macro) const {
        const auto has = [&](auto&& is) {
            return std::any_of(macro.body.begin(), macro.body.end(),
                               [&](const CodeToken& token) { return is(token.of(m_map.text())); });
        };
        return has(isThrowing) && !has([](std::string_view word) { return word == "return"; });
    }
    /// Within the parentheses of a check that throws.
    bool isChecked(std::size_t at) const {
        for (std::size_t open = m_map.enclosing(at); open != CodeMap::none; open = m_map.enclosing(open))
            if (m_map.isSymbol(open, '(') && open > 0 && m_map.isWord(open - 1) && isThrowing(m_map.word(open - 1)))
                return true;
        return false;
    }
    bool isHarmless(std::size_t at) const {
        if (isChecked(at)) return true;
        const std::size_t begin = m_map.statementBegin(at);
        if (begin == at && m_map.isSymbol(at + 3, ';')) return true; // nobody looks
        if (at < 2 || !m_map.isSymbol(at - 1, '=') || !m_map.isWord(at - 2) || !m_map.isSymbol(at + 3, ';'))
            return false;
        const auto& seen = m_map.occurrences(m_map.word(at - 2));
        return std::all_of(seen.begin(), seen.end(), [&](std::size_t other) {
            return other == at - 2 || isChecked(other) || isInThrowingIf(other);
        });
    }
    /// In the condition or the branch of an `if` that throws, and leaves in no other way.
    bool isInThrowingIf(std::size_t at) const {
        for (std::size_t open = at; open != CodeMap::none; open = m_map.enclosing(open)) {
            std::size_t condition = open;
            if (m_map.isSymbol(open, '{') && open > 0 && m_map.isSymbol(open - 1, ')'))
                condition = m_map.partner(open - 1);
            if (condition == CodeMap::none || condition == 0 || !m_map.isSymbol(condition, '(') ||
                !m_map.isWord(condition - 1, "if") || m_map.partner(condition) == CodeMap::none)
                continue;
            const std::size_t branch = m_map.partner(condition) + 1;
            std::size_t end = branch;
            if (m_map.isSymbol(branch, '{'))
                end = m_map.partner(branch);
            else
                while (end < m_map.code().size() && !m_map.isSymbol(end, ';'))
                    ++end;
            if (end == CodeMap::none || m_map.isWord(end + 1, "else")) return false;
            bool leaves = false, throwsHere = false;
            for (std::size_t i = branch; i < end; ++i) {
                leaves |= m_map.isWord(i, "return") || m_map.isWord(i, "goto") || m_map.isSymbols(i, "<<<");
                throwsHere |= m_map.isWord(i) && isThrowing(m_map.word(i));
            }
            return throwsHere && !leaves;
        }
        return false;
    }

    const CodeMap& m_map;
};

class LaunchReader {
public:
    LaunchReader(const CodeMap& map, const text::CompilerSettings& settings, const perf::MultiprocessorLimits& limits,
                 bool inputsHaveElements)
        : m_map(map)
        , m_settings(settings)
        , m_numbers(map, settings)
        , m_limits(limits)
        , m_inputsHaveElements(inputsHaveElements) {}

    std::optional<std::string> refusal(const FunctionDefinition& function) {
        m_function = &function;
        if (m_map.conditional(function.name) || m_map.isWord(function.head, "template")) return std::nullopt;
        findSteering();
        return walk(function.body + 1, m_map.partner(function.body));
    }

private:
    static bool leaves(std::string_view word) {
        static constexpr std::array<std::string_view, 7> words{"return", "goto",    "exit",     "abort",
                                                               "_exit",  "longjmp", "co_return"};
        return std::find(words.begin(), words.end(), word) != words.end();
    }
    bool mayLeave(std::size_t begin, std::size_t end) const {
        for (std::size_t at = begin; at < end; ++at)
            if (m_map.isWord(at) && (leaves(m_map.word(at)) || m_steering.count(m_map.word(at)) > 0)) return true;
        return false;
    }

    /// Macros that decide what is reached behind them: they leave, branch, or have half of a bracket, or name one that
    /// does.
    void findSteering() {
        static constexpr std::array<std::string_view, 9> branches{"if",     "else", "for",   "while", "do",
                                                                  "switch", "case", "catch", "throw"};
        for (const std::string& word : m_settings.macros) { // -DNAME=VALUE
            const std::string_view rest = std::string_view(word).substr(2);
            const std::string_view name = rest.substr(0, rest.find_first_of("=("));
            const bool plain = std::all_of(rest.begin(), rest.end(), [](unsigned char c) {
                return std::isalnum(c) != 0 || c == '_' || c == '=' || c == '.' || c == '-';
            });
            if (!plain) m_steering.insert(name);
        }
        for (std::size_t before = std::size_t(-1); before != m_steering.size();) {
            before = m_steering.size();
            for (const MacroDefinition& macro : m_map.macros()) {
                int depth = 0;
                bool steers = false;
                for (const CodeToken& token : macro.body) {
                    const std::string_view word = token.of(m_map.text());
                    if (word == "{" || word == "(" || word == "[") ++depth;
                    if (word == "}" || word == ")" || word == "]") steers |= --depth < 0;
                    steers |= leaves(word) || m_steering.count(word) > 0 ||
                              std::find(branches.begin(), branches.end(), word) != branches.end();
                }
                if (steers || depth != 0) m_steering.insert(macro.name);
            }
        }
    }

    /// Statements that are always reached, one after the other.
    std::optional<std::string> walk(std::size_t begin, std::size_t end) {
        for (std::size_t at = begin; at < end;) {
            const std::size_t behind = statementEnd(at, end);
            if (mayLeave(at, behind) && !isForEmptyInputs(at, behind)) return std::nullopt;
            if (!isBranch(at))
                for (std::size_t i = at; i < behind; ++i)
                    if (m_map.isSymbols(i, "<<<") && m_map.enclosing(i) == m_function->body && !m_map.conditional(i))
                        if (auto found = launch(i, behind)) return found;
            at = behind;
        }
        return std::nullopt;
    }

    /// `if (rows == 0 || x.numel() <= 0) ...`, which inputs with elements never enter.
    bool isForEmptyInputs(std::size_t at, std::size_t behind) const {
        const std::size_t open = at + 1;
        if (!m_inputsHaveElements || !m_map.isWord(at, "if") || !m_map.isSymbol(open, '(')) return false;
        const std::size_t close = m_map.partner(open);
        if (close == CodeMap::none || statementEnd(close + 1, behind) != behind) return false; // there is an else
        std::size_t first = open + 1;
        for (std::size_t i = first; i <= close; ++i) {
            const bool parts = m_map.isSymbols(i, "||") && m_map.enclosing(i) == open;
            if (i < close && !parts) continue;
            const bool compares = i >= first + 4 && m_map.code()[i - 1].is(m_map.text(), "0") &&
                                  (m_map.isSymbols(i - 3, "==") || m_map.isSymbols(i - 3, "<="));
            if (!compares || !isExtent(first, i - 3, true)) return false;
            first = i + 2;
        }
        return true;
    }

    /// size() or numel() of a parameter, perhaps cast, or a variable that is that.
    bool isExtent(std::size_t first, std::size_t last, bool mayBeVariable) const {
        if (last <= first) return false;
        if (last == first + 1 && m_map.isWord(first) && mayBeVariable) {
            const ConstantNumbers::Local local = m_numbers.local(m_map.word(first), *m_function);
            if (!local.certain || !local.name) return false;
            const auto range = m_numbers.initialiser(*local.name);
            return range && isExtent(range->first, range->second, false);
        }
        std::size_t call = first;
        if (m_map.isWord(first, "static_cast"))
            while (call < last && !m_map.isSymbol(call, '('))
                ++call;
        else if (m_map.isWord(first, "int") || m_map.isWord(first, "int64_t"))
            call = first + 1;
        if (call > first && m_map.isSymbol(call, '(') && m_map.partner(call) + 1 == last)
            return isExtent(call + 1, last - 1, false);
        return m_map.isWord(first) && m_map.isSymbol(first + 1, '.') &&
               (m_map.isWord(first + 2, "size") || m_map.isWord(first + 2, "numel")) &&
               m_map.isSymbol(first + 3, '(') && m_map.partner(first + 3) + 1 == last && isInput(m_map.word(first));
    }

    /// A parameter that is never set but to x.contiguous().
    bool isInput(std::string_view name) const {
        const std::size_t close = m_map.partner(m_function->parameters), end = m_map.partner(m_function->body);
        bool given = false;
        for (const std::size_t at : m_map.occurrences(name)) {
            if (at <= m_function->parameters || at >= end) continue;
            given |= at < close && (m_map.isSymbol(at + 1, ',') || m_map.isSymbol(at + 1, ')'));
            if (at < close || !m_map.isSymbol(at + 1, '=') || m_map.isSymbol(at + 2, '=')) continue;
            const bool same = m_map.isWord(at + 2, name) && m_map.isSymbol(at + 3, '.') &&
                              m_map.isWord(at + 4, "contiguous") && m_map.isSymbol(at + 7, ';');
            if (!same || (at > 0 && m_map.isWord(at - 1))) return false;
        }
        return given;
    }

    bool isBranch(std::size_t at) const {
        for (const char* word : {"if", "for", "while", "do", "switch", "else"})
            if (m_map.isWord(at, word)) return true;
        for (std::size_t i = at; i < m_map.code().size() && !m_map.isSymbol(i, ';') && !m_map.isSymbol(i, '{'); ++i)
            if (m_map.isSymbol(i, '?') || m_map.isSymbols(i, "&&") || m_map.isSymbols(i, "||")) return true;
        return false;
    }

    /// Behind the semicolon or closing brace of the statement; of `if` and loops their branches are statements of
    /// their own, which branches for certain.
    std::size_t statementEnd(std::size_t at, std::size_t end, int depth = 0) const {
        if (depth > deepestStatement) return end;
        static constexpr std::array<const char*, 4> heads{"if", "for", "while", "switch"};
        const auto* head = std::find_if(heads.begin(), heads.end(), [&](const char* w) { return m_map.isWord(at, w); });
        if (head != heads.end()) {
            std::size_t open = at + 1;
            if (m_map.isWord(open, "constexpr")) ++open;
            if (!m_map.isSymbol(open, '(') || m_map.partner(open) == CodeMap::none) return end;
            std::size_t behind = statementEnd(m_map.partner(open) + 1, end, depth + 1);
            if (m_map.isWord(at, "if") && m_map.isWord(behind, "else"))
                behind = statementEnd(behind + 1, end, depth + 1);
            return behind;
        }
        if (m_map.isWord(at, "else") || m_map.isWord(at, "do")) {
            const std::size_t behind = statementEnd(at + 1, end, depth + 1);
            return m_map.isWord(at, "do") ? statementEnd(behind, end, depth + 1) : behind;
        }
        if (m_map.isSymbol(at, '{') && m_map.partner(at) != CodeMap::none) return m_map.partner(at) + 1;
        while (at < end && !m_map.isSymbol(at, ';')) {
            const std::size_t partner = m_map.partner(at);
            at = partner != CodeMap::none && partner > at ? partner + 1 : at + 1;
        }
        return std::min(at + 1, end);
    }

    std::vector<Range> arguments(std::size_t begin, std::size_t end) const {
        std::vector<Range> parts;
        std::size_t first = begin;
        for (std::size_t at = begin; at < end;) {
            const std::size_t partner = m_map.partner(at);
            if (m_map.isSymbol(at, ',')) {
                parts.emplace_back(first, at);
                first = at + 1;
            }
            at = partner != CodeMap::none && partner > at ? partner + 1 : at + 1;
        }
        if (first < end) parts.emplace_back(first, end);
        return parts;
    }

    /// Of what is given where a dim3 is asked for. An extent that is not given is 1.
    Extents extents(Range range) const {
        const auto [begin, end] = range;
        if (m_map.isWord(begin, "dim3")) return ofDim3(begin + 1, end);
        if (end == begin + 1 && m_map.isWord(begin)) {
            const ConstantNumbers::Local local = m_numbers.local(m_map.word(begin), *m_function);
            if (!local.certain) return {};
            if (local.name && *local.name > 0 && m_map.isWord(*local.name - 1, "dim3")) {
                const std::size_t at = *local.name + 1;
                if (m_map.isSymbol(at, ';')) return {1, 1, 1};
                if (m_map.isSymbol(at, '=') && m_map.isWord(at + 1, "dim3")) return ofDim3(at + 2, CodeMap::none);
                return ofDim3(at, CodeMap::none);
            }
        }
        return {m_numbers.value(begin, end, m_function), 1, 1};
    }
    /// From the parenthesis or brace on; `end` is where it has to be over, if anywhere.
    Extents ofDim3(std::size_t open, std::size_t end) const {
        if (!m_map.isSymbol(open, '(') && !m_map.isSymbol(open, '{')) return {};
        const std::size_t close = m_map.partner(open);
        if (close == CodeMap::none || (end != CodeMap::none && close + 1 != end)) return {};
        const std::vector<Range> parts = arguments(open + 1, close);
        Extents found{1, 1, 1};
        if (parts.size() > found.size()) return {};
        for (std::size_t i = 0; i < parts.size(); ++i)
            found[i] = m_numbers.value(parts[i].first, parts[i].second, m_function);
        return found;
    }

    std::optional<std::string> launch(std::size_t at, std::size_t statement) const {
        std::size_t close = at + 3;
        while (close < statement && !m_map.isSymbols(close, ">>>")) {
            const std::size_t partner = m_map.partner(close);
            close = partner != CodeMap::none && partner > close ? partner + 1 : close + 1;
        }
        if (close >= statement || !m_map.isSymbol(close + 3, '(')) return std::nullopt;
        const std::vector<Range> parts = arguments(at + 3, close);
        if (parts.size() < 2) return std::nullopt;
        if (auto wrong = ofGrid(extents(parts[0]))) return wrong;
        const Extents block = extents(parts[1]);
        if (auto wrong = ofBlock(block)) return wrong;
        if (auto wrong = ofBounds(block, at)) return wrong;
        return parts.size() > 2 ? ofShared(parts[2]) : std::nullopt;
    }

    static std::optional<std::string> ofGrid(const Extents& grid) {
        for (std::size_t i = 0; i < grid.size(); ++i) {
            if (grid[i] == 0) return "a grid without blocks";
            if (i > 0 && grid[i] && *grid[i] > mostGridRows)
                return fmt::format("a grid of {} blocks along {}; CUDA allows {}", quantities::count(double(*grid[i])),
                                   i == 1 ? "y" : "z", quantities::count(double(mostGridRows)));
        }
        return std::nullopt;
    }

    /// Those that are not known are one at least, or it is refused for that.
    static double leastThreads(const Extents& block) {
        double threads = 1;
        for (const auto& extent : block)
            threads *= double(extent.value_or(1));
        return threads;
    }

    std::optional<std::string> ofBlock(const Extents& block) const {
        const double threads = leastThreads(block);
        const bool all = std::all_of(block.begin(), block.end(), [](const auto& extent) { return extent.has_value(); });
        if (threads == 0) return "a block without threads";
        if (threads > m_limits.threadsPerBlock)
            return fmt::format("a block of {}{} threads; the device allows {}", all ? "" : "at least ",
                               quantities::count(threads), quantities::count(m_limits.threadsPerBlock));
        if (block[2] && *block[2] > deepestBlock)
            return fmt::format("a block of {} threads along z; CUDA allows {}", *block[2], deepestBlock);
        return std::nullopt;
    }

    /// More threads than the kernel's __launch_bounds__.
    std::optional<std::string> ofBounds(const Extents& block, std::size_t launched) const {
        if (launched == 0 || !m_map.isWord(launched - 1)) return std::nullopt; // template arguments: which kernel?
        const std::string_view name = m_map.word(launched - 1);
        std::optional<std::size_t> declared;
        for (const std::size_t at : m_map.occurrences(name)) {
            if (!m_map.isSymbol(at + 1, '(')) continue;
            if (declared || m_map.conditional(at)) return std::nullopt;
            declared = at;
        }
        if (!declared || m_map.functions(name).size() != 1) return std::nullopt;
        const std::size_t head = m_map.statementBegin(*declared);
        if (m_map.isWord(head, "template")) return std::nullopt;
        for (std::size_t at = head; at < *declared; ++at) {
            if (!m_map.isWord(at, "__launch_bounds__") || !m_map.isSymbol(at + 1, '(')) continue;
            const std::vector<Range> parts = arguments(at + 2, m_map.partner(at + 1));
            if (parts.empty()) return std::nullopt;
            const auto most = m_numbers.value(parts[0].first, parts[0].second, nullptr);
            const double threads = leastThreads(block);
            if (!most || *most == 0 || threads <= double(*most)) return std::nullopt;
            return fmt::format("a block of {} threads; the launch bounds of `{}` allow {}", quantities::count(threads),
                               name, quantities::count(double(*most)));
        }
        return std::nullopt;
    }

    std::optional<std::string> ofShared(Range range) const {
        const auto bytes = m_numbers.value(range.first, range.second, m_function);
        if (!bytes) return std::nullopt;
        if (m_limits.sharedBytesPerBlock > 0 && *bytes > m_limits.sharedBytesPerBlock)
            return fmt::format("{} bytes of dynamic shared memory; the device allows a block {}",
                               quantities::count(double(*bytes)), quantities::count(m_limits.sharedBytesPerBlock));
        if (*bytes > sharedWithoutAsking && !contains(m_map.text(), "FuncSetAttribute"))
            return fmt::format("{} bytes of dynamic shared memory; without cudaFuncSetAttribute a block has {}",
                               quantities::count(double(*bytes)), quantities::count(double(sharedWithoutAsking)));
        return std::nullopt;
    }

    const CodeMap& m_map;
    const text::CompilerSettings& m_settings;
    ConstantNumbers m_numbers;
    const perf::MultiprocessorLimits& m_limits;
    bool m_inputsHaveElements;
    const FunctionDefinition* m_function = nullptr;
    std::set<std::string_view> m_steering; ///< names of macros
};

} // namespace

std::optional<std::string> launchRefusal(std::string_view text, const text::CompilerSettings& settings,
                                         const perf::MultiprocessorLimits& limits, std::string_view entry,
                                         bool inputsHaveElements) {
    if (!contains(text, "<<<") || !settings.folders.empty()) return std::nullopt; // a header may define any macro
    const CodeMap map(text);
    const std::vector<FunctionDefinition> functions = map.functions(map.entry(entry));
    if (functions.size() != 1 || Recovery(map).possible()) return std::nullopt;
    return LaunchReader(map, settings, limits, inputsHaveElements).refusal(functions.front());
}

} // namespace kernelarium::tuning
