// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::benchmarks {

/// The objects of a file of JSON lines. Python's NaN is read as null.
inline std::vector<nlohmann::json> readLines(const std::string& path) {
    std::vector<nlohmann::json> rows;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        constexpr std::string_view notANumber = ": NaN";
        for (std::size_t at = 0; (at = line.find(notANumber, at)) != std::string::npos;)
            line.replace(at, notANumber.size(), ": null");
        if (!line.empty()) rows.push_back(nlohmann::json::parse(line));
    }
    return rows;
}

} // namespace kernelarium::benchmarks
