// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hub/DataSet.h"

#include "core/hub/Http.h"
#include "core/hub/Retry.h"
#include "core/text/UntrustedJson.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace kernelarium::hub {
namespace {

constexpr std::size_t mostListBytes = 8u << 20;
constexpr int mostPages = 100;
constexpr std::size_t mostFiles = 10'000;
constexpr std::uint64_t mostFileBytes = 1ull << 40;
constexpr std::string_view hexDigits = "0123456789abcdef";

/// Percent-encoded where an address needs it; '/' parts folders.
std::string encoded(std::string_view path) {
    std::string text;
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           std::string_view("-._~/").find(c) != std::string_view::npos;
        text += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
    }
    return text;
}

Error badAnswer(const std::string& what) {
    return {"bad_answer", "The hub's list of files cannot be used: " + what + ".",
            "Try again later, or download the files with a browser and import them."};
}

/// A path that stays below the folder that it is put in.
bool isHarmless(std::string_view path) {
    if (path.empty() || path.size() > 1000 || path.front() == '/' || path.back() == '/') return false;
    for (const char c : path)
        if (static_cast<unsigned char>(c) < 32 || c == 127 || c == '\\') return false;
    for (std::size_t at = 0; at <= path.size();) {
        const auto end = std::min(path.find('/', at), path.size());
        const auto part = path.substr(at, end - at);
        if (part.empty() || part == "." || part == ".." || part.size() > 200) return false;
        at = end + 1;
    }
    return true;
}

Result<HubFile> fileFrom(const nlohmann::json& entry) {
    HubFile file;
    file.path = entry["path"].get<std::string>();
    if (!isHarmless(file.path)) return badAnswer("it has a file with the name '" + file.path + "'");
    const auto size = entry.find("size");
    if (size == entry.end() || !size->is_number_unsigned() || size->get<std::uint64_t>() > mostFileBytes)
        return badAnswer("it does not say how large " + file.path + " is");
    file.bytes = size->get<std::uint64_t>();
    const auto lfs = entry.find("lfs");
    if (lfs != entry.end() && lfs->is_object() && lfs->contains("oid") && (*lfs)["oid"].is_string())
        file.sha256 = (*lfs)["oid"].get<std::string>();
    if (file.sha256.starts_with("sha256:")) file.sha256.erase(0, 7);
    if (file.sha256.size() != 64 || file.sha256.find_first_not_of(hexDigits) != std::string::npos)
        return badAnswer("it has no checksum of " + file.path);
    return file;
}

Result<void> takePage(const std::string& page, const HttpAnswer& answer, std::vector<HubFile>& files) {
    const auto list = text::untrustedJson(page);
    if (!list.is_array())
        return badAnswer(answer.contentType.starts_with("text/html")
                             ? "a web page came instead, perhaps from a proxy or a sign-in page"
                             : "it is not a list");
    for (const auto& entry : list) {
        if (!entry.is_object() || !entry.contains("path") || !entry["path"].is_string() ||
            entry.value("type", nlohmann::json()) != "file")
            continue;
        if (!entry["path"].get_ref<const std::string&>().ends_with(".parquet")) continue;
        auto file = fileFrom(entry);
        if (!file) return file.error();
        if (files.size() == mostFiles) return badAnswer(fmt::format("it has more than {} files", mostFiles));
        files.push_back(std::move(*file));
    }
    return {};
}

} // namespace

std::string DataSet::listAddress() const {
    return fmt::format("{}/api/datasets/{}/tree/{}?recursive=true", host, encoded(id), encoded(revision));
}

std::string DataSet::fileAddress(std::string_view path) const {
    return fmt::format("{}/datasets/{}/resolve/{}/{}", host, encoded(id), encoded(revision), encoded(path));
}

Result<std::vector<HubFile>> listFiles(const DataSet& dataSet, const std::stop_token& stop) {
    DataSet asked = dataSet;
    while (asked.host.ends_with('/'))
        asked.host.pop_back();
    if (!asked.host.starts_with("https://") && !asked.host.starts_with("http://"))
        return Error{"bad_input", fmt::format("'{}' is not a hub's address.", dataSet.host),
                     "It begins with https://."};
    HttpClient client;
    std::vector<HubFile> files;
    std::string address = asked.listAddress();
    for (int page = 0; !address.empty(); ++page) {
        if (page == mostPages) return badAnswer("it does not end");
        HttpAnswer answer;
        Retry retry;
        auto text = fetchText(client, address, mostListBytes, answer, stop);
        while (!text && retry.waitFor(text.error(), answer, stop))
            text = fetchText(client, address, mostListBytes, answer, stop);
        if (!text) return text.error();
        if (auto taken = takePage(*text, answer, files); !taken) return taken.error();
        address = answer.nextPage;
        if (!address.empty() && !address.starts_with(asked.host + "/"))
            return badAnswer("it continues at another host");
    }
    std::sort(files.begin(), files.end(), [](const HubFile& a, const HubFile& b) { return a.path < b.path; });
    const auto twice = std::adjacent_find(files.begin(), files.end(),
                                          [](const HubFile& a, const HubFile& b) { return a.path == b.path; });
    if (twice != files.end()) return badAnswer("it has " + twice->path + " twice");
    if (files.empty())
        return Error{"no_files", fmt::format("The data set {} has no Parquet file.", dataSet.id),
                     "It may have moved: look for a newer version of this program."};
    return files;
}

} // namespace kernelarium::hub
