// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toolkit/Offer.h"

#include "core/hub/Http.h"
#include "core/hub/Retry.h"
#include "core/toolkit/IndexPage.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sys/utsname.h>

namespace kernelarium::toolkit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t mostPageBytes = 16u << 20;
constexpr std::uint64_t mostWheelBytes = 4ull << 30;
constexpr std::size_t mostSumsBytes = 1u << 20;

Error notThere(const PinnedWheel& wheel, const std::string& where) {
    return {"not_found", fmt::format("{} has no {} {} for x86-64 Linux.", where, wheel.project, wheel.version),
            fmt::format("Its published name is {}.", wheel.file)};
}

Result<void> checkMachine() {
    utsname machine{};
    if (::uname(&machine) != 0 || std::string_view(machine.machine) == "x86_64") return {};
    return Error{"unsupported", fmt::format("There are no wheels for {} here, only for x86-64.", machine.machine),
                 "Install the CUDA Toolkit 12.8 or newer."};
}

/// Asks an index, a project after the other.
class IndexQuestion {
public:
    IndexQuestion(const Source& source, const std::stop_token& stop)
        : m_source(source)
        , m_base(source.index + (source.index.ends_with('/') ? "" : "/"))
        , m_stop(stop) {}

    Result<OfferedWheel> ask(const PinnedWheel& wheel) {
        auto files = list(wheel);
        if (!files) return files.error();
        const IndexFile* chosen = nullptr;
        for (const IndexFile& file : *files)
            if (isFileOf(wheel, file.name) && (chosen == nullptr || file.name == wheel.file)) chosen = &file;
        if (chosen == nullptr) return notThere(wheel, "The index");
        if (chosen->sha256.empty())
            return Error{"no_checksum", fmt::format("The index has no checksum of {}.", chosen->name),
                         "Choose another index, or a folder with the wheels."};
        if (m_base == defaultIndex && chosen->sha256 != wheel.sha256)
            return Error{"checksum_mismatch",
                         fmt::format("The index's checksum of {} is not that of the published file.", chosen->name),
                         "Nothing was downloaded. A proxy may have changed the page."};
        OfferedWheel offered{wheel, chosen->name, chosen->address, {}, 0, chosen->sha256};
        auto bytes = chosen->bytes ? Result<std::uint64_t>(*chosen->bytes) : sizeOf(*chosen);
        if (!bytes) return bytes.error();
        if (*bytes == 0 || *bytes > mostWheelBytes)
            return Error{"bad_answer", fmt::format("{} would have {} bytes.", chosen->name, *bytes),
                         "Choose another index, or a folder with the wheels."};
        offered.bytes = *bytes;
        return offered;
    }

private:
    Result<std::vector<IndexFile>> list(const PinnedWheel& wheel) {
        const std::string page = m_base + wheel.project + "/";
        hub::Retry retry;
        while (true) {
            hub::HttpAnswer answer;
            auto text = hub::fetchText(m_client, page, mostPageBytes, answer, m_stop, std::string(indexPageKinds));
            if (text) return readIndexPage(*text, answer.contentType, page);
            if (text.error().code == "not_found") return notThere(wheel, "The index");
            if (!retry.waitFor(text.error(), answer, m_stop)) return text.error();
        }
    }

    /// Begins the download, and ends it when the server has said how long it is.
    Result<std::uint64_t> sizeOf(const IndexFile& file) {
        std::optional<std::uint64_t> length;
        const auto begin = [&length](const hub::HttpAnswer& answer) -> Result<void> {
            length = answer.wholeLength;
            return Error{"enough", {}};
        };
        const auto none = [](std::string_view) -> Result<void> { return {}; };
        auto got = m_client.get({file.address, 0, {}, {}}, begin, none, m_stop);
        if (length) return *length;
        if (!got && got.error().code != "enough") return got.error();
        if (got && got->status != 200) return hub::errorOf(*got, file.address);
        return Error{"bad_answer", fmt::format("Nobody says how large {} is.", file.name),
                     "Choose another index, or a folder with the wheels."};
    }

    const Source& m_source;
    std::string m_base;
    const std::stop_token& m_stop;
    hub::HttpClient m_client;
};

/// Checksums by name, of a file that sha256sum wrote; empty where there is none.
std::map<std::string, std::string> sumsIn(const fs::path& folder) {
    std::map<std::string, std::string> sums;
    std::ifstream in(folder / "SHA256SUMS");
    std::size_t read = 0;
    for (std::string line; read < mostSumsBytes && std::getline(in, line); read += line.size()) {
        if (line.ends_with('\r')) line.pop_back();
        if (line.size() < 67 || line[64] != ' ' || (line[65] != ' ' && line[65] != '*')) continue;
        const std::string sum = line.substr(0, 64);
        if (sum.find_first_not_of("0123456789abcdef") != std::string::npos) continue;
        std::string name = line.substr(66);
        if (name.starts_with("./")) name.erase(0, 2);
        sums[name] = sum;
    }
    return sums;
}

Result<std::vector<OfferedWheel>> lookInto(const fs::path& folder) {
    std::error_code code;
    std::vector<fs::path> files;
    for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code))
        if (std::error_code ignored; entry->is_regular_file(ignored)) files.push_back(entry->path());
    if (code)
        return Error{"unreadable_folder", fmt::format("{} cannot be read: {}.", folder.string(), code.message()),
                     "Choose the folder that the wheels are in."};
    const auto sums = sumsIn(folder);
    std::vector<OfferedWheel> offered;
    for (const PinnedWheel& wheel : pinnedWheels()) {
        const fs::path* chosen = nullptr;
        for (const fs::path& file : files)
            if (isFileOf(wheel, file.filename().string()) && (chosen == nullptr || file.filename() == wheel.file))
                chosen = &file;
        if (chosen == nullptr) return notThere(wheel, folder.string());
        const std::string name = chosen->filename().string();
        const auto sum = sums.find(name);
        const auto bytes = fs::file_size(*chosen, code);
        if (code)
            return Error{"unreadable_folder", fmt::format("{} cannot be read: {}.", chosen->string(), code.message())};
        offered.push_back({wheel, name, {}, *chosen, bytes, sum == sums.end() ? wheel.sha256 : sum->second});
    }
    return offered;
}

} // namespace

std::string usualIndex() {
    const char* named = std::getenv("KERNELARIUM_TOOLKIT_INDEX");
    return named != nullptr && *named != '\0' ? std::string(named) : std::string(defaultIndex);
}

std::string Offer::sourceText() const {
    return isDownload() ? hub::withoutCredentials(source.index) : source.folder.string();
}

std::uint64_t Offer::wheelBytes() const {
    std::uint64_t bytes = 0;
    for (const OfferedWheel& wheel : wheels)
        bytes += wheel.bytes;
    return bytes;
}

Result<Offer> askSource(const Source& source, const std::stop_token& stop) {
    if (auto fits = checkMachine(); !fits) return fits.error();
    Offer offer{pinnedVersion(), source, {}};
    if (!offer.isDownload()) {
        auto wheels = lookInto(source.folder);
        if (!wheels) return wheels.error();
        offer.wheels = std::move(*wheels);
        return offer;
    }
    IndexQuestion question(offer.source, stop);
    for (const PinnedWheel& wheel : pinnedWheels()) {
        auto offered = question.ask(wheel);
        if (!offered) return offered.error();
        offer.wheels.push_back(std::move(*offered));
    }
    return offer;
}

} // namespace kernelarium::toolkit
