// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/convolution/Text.h"

#include "core/kernelgen/convolution/Pieces.h"
#include "core/kernelgen/convolution/Scalars.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

namespace {

std::string headerText(const Description& d, const task::Card& card) {
    std::string idea = d.axes[0].transposed
                           ? "A transposed convolution divides its outputs into cells that read the same inputs. "
                           : "Outputs side by side share their inputs. ";
    idea +=
        "A thread makes a column of cells for a group of filters, all in registers: a weight is read once for the column, an "
        "input once for the group. What follows the convolution happens before anything is stored.";
    std::string rewrites;
    for (const std::string& r : d.rewrites)
        rewrites += (rewrites.empty() ? "" : "; ") + r;
    const auto wrapped = [](std::string_view label, std::string_view text) {
        std::string out = fmt::format("// {:<9}", label), line;
        std::size_t used = 0;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find(' ', at), text.size());
            if (used + (end - at) > 100) out += "\n//          ", used = 0;
            if (used > 0) out += ' ';
            out += text.substr(at, end - at);
            used += end - at + 1;
            at = end + 1;
        }
        return out + "\n";
    };
    std::string out = fmt::format(
        "// SPDX-License-Identifier: GPL-3.0-or-later\n//\n// Task:    {} {}\n// Name:    columns\n// Parent:  none\n",
        card.key(), card.name);
    out += wrapped("Idea:", idea);
    if (!rewrites.empty()) out += wrapped("Rewrite:", rewrites);
    return out + "#include <torch/extension.h>\n\n";
}

} // namespace

Result<std::string> kernelText(const Description& d, const Tiles& tiles, const task::Card& card) {
    if (d.last().combinesFilters() &&
        4 * tiles.column * (d.pool == Pool::none ? d.cellOutputs() : 1) * d.filters * tiles.threads > 49152)
        return Error{"unsupported",
                     fmt::format("The values of {} filters do not fit into shared memory together.", d.filters)};
    Result<std::string> forward = forwardText(d, tiles, card);
    if (!forward) return forward.error();
    std::string statistics;
    if (d.norm) {
        const Description of = statisticsOf(d);
        Tiles ofTiles = tilesFor(of);
        ofTiles.mostWeights = tiles.mostWeights;
        ofTiles.constantWeights = tiles.constantWeights;
        statistics =
            "/// The sums that the norm needs: the convolution is done for them and stored nowhere.\nnamespace statistics {\n\n" +
            constantsText(of, ofTiles) + shapeText(of) + packText(of, ofTiles) + convolveText(of, ofTiles) +
            chainsText(of) + kernelText(of, ofTiles) + normText(of, *d.norm) + normHostText(of, *d.norm, ofTiles) +
            "} // namespace statistics\n\n";
    }
    return headerText(d, card) + statistics + constantsText(d, tiles) + shapeText(d) + packText(d, tiles) +
           convolveText(d, tiles) + chainsText(d) + kernelText(d, tiles) + summaryText(d) + *forward;
}

} // namespace kernelarium::kernelgen::convolution
