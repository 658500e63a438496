// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toolkit/ZipFile.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fmt/format.h>
#include <set>
#include <sys/stat.h>
#include <unzip.h>

namespace kernelarium::toolkit {
namespace {

constexpr std::size_t longestPath = 1000;
constexpr std::size_t longestPart = 200;
constexpr std::size_t piece = 1 << 18;
constexpr uLong methodStored = 0, methodDeflated = 8;
constexpr uLong flagEncrypted = 1u << 0;

std::string lowered(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return out;
}

} // namespace

bool staysBelow(std::string_view name) {
    if (name.empty() || name.size() > longestPath || name.front() == '/') return false;
    for (const char c : name)
        if (static_cast<unsigned char>(c) < 32 || c == 127 || c == '\\' || c == ':') return false;
    if (name.back() == '/') name.remove_suffix(1);
    for (std::size_t at = 0; at <= name.size();) {
        const auto end = std::min(name.find('/', at), name.size());
        const auto part = name.substr(at, end - at);
        if (part.empty() || part == "." || part == ".." || part.size() > longestPart) return false;
        at = end + 1;
    }
    return true;
}

void ZipFile::Closes::operator()(void* handle) const {
    unzClose(handle);
}

ZipFile::ZipFile(void* handle, std::string name)
    : m_handle(handle)
    , m_name(std::move(name)) {}

ZipFile::~ZipFile() = default;
ZipFile::ZipFile(ZipFile&&) noexcept = default;

Error ZipFile::bad(const std::string& what) const {
    return {"bad_archive", fmt::format("{} cannot be unpacked: {}.", m_name, what),
            "Nothing of it was installed. Get it from another place."};
}

Result<ZipFile> ZipFile::open(const std::filesystem::path& path, const ZipLimits& limits) {
    std::error_code code;
    if (!std::filesystem::is_regular_file(path, code))
        return Error{"unreadable_file", fmt::format("{} cannot be read.", path.string()), "Check who may read it."};
    ZipFile file(unzOpen64(path.c_str()), path.filename().string());
    if (!file.m_handle) return file.bad("it is no zip archive");
    if (auto read = file.readDirectory(limits); !read) return read.error();
    return file;
}

Result<void> ZipFile::readDirectory(const ZipLimits& limits) {
    unz_global_info64 all{};
    if (unzGetGlobalInfo64(m_handle.get(), &all) != UNZ_OK) return bad("its directory cannot be read");
    if (all.number_entry > limits.members) return bad(fmt::format("it has more than {} members", limits.members));
    std::set<std::string> names, folders;
    std::uint64_t bytes = 0;
    std::vector<char> buffer(longestPath + 2);
    ZPOS64_T count = 0;
    int state = all.number_entry == 0 ? UNZ_END_OF_LIST_OF_FILE : unzGoToFirstFile(m_handle.get());
    for (; state == UNZ_OK; state = unzGoToNextFile(m_handle.get()), ++count) {
        unz_file_info64 info{};
        if (unzGetCurrentFileInfo64(m_handle.get(), &info, buffer.data(), uLong(buffer.size() - 1), nullptr, 0, nullptr,
                                    0) != UNZ_OK)
            return bad("its directory is damaged");
        const std::string name(buffer.data(), std::min<std::size_t>(info.size_filename, buffer.size() - 1));
        if (info.size_filename > longestPath || !staysBelow(name))
            return bad(fmt::format("it has a member with the name '{}'", name.substr(0, 200)));
        const auto kind = mode_t(info.external_fa >> 16) & mode_t(S_IFMT); // of archives made on Unix; else 0
        const bool isFolder = name.back() == '/';
        if (kind != 0 && kind != (isFolder ? S_IFDIR : S_IFREG))
            return bad(fmt::format("its member {} is neither a file nor a folder", name));
        if ((info.flag & flagEncrypted) != 0) return bad(fmt::format("its member {} is encrypted", name));
        if (info.compression_method != methodStored && info.compression_method != methodDeflated)
            return bad(fmt::format("its member {} is compressed in a way that is not known here", name));
        if (info.uncompressed_size > limits.bytes - bytes)
            return bad(fmt::format("it would take more than {} bytes", limits.bytes));
        bytes += info.uncompressed_size;
        std::string bare = lowered(name);
        for (auto slash = bare.find('/'); slash != std::string::npos; slash = bare.find('/', slash + 1))
            folders.insert(bare.substr(0, slash));
        if (isFolder) continue;
        if (!names.insert(std::move(bare)).second) return bad(fmt::format("it has {} twice", name));
        unz64_file_pos place{};
        if (unzGetFilePos64(m_handle.get(), &place) != UNZ_OK) return bad("its directory is damaged");
        m_files.push_back({name, info.uncompressed_size, place.pos_in_zip_directory, place.num_of_file});
    }
    if (state != UNZ_END_OF_LIST_OF_FILE || count != all.number_entry) return bad("its directory is damaged");
    for (const std::string& name : names)
        if (folders.count(name) != 0) return bad(fmt::format("{} is a file and a folder in it", name));
    return {};
}

const ZipFile::Member* ZipFile::find(std::string_view name) const {
    const auto found = std::find_if(m_files.begin(), m_files.end(), [&](const Member& m) { return m.name == name; });
    return found == m_files.end() ? nullptr : &*found;
}

Result<void> ZipFile::read(const Member& member, const std::function<Result<void>(std::string_view)>& take,
                           const std::stop_token& stop) {
    const unz64_file_pos place{member.offset, member.number};
    const Error damaged = bad(fmt::format("its member {} is damaged", member.name));
    if (unzGoToFilePos64(m_handle.get(), &place) != UNZ_OK || unzOpenCurrentFile(m_handle.get()) != UNZ_OK)
        return damaged;
    std::vector<char> buffer(piece);
    std::uint64_t had = 0;
    Result<void> result;
    while (result) {
        const int got = unzReadCurrentFile(m_handle.get(), buffer.data(), unsigned(buffer.size()));
        if (got == 0) break;
        had += std::uint64_t(std::max(got, 0));
        if (got < 0 || had > member.bytes)
            result = damaged;
        else if (stop.stop_requested())
            result = Error{"cancelled", "Cancelled."};
        else
            result = take({buffer.data(), std::size_t(got)});
    }
    const bool whole = unzCloseCurrentFile(m_handle.get()) == UNZ_OK && had == member.bytes; // a wrong CRC is told here
    if (result && !whole) return damaged;
    return result;
}

Result<std::string> ZipFile::text(const Member& member, std::size_t mostBytes, const std::stop_token& stop) {
    if (member.bytes > mostBytes) return bad(fmt::format("its member {} is too long", member.name));
    std::string text;
    auto all = read(
        member,
        [&text](std::string_view bytes) -> Result<void> {
            text += bytes;
            return {};
        },
        stop);
    if (!all) return all.error();
    return text;
}

} // namespace kernelarium::toolkit
