// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace kernelarium::test {

using Words = std::vector<std::uint32_t>;

inline const std::filesystem::path probeFolder = KERNELARIUM_PROBES;

inline std::string textOfProbeFile(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The record of the probe of this name, in a folder of records.
inline std::filesystem::path goldenIn(const char* folder, std::string name) {
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return probeFolder / folder / (name + ".json");
}

inline Words wordsFrom(const std::string& hex) {
    Words words;
    for (std::size_t at = 0; at + 8 <= hex.size(); at += 8)
        words.push_back(std::uint32_t(std::stoul(hex.substr(at, 8), nullptr, 16)));
    return words;
}

/// What a probe gave, or why it gave nothing.
struct ProbeRun {
    std::string problem;
    Words out;
};

} // namespace kernelarium::test
