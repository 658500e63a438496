// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tune/SizesReport.h"

#include "app/cli/Output.h"
#include "core/quantities/Quantities.h"
#include "gpu/protocol/BestText.h"

#include <nlohmann/json.hpp>

namespace kernelarium::cli {

using nlohmann::json;

std::string sizesText(const protocol::SweepRequest& request, const std::vector<tuning::Judged>& all) {
    const std::vector<protocol::SizeBest> bests = protocol::bestForEachSize(request, all);
    if (bests.empty()) return {};
    using Align = TextTable::Align;
    TextTable table({{"BEST FOR"},
                     {"AS IT WAS", Align::right},
                     {"TIME", Align::right},
                     {"FASTER", Align::right},
                     {"VERIFIED AT"},
                     {"POINT"}});
    for (const protocol::SizeBest& best : bests) {
        const bool found = best.judged != nullptr;
        table.add({printable(best.size), best.startSeconds ? quantities::seconds(*best.startSeconds) : "-",
                   found ? quantities::seconds(best.time.seconds) : "-",
                   found && best.startSeconds ? quantities::times(*best.startSeconds / best.time.seconds) : "-",
                   found && !best.time.verifiedAt.empty() ? printable(best.time.verifiedAt) : "-",
                   found ? printable(best.judged->candidate.key) : "none is right"});
    }
    return table.text() + "\n";
}

json sizesJson(const protocol::SweepRequest& request, const std::vector<tuning::Judged>& all) {
    json sizes = json::array();
    for (const protocol::SizeBest& best : protocol::bestForEachSize(request, all)) {
        const bool found = best.judged != nullptr;
        sizes.push_back({{"size", best.size},
                         {"start_ms", best.startSeconds ? json(*best.startSeconds * 1e3) : json(nullptr)},
                         {"best", found ? json(best.judged->candidate.key) : json(nullptr)},
                         {"best_ms", found ? json(best.time.seconds * 1e3) : json(nullptr)},
                         {"verified_at", found ? json(best.time.verifiedAt) : json(nullptr)}});
    }
    return sizes;
}

} // namespace kernelarium::cli
