// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/MeasuredCeilings.h"

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace kernelarium::perf {

namespace {

namespace fs = std::filesystem;
using CeilingJson = nlohmann::json;

constexpr int ceilingsFormat = 1;

/// "NVIDIA H200" -> "nvidia-h200.json"; nothing in a device's name leads out of the folder.
std::string ceilingsFileName(std::string_view device) {
    std::string name;
    for (const char c : device) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte))
            name += char(std::tolower(byte));
        else if (!name.empty() && name.back() != '-')
            name += '-';
    }
    return name + ".json";
}

} // namespace

CeilingJson toJson(const MeasuredCeilings& m) {
    CeilingJson j = {{"format", ceilingsFormat},
                     {"device", m.device},
                     {"arch", m.arch},
                     {"driver", m.driver},
                     {"highest_clock_mhz", m.highestClockMHz},
                     {"date_ms", m.dateMs},
                     {"seconds", m.seconds},
                     {"ceilings", CeilingJson::array()},
                     {"remarks", m.remarks}};
    for (const Ceiling& c : m.ceilings)
        j["ceilings"].push_back({{"key", c.key}, {"rate", c.rate}, {"clock_mhz", c.clockMHz}, {"method", c.method}});
    return j;
}

Result<MeasuredCeilings> measuredCeilingsFromJson(const CeilingJson& j) {
    try {
        if (j.at("format").get<int>() != ceilingsFormat)
            return Error{"bad_input", "These ceilings were measured by another version.",
                         "Run `device measure` again."};
        MeasuredCeilings m;
        m.device = j.at("device").get<std::string>();
        m.arch = j.value("arch", "");
        m.driver = j.value("driver", "");
        m.highestClockMHz = j.value("highest_clock_mhz", 0.0);
        m.dateMs = j.value("date_ms", std::int64_t(0));
        m.seconds = j.value("seconds", 0.0);
        m.remarks = j.value("remarks", std::vector<std::string>());
        for (const CeilingJson& c : j.at("ceilings"))
            m.ceilings.push_back({c.at("key").get<std::string>(), c.at("rate").get<double>(), c.value("clock_mhz", 0.0),
                                  c.value("method", "")});
        return m;
    } catch (const CeilingJson::exception& failure) {
        return Error{"bad_input", "Not measured ceilings.", "Run `device measure` again.", failure.what()};
    }
}

fs::path ceilingsFolder() {
    fs::path data;
    if (const char* xdg = std::getenv("XDG_DATA_HOME"); xdg && *xdg == '/')
        data = xdg;
    else if (const char* home = std::getenv("HOME"))
        data = fs::path(home) / ".local/share";
    return data / "kernelarium" / "ceilings";
}

Result<fs::path> saveCeilings(const MeasuredCeilings& ceilings, const fs::path& folder) {
    const fs::path path = folder / ceilingsFileName(ceilings.device);
    const fs::path draft = path.string() + "." + std::to_string(::getpid());
    std::error_code failure;
    fs::create_directories(folder, failure);
    std::ofstream out(draft);
    out << toJson(ceilings).dump(2) << '\n';
    out.close();
    if (out) fs::rename(draft, path, failure);
    if (out && !failure) return path;
    std::error_code ignored;
    fs::remove(draft, ignored);
    return Error{"unwritable_file", "The measured ceilings could not be written to " + path.string() + ".",
                 "Set XDG_DATA_HOME to a folder that can be written.", failure.message()};
}

Result<std::optional<MeasuredCeilings>> loadCeilings(std::string_view device, const fs::path& folder) {
    std::ifstream in(folder / ceilingsFileName(device));
    if (!in) return std::optional<MeasuredCeilings>();
    Result<MeasuredCeilings> read = measuredCeilingsFromJson(CeilingJson::parse(in, nullptr, false));
    if (!read) return read.error();
    return std::optional(std::move(*read));
}

std::vector<MeasuredCeilings> keptCeilings(const fs::path& folder) {
    std::vector<MeasuredCeilings> kept;
    std::error_code failure;
    for (fs::directory_iterator file(folder, failure), end; !failure && file != end; file.increment(failure)) {
        if (file->path().extension() != ".json") continue;
        std::ifstream in(file->path());
        Result<MeasuredCeilings> read = measuredCeilingsFromJson(CeilingJson::parse(in, nullptr, false));
        if (read) kept.push_back(std::move(*read));
    }
    return kept;
}

const MeasuredCeilings* ceilingsOf(const std::vector<MeasuredCeilings>& kept, const DeviceSpec& device) {
    const MeasuredCeilings* found = nullptr;
    for (const MeasuredCeilings& ceilings : kept)
        if (findDeviceSpec(ceilings.device) == &device && (!found || ceilings.dateMs > found->dateMs))
            found = &ceilings;
    return found;
}

} // namespace kernelarium::perf
