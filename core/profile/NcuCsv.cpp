// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/NcuCsv.h"

#include "core/text/Csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace kernelarium::profile {
namespace {

using Cells = std::vector<std::string>;

/// "1,234.5" has separators of thousands.
std::optional<double> numberOf(std::string text) {
    std::erase(text, ',');
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

bool isHeader(const Cells& cells) {
    const auto has = [&](std::string_view name) { return std::find(cells.begin(), cells.end(), name) != cells.end(); };
    return has("ID") && has("Kernel Name") && cells.size() > 4;
}

/// Columns that say which launch it is and are not metrics.
bool isAboutLaunch(std::string_view name) {
    constexpr std::string_view about[] = {
        "ID",        "Process ID",  "Process Name",
        "Host Name", "Kernel Name", "Context",
        "Stream",    "Block Size",  "Grid Size",
        "Device",    "CC",          "thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg"};
    return std::find(std::begin(about), std::end(about), name) != std::end(about);
}

NcuLaunch launchFrom(const Cells& header, const Cells& units, const Cells& row) {
    NcuLaunch launch;
    for (std::size_t i = 0; i < header.size() && i < row.size(); ++i) {
        const std::string& name = header[i];
        if (name == "Kernel Name") launch.kernel = row[i];
        if (name == "Device" || name == "device__attribute_display_name") launch.device = row[i];
        if (name == "Grid Size") launch.grid = row[i];
        if (name == "Block Size") launch.block = row[i];
        if (isAboutLaunch(name)) continue;
        NcuMetric metric;
        metric.name = name;
        metric.unit = i < units.size() ? units[i] : std::string();
        metric.value = numberOf(row[i]);
        if (metric.value) launch.metrics.push_back(std::move(metric));
    }
    return launch;
}

/// What Nsight Compute says where there is no table.
Error refusalIn(std::string_view text) {
    const auto says = [&](std::string_view words) { return text.find(words) != std::string_view::npos; };
    if (says("ERR_NVGPUCTRPERM"))
        return {"no_permission",
                "The driver lets only administrators read the GPU's performance counters (ERR_NVGPUCTRPERM).",
                "An administrator can allow it: put \"options nvidia NVreg_RestrictProfilingToAdminUsers=0\" into a "
                "file of /etc/modprobe.d, rebuild the initial ramdisk where there is one, and restart. In a container, "
                "CAP_SYS_ADMIN is needed.",
                std::string(text.substr(0, 4000))};
    if (says("No kernels were profiled"))
        return {"nothing_profiled", "Nsight Compute saw no kernel being launched.",
                "Run the kernel on the GPU first: its own error says why.", std::string(text.substr(0, 4000))};
    if (says("no CUDA-capable device") || says("Cuda driver is not compatible") || says("ERR_NVGPU"))
        return {"no_device", "Nsight Compute found no GPU that it can use.", "Check whether nvidia-smi lists one.",
                std::string(text.substr(0, 4000))};
    return {"bad_profile", "Nsight Compute's table of raw metrics was expected, and there is none.", "",
            std::string(text.substr(0, 4000))};
}

} // namespace

const NcuMetric* NcuLaunch::find(std::string_view name) const {
    const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const auto& m) { return m.name == name; });
    return found == metrics.end() ? nullptr : &*found;
}

Result<std::vector<NcuLaunch>> parseNcuCsv(std::string_view text) {
    Cells header, units;
    std::vector<NcuLaunch> launches;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const Cells cells = text::csvCells(text.substr(start, end - start));
        start = end + 1;
        if (header.empty()) {
            if (isHeader(cells)) header = cells;
        } else if (cells.size() != header.size()) {
            continue; // what the program printed
        } else if (units.empty() && cells.front().empty()) {
            units = cells;
        } else {
            launches.push_back(launchFrom(header, units, cells));
        }
    }
    if (launches.empty()) return refusalIn(text);
    return launches;
}

} // namespace kernelarium::profile
