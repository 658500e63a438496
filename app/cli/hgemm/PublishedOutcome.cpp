// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/hgemm/PublishedOutcome.h"

#include "app/cli/Output.h"
#include "app/cli/hgemm/LaboratoryOptions.h"
#include "core/quantities/Quantities.h"

#include <fmt/format.h>

namespace kernelarium::cli {

nlohmann::json toJson(const PublishedOutcome& o) {
    const auto number = [](const std::optional<double>& x) { return x ? nlohmann::json(*x) : nlohmann::json(); };
    return {{"shape", {o.shape.m, o.shape.n, o.shape.k}},
            {"accumulator", o.accumulator},
            {"verdict", o.verdict},
            {"reason", o.reason},
            {"detail", o.detail},
            {"relative_rms_error", number(o.relativeRms)},
            {"seconds", number(o.seconds)},
            {"autotuned_seconds", number(o.autotuned)},
            {"ours_seconds", number(o.ours)},
            {"speedup", number(o.speedup())},
            {"claimed_speedup", number(o.claimed)}};
}

std::string publishedTable(const std::vector<PublishedOutcome>& all) {
    constexpr auto right = TextTable::Align::right;
    TextTable text({{"shape"},
                    {"accumulates in"},
                    {"verdict"},
                    {"RMS error", right},
                    {"measured", right},
                    {"autotuned", right},
                    {"ours", right},
                    {"speed-up", right},
                    {"claimed", right},
                    {"reason"}});
    const auto cellOf = [](const std::optional<double>& x) { return x ? fmt::format("{:.3f}", *x) : std::string("-"); };
    const auto timeCell = [](const std::optional<double>& x) {
        return x ? quantities::seconds(*x, 4) : std::string("-");
    };
    for (const PublishedOutcome& o : all)
        text.add({shapeText(o.shape), o.accumulator, o.verdict,
                  o.relativeRms ? fmt::format("{:.1e}", *o.relativeRms) : "-", timeCell(o.seconds),
                  timeCell(o.autotuned), timeCell(o.ours), cellOf(o.speedup()), cellOf(o.claimed),
                  printable(o.reason.substr(0, o.reason.find('\n')).substr(0, 100))});
    return text.text();
}

} // namespace kernelarium::cli
