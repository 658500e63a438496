// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/hazards/Distances.h"

#include "core/sass/hazards/DistancesText.h"

namespace kernelarium::sass {

const DistanceTable& minedDistances() {
    static const DistanceTable table = [] {
        const Result<DistanceTable> read = DistanceTable::fromCsv(distancesText());
        return read ? *read : DistanceTable(); // a test reads the same text and names the line
    }();
    return table;
}

std::string_view minedFrom() {
    constexpr std::string_view mark = "# mined from ";
    const std::string_view text = distancesText();
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos) return {};
    const std::string_view rest = text.substr(at + mark.size());
    return rest.substr(0, rest.find('\n'));
}

} // namespace kernelarium::sass
