// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toolkit/WheelFile.h"

#include "core/files/Base64.h"
#include "core/files/Sha256.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace kernelarium::toolkit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t mostRecordBytes = 8u << 20;
constexpr std::size_t mostLicenceBytes = 1u << 20;

Error badWheel(const std::string& file, const std::string& what) {
    return {"bad_archive", fmt::format("{} cannot be unpacked: {}.", file, what),
            "Nothing of it was installed. Get it from another place."};
}

/// The fields of a line of CSV.
std::vector<std::string> fieldsOf(std::string_view line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"')
            fields.back() += line[++i];
        else if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            fields.emplace_back();
        else if (c != '\r')
            fields.back() += c;
    }
    return fields;
}

/// Base64 for addresses, without padding, to hexadecimal digits; empty for what is no SHA-256.
std::string hexOf(std::string text) {
    std::replace(text.begin(), text.end(), '-', '+');
    std::replace(text.begin(), text.end(), '_', '/');
    text.append((4 - text.size() % 4) % 4, '=');
    const auto bytes = files::fromBase64(text);
    files::Digest digest{};
    if (!bytes || bytes->size() != digest.size()) return {};
    std::memcpy(digest.data(), bytes->data(), digest.size());
    return files::toHex(digest);
}

/// "nvidia/cu13/lib/x" and, of before CUDA 13, "nvidia/cuda_nvrtc/lib/x" are "lib/x" of a toolkit.
std::string_view belowRoot(std::string_view member) {
    constexpr std::string_view top = "nvidia/";
    if (!member.starts_with(top)) return {};
    const auto slash = member.find('/', top.size());
    return slash == std::string_view::npos ? std::string_view() : member.substr(slash + 1);
}

bool isKept(const PinnedWheel& wheel, std::string_view path) {
    return std::any_of(wheel.keeps.begin(), wheel.keeps.end(), [path](const std::string& kept) {
        return kept.ends_with('/') ? path.starts_with(kept) : path == kept;
    });
}

/// `info`: the wheel's "nvidia_cuda_nvrtc-13.0.88.dist-info/".
bool isLicence(std::string_view member, std::string_view info) {
    if (!member.starts_with(info)) return false;
    std::string name(member.substr(member.rfind('/') + 1));
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return name.starts_with("licen") || name.starts_with("notice") || name.starts_with("copying");
}

Error cannotPut(const fs::path& path, int code) {
    if (code == ENOSPC || code == EDQUOT)
        return {"disk_full", fmt::format("The disk of {} is full.", path.string()),
                "Free some space; the toolkit that there was is as it was."};
    return {"unwritable_file", fmt::format("{} cannot be written: {}.", path.string(), std::strerror(code))};
}

} // namespace

std::map<std::string, RecordedFile> readRecord(std::string_view text) {
    std::map<std::string, RecordedFile> record;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        const auto fields = fieldsOf(text.substr(at, end - at));
        at = end + 1;
        if (fields.size() != 3 || !fields[1].starts_with("sha256=")) continue;
        RecordedFile file{hexOf(fields[1].substr(7)), 0};
        const char* last = fields[2].data() + fields[2].size();
        const auto read = std::from_chars(fields[2].data(), last, file.bytes);
        if (file.sha256.empty() || read.ec != std::errc() || read.ptr != last) continue;
        record[fields[0]] = std::move(file);
    }
    return record;
}

Result<WheelFile> WheelFile::open(const fs::path& path, const PinnedWheel& wheel, const std::stop_token& stop) {
    auto zip = ZipFile::open(path);
    if (!zip) return zip.error();
    WheelFile opened(std::move(*zip));
    const std::string name = path.filename().string();
    const std::string info = [&] { // "nvidia_cuda_nvrtc-13.0.88.dist-info/"
        for (const auto& member : opened.m_zip->files())
            if (member.name.ends_with(".dist-info/RECORD") &&
                member.name.find('/') == member.name.size() - std::strlen("/RECORD"))
                return member.name.substr(0, member.name.find('/') + 1);
        return std::string();
    }();
    const ZipFile::Member* list = info.empty() ? nullptr : opened.m_zip->find(info + "RECORD");
    if (list == nullptr) return badWheel(name, "it has no RECORD of its files");
    auto text = opened.m_zip->text(*list, mostRecordBytes, stop);
    if (!text) return text.error();
    const auto record = readRecord(*text);
    for (const auto& member : opened.m_zip->files()) {
        if (member.name == info + "RECORD" || member.name == info + "RECORD.jws" || member.name == info + "RECORD.p7s")
            continue;
        const auto recorded = record.find(member.name);
        if (recorded == record.end()) return badWheel(name, fmt::format("its RECORD does not list {}", member.name));
        if (recorded->second.bytes != member.bytes)
            return badWheel(name, fmt::format("its RECORD gives {} another length", member.name));
        const auto below = belowRoot(member.name);
        if (isKept(wheel, below))
            opened.m_kept.push_back({&member, std::string(below), recorded->second.sha256});
        else if (isLicence(member.name, info)) // with its folders: parts of others may bring one of the same name
            opened.m_kept.push_back({&member,
                                     fmt::format("licences/{}/{}", wheel.project, member.name.substr(info.size())),
                                     recorded->second.sha256});
    }
    for (const std::string& needed : wheel.needs)
        if (std::none_of(opened.m_kept.begin(), opened.m_kept.end(),
                         [&](const Kept& kept) { return kept.target == needed; }))
            return badWheel(name, fmt::format("it has no {}", needed));
    return opened;
}

std::uint64_t WheelFile::keptBytes() const {
    std::uint64_t bytes = 0;
    for (const Kept& kept : m_kept)
        bytes += kept.member->bytes;
    return bytes;
}

Result<std::string> WheelFile::licence(const std::stop_token& stop) {
    for (const Kept& kept : m_kept)
        if (kept.target.starts_with("licences/")) return m_zip->text(*kept.member, mostLicenceBytes, stop);
    return std::string();
}

Result<void> WheelFile::unpack(const Kept& kept, const fs::path& root, const std::function<void(std::uint64_t)>& wrote,
                               const std::stop_token& stop) {
    const fs::path target = root / kept.target;
    std::error_code code;
    fs::create_directories(target.parent_path(), code);
    if (code) return cannotPut(target.parent_path(), code.value());
    // Never over a file, and never through a link: the folder is ours, and new.
    const bool isProgram = kept.target.starts_with("bin/");
    const int out = ::open(target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                           isProgram ? mode_t(0755) : mode_t(0644));
    if (out < 0) return cannotPut(target, errno);
    files::Sha256 sum;
    auto read = m_zip->read(
        *kept.member,
        [&](std::string_view bytes) -> Result<void> {
            sum.add(bytes);
            const std::size_t all = bytes.size();
            while (!bytes.empty()) {
                const ssize_t put = ::write(out, bytes.data(), bytes.size());
                if (put < 0 && errno == EINTR) continue;
                if (put < 0) return cannotPut(target, errno);
                bytes.remove_prefix(std::size_t(put));
            }
            if (wrote) wrote(all);
            return {};
        },
        stop);
    const bool closed = ::close(out) == 0;
    if (!read) return read;
    if (!closed) return cannotPut(target, errno);
    if (files::toHex(sum.digest()) != kept.digest)
        return badWheel(kept.member->name, "its content is not what the wheel's RECORD says");
    return {};
}

} // namespace kernelarium::toolkit
