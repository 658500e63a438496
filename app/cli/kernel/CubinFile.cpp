// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernel/CubinFile.h"

#include <filesystem>
#include <fstream>
#include <vector>

namespace kernelarium::cli {

namespace {

constexpr std::size_t largestCubin = 256u << 20;

Result<std::vector<std::byte>> readBytes(const std::string& file) {
    std::error_code problem;
    if (std::filesystem::is_directory(file, problem)) return Error{"bad_input", file + " is a folder.", "Name a file."};
    std::ifstream in(file, std::ios::binary | std::ios::ate);
    const auto size = in ? std::streamoff(in.tellg()) : std::streamoff(-1);
    if (size < 0) return Error{"bad_input", file + " cannot be read.", "Check its name and permissions."};
    if (std::size_t(size) > largestCubin) return Error{"bad_input", file + " is too large for a cubin.", ""};
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    in.seekg(0);
    in.read(reinterpret_cast<char*>(bytes.data()), size);
    if (!in) return Error{"bad_input", file + " cannot be read.", "Check its name and permissions."};
    return bytes;
}

} // namespace

Result<sass::Cubin> readCubin(const std::string& file) {
    Result<std::vector<std::byte>> bytes = readBytes(file);
    if (!bytes) return bytes.error();
    return sass::Cubin::read(std::move(*bytes));
}

} // namespace kernelarium::cli
