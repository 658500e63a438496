// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hgemm/laboratory/TableDevices.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

namespace kernelarium::hgemm {

namespace {

std::size_t sharedWords(std::string_view a, std::string_view b) {
    std::size_t words = 0;
    while (!a.empty() && !b.empty()) {
        const std::string_view first = a.substr(0, a.find(' ')), second = b.substr(0, b.find(' '));
        if (first != second) break;
        ++words;
        a.remove_prefix(std::min(a.size(), first.size() + 1));
        b.remove_prefix(std::min(b.size(), second.size() + 1));
    }
    return words;
}

std::string lowered(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return out;
}

} // namespace

std::vector<std::string> devicesOf(std::span<const BestRow> rows) {
    std::vector<std::string> devices;
    for (const BestRow& row : rows)
        if (std::find(devices.begin(), devices.end(), row.device) == devices.end()) devices.push_back(row.device);
    return devices;
}

std::string deviceFor(std::span<const BestRow> rows, std::string_view gpu) {
    const std::vector<std::string> devices = devicesOf(rows);
    if (devices.empty()) return {};
    return *std::max_element(devices.begin(), devices.end(), [&](const std::string& a, const std::string& b) {
        return a != gpu && (b == gpu || sharedWords(a, gpu) < sharedWords(b, gpu));
    });
}

Result<std::string> deviceNamed(std::span<const BestRow> rows, std::string_view words) {
    const std::vector<std::string> devices = devicesOf(rows);
    std::vector<std::string> found;
    for (const std::string& device : devices) {
        if (lowered(device) == lowered(words)) return device;
        if (lowered(device).find(lowered(words)) != std::string::npos) found.push_back(device);
    }
    if (found.size() == 1 && !words.empty()) return found.front();
    return Error{"bad_usage",
                 found.empty() ? fmt::format("The table has no row of a device `{}`.", words)
                               : fmt::format("`{}` is part of the names of several devices of the table.", words),
                 devices.empty() ? std::string("The table is empty.")
                                 : fmt::format("It has rows of: {}.", fmt::join(devices, ", "))};
}

std::vector<BestRow> rowsOf(std::span<const BestRow> rows, std::string_view device) {
    std::vector<BestRow> own;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(own),
                 [&](const BestRow& row) { return row.device == device; });
    return own;
}

} // namespace kernelarium::hgemm
