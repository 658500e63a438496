// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/census/UseFile.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace kernelarium::test {

std::string Use::title() const {
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : " ") + name;
    return text + " (line " + std::to_string(line) + ")";
}

namespace {

class UseReader {
public:
    explicit UseReader(std::string path)
        : m_path(std::move(path)) {}

    std::vector<Use> read() {
        std::ifstream file(m_path);
        if (!file) fail("cannot be opened");
        for (std::string line; std::getline(file, line);) {
            ++m_line;
            if (line.starts_with('@'))
                directive(line.substr(1));
            else if (!m_uses.empty())
                (m_before ? m_uses.back().before : m_uses.back().body) += line + "\n";
            else if (!line.empty() && line[0] != '#')
                fail("text before the first @use");
        }
        return std::move(m_uses);
    }

private:
    void directive(const std::string& line) {
        const std::size_t space = std::min(line.find(' '), line.size());
        const std::string word = line.substr(0, space), rest = line.substr(std::min(space + 1, line.size()));
        std::istringstream words(rest);
        if (word == "use") {
            m_uses.emplace_back();
            m_uses.back().line = m_line;
            m_before = false;
            for (std::string name; words >> name;)
                m_uses.back().names.push_back(name);
            return;
        }
        if (m_uses.empty()) fail("@" + word + " before the first @use");
        Use& use = m_uses.back();
        if (word == "include")
            use.includes.push_back(rest);
        else if (word == "gives")
            for (double value = 0; words >> value;)
                use.gives.push_back(value);
        else if (word == "prints")
            use.prints = rest;
        else if (word == "raises")
            use.raises = rest;
        else if (word == "refuses")
            use.refuses = rest;
        else if (word == "module")
            use.module += rest + "\n";
        else if (word == "tensors")
            use.onlyTensor = true;
        else if (word == "before" || word == "body")
            m_before = word == "before";
        else
            fail("unknown directive @" + word);
    }

    [[noreturn]] void fail(const std::string& why) const {
        throw std::runtime_error(m_path + ":" + std::to_string(m_line) + ": " + why);
    }

    std::string m_path;
    int m_line = 0;
    bool m_before = false;
    std::vector<Use> m_uses;
};

bool isWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// `name` as a token of its own in `text`.
bool holdsName(const std::string& text, const std::string& name) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        const bool begins = !isWord(name[0]) || at == 0 || !isWord(text[at - 1]);
        if (begins && (end == text.size() || !isWord(text[end]))) return true;
    }
    return false;
}

} // namespace

std::vector<Use> readUses(const std::string& path) {
    return UseReader(path).read();
}

std::vector<std::string> namesNotUsed(const Use& use) {
    const std::string text = use.before + use.body + use.module;
    std::vector<std::string> missing;
    for (const std::string& name : use.names) {
        bool found = std::find(use.includes.begin(), use.includes.end(), name) != use.includes.end();
        found |= name[0] == '<' && text.find("#include " + name) != std::string::npos;
        found |= holdsName(text, name);
        if (name[0] == '.') found |= holdsName(text, "->" + name.substr(1));
        if (!found) missing.push_back(name);
    }
    return missing;
}

} // namespace kernelarium::test
