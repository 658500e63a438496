// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/TimeMessages.h"

#include <stdexcept>

namespace kernelarium::protocol {

nlohmann::json toJson(const BaselineSummary& b) {
    nlohmann::json j = {{"name", b.name},
                        {"version", b.version},
                        {"mode", b.mode},
                        {"remark", b.remark},
                        {"median", nullptr},
                        {"lower_quartile", nullptr},
                        {"upper_quartile", nullptr},
                        {"relative_noise", nullptr},
                        {"count", b.summary.count},
                        {"dropped", b.summary.dropped},
                        {"highest_clock_mhz", b.highestClockMHz},
                        {"samples", nlohmann::json::array()},
                        {"clocks_mhz", nlohmann::json::array()}};
    for (const perf::Sample& sample : b.samples) {
        j["samples"].push_back(sample.seconds);
        j["clocks_mhz"].push_back(sample.clockMHz);
    }
    if (b.summary.count == 0) return j;
    j["median"] = b.summary.median;
    j["lower_quartile"] = b.summary.lowerQuartile;
    j["upper_quartile"] = b.summary.upperQuartile;
    j["relative_noise"] = b.summary.relativeNoise;
    return j;
}

BaselineSummary baselineFromJson(const nlohmann::json& j) {
    BaselineSummary b;
    b.name = j.at("name").get<std::string>();
    b.version = j.value("version", "");
    b.mode = j.value("mode", "");
    b.remark = j.value("remark", "");
    b.highestClockMHz = j.value("highest_clock_mhz", 0.0);
    const auto seconds = j.at("samples").get<std::vector<double>>(),
               clocks = j.at("clocks_mhz").get<std::vector<double>>();
    if (seconds.size() != clocks.size())
        throw std::invalid_argument("a baseline's samples and clocks are not of one length");
    for (std::size_t i = 0; i < seconds.size(); ++i)
        b.samples.push_back({seconds[i], clocks[i]});
    b.summary = perf::summarise(b.samples, b.highestClockMHz);
    return b;
}

} // namespace kernelarium::protocol
