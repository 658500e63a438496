// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toolkit/IndexPage.h"

#include "core/hub/Http.h"
#include "core/text/UntrustedJson.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::toolkit {
namespace {

constexpr std::size_t mostFiles = 20'000;
constexpr std::size_t longestName = 250;
constexpr std::string_view hexDigits = "0123456789abcdef";

Error badPage(const std::string& what) {
    return {"bad_answer", "The index's page cannot be used: " + what + ".",
            "Choose another index, or a folder with the wheels."};
}

bool isPlainName(std::string_view name) {
    if (name.empty() || name.size() > longestName || name == "." || name == "..") return false;
    return std::none_of(name.begin(), name.end(),
                        [](char c) { return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 32 || c == 127; });
}

bool isSha256(std::string_view text) {
    return text.size() == 64 && text.find_first_not_of(hexDigits) == std::string_view::npos;
}

Result<void> take(std::vector<IndexFile>& files, IndexFile file, const std::string& page) {
    if (!isPlainName(file.name)) return badPage(fmt::format("it has a file with the name '{}'", file.name));
    if (!file.sha256.empty() && !isSha256(file.sha256))
        return badPage(fmt::format("the checksum of {} is none", file.name));
    auto address = hub::addressOn(page, file.address);
    if (!address) return badPage(fmt::format("{} is at '{}'", file.name, file.address));
    file.address = std::move(*address);
    if (files.size() == mostFiles) return badPage(fmt::format("it has more than {} files", mostFiles));
    files.push_back(std::move(file));
    return {};
}

Result<std::vector<IndexFile>> readJson(std::string_view text, const std::string& page) {
    const auto root = text::untrustedJson(text);
    if (!root.is_object() || !root.contains("files") || !root["files"].is_array())
        return badPage("it has no list of files");
    std::vector<IndexFile> files;
    for (const auto& entry : root["files"]) {
        if (!entry.is_object() || !entry.contains("filename") || !entry["filename"].is_string() ||
            !entry.contains("url") || !entry["url"].is_string())
            return badPage("a file has no name or no address");
        IndexFile file{entry["filename"].get<std::string>(), entry["url"].get<std::string>(), {}, {}};
        if (const auto hashes = entry.find("hashes"); hashes != entry.end() && hashes->is_object())
            if (const auto sum = hashes->find("sha256"); sum != hashes->end()) {
                if (!sum->is_string()) return badPage(fmt::format("the checksum of {} is none", file.name));
                file.sha256 = sum->get<std::string>();
            }
        if (const auto size = entry.find("size"); size != entry.end() && !size->is_null()) {
            if (!size->is_number_unsigned()) return badPage(fmt::format("the size of {} is none", file.name));
            file.bytes = size->get<std::uint64_t>();
        }
        if (auto taken = take(files, std::move(file), page); !taken) return taken.error();
    }
    return files;
}

/// Text of an attribute, with its characters' references.
std::string unescaped(std::string_view text) {
    static constexpr std::pair<std::string_view, char> named[] = {
        {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto end = text[at] == '&' ? text.find(';', at) : std::string_view::npos;
        if (end == std::string_view::npos || end - at > 8) {
            out += text[at];
            continue;
        }
        const auto name = text.substr(at + 1, end - at - 1);
        char c = 0;
        for (const auto& [word, meant] : named)
            if (name == word) c = meant;
        if (name.starts_with("#")) {
            const bool hex = name.starts_with("#x") || name.starts_with("#X");
            const auto digits = name.substr(hex ? 2 : 1);
            unsigned code = 0;
            std::from_chars(digits.data(), digits.data() + digits.size(), code, hex ? 16 : 10);
            if (code > 0 && code < 128) c = char(code);
        }
        if (c == 0) {
            out += text[at];
            continue;
        }
        out += c;
        at = end;
    }
    return out;
}

std::string percentDecoded(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        unsigned code = 0;
        if (text[at] == '%' && at + 2 < text.size() &&
            std::from_chars(text.data() + at + 1, text.data() + at + 3, code, 16).ptr == text.data() + at + 3) {
            out += char(code);
            at += 2;
        } else {
            out += text[at];
        }
    }
    return out;
}

/// The value of an attribute of a start tag, whose text this is; empty without one.
std::string attribute(std::string_view tag, std::string_view wanted) {
    const auto space = [&](std::size_t i) { return std::isspace(static_cast<unsigned char>(tag[i])) != 0; };
    for (std::size_t at = 0; at < tag.size();) {
        while (at < tag.size() && (space(at) || tag[at] == '/'))
            ++at;
        const auto begin = at;
        while (at < tag.size() && !space(at) && tag[at] != '=')
            ++at;
        std::string name(tag.substr(begin, at - begin));
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
        while (at < tag.size() && space(at))
            ++at;
        if (at >= tag.size() || tag[at] != '=') {
            if (at == begin) ++at;
            continue;
        }
        ++at;
        while (at < tag.size() && space(at))
            ++at;
        std::string_view value;
        if (at < tag.size() && (tag[at] == '"' || tag[at] == '\'')) {
            const auto close = tag.find(tag[at], at + 1);
            if (close == std::string_view::npos) return {};
            value = tag.substr(at + 1, close - at - 1);
            at = close + 1;
        } else {
            const auto from = at;
            while (at < tag.size() && !space(at))
                ++at;
            value = tag.substr(from, at - from);
        }
        if (name == wanted) return unescaped(value);
    }
    return {};
}

/// Where a start tag ends: at the '>' that no quotes hold.
std::size_t endOfTag(std::string_view text, std::size_t at) {
    char quote = 0;
    for (; at < text.size(); ++at) {
        if (quote != 0)
            quote = text[at] == quote ? char(0) : quote;
        else if (text[at] == '"' || text[at] == '\'')
            quote = text[at];
        else if (text[at] == '>')
            return at;
    }
    return std::string_view::npos;
}

Result<std::vector<IndexFile>> readHtml(std::string_view text, const std::string& page) {
    std::vector<IndexFile> files;
    for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
        if (text.substr(at).starts_with("<!--")) {
            at = text.find("-->", at);
            if (at == std::string_view::npos) break;
            continue;
        }
        if (at + 2 >= text.size() || (text[at + 1] != 'a' && text[at + 1] != 'A') ||
            std::isspace(static_cast<unsigned char>(text[at + 2])) == 0)
            continue;
        const auto end = endOfTag(text, at);
        if (end == std::string_view::npos) break;
        const std::string href = attribute(text.substr(at + 2, end - at - 2), "href");
        at = end;
        const std::string bare = href.substr(0, href.find_first_of("?#"));
        if (!bare.ends_with(".whl")) continue; // sources, and links to elsewhere
        IndexFile file{percentDecoded(bare.substr(bare.rfind('/') + 1)), href, {}, {}};
        constexpr std::string_view key = "#sha256=";
        if (const auto sum = href.find(key); sum != std::string::npos) {
            file.sha256 = href.substr(sum + key.size());
            file.sha256 = file.sha256.substr(0, file.sha256.find('&'));
        }
        if (auto taken = take(files, std::move(file), page); !taken) return taken.error();
    }
    return files;
}

} // namespace

Result<std::vector<IndexFile>> readIndexPage(std::string_view text, std::string_view contentType,
                                             const std::string& page) {
    const auto kind = contentType.substr(0, contentType.find(';'));
    if (kind.find("json") != std::string_view::npos) return readJson(text, page);
    if (kind.find("html") == std::string_view::npos) return badPage(fmt::format("it is of the kind '{}'", contentType));
    auto files = readHtml(text, page);
    if (files && files->empty())
        return badPage("a web page without files came, perhaps from a proxy or a sign-in page");
    return files;
}

} // namespace kernelarium::toolkit
